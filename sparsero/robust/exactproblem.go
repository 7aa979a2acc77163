package robust

import (
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// exactProblem is a problem at a radius and a decision in fractions, for claims without rounding errors.
type exactProblem struct {
	problem  *Problem
	radius   *big.Rat
	decision []float64
	x        []*big.Rat // the decision
	columns  []interval // those of integer columns rounded inwards
	rows     []interval
	limits   []*big.Rat // of the robust constraints
}

// interval is a range; nil stands for no bound.
type interval struct{ lower, upper *big.Rat }

func newExactProblem(p *Problem, radius float64, x []float64) *exactProblem {
	e := &exactProblem{problem: p, radius: rational(radius), decision: x}
	for j, v := range x {
		column := p.region.Column(j)
		e.x, e.columns = append(e.x, rational(v)), append(e.columns, newInterval(column.Bounds, column.Integer))
	}
	for i := range p.region.Rows() {
		e.rows = append(e.rows, newInterval(p.region.RowBounds(i), false))
	}
	for k := range p.constraints {
		e.limits = append(e.limits, rational(p.constraints[k].Limit))
	}
	return e
}

// tangent returns offset and gradient of b, or of its tangent at a point, which lies below b.
func (e *exactProblem) tangent(at []*big.Rat) (offset *big.Rat, gradient []*big.Rat) {
	region := e.problem.region
	offset = rational(region.Offset())
	for j := range e.x {
		gradient = append(gradient, rational(region.Column(j).Cost))
	}
	for _, q := range region.Quadratic() {
		value := rational(q.Value)
		addProduct(gradient[q.I], value, at[q.J])
		addProduct(gradient[q.J], value, at[q.I])
		addProduct(offset, value.Neg(value), new(big.Rat).Mul(at[q.I], at[q.J]))
	}
	return offset, gradient
}

func newInterval(b solver.Bounds, whole bool) interval {
	var i interval
	if v := b.Lower(); !math.IsInf(v, 0) {
		if i.lower = rational(v); whole {
			i.lower = rational(math.Ceil(v))
		}
	}
	if v := b.Upper(); !math.IsInf(v, 0) {
		if i.upper = rational(v); whole {
			i.upper = rational(math.Floor(v))
		}
	}
	return i
}

// bounds are those of an interval of float64 numbers.
func (i interval) bounds() solver.Bounds {
	lower, upper := math.Inf(-1), math.Inf(1)
	if i.lower != nil {
		lower, _ = i.lower.Float64()
	}
	if i.upper != nil {
		upper, _ = i.upper.Float64()
	}
	return solver.Between(lower, upper)
}

// missed is how far v is outside the interval.
func (i interval) missed(v *big.Rat) *big.Rat {
	most := new(big.Rat)
	if i.lower != nil && v.Cmp(i.lower) < 0 {
		most = larger(most, new(big.Rat).Sub(i.lower, v))
	}
	if i.upper != nil && v.Cmp(i.upper) > 0 {
		most = larger(most, new(big.Rat).Sub(v, i.upper))
	}
	return most
}

// reaching is the smallest interval that also holds v.
func (i interval) reaching(v *big.Rat) interval {
	if i.lower != nil && v.Cmp(i.lower) < 0 {
		i.lower = v
	}
	if i.upper != nil && v.Cmp(i.upper) > 0 {
		i.upper = v
	}
	return i
}

// missed is how far x is outside the bound, row or robust constraint that it misses most.
func (e *exactProblem) missed() *big.Rat {
	most := new(big.Rat)
	for j, v := range e.x {
		most = larger(most, e.columns[j].missed(v))
	}
	for i := range e.rows {
		most = larger(most, e.rows[i].missed(e.activity(i)))
	}
	for k := range e.limits {
		most = larger(most, new(big.Rat).Sub(e.leftHandSide(k), e.limits[k]))
	}
	return most
}

// moved is the problem whose bounds, rows and limits that x misses are moved to where x is.
func (e *exactProblem) moved() *exactProblem {
	m := *e
	m.columns, m.rows, m.limits = slices.Clone(e.columns), slices.Clone(e.rows), slices.Clone(e.limits)
	for j, v := range e.x {
		m.columns[j] = e.columns[j].reaching(v)
	}
	for i := range m.rows {
		m.rows[i] = e.rows[i].reaching(e.activity(i))
	}
	for k := range m.limits {
		m.limits[k] = larger(e.limits[k], e.leftHandSide(k))
	}
	return &m
}

// activity is that of row i at x.
func (e *exactProblem) activity(i int) *big.Rat {
	sum := new(big.Rat)
	columns, values := e.problem.region.RowTerms(i)
	for k, j := range columns {
		addProduct(sum, rational(values[k]), e.x[j])
	}
	return sum
}

// leftHandSide is that of robust constraint k at x against all atoms.
func (e *exactProblem) leftHandSide(k int) *big.Rat {
	c, sum := &e.problem.constraints[k], new(big.Rat)
	for j, v := range c.Nominal {
		addProduct(sum, rational(v), e.x[j])
	}
	addProduct(sum, e.radius, e.support(c.Map, nil))
	return sum
}

// objective is Φ_A(x) = b(x) + r M_A(q(x)), for all atoms if the list is nil.
func (e *exactProblem) objective(atoms []int) *big.Rat {
	sum, gradient := e.tangent(e.x) // which meets b at x
	for j, g := range gradient {
		addProduct(sum, g, e.x[j])
	}
	if e.problem.q.Matrix != nil {
		addProduct(sum, e.radius, e.support(e.problem.q, atoms))
	}
	return sum
}

// support is M_A(q(x)). Fractions are spent on the atoms that float64 cannot rule out alone.
func (e *exactProblem) support(q sparsero.AffineMap, atoms []int) *big.Rat {
	d := e.problem.dictionary
	middle, errors := direction(q, e.decision)
	alignments, largest := d.Alignments(nil, middle), 0.0
	if atoms == nil {
		all, _ := sparsero.FullSet(d, 0) // of a dictionary that is not empty
		atoms = all.Atoms()
	}
	for _, i := range atoms {
		largest = math.Max(largest, alignments[i])
	}
	threshold := largest - 2*(d.AlignmentError(middle)+2*d.AlignmentReach(errors))
	exactly, most := e.direction(q), new(big.Rat)
	for _, i := range atoms {
		if alignments[i] < threshold {
			continue
		}
		sum := new(big.Rat)
		for k, v := range d.RawRowView(i) {
			addProduct(sum, rational(v), exactly[k])
		}
		most = larger(most, sum)
	}
	return most
}

// direction is q(x).
func (e *exactProblem) direction(q sparsero.AffineMap) []*big.Rat {
	p, _ := q.Dims()
	s := make([]*big.Rat, p)
	for k := range s {
		s[k] = new(big.Rat)
		if q.Constant != nil {
			s[k] = rational(q.Constant[k])
		}
		for j, a := range q.Matrix.RawRowView(k) {
			addProduct(s[k], rational(a), e.x[j])
		}
	}
	return s
}

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// addProduct adds a b to a sum.
func addProduct(sum, a, b *big.Rat) {
	if a.Sign() != 0 && b.Sign() != 0 {
		sum.Add(sum, new(big.Rat).Mul(a, b))
	}
}

func larger(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}
