package attack

import (
	"math"
	"math/big"
	"sync"
)

// truth answers questions about a problem in exact arithmetic. Every answer is computed once.
type truth struct {
	problem    *problem
	atoms      [][]*big.Rat
	objective  exposure
	limits     []exposure
	relaxation *polyhedron // X without integrality
	excess     []*big.Rat  // by how much the limits are moved; nil for none
	optima     map[string]optimum
	uniformly  func() uniformTruth
	boxed      func() boxTruth
}

// exposure is q of the objective or of a constraint, pulled back to x: <d_i, q(x)> = <gradients[i], x> + constants[i].
type exposure struct {
	matrix    [][]*big.Rat // p×n
	shift     []*big.Rat
	gradients [][]*big.Rat
	constants []*big.Rat
}

// optimum is an exact solution of a program. Data is the largest term of the objective there.
type optimum struct {
	outcome outcome
	value   *big.Rat
	x       []*big.Rat
	data    *big.Rat
}

func newTruth(p *problem) *truth {
	t := &truth{problem: p, optima: map[string]optimum{}, relaxation: &polyhedron{}}
	for _, a := range p.Atoms {
		t.atoms = append(t.atoms, rationals(a))
	}
	for _, c := range p.Columns {
		if c.Integer { // a model rounds the bounds of whole numbers where it is read
			c.Lower, c.Upper = bound(math.Ceil(float64(c.Lower))), bound(math.Floor(float64(c.Upper)))
		}
		t.relaxation.columns = append(t.relaxation.columns, interval{rational(float64(c.Lower)), rational(float64(c.Upper))})
	}
	for _, r := range p.Rows {
		t.relaxation.rows = append(t.relaxation.rows, inequality{values: rationals(r.Values), interval: interval{rational(float64(r.Lower)), rational(float64(r.Upper))}})
	}
	if p.Map != nil {
		t.objective = t.pullBack(p.Map, p.Shift)
	}
	for _, l := range p.Constraints {
		t.limits = append(t.limits, t.pullBack(l.Map, l.Shift))
	}
	t.uniformly = sync.OnceValue(t.computeUniform)
	t.boxed = sync.OnceValue(t.computeBox)
	return t
}

func (t *truth) pullBack(matrix [][]float64, shift []float64) exposure {
	e := exposure{shift: zeros(t.problem.dimension())}
	if shift != nil {
		e.shift = rationals(shift)
	}
	for _, line := range matrix {
		e.matrix = append(e.matrix, rationals(line))
	}
	for _, atom := range t.atoms {
		gradient := zeros(len(t.problem.Columns))
		for k, v := range atom {
			for j := range gradient {
				if v.Sign() != 0 {
					gradient[j] = sum(gradient[j], product(v, e.matrix[k][j]))
				}
			}
		}
		e.gradients, e.constants = append(e.gradients, gradient), append(e.constants, inner(atom, e.shift))
	}
	return e
}

// direction is q(x).
func (e *exposure) direction(x []*big.Rat) []*big.Rat {
	q := make([]*big.Rat, len(e.matrix))
	for k, line := range e.matrix {
		q[k] = sum(inner(line, x), e.shift[k])
	}
	return q
}

// support is max(0, max_{i in S} <d_i, q(x)>).
func (e *exposure) support(indices []int, x []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for _, i := range indices {
		most = larger(most, sum(inner(e.gradients[i], x), e.constants[i]))
	}
	return most
}

// data is the largest term |d_ik M_kj x_j| or |d_ik shift_k| over all atoms.
func (t *truth) data(e *exposure, x []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for _, atom := range t.atoms {
		most = larger(most, e.largestTerm(atom, x))
	}
	return most
}

// largestTerm is the largest term |u_k M_kj x_j| or |u_k shift_k| of <u, q(x)>.
func (e *exposure) largestTerm(u, x []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for k, line := range e.matrix {
		if u[k].Sign() != 0 {
			reach := larger(largestTerm(line, x), new(big.Rat).Abs(e.shift[k]))
			most = larger(most, product(new(big.Rat).Abs(u[k]), reach))
		}
	}
	return most
}

// nominal is b(x), and its largest term.
func (t *truth) nominal(x []*big.Rat) (value, data *big.Rat) {
	p := t.problem
	value, data = rational(p.Offset), new(big.Rat).Abs(rational(p.Offset))
	add := func(term *big.Rat) {
		value, data = sum(value, term), larger(data, new(big.Rat).Abs(term))
	}
	for j, c := range p.Columns {
		add(product(rational(c.Cost), x[j]))
	}
	for i, line := range p.Quadratic {
		for j := i; j < len(line); j++ {
			add(product(product(rational(line[j]), x[i]), x[j]))
		}
	}
	return value, data
}

// robustValue is the robust objective at a point for some atoms, and its largest term over all atoms.
func (t *truth) robustValue(indices []int, radius *big.Rat, x []*big.Rat) (value, data *big.Rat) {
	value, data = t.nominal(x)
	if t.problem.Map != nil {
		value = sum(value, product(radius, t.objective.support(indices, x)))
		data = larger(data, product(radius, t.data(&t.objective, x)))
	}
	return value, data
}

// constraintValue is the left-hand side of a robust constraint, and the largest term of it and its limit.
func (t *truth) constraintValue(k int, indices []int, radius *big.Rat, x []*big.Rat) (value, data *big.Rat) {
	l := t.problem.Constraints[k]
	nominal := rationals(l.Nominal)
	value = sum(inner(nominal, x), product(radius, t.limits[k].support(indices, x)))
	data = larger(largestTerm(nominal, x), product(radius, t.data(&t.limits[k], x)))
	return value, larger(data, new(big.Rat).Abs(rational(l.Limit)))
}

// model is the feasible set in (x, t): X, the robust constraints for some atoms, and t >= r max_S <d_i, q(x)> if the
// objective is uncertain, with t = 0 otherwise.
func (t *truth) model(indices []int, radius *big.Rat) *polyhedron {
	n := len(t.problem.Columns)
	m := &polyhedron{columns: append(append([]interval(nil), t.relaxation.columns...), interval{lower: new(big.Rat)})}
	wide := func(values []*big.Rat, last int64) []*big.Rat {
		return append(append([]*big.Rat(nil), values...), integer(last))
	}
	for _, r := range t.relaxation.rows {
		m.rows = append(m.rows, inequality{values: wide(r.values, 0), interval: r.interval})
	}
	if t.problem.Map == nil {
		m.columns[n].upper = new(big.Rat)
	} else {
		for _, i := range indices {
			m.rows = append(m.rows, inequality{values: wide(scaled(negative(radius), t.objective.gradients[i]), 1), interval: interval{lower: product(radius, t.objective.constants[i])}})
		}
	}
	for k := range t.limits {
		for _, atom := range append([]int{-1}, indices...) {
			m.rows = append(m.rows, t.constraintRow(k, atom, radius))
		}
	}
	return m
}

// constraintRow is the demand of constraint k against an atom, -1 for none, in (x, t).
func (t *truth) constraintRow(k, atom int, radius *big.Rat) inequality {
	l := t.problem.Constraints[k]
	r := inequality{values: rationals(l.Nominal), interval: interval{upper: rational(l.Limit)}}
	if t.excess != nil {
		r.upper = sum(r.upper, t.excess[k])
	}
	if atom >= 0 {
		for j, g := range t.limits[k].gradients[atom] {
			r.values[j] = sum(r.values[j], product(radius, g))
		}
		constant := product(radius, t.limits[k].constants[atom])
		r.constants = larger(new(big.Rat).Abs(r.upper), new(big.Rat).Abs(constant))
		r.upper = difference(r.upper, constant)
	}
	r.values = append(r.values, new(big.Rat))
	return r
}
