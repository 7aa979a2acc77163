package robust

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// ErrNotCertified is returned, wrapped, when a bound on the value gap is asked of
// a solution that violates a robust constraint of the full model.
var ErrNotCertified = errors.New("robust: not certified")

// lowerBoundAt is LowerBound where the X of another solution misses no limit or there are no multipliers, otherwise what the
// multipliers prove of the problem that is moved to that X.
func (s *Solution) lowerBoundAt(other *Solution) proof.Lower {
	if s.multipliers.Rows == nil {
		return s.LowerBound
	}
	moved, missed := s.movedTo(other)
	if !missed {
		return s.LowerBound
	}
	return s.provenOf(moved)
}

// movedTo is the problem each limit of which that the X of another solution misses is moved to where that X is, rounded outwards,
// and whether there is any. Robust constraints without a multiplier, on which no bound leans, are not looked at.
func (s *Solution) movedTo(other *Solution) (moved *Problem, missed bool) {
	p := *s.problem
	p.region, p.constraints = p.region.Clone(), slices.Clone(p.constraints)
	for i := range p.region.Rows() {
		var activity directed.Sum
		columns, values := p.region.RowTerms(i)
		for k, j := range columns {
			activity.AddProduct(values[k], other.X[j])
		}
		given := p.region.RowBounds(i)
		if limits := solver.Between(math.Min(given.Lower(), activity.Lower()), math.Max(given.Upper(), activity.Upper())); limits != given {
			p.region.SetRowBounds(i, limits)
			missed = true
		}
	}
	for k := range p.constraints {
		if !slices.ContainsFunc(s.multipliers.Robust, func(m robustMultiplier) bool { return m.Exposure == k }) {
			continue
		}
		nominal, _ := p.nominal(k, other.X)
		reached := directed.SumUpper(nominal.Upper(), other.uncertainUpper(slices.Index(p.exposures(), k), s.Radius))
		if reached > p.constraints[k].Limit {
			p.constraints[k].Limit, missed = reached, true
		}
	}
	return &p, missed
}

// GapBound returns a proven bound on the value gap min Φ_N - min Φ_S and on the regret Φ_N(X) - min Φ_N, in units of the
// objective: Φ_N(X) rounded up minus LowerBound, at least 0, which is r Δ_S(q(X)) plus whatever the solver left open;
// Certificate.WorstAtom is the atom behind it. It costs a pass over the dictionary for the objective, and for each
// robust constraint with a multiplier, the sums of all rows and, where X misses one, a proof as that of LowerBound.
//
// A decision of a solver may miss rows and robust constraints by its tolerance. The bound on the regret holds all the
// same; that on the value gap then holds for the problem each limit of which that X misses is moved to where X is, by
// weak duality from the multipliers of LowerBound. Where there are none (integer problems, files, a convex set solved
// as one program, for which S is the whole set), min Φ_S stays that of the limits as given.
//
// With robust constraints X must satisfy all of them for the full dictionary up to the tolerance; otherwise the error wraps
// ErrNotCertified and names the violated constraint and the next step, such as the atom to add.
func (s *Solution) GapBound() (proof.Upper, error) {
	if k := s.firstViolated(); k >= 0 {
		c := s.Constraints[k]
		worst := c.Certificate.WorstAtom
		next := fmt.Sprintf("add atom %d (%s) to the chosen atoms and solve again", worst, s.label(worst))
		switch {
		case worst == sparsero.NullAtom:
			next = "X breaks it without any uncertainty: give another decision"
		case s.Full:
			next = "the work was cut short: give it more time, or larger limits"
		case slices.Contains(s.Atoms, worst):
			next = fmt.Sprintf("X breaks it against the chosen atom %d (%s): give another decision", worst, s.label(worst))
		}
		return proof.Upper{}, fmt.Errorf("%w: %s reaches %.9g under the full dictionary but its limit is %.9g; %s", ErrNotCertified, c.Name, c.Full, c.Limit, next)
	}
	gap := s.fullUpper(s.Radius).Plus(s.lowerBoundAt(s).Negated())
	return proof.AtMost(math.Max(0, gap.Float())), nil // an X that misses a limit may have less than min Φ_N
}
