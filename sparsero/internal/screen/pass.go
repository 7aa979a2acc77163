package screen

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// pass computes the alignments of all atoms, their tolerances, the bounds of the
// gains at the empty set and the full support. If an atom is too large for the
// present scale it stops there and returns a bound of the norms of such atoms.
func (s *Screen) pass(ctx context.Context, probes *spread) (largest float64, err error) {
	unit := kernel.RoundingBound(s.p) + // of the product
		5*0x1p-24 + // of the tolerance itself, added inside Excess and Above
		float64(s.p)*0x1p-52 // of the float64 alignment
	unit *= 1 + slack
	passes := make([]*passWorker, s.workers)
	for k := range passes {
		passes[k] = &passWorker{unit: unit}
	}
	err = parallel.Blocks(ctx, s.workers, s.n, s.block, func(worker, from, to int) error {
		w := passes[worker]
		if w.block == nil {
			w.block, w.peaks, w.spread, w.probes = s.newBlock(), s.newPeaks(), newSpread(s.p), probes
			w.grow()
		}
		return w.run(from, to)
	})
	if err != nil {
		return 0, err
	}
	passes = slices.DeleteFunc(passes, func(w *passWorker) bool { return w.block == nil })
	for _, w := range passes {
		largest = max(largest, w.largest)
		s.spread.join(&w.spread)
	}
	if largest > 0 {
		return largest, nil
	}
	s.loosest = slices.Max(s.tolerance)
	return 0, s.join(ctx, passes)
}

// join finds the full support from what the goroutines of a pass left open.
func (s *Screen) join(ctx context.Context, passes []*passWorker) error {
	all := s.newPeaks()
	for _, w := range passes {
		for j, floor := range w.floor {
			all.floor[j] = max(all.floor[j], floor)
		}
	}
	err := parallel.Blocks(ctx, s.workers, len(passes), 1, func(_, k, _ int) error {
		passes[k].prune(all.floor)
		return passes[k].settle()
	})
	if err != nil {
		return err
	}
	for _, w := range passes {
		for j, value := range w.current {
			all.current[j] = max(all.current[j], value)
		}
	}
	s.full, s.fullValue = all.current, mean(all.current)
	return nil
}

// passWorker is what one goroutine needs in a pass, and what it finds.
type passWorker struct {
	*block
	peaks           // of the atoms seen
	spread          // of the atoms seen
	probes  *spread // of the directions
	unit    float64 // error of an alignment, relative to the norms
	largest float64 // at least the norm of every atom that is too large
}

func (w *passWorker) run(from, to int) error {
	s := w.screen
	atoms, err := s.atoms.Rows(w.buffer, from, to)
	if err != nil {
		return err
	}
	for i := from; i < to; i++ {
		atom := atoms[(i-from)*s.p : (i-from+1)*s.p]
		w.spread.note(atom, w.probes, s.m)
		norm := w.narrow(i-from, atom)
		if !(norm <= widest) {
			return w.tooLarge(i, atom)
		}
		s.tolerance[i] = upward(norm * w.unit)
	}
	scores := w.halves
	if !s.Streams() {
		scores = s.scores[from*s.columns:]
	}
	w.multiply(scores, to-from)
	for i := from; i < to; i++ {
		row := s.rowAt(scores, i-from)
		s.empty[i] = s.bound(i, row, s.nothing.floor, &row[0])
		if err := w.note(i, row); err != nil {
			return err
		}
	}
	return nil
}

// tooLarge notes the size of an atom whose norm is beyond the scale, or reports
// that it is not finite.
func (w *passWorker) tooLarge(i int, atom []float64) error {
	if err := finite(i, atom); err != nil {
		return err
	}
	for _, value := range atom {
		w.largest = max(w.largest, min(math.Abs(value)*math.Sqrt(float64(len(atom))), math.MaxFloat64))
	}
	return nil
}

// finite reports an atom that holds NaN or Inf.
func finite(i int, atom []float64) error {
	for k, value := range atom {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return &NotFiniteError{i, k, value}
		}
	}
	return nil
}
