package attack

import (
	"fmt"
	"math/big"
)

// minimum is the exact minimum of the robust model for some atoms at a radius.
func (t *truth) minimum(indices []int, radius float64) optimum {
	key := fmt.Sprint(indices, radius)
	if known, ok := t.optima[key]; ok {
		return known
	}
	r := rational(radius)
	best := t.overIntegers(t.model(indices, r), 0)
	if best.outcome == solved {
		_, best.data = t.robustValue(indices, r, best.x)
	}
	t.optima[key] = best
	return best
}

// overIntegers tries every value of the integer columns from position j on, and solves the continuous program for each.
func (t *truth) overIntegers(m *polyhedron, j int) optimum {
	for ; j < len(t.problem.Columns); j++ {
		if t.problem.Columns[j].Integer {
			break
		}
	}
	if j == len(t.problem.Columns) {
		return t.continuous(m)
	}
	if m.feasible() == nil {
		return optimum{outcome: infeasible}
	}
	best := optimum{outcome: infeasible}
	column := m.columns[j]
	for v := ceiling(column.lower); v.Cmp(column.upper) <= 0; v = sum(v, integer(1)) {
		fixed := &polyhedron{columns: append([]interval(nil), m.columns...), rows: m.rows}
		fixed.columns[j] = interval{v, v}
		found := t.overIntegers(fixed, j+1)
		if found.outcome == unbounded {
			return found
		}
		if found.outcome == solved && (best.outcome != solved || found.value.Cmp(best.value) < 0) {
			best = found
		}
	}
	return best
}

// ceiling is the least whole number at or above v.
func ceiling(v *big.Rat) *big.Rat {
	quotient, rest := new(big.Int).QuoRem(v.Num(), v.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return new(big.Rat).SetInt(quotient)
}

// continuous solves the program in (x, t) without integrality.
func (t *truth) continuous(m *polyhedron) optimum {
	n := len(t.problem.Columns)
	costs := unit(n+1, n)
	for j, c := range t.problem.Columns {
		costs[j] = rational(c.Cost)
	}
	var found optimum
	var x []*big.Rat
	if t.problem.Quadratic == nil {
		found.outcome, found.value, x = m.minimise(costs)
	} else {
		found.outcome, found.value, x = m.minimiseQuadratic(costs, t.hessian(n+1))
	}
	if found.outcome == solved {
		found.value, found.x = sum(found.value, rational(t.problem.Offset)), x[:n]
	}
	return found
}

// hessian is Q + Q' with room for t.
func (t *truth) hessian(size int) [][]*big.Rat {
	h := make([][]*big.Rat, size)
	for i := range h {
		h[i] = zeros(size)
	}
	for i, line := range t.problem.Quadratic {
		for j := i; j < len(line); j++ {
			v := rational(line[j])
			h[i][j] = sum(h[i][j], v)
			h[j][i] = sum(h[j][i], v)
		}
	}
	return h
}

// feasibleAt tells whether the model with some atoms has a point at a radius if every robust constraint is moved by a
// share of its data: outwards for a positive share, then with the rows of X too, and inwards for a negative one.
func (t *truth) feasibleAt(indices []int, radius, share float64) bool {
	m := t.model(indices, rational(radius))
	if share > 0 {
		for j, c := range m.columns {
			m.columns[j] = c.moved(share, new(big.Rat))
		}
	}
	for i, r := range m.rows {
		if share > 0 || share < 0 && i >= len(m.rows)-len(t.limits)*(len(indices)+1) {
			m.rows[i].interval = r.moved(share, m.data(r))
		}
	}
	return t.overIntegers(m, 0).outcome != infeasible
}

// moved moves the ends of a range apart by a share of a size, or of themselves if they are larger.
func (r interval) moved(share float64, size *big.Rat) interval {
	for _, end := range []*big.Rat{r.lower, r.upper} {
		if end != nil {
			size = larger(size, new(big.Rat).Abs(end))
		}
	}
	step := product(rational(share), size)
	if r.lower != nil {
		r.lower = difference(r.lower, step)
	}
	if r.upper != nil {
		r.upper = sum(r.upper, step)
	}
	return r
}

// data is the largest term of a row at the finite ends of the columns, or the largest of the numbers that its end is made of.
func (p *polyhedron) data(r inequality) *big.Rat {
	if most := p.largestTerm(r.values); r.constants == nil || most.Cmp(r.constants) > 0 {
		return most
	}
	return r.constants
}

// largestTerm is the largest term of a row at the finite ends of the columns.
func (p *polyhedron) largestTerm(values []*big.Rat) *big.Rat {
	most := new(big.Rat)
	for j, c := range p.columns {
		for _, end := range []*big.Rat{c.lower, c.upper} {
			if end != nil {
				most = larger(most, new(big.Rat).Abs(product(values[j], end)))
			}
		}
	}
	return most
}

// boxTruth is the smallest box around X without integrality.
type boxTruth struct {
	outcome outcome
	box     []interval
}

func (t *truth) computeBox() boxTruth {
	s := t.relaxation.feasible()
	if s == nil {
		return boxTruth{outcome: infeasible}
	}
	b := boxTruth{box: make([]interval, len(t.relaxation.columns))}
	for j := range b.box {
		for _, sign := range []int64{1, -1} {
			result, value, _ := s.minimise(scaled(integer(sign), unit(len(b.box), j)))
			switch {
			case result == unbounded:
				b.outcome = unbounded
			case sign > 0:
				b.box[j].lower = value
			default:
				b.box[j].upper = negative(value)
			}
		}
	}
	return b
}

// uniformTruth is sup over X (without integrality) of the alignment deficit.
type uniformTruth struct {
	outcome     outcome
	value, data *big.Rat
	x           []*big.Rat // where it is attained, nil for 0
	norm        *big.Rat   // sum_k max_x q_k(x)^2
}

func (t *truth) computeUniform() uniformTruth {
	n := len(t.problem.Columns)
	m := &polyhedron{columns: append(append([]interval(nil), t.relaxation.columns...), interval{lower: new(big.Rat)})}
	for _, r := range t.relaxation.rows {
		m.rows = append(m.rows, inequality{values: append(append([]*big.Rat(nil), r.values...), new(big.Rat)), interval: r.interval})
	}
	for _, j := range t.problem.Chosen {
		m.rows = append(m.rows, inequality{values: append(scaled(integer(-1), t.objective.gradients[j]), integer(1)), interval: interval{lower: t.objective.constants[j]}})
	}
	s := m.feasible()
	if s == nil {
		return uniformTruth{outcome: infeasible}
	}
	u := uniformTruth{value: new(big.Rat), data: new(big.Rat), norm: new(big.Rat)}
	for i := range t.atoms {
		if t.problem.chosen(i) {
			continue
		}
		result, least, x := s.minimise(append(scaled(integer(-1), t.objective.gradients[i]), integer(1)))
		if result == unbounded {
			return uniformTruth{outcome: unbounded}
		}
		if deficit := difference(t.objective.constants[i], least); deficit.Cmp(u.value) > 0 {
			u.value, u.x = deficit, x[:n]
		}
		u.data = larger(u.data, t.data(&t.objective, x[:n]))
	}
	for k, line := range t.objective.matrix {
		most := new(big.Rat)
		for _, sign := range []int64{1, -1} {
			result, least, _ := s.minimise(append(scaled(integer(sign), line), new(big.Rat)))
			if result == unbounded {
				return uniformTruth{outcome: unbounded}
			}
			most = larger(most, new(big.Rat).Abs(sum(product(integer(sign), least), t.objective.shift[k])))
		}
		u.norm = sum(u.norm, product(most, most))
	}
	return u
}
