package screen

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// denseExponent is the binary exponent of the largest full support in the units of a
// dense screen, below that of kernel.MaxHalf.
const denseExponent = 15

// fillDense computes all alignments in float64. Their bounds are rounded from them and
// need no tolerance.
func (s *Screen) fillDense(ctx context.Context, probes *spread) error {
	s.exact = make([]float64, s.n*s.m)
	s.weight = make([]float32, s.columns)
	panels := kernel.Pack(s.kernel, s.directions, s.m, s.p)
	workers := make([]*denseWorker, s.workers)
	err := parallel.Blocks(ctx, s.workers, s.n, s.block, func(worker, from, to int) error {
		if workers[worker] == nil {
			workers[worker] = &denseWorker{
				screen: s, buffer: make([]float64, s.block*s.p), probes: probes,
				scores: kernel.NewScoreBlock(s.kernel, panels, s.m), peaks: s.newPeaks(), spread: newSpread(s.p),
			}
		}
		return workers[worker].run(from, to)
	})
	if err != nil {
		return err
	}
	workers = slices.DeleteFunc(workers, func(w *denseWorker) bool { return w == nil })
	all := s.newPeaks()
	for _, w := range workers {
		s.spread.join(&w.spread)
		for j, value := range w.current {
			all.attain(j, w.sole[j], value)
		}
	}
	s.full, s.sole, s.fullValue = all.current, all.sole, mean(all.current)
	if s.fullValue > math.Ldexp(1, -farthestDown) {
		return ErrRange
	}
	s.exponent = min(scaleExponent(slices.Max(s.full))+denseExponent, farthestUp)
	s.setUnit()
	return s.boundDense(ctx)
}

// denseWorker is what one goroutine needs, and what it finds.
type denseWorker struct {
	screen *Screen
	buffer []float64
	scores *kernel.ScoreBlock
	peaks          // of the atoms seen
	spread         // of the atoms seen
	probes *spread // of the directions
}

func (w *denseWorker) run(from, to int) error {
	s := w.screen
	atoms, err := s.atoms.Rows(w.buffer, from, to)
	if err != nil {
		return err
	}
	w.scores.Fill(s.exact[from*s.m:to*s.m], atoms[:(to-from)*s.p])
	for i := from; i < to; i++ {
		atom := atoms[(i-from)*s.p:][:s.p]
		w.note(atom, w.probes, s.m)
		doubt := 0.0
		for j, value := range s.exact[i*s.m:][:s.m] {
			if doubt += value - value; value >= w.current[j] {
				w.attain(j, int32(i), value)
			}
		}
		if doubt != 0 { // there is a NaN or Inf
			if err := finite(i, atom); err != nil {
				return err
			}
			return ErrRange
		}
	}
	return nil
}

// boundDense rounds the alignments up to half precision. Those far below zero never
// matter.
func (s *Screen) boundDense(ctx context.Context) error {
	scale := math.Ldexp(1, s.exponent)
	return parallel.Blocks(ctx, s.workers, s.n, coverBlock, func(_, from, to int) error {
		row := make([]float32, s.columns)
		for i := from; i < to; i++ {
			for j, value := range s.exact[i*s.m:][:s.m] {
				single := float32(max(value*scale, -kernel.MaxHalf/2))
				row[j] = single + max(single, -single)*0x1p-23 // what rounding took, but for what underflow covers
			}
			stored := s.rowAt(s.scores, i)
			s.kernel.Halve(stored, row)
			s.empty[i] = s.bound(i, stored, s.nothing.floor, &stored[0])
		}
		return nil
	})
}
