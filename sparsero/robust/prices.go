package robust

import (
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
)

// prices are the multipliers that a lower bound rests on, without their signs: what it costs
// at most to move a row outwards by 1. The zero value stands for none.
type prices struct {
	rows        []float64 // of the region
	constraints []float64 // of the robust constraints, summed over their rows
}

// prices reads the multipliers of a result of the open model.
func (m *master) prices(result *solver.Result) prices {
	p := m.problem
	first := p.region.Rows() + len(p.constraints)
	if len(result.RowDuals) != first+len(m.cuts) {
		return prices{}
	}
	found := prices{rows: make([]float64, p.region.Rows()), constraints: make([]float64, len(p.constraints))}
	for i := range found.rows {
		found.rows[i] = math.Abs(result.RowDuals[i])
	}
	for k := range found.constraints {
		found.constraints[k] = math.Abs(result.RowDuals[len(found.rows)+k])
	}
	for c, cut := range m.cuts {
		if cut.exposure != objectiveExposure {
			sum := &found.constraints[cut.exposure]
			*sum = directed.SumUpper(*sum, math.Abs(result.RowDuals[first+c]))
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
	for i, price := range s.prices.rows {
		pay(price, s.problem.rowMissed(i, x))
	}
	for k, price := range s.prices.constraints {
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
	var nominal directed.Sum
	nominal.Add(-c.Limit)
	for j, v := range c.Nominal {
		nominal.AddProduct(v, x[j])
	}
	uncertain := directed.ProductUpper(radius, p.supportUpper(c.Map, x))
	return math.Max(0, directed.SumUpper(nominal.Upper(), uncertain))
}
