package robust

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// ErrNotCertified is returned, wrapped, when a bound on the value gap is asked of
// a solution that violates a robust constraint of the full model.
var ErrNotCertified = errors.New("robust: not certified")

// lowerBoundAt is LowerBound for the problem whose rows are moved outwards until the X of another solution satisfies
// them for the full dictionary. By weak duality each costs its multiplier.
func (s *Solution) lowerBoundAt(other *Solution) proof.Lower {
	if s.problem == nil {
		return s.LowerBound
	}
	total := 0.0
	pay := func(price, distance float64) {
		total = directed.SumUpper(total, directed.ProductUpper(price, distance))
	}
	for i, y := range s.multipliers.Rows {
		pay(math.Abs(y), s.problem.rowMissed(i, other.X))
	}
	prices := make([]float64, len(s.problem.constraints))
	for _, nu := range s.multipliers.Robust {
		if nu.Exposure != objectiveExposure {
			prices[nu.Exposure] = directed.SumUpper(prices[nu.Exposure], nu.Value)
		}
	}
	for k, price := range prices {
		if price > 0 { // looking at all atoms takes time
			pay(price, other.constraintMissed(k, s.Radius))
		}
	}
	if total == 0 {
		return s.LowerBound
	}
	return s.LowerBound.Plus(proof.AtLeast(-missReserve * total))
}

// rowMissed is how far x is from satisfying a row of the region, rounded up.
func (p *Problem) rowMissed(i int, x []float64) float64 {
	var activity directed.Sum
	columns, values := p.region.RowTerms(i)
	for k, j := range columns {
		activity.AddProduct(values[k], x[j])
	}
	limits := p.region.RowBounds(i)
	above, below := directed.SumUpper(activity.Upper(), -limits.Upper()), directed.SumUpper(limits.Lower(), -activity.Lower())
	return math.Max(0, math.Max(above, below))
}

// constraintMissed is how far X is from satisfying a robust constraint at a radius for the full dictionary, rounded up.
func (s *Solution) constraintMissed(k int, radius float64) float64 {
	nominal, _ := s.problem.nominal(k, s.X)
	nominal.Add(-s.problem.constraints[k].Limit)
	uncertain := s.uncertainUpper(slices.Index(s.problem.exposures(), k), radius)
	return math.Max(0, directed.SumUpper(nominal.Upper(), uncertain))
}

// GapBound returns a proven bound on the value gap min Φ_N - min Φ_S and on the regret Φ_N(X) - min Φ_N, in units of the
// objective: Φ_N(X) rounded up minus LowerBound, which is r Δ_S(q(X)) plus whatever the solver left open;
// Certificate.WorstAtom is the atom behind it. It costs a pass over the dictionary.
//
// A decision of a solver may miss rows by its tolerance. The bound on the regret holds all the same. That on the value gap
// holds for the problem whose missed rows are moved to where X is, if its columns have bounds of their own, and includes what this costs,
// by the multipliers of the rows; integer problems have none, and there only min Φ_N is that of the moved rows.
//
// With robust constraints X must satisfy all of them for the full dictionary up to the tolerance; otherwise the error wraps
// ErrNotCertified and names the violated constraint and the atom to add.
func (s *Solution) GapBound() (proof.Upper, error) {
	if k := s.firstViolated(); k >= 0 {
		c := s.Constraints[k]
		next := fmt.Sprintf("add atom %d (%s) to the chosen atoms and solve again", c.Certificate.WorstAtom, s.label(c.Certificate.WorstAtom))
		if c.Certificate.WorstAtom == sparsero.NullAtom {
			next = "X breaks it without any uncertainty: give another decision"
		}
		return proof.Upper{}, fmt.Errorf("%w: %s reaches %g under the full dictionary but its limit is %g; %s", ErrNotCertified, c.Name, c.Full, c.Limit, next)
	}
	return s.fullUpper(s.Radius).Plus(s.lowerBoundAt(s).Negated()), nil
}

// missReserve covers that the multipliers of the proof differ from those that are reported by rounding errors.
const missReserve = 2
