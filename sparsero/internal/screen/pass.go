package screen

import (
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// pass computes the alignments of all atoms, their tolerances, the bounds of the gains at the empty set and the full
// support. If an atom is too large for the present scale it stops there and returns a bound of the norms of such atoms.
func (s *Screen) pass(ctx context.Context, probes *Spread) (largest float64, err error) {
	unit := kernel.RoundingBound(s.p) + // of the product
		5*0x1p-24 + // of the tolerance itself, added inside Excess and Above
		float64(s.p)*0x1p-52 // of the float64 alignment
	passes := make([]*passWorker, s.workers)
	for k := range passes {
		passes[k] = &passWorker{unit: unit}
	}
	if s.levels != nil {
		passes[0].start(s, probes)
		if err := s.levels.scale(passes[0].block); err != nil {
			return 0, err
		}
	}
	err = parallel.Blocks(ctx, s.workers, s.n, s.atOnce, func(worker, from, to int) error {
		w := passes[worker]
		w.start(s, probes)
		defer w.charge()
		for at := from; at < to; at += s.block {
			if err := w.run(at, min(at+s.block, to)); err != nil {
				return err
			}
		}
		if s.levels != nil {
			s.levels.add(from, to)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	s.full = make([]float64, s.m)
	for _, w := range passes {
		if w.block == nil {
			continue
		}
		if err := w.settle(); err != nil {
			return 0, err
		}
		w.charge()
		largest = max(largest, w.largest)
		s.spread.Join(&w.Spread)
		for j, value := range w.current {
			s.full[j] = max(s.full[j], value)
		}
	}
	if !s.spread.exactWith(probes, s.m) { // whatever each goroutine saw of the atoms
		s.spread.Last = nil
	}
	s.fullValue = Mean(s.full)
	return largest, nil
}

// passWorker is what one goroutine needs in a pass, and what it finds.
type passWorker struct {
	*block
	support         // of the atoms seen
	Spread          // of the atoms seen
	probes  *Spread // of some directions
	unit    float64 // error of an alignment, relative to the norms
	largest float64 // at least the norm of every atom that is too large
	open    []opening
}

// opening is an alignment that may be the largest with its direction, with an upper bound in the units of the screen.
type opening struct {
	atom, column int32
	bound        float64
}

// openRows is how many openings are kept for each direction at most.
const openRows = 64

// start makes the memory of a worker where that was not done.
func (w *passWorker) start(s *Screen, probes *Spread) {
	if w.block != nil {
		return
	}
	w.block, w.support, w.Spread, w.probes = s.newBlock(), s.newSupport(), newSpread(s.p), probes
	w.grow()
	w.sizes = w.Largest
}

func (w *passWorker) run(from, to int) error {
	s := w.screen
	atoms, err := s.atoms.Rows(w.buffer, from, to)
	if err != nil {
		return err
	}
	for i := from; i < to; i++ {
		atom := atoms[(i-from)*s.p : (i-from+1)*s.p]
		norm := w.narrow(i-from, atom)
		w.noteBits(atom)
		if !(norm <= widest) {
			return w.tooLarge(i, atom)
		}
		s.tolerance[i] = upward(norm * w.unit)
	}
	if !w.exactWith(w.probes, s.m) {
		w.Last = nil // no more bits are looked at
	}
	scores := w.halves
	if !s.Streams() {
		scores = s.scores[from*s.columns:]
	}
	w.multiply(to - from)
	if s.levels != nil {
		s.levels.quantize(w.block, from, to)
	}
	for i := from; i < to; i++ {
		row := w.halve(scores, i-from) // while its numbers are in the cache
		if s.levels == nil || s.levels.silent(i) {
			s.empty[i] = w.bound(i, row, s.nothing.floor, &row[0])
		}
		w.lift(i, row)
		if len(w.open) > openRows*s.m {
			if err := w.settle(); err != nil {
				return err
			}
		}
	}
	return nil
}

// lift raises the floor to lower bounds of the alignments of atom i, and notes those that may be above it.
func (w *passWorker) lift(i int, row []kernel.Half) {
	s := w.screen
	w.mayExceed(i, row, w.floor)
	for _, j := range w.columns {
		lower, upper := s.between(i, row, j)
		w.open = append(w.open, opening{int32(i), j, upper})
		w.floor[j] = max(w.floor[j], downward(lower))
	}
}

// settle finds the support in float64 where the openings may be above the floor by now.
func (w *passWorker) settle() error {
	for k := 0; k < len(w.open); {
		i := w.open[k].atom
		for w.columns = w.columns[:0]; k < len(w.open) && w.open[k].atom == i; k++ {
			if o := w.open[k]; o.bound > float64(w.floor[o.column]) {
				w.columns = append(w.columns, o.column)
			}
		}
		values, err := w.align(int(i))
		if err != nil {
			return err
		}
		w.raise(w.screen, w.columns, values)
	}
	w.open = w.open[:0]
	return nil
}

// tooLarge notes the size of an atom whose norm is beyond the scale, or reports that it is not finite.
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
			return fmt.Errorf("atom %d has the value %v in coordinate %d; give finite atoms", i, value, k)
		}
	}
	return nil
}
