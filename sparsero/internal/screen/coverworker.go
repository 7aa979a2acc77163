package screen

import (
	"math/bits"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// groups is how many times 64 atoms there are in a strip.
const groups = kernel.StripBits / 64

// coverWorker is the memory that one goroutine needs to find masks: the alignments
// come by atoms, and those of a strip are turned into words for the directions.
type coverWorker struct {
	*block
	squares []uint64 // for each 64 atoms and each 64 directions one word for each atom
	above   []uint64 // one bit for each direction
}

// worker returns the memory of a goroutine.
func (c *coverMasks) worker(k int) *coverWorker {
	if c.workers[k] == nil {
		words := (c.screen.columns + 63) / 64
		c.workers[k] = &coverWorker{
			block: c.screen.newBlock(), squares: make([]uint64, groups*64*words), above: make([]uint64, words),
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

// found returns the words of atom i: every 64th, beginning with the first.
func (w *coverWorker) found(i int) []uint64 {
	group := i % kernel.StripBits / 64
	return w.squares[group*len(w.squares)/groups+i%64:]
}

// store puts the words of the first atoms of a strip, so many, into its masks.
func (w *coverWorker) store(matrix []kernel.Strip, atoms int) {
	m := w.screen.m
	for first := 0; first < m; first += 64 {
		masks := matrix[first:min(first+64, m)]
		for from := 0; from < atoms; from += 64 {
			square := (*[64]uint64)(w.found(from)[first:])
			clear(square[min(atoms-from, 64):])
			w.screen.kernel.Transpose(square)
			for k, word := range square[:len(masks)] {
				masks[k][from/64] = word
			}
		}
	}
}

// appendCells lists the ones of a word, whose first direction is given, of an atom of a
// strip.
func appendCells(cells []cell, atom, first int, word uint64, row []kernel.Half) []cell {
	for ; word != 0; word &= word - 1 {
		j := first + bits.TrailingZeros64(word)
		cells = append(cells, cell{uint16(atom), row[j], int32(j)})
	}
	return cells
}
