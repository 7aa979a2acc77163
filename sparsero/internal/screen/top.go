package screen

import (
	"context"
	"math"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// Aligned is an atom and its alignment with a direction.
type Aligned struct {
	Atom  int
	Value float64
}

func compareAligned(a, b Aligned) int { return rank.Compare(a.Value, a.Atom, b.Value, b.Atom) }

// Top returns, for each direction, the first count >= 1 atoms with a positive float64 alignment by
// the tie rule, or all there are.
func (s *Screen) Top(ctx context.Context, count int) ([][]Aligned, error) {
	state, tops := s.NewState(), make([]top, s.workers)
	for worker := range tops {
		tops[worker] = top{make([][]Aligned, s.m), s.newSupport().floor}
	}
	err := state.each(ctx, rank.Indices[int32](s.n), parallelRows, func(worker, i int, row []kernel.Half, _ *kernel.Half) error {
		b, t := state.block(worker), &tops[worker]
		columns, values, err := b.exceeding(i, row, t.floor)
		for k, j := range columns[:len(values)] {
			if values[k] > 0 {
				t.lists[j] = rank.Insert(t.lists[j], Aligned{i, values[k]}, count, compareAligned)
			}
			if list := t.lists[j]; len(list) == count {
				t.floor[j] = downward(math.Ldexp(list[count-1].Value, s.exponent))
			}
		}
		return err
	})
	lists := tops[0].lists
	for _, other := range tops[1:] {
		for j, list := range other.lists {
			for _, found := range list {
				lists[j] = rank.Insert(lists[j], found, count, compareAligned)
			}
		}
	}
	return lists, err
}

// top is what one goroutine finds: for each direction a list, and a floor below its last alignment once it is full.
type top struct {
	lists [][]Aligned
	floor []float32
}
