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

// reach finds out which alignments of atom i reach the floors, for store.
func (w *coverWorker) reach(i int, row []kernel.Half, floors []kernel.Floor) {
	w.screen.kernel.Reach(w.found(i), 64, row, floors)
}

// found returns what reach finds for atom i: every 64th word, beginning with the first.
func (w *coverWorker) found(i int) []uint64 {
	group := i % kernel.StripBits / 64
	return w.squares[group*len(w.squares)/groups+i%64:]
}

// store puts what reach has found for the atoms up to the given one into the masks once
// that is the last of a strip, or of all.
func (w *coverWorker) store(masks []kernel.Strip, i int) {
	s := w.screen
	if i%kernel.StripBits < kernel.StripBits-1 && i < s.n-1 {
		return
	}
	rows := masks[i/kernel.StripBits*(s.m+1):][:s.m]
	first := i / kernel.StripBits * kernel.StripBits
	for column := 0; column < s.m; column += 64 {
		part := rows[column:min(column+64, s.m)]
		for from := first; from <= i; from += 64 {
			square := (*[64]uint64)(w.found(from)[column:])
			clear(square[min(i-from+1, 64):])
			s.kernel.Transpose(square)
			for k, word := range square[:len(part)] {
				part[k][(from-first)/64] = word
			}
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
