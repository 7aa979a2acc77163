package screen

import (
	"context"
	"math/bits"
)

// coverRows is the number of atoms that share a word of a set.
const coverRows = 64

// coverWorker is what one goroutine needs to find what atoms may cover.
type coverWorker struct {
	*block
	masks []uint32 // for each of coverRows atoms, the directions it may cover
	bits  [coverRows]uint64
}

// worker returns the memory of a goroutine.
func (c *CoverSearch) worker(k int) *coverWorker {
	if c.workers[k] == nil {
		c.workers[k] = &coverWorker{block: c.screen.newBlock(), masks: make([]uint32, coverRows*c.screen.columns/32)}
	}
	return c.workers[k]
}

// fill finds what the atoms may cover, from the bounds.
func (c *CoverSearch) fill(ctx context.Context) error {
	clear(c.exact)
	return forEachBlock(ctx, c.screen.workers, c.screen.n, coverRows, func(worker, from, to int) error {
		w := c.worker(worker)
		clear(w.masks)
		for next := from; next < to; next += c.screen.block {
			if err := c.fillMasks(w, from, next, min(next+c.screen.block, to)); err != nil {
				return err
			}
		}
		c.transpose(w, from/coverRows)
		return nil
	})
}

// fillMasks finds the masks and counts of some atoms of a word that starts at
// first.
func (c *CoverSearch) fillMasks(w *coverWorker, first, from, to int) error {
	s := c.screen
	rows, err := w.rowsBetween(from, to)
	if err != nil {
		return err
	}
	width := s.columns / 32
	for i := from; i < to; i++ {
		mask := w.masks[(i-first)*width : (i-first+1)*width]
		s.kernel.Above(mask, s.rowAt(rows, i-from), c.possible, s.weight, s.tolerance[i])
		count := 0
		for _, word := range mask {
			count += bits.OnesCount32(word)
		}
		c.count[i] = int32(count)
	}
	return nil
}

// transpose turns the masks, one row for each atom, into one word of the sets, one
// row for each direction.
func (c *CoverSearch) transpose(w *coverWorker, word int) {
	width := c.screen.columns / 32
	for k := 0; k < width; k += 2 {
		for i := range w.bits {
			w.bits[i] = uint64(w.masks[i*width+k])
			if k+1 < width {
				w.bits[i] |= uint64(w.masks[i*width+k+1]) << 32
			}
		}
		transpose64(&w.bits)
		for j := range min(64, c.screen.columns-32*k) {
			c.sets[(32*k+j)*c.words+word] = w.bits[j]
		}
	}
}

// transpose64 transposes a matrix of 64×64 bits, bit j of word i being the entry
// of row i and column j: blocks of 32, 16, ..., 1 bits change places (Warren,
// Hacker's Delight, 7-3).
func transpose64(a *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for size := 32; size > 0; size >>= 1 {
		for k := 0; k < 64; k = (k + size + 1) &^ size {
			swap := (a[k]>>size ^ a[k+size]) & mask
			a[k] ^= swap << size
			a[k+size] ^= swap
		}
		mask ^= mask << (size >> 1)
	}
}
