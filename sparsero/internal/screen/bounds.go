package screen

import (
	"context"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// parallelRows is the number of rows below which starting goroutines costs more than it saves.
const parallelRows = 256

// fetchedAhead is how many bytes before they are needed alignments are fetched into the
// second level of cache: enough to hide how long memory takes, and little beside it.
const fetchedAhead = 16 << 10

// bound returns an upper bound of the float64 gain of atom i over the support
// whose floor is given. What follows next is fetched into the cache on the way.
func (b *block) bound(i int, row []kernel.Half, floor []float32, next *kernel.Half) float64 {
	b.readRow()
	return float64(b.excess(i, row, floor, next)) * b.screen.gainFactor
}

// excess is that bound without its factor.
func (b *block) excess(i int, row []kernel.Half, floor []float32, next *kernel.Half) float32 {
	s := b.screen
	b.cost.Bounds++
	return s.kernel.Excess(row, floor, s.weight, s.tolerance[i], next)
}

// Bound replaces the entries of upper that belong to the listed atoms by bounds
// of their present gains, where those are smaller.
func (t *State) Bound(ctx context.Context, upper []float64, list []int32) error {
	return t.each(ctx, list, parallelRows, func(worker, i int, row []kernel.Half, next *kernel.Half) error {
		upper[i] = min(upper[i], t.block(worker).bound(i, row, t.floor, next))
		return nil
	})
}

// each visits the alignments of the listed atoms, see [State.parts]. next is where those begin
// that the same goroutine visits soon.
func (t *State) each(ctx context.Context, list []int32, held int, visit func(worker, i int, row []kernel.Half, next *kernel.Half) error) error {
	s := t.screen
	ahead := max(1, fetchedAhead/(2*s.columns)) // rows
	return t.parts(ctx, list, held, func(worker int, part []int32, scores []kernel.Half, at []int32) (err error) {
		for k := 0; k < len(part) && err == nil; k++ {
			next := int(at[min(k+ahead, len(part)-1)])
			err = visit(worker, int(part[k]), s.rowAt(scores, int(at[k])), &scores[next*s.columns])
		}
		return err
	})
}

// parts visits the listed atoms in parts: of the given size where alignments are held, and otherwise of
// a block of them. The alignments of part[k] are row at[k] of scores.
func (t *State) parts(ctx context.Context, list []int32, held int, visit func(worker int, part []int32, scores []kernel.Half, at []int32) error) error {
	size := held
	if t.screen.Streams() {
		size = t.screen.block
	}
	return parallel.Blocks(ctx, t.screen.workers, len(list), size, func(worker, from, to int) error {
		b := t.block(worker)
		defer b.charge()
		scores, at, err := b.rowsOf(list[from:to])
		if err != nil {
			return err
		}
		return visit(worker, list[from:to], scores, at)
	})
}

// rowsOf returns the alignments of the listed atoms, at most a block of them: those of list[k] are row at[k].
func (b *block) rowsOf(list []int32) (scores []kernel.Half, at []int32, err error) {
	if !b.screen.Streams() {
		return b.screen.scores, list, nil
	}
	err = b.load(list)
	return b.halves, b.positions[:len(list)], err
}

// load computes the alignments of the listed atoms. Runs of consecutive atoms are read together.
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
	b.multiply(len(list))
	for k := range list {
		b.halve(b.halves, k)
	}
	return nil
}
