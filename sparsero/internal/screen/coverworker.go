package screen

import (
	"math/bits"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// coverWorker is the memory that one goroutine needs to find masks: the alignments
// come by atoms, and 64 atoms at a time are turned into words for the directions.
type coverWorker struct {
	*block
	group []uint64 // for each 64 directions one word for each of 64 atoms
	above []uint64 // one bit for each direction
}

// worker returns the memory of a goroutine.
func (c *coverMasks) worker(k int) *coverWorker {
	if c.workers[k] == nil {
		words := (c.screen.columns + 63) / 64
		c.workers[k] = &coverWorker{
			block: c.screen.newBlock(), group: make([]uint64, 64*words), above: make([]uint64, words),
		}
	}
	return c.workers[k]
}

// eachRow visits the alignments of consecutive atoms in turn.
func (w *coverWorker) eachRow(from, to int, visit func(i int, row []kernel.Half)) error {
	step := to - from
	if w.screen.Streams() {
		step = w.screen.block
	}
	for first := from; first < to; first += step {
		until := min(first+step, to)
		rows, err := w.rowsBetween(first, until)
		if err != nil {
			return err
		}
		for i := first; i < until; i++ {
			visit(i, w.screen.rowAt(rows, i-first))
		}
	}
	return nil
}

// over finds out which alignments of atom i are above the floors, for store.
func (w *coverWorker) over(i int, row []kernel.Half, floors []kernel.Floor) {
	w.screen.kernel.Over(w.group[i%64:], 64, row, floors)
}

// store puts what over has found for the atoms up to the given one into the masks once
// that is the last of 64, or of all.
func (w *coverWorker) store(masks []kernel.Strip, i int) {
	s := w.screen
	if i%64 < 63 && i < s.n-1 {
		return
	}
	rows, word := masks[i/kernel.StripBits*(s.m+1):], i%kernel.StripBits/64
	for first := 0; first < s.m; first += 64 {
		square := (*[64]uint64)(w.group[first:])
		clear(square[i%64+1:])
		s.kernel.Transpose(square)
		for k, bits := range square[:min(64, s.m-first)] {
			rows[first+k][word] = bits
		}
	}
}

// appendCells lists the ones of a word, whose first direction is given, of an atom of a
// range.
func appendCells(cells []cell, atom, first int, word uint64, row []kernel.Half) []cell {
	for ; word != 0; word &= word - 1 {
		j := first + bits.TrailingZeros64(word)
		cells = append(cells, cell{uint16(atom), row[j], int32(j)})
	}
	return cells
}
