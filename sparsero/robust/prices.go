package robust

import (
	"math"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
)

// multipliers are those that a lower bound rests on. The zero value stands for none.
type multipliers struct {
	// Rows has one for each row of the region, with the signs of solver.Result.
	Rows []float64
	// Robust lists those of the robust rows, at least 0, none of which is 0.
	Robust []robustMultiplier
}

// robustMultiplier belongs to the row of an exposure and an atom, NullAtom for the nominal row of a constraint.
type robustMultiplier struct {
	Exposure, Atom int
	Value          float64
}

// multipliers reads those of the rows of the open model.
func (m *master) multipliers(duals []float64) multipliers {
	rows, constraints := m.problem.region.Rows(), len(m.problem.constraints)
	if len(duals) != rows+constraints+len(m.cuts) {
		return multipliers{}
	}
	found := multipliers{Rows: duals[:rows]}
	for k, y := range duals[rows:] {
		of := cut{k, sparsero.NullAtom}
		if k >= constraints {
			of = m.cuts[k-constraints]
		}
		if y < 0 { // of a row with an upper bound
			found.Robust = append(found.Robust, robustMultiplier{of.exposure, of.atom, -y})
		}
	}
	return found
}

// priceReserve covers that the multipliers of the proof differ from those that are reported by
// rounding errors.
const priceReserve = 2

// lowerBoundAt is LowerBound for the problem whose rows are moved outwards until x satisfies
// them for the full dictionary. By weak duality each costs its multiplier.
func (s *Solution) lowerBoundAt(x []float64) float64 {
	if s.problem == nil {
		return s.LowerBound
	}
	total := 0.0
	pay := func(price, distance float64) {
		total = directed.SumUpper(total, directed.ProductUpper(price, distance))
	}
	for i, y := range s.multipliers.Rows {
		pay(math.Abs(y), s.problem.rowMissed(i, x))
	}
	prices := make([]float64, len(s.problem.constraints))
	for _, nu := range s.multipliers.Robust {
		if nu.Exposure != objectiveExposure {
			prices[nu.Exposure] = directed.SumUpper(prices[nu.Exposure], nu.Value)
		}
	}
	for k, price := range prices {
		if price > 0 { // looking at all atoms takes time
			pay(price, s.problem.constraintMissed(k, s.Radius, x))
		}
	}
	if total == 0 {
		return s.LowerBound
	}
	return directed.SumLower(s.LowerBound, -priceReserve*total)
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

// constraintMissed is how far x is from satisfying a robust constraint for the full
// dictionary, rounded up.
func (p *Problem) constraintMissed(k int, radius float64, x []float64) float64 {
	c := &p.constraints[k]
	nominal, _ := p.nominal(k, x)
	nominal.Add(-c.Limit)
	uncertain, _ := p.uncertainUpper(radius, c.Map, x)
	return math.Max(0, directed.SumUpper(nominal.Upper(), uncertain))
}
