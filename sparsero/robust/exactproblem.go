package robust

import (
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// exactProblem is a problem at a radius and a decision in fractions, for claims without rounding errors. Its columns are
// those of the region and t, whose cost is the radius.
type exactProblem struct {
	problem  *Problem
	radius   *big.Rat
	decision []float64
	x        []*big.Rat // the decision
	// sides are those of the columns, of integer ones rounded inwards and of t >= 0 the last, then those of the rows, then
	// the limits of the robust constraints.
	sides []interval
}

// interval is a range from its first to its second side; nil stands for no bound.
type interval [2]*big.Rat

func newExactProblem(p *Problem, radius float64, x []float64) *exactProblem {
	e := &exactProblem{problem: p, radius: rational(radius), decision: x}
	add := func(b solver.Bounds, lower, upper func(float64) float64) {
		var side interval
		if v := b.Lower(); !math.IsInf(v, 0) {
			side[0] = rational(lower(v))
		}
		if v := b.Upper(); !math.IsInf(v, 0) {
			side[1] = rational(upper(v))
		}
		e.sides = append(e.sides, side)
	}
	as := func(v float64) float64 { return v }
	for j, v := range x {
		e.x = append(e.x, rational(v))
		if column := p.region.Column(j); column.Integer {
			add(column.Bounds, math.Ceil, math.Floor)
		} else {
			add(column.Bounds, as, as)
		}
	}
	add(solver.AtLeast(0), as, as)
	for i := range p.region.Rows() {
		add(p.region.RowBounds(i), as, as)
	}
	for k := range p.constraints {
		add(solver.AtMost(p.constraints[k].Limit), as, as)
	}
	return e
}

// row is the place of the sides of row i, and limit that of the limit of robust constraint k.
func (e *exactProblem) row(i int) int   { return len(e.x) + 1 + i }
func (e *exactProblem) limit(k int) int { return e.row(e.problem.region.Rows()) + k }

// copied is the problem with sides of its own.
func (e *exactProblem) copied() *exactProblem {
	c := *e
	c.sides = slices.Clone(e.sides)
	return &c
}

// moved is the problem whose sides that x misses are moved to where x is, and by how much it misses most.
func (e *exactProblem) moved() (moved *exactProblem, missed *big.Rat) {
	moved, missed = e.copied(), new(big.Rat)
	for place, v := range e.position() {
		side := &moved.sides[place]
		if side[0] != nil && v.Cmp(side[0]) < 0 {
			missed, side[0] = larger(missed, new(big.Rat).Sub(side[0], v)), v
		}
		if side[1] != nil && v.Cmp(side[1]) > 0 {
			missed, side[1] = larger(missed, new(big.Rat).Sub(v, side[1])), v
		}
	}
	return moved, missed
}

// position is x, a t that misses nothing, the activities of the rows, and the left-hand sides of the robust constraints against all atoms.
func (e *exactProblem) position() []*big.Rat {
	position := append(slices.Clone(e.x), new(big.Rat))
	for i := range e.problem.region.Rows() {
		sum := new(big.Rat)
		columns, values := e.problem.region.RowTerms(i)
		for k, j := range columns {
			addProduct(sum, rational(values[k]), e.x[j])
		}
		position = append(position, sum)
	}
	for k := range e.problem.constraints {
		c, sum := &e.problem.constraints[k], new(big.Rat)
		for j, v := range c.Nominal {
			addProduct(sum, rational(v), e.x[j])
		}
		addProduct(sum, e.radius, e.support(c.Map, nil))
		position = append(position, sum)
	}
	return position
}

// tangent returns offset and gradient of b(x) + r t, or of its tangent at a point, which lies below it.
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
	return offset, append(gradient, new(big.Rat).Set(e.radius))
}

// objective is Φ_A(x) = b(x) + r M_A(q(x)), for all atoms if the list is nil.
func (e *exactProblem) objective(atoms []int) *big.Rat {
	sum, gradient := e.tangent(e.x) // which meets b at x
	for j, v := range e.x {
		addProduct(sum, gradient[j], v)
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
		atoms = rank.Indices[int](d.Size())
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
	s := zeros(p)
	for k := range s {
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

func zeros(n int) []*big.Rat {
	list := make([]*big.Rat, n)
	for k := range list {
		list[k] = new(big.Rat)
	}
	return list
}

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
