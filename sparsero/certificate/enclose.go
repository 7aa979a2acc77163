package certificate

import (
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
)

// side is one side of a box around X, sign x_column <= reach, with the relaxation that
// proves it once the other columns are bounded.
type side struct {
	column     int
	sign       float64
	costs      []float64
	relaxation *relaxation
	reach      float64 // what the solver says, at first
	outcome    error   // nil if the solver calls it optimal
	open       bool    // the column itself has no bound on this side
}

// encloseRounds bounds the changes of the guesses in enclose; two or three are enough
// unless the multipliers prove nothing.
const encloseRounds = 8

// enclose proves the sides of a box. Where all columns are bounded each follows from its
// relaxation. Otherwise rounding leaves reduced costs that are not quite 0 on columns
// without a bound, so that reaches v are guessed for those sides and prove themselves:
// let t be the least number with sign x <= t v on all open sides, for some x in X. Should
// t exceed 1, then every open side has
//
//	sign x <= F(t v) <= F(v) + (t-1) drift <= 3/4 v + (t-1)/2 v < 3/4 t v,
//
// where F is the relaxed bound and drift its growth with v, which contradicts the
// choice of t.
func enclose(b Box, sides []*side, region *solver.Model) (Box, error) {
	trial := Box{Lower: append([]float64(nil), b.Lower...), Upper: append([]float64(nil), b.Upper...)}
	for _, s := range sides {
		s.open = math.IsInf(*s.of(b), 0)
		if s.reach = 2 * math.Abs(s.reach); math.IsNaN(s.reach) {
			s.reach = 0
		}
	}
	proven := false
	for round := 0; round < encloseRounds && !proven; round++ {
		proven = true
		for _, s := range sides {
			if s.open {
				*s.of(trial) = s.sign * s.reach
			}
		}
		for _, s := range sides {
			if !s.open {
				continue
			}
			bound, drift := s.bound(trial), s.drift(b, trial)
			if !(bound <= s.reach*3/4 && drift <= s.reach/2) {
				proven = false
				s.reach = max(s.reach, 2*bound, 4*drift)
			}
		}
	}
	for _, s := range sides {
		if s.open && (!proven || math.IsInf(s.bound(trial), 0)) {
			return Box{}, errors.Join(fmt.Errorf("certificate: the multipliers of the solver do not prove a range of %s; give the column finite bounds",
				region.ColumnName(s.column)), s.outcome)
		}
	}
	for _, s := range sides {
		if bound := s.sign * s.bound(trial); s.sign*bound < s.sign**s.of(b) {
			*s.of(b) = bound
		}
	}
	return b, nil
}

// of returns the bound of a box that the side stands for.
func (s *side) of(b Box) *float64 {
	if s.sign > 0 {
		return &b.Upper[s.column]
	}
	return &b.Lower[s.column]
}

// bound is the relaxed bound on sign x over a box.
func (s *side) bound(b Box) float64 { return s.relaxation.maximum(s.costs, s.costs, 0, b) }

// drift bounds the growth of bound when the sides of a trial box that are open in b grow
// by once their size.
func (s *side) drift(b, trial Box) float64 {
	total := 0.0
	for j := range s.costs {
		least, most := s.relaxation.reduced(s.costs, s.costs, j)
		if math.IsInf(b.Upper[j], 1) && most > 0 {
			total += most * trial.Upper[j]
		}
		if math.IsInf(b.Lower[j], -1) && least < 0 {
			total += least * trial.Lower[j]
		}
	}
	return total * (1 + 0x1p-40) // far more than the rounding of the sum
}
