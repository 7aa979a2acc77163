package screen

import (
	"math"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// A goroutine looks which of its candidates still are when there are more than
// candidatesEach for each direction, and candidatesLeast in all.
const candidatesEach, candidatesLeast = 4, 1 << 14

// peaks is the full support of the atoms seen so far. Bounds tell which atoms may attain
// it; in the end few of them are left, and only these are aligned in float64.
type peaks struct {
	support                // current: of the candidates settled; floor: of all atoms seen
	candidates []candidate // not settled yet, those of an atom together
}

// candidate is an atom that may attain the full support in a direction.
type candidate struct {
	atom, direction int32
	atMost          float32 // its alignment, in the units of the screen
}

func (s *Screen) newPeaks() peaks { return peaks{support: s.newSupport()} }

// note makes atom i a candidate where it may exceed the floor, which it raises.
func (w *passWorker) note(i int, row []kernel.Half) error {
	s := w.screen
	w.mayExceed(i, row, w.floor)
	for _, j := range w.columns {
		w.candidates = append(w.candidates, candidate{int32(i), j, s.atMost(i, row, j)})
		w.floor[j] = max(w.floor[j], s.atLeast(i, row, j))
	}
	room := max(candidatesEach*s.m, candidatesLeast)
	if len(w.candidates) <= room {
		return nil
	}
	if w.prune(w.floor); len(w.candidates) <= room/2 {
		return nil
	}
	return w.settle()
}

// prune drops the candidates that do not exceed the floor.
func (p *peaks) prune(floor []float32) {
	left := p.candidates[:0]
	for _, c := range p.candidates {
		if c.atMost > floor[c.direction] {
			left = append(left, c)
		}
	}
	p.candidates = left
}

// settle aligns the candidates in float64 and forgets them.
func (w *passWorker) settle() error {
	s := w.screen
	for rest := w.candidates; len(rest) > 0; {
		i := rest[0].atom
		w.columns = w.columns[:0]
		for len(rest) > 0 && rest[0].atom == i {
			w.columns = append(w.columns, rest[0].direction)
			rest = rest[1:]
		}
		values, err := w.align(int(i))
		if err != nil {
			return err
		}
		for k, value := range values {
			j := w.columns[k]
			w.floor[j] = max(w.floor[j], downward(math.Ldexp(value, s.exponent)))
			w.current[j] = max(w.current[j], value)
		}
	}
	w.candidates = w.candidates[:0]
	return nil
}

// atMost returns an upper bound of the alignment of atom i with direction j, in the
// units of the screen.
func (s *Screen) atMost(i int, row []kernel.Half, j int32) float32 {
	return upward(float64(row[j].Float32()) + float64(s.tolerance[i])*float64(s.weight[j]) + underflow)
}

// atLeast returns a lower bound of the alignment of atom i with direction j, in the
// units of the screen.
func (s *Screen) atLeast(i int, row []kernel.Half, j int32) float32 {
	bound := float64(row[j].Float32())
	step := math.Abs(bound)*0x1p-10 + 0x1p-24 // of half precision
	return downward(bound - float64(s.tolerance[i])*float64(s.weight[j]) - step)
}
