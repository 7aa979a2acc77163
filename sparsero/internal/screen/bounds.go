package screen

import (
	"context"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// parallelRows is the number of rows below which starting goroutines costs more
// than it saves.
const parallelRows = 256

// fetchedAhead is how many bytes before they are needed alignments are fetched into the
// cache: enough to hide how long memory takes, and little beside the first level.
const fetchedAhead = 8 << 10

// bound returns an upper bound of the float64 gain of atom i over the support
// whose floor is given. What follows next is fetched into the cache on the way.
func (s *Screen) bound(i int, row []kernel.Half, floor []float32, next *kernel.Half) float64 {
	return float64(s.kernel.Excess(row, floor, s.weight, s.tolerance[i], next)) * s.gainFactor
}

// Bound replaces the entries of upper that belong to the listed atoms by bounds
// of their present gains, where those are smaller.
func (t *State) Bound(ctx context.Context, upper []float64, list []int32) error {
	s := t.screen
	ahead := max(1, fetchedAhead/(2*s.columns)) // rows
	return parallel.Blocks(ctx, s.workers, len(list), s.blockOf(parallelRows), func(worker, from, to int) error {
		part := list[from:to]
		rows, err := t.block(worker).rowsOf(part)
		if err != nil {
			return err
		}
		for k, i := range part {
			next := rows(min(k+ahead, len(part)-1))
			upper[i] = min(upper[i], s.bound(int(i), rows(k), t.floor, &next[0]))
		}
		return nil
	})
}

// blockOf returns how many atoms a goroutine takes at a time: the given number where their alignments
// are held.
func (s *Screen) blockOf(held int) int {
	if s.Streams() {
		return s.block
	}
	return held
}

// rowsOf returns a function that gives the alignments of the listed atoms, at most
// a block of them, by their position in the list.
func (b *block) rowsOf(list []int32) (func(k int) []kernel.Half, error) {
	s := b.screen
	if !s.Streams() {
		return func(k int) []kernel.Half { return s.rowAt(s.scores, int(list[k])) }, nil
	}
	if err := b.load(list); err != nil {
		return nil, err
	}
	return func(k int) []kernel.Half { return s.rowAt(b.halves, k) }, nil
}

// load computes the alignments of the listed atoms. Runs of consecutive atoms are
// read together.
func (b *block) load(list []int32) error {
	for k := 0; k < len(list); {
		end := k + 1
		for end < len(list) && list[end] == list[end-1]+1 {
			end++
		}
		if err := b.read(k, int(list[k]), int(list[end-1])+1); err != nil {
			return err
		}
		k = end
	}
	b.multiply(b.halves, len(list))
	return nil
}
