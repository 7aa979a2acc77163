package attack

import (
	"math/big"
	"slices"
)

// interval is a range with exact ends; nil means none.
type interval struct{ lower, upper *big.Rat }

// inequality is lower <= <values, x> <= upper, with the largest of the constants that an end is the difference of, if it is one.
type inequality struct {
	values []*big.Rat
	interval
	constants *big.Rat
}

// polyhedron is a set of points given by ranges of its columns and rows.
type polyhedron struct {
	columns []interval
	rows    []inequality
}

// outcome is how an exact program ended.
type outcome int

const (
	solved outcome = iota
	infeasible
	unbounded
)

func (o outcome) String() string { return [...]string{"solved", "infeasible", "unbounded"}[o] }

// substitution is x_j = sign y_j + shift with y_j >= 0, or y_j free.
type substitution struct {
	sign, shift *big.Rat
	free        bool
}

// simplex is the exact simplex method at a feasible basis of a polyhedron.
type simplex struct {
	tableau *tableau
	columns []substitution // sign includes the scale of the column
	free    map[int]bool   // variables without a sign
	fixed   map[int]bool   // slacks of equations, which stay zero
}

// substitutions moves every column to a finite end of its range.
func (p *polyhedron) substitutions() []substitution {
	list := make([]substitution, len(p.columns))
	for j, c := range p.columns {
		switch {
		case c.lower != nil:
			list[j] = substitution{sign: integer(1), shift: c.lower}
		case c.upper != nil:
			list[j] = substitution{sign: integer(-1), shift: c.upper}
		default:
			list[j] = substitution{sign: integer(1), shift: integer(0), free: true}
		}
	}
	return list
}

// slacks writes every condition as constant + <coefficients, y> >= 0, or = 0 for those marked as equations. Column 0 holds
// the constants.
func (p *polyhedron) slacks(columns []substitution) (matrix [][]*big.Rat, equation []bool) {
	add := func(values []*big.Rat, bound *big.Rat, sign int64, equal bool) {
		row := []*big.Rat{new(big.Rat).Neg(bound)}
		for j, v := range values {
			row[0].Add(row[0], product(v, columns[j].shift))
			row = append(row, product(v, columns[j].sign))
		}
		for _, v := range row {
			v.Mul(v, integer(sign))
		}
		matrix, equation = append(matrix, row), append(equation, equal)
	}
	addRange := func(values []*big.Rat, r interval) {
		switch {
		case r.lower != nil && r.upper != nil && r.lower.Cmp(r.upper) == 0:
			add(values, r.lower, 1, true)
			return
		case r.lower != nil:
			add(values, r.lower, 1, false)
		}
		if r.upper != nil {
			add(values, r.upper, -1, false)
		}
	}
	for j, c := range p.columns {
		if c.lower != nil && c.upper != nil { // the other end is the substitution
			addRange(unit(len(p.columns), j), interval{upper: c.upper})
		}
	}
	for _, r := range p.rows {
		addRange(r.values, r.interval)
	}
	return matrix, equation
}

// feasible finds a feasible basis, or returns nil if the polyhedron is empty.
func (p *polyhedron) feasible() *simplex {
	s := &simplex{columns: p.substitutions(), free: map[int]bool{}, fixed: map[int]bool{}}
	matrix, equation := p.slacks(s.columns)
	matrix = append(matrix, zeros(len(p.columns)+1)) // one row more, so that a matrix without conditions has columns
	whole, scales := integers(matrix)
	basic, nonbasic := names(len(p.columns), len(whole)-1), names(0, len(p.columns))
	s.tableau = newTableau(whole[:len(whole)-1], basic, nonbasic)
	for j := range s.columns {
		s.columns[j].sign = product(s.columns[j].sign, scales[j+1])
		s.free[j] = s.columns[j].free
	}
	for i, equal := range equation {
		if equal && !s.removeEquation(slices.Index(s.tableau.basic, len(p.columns)+i)) {
			return nil
		}
	}
	s.enterFree()
	if !s.restore() {
		return nil
	}
	return s
}

// removeEquation makes the slack of an equation nonbasic and keeps it at zero. It returns false for 0 = nonzero.
func (s *simplex) removeEquation(row int) bool {
	if row < 0 {
		panic("attack: the slack of an equation has left the basis")
	}
	t, best := s.tableau, 0
	for j := 1; j < len(t.nonbasic); j++ {
		if t.cells[row][j].Sign() != 0 && (best == 0 || s.free[t.nonbasic[j]] && !s.free[t.nonbasic[best]]) {
			best = j
		}
	}
	if best == 0 {
		s.free[t.basic[row]] = true // 0 = 0 binds nothing
		return t.cells[row][0].Sign() == 0
	}
	t.pivot(row, best)
	s.fixed[t.nonbasic[best]] = true
	for i := range t.cells {
		t.cells[i][best].SetInt64(0)
	}
	return true
}

// enterFree brings free variables into the basis, where no ratio test looks at them. A free variable that no condition
// sees stays outside.
func (s *simplex) enterFree() {
	t := s.tableau
	for j := 1; j < len(t.nonbasic); j++ {
		if !s.free[t.nonbasic[j]] {
			continue
		}
		for i, variable := range t.basic {
			if !s.free[variable] && t.cells[i][j].Sign() != 0 {
				t.pivot(i, j)
				break
			}
		}
	}
}

// restore reaches a feasible basis by the dual simplex method for the objective zero, with Bland's rule.
func (s *simplex) restore() bool {
	t := s.tableau
	for {
		row := -1
		for i, variable := range t.basic {
			if !s.free[variable] && t.cells[i][0].Sign() < 0 && (row < 0 || variable < t.basic[row]) {
				row = i
			}
		}
		if row < 0 {
			return true
		}
		column := 0
		for j := 1; j < len(t.nonbasic); j++ {
			if t.cells[row][j].Sign() > 0 && (column == 0 || t.nonbasic[j] < t.nonbasic[column]) {
				column = j
			}
		}
		if column == 0 {
			return false
		}
		t.pivot(row, column)
	}
}

// objectiveName is the name of the row that holds the objective.
const objectiveName = -2

// minimise minimises <costs, x> from the present basis, which it moves to an optimal one.
func (s *simplex) minimise(costs []*big.Rat) (result outcome, value *big.Rat, x []*big.Rat) {
	scaled := make([]*big.Rat, len(costs))
	for j, c := range costs {
		scaled[j] = product(c, s.columns[j].sign)
	}
	whole, _ := wholeNumbers(scaled)
	coefficients := map[int]*big.Int{}
	for j, c := range whole {
		coefficients[j] = c
	}
	s.tableau.appendRow(new(big.Int), coefficients, objectiveName)
	s.free[objectiveName] = true
	defer s.tableau.dropLast()
	if !s.descend() {
		return unbounded, nil, nil
	}
	x = s.point()
	return solved, inner(costs, x), x
}

// descend is the primal simplex method with Bland's rule; false means unbounded.
func (s *simplex) descend() bool {
	t := s.tableau
	objective := t.cells[len(t.cells)-1]
	for {
		column := 0
		for j := 1; j < len(t.nonbasic); j++ {
			sign := objective[j].Sign()
			if s.free[t.nonbasic[j]] && sign != 0 {
				return false
			}
			if sign < 0 && (column == 0 || t.nonbasic[j] < t.nonbasic[column]) {
				column = j
			}
		}
		if column == 0 {
			return true
		}
		row := s.firstBlocking(column)
		if row < 0 {
			return false
		}
		t.pivot(row, column)
	}
}

// firstBlocking is the ratio test: the row that reaches zero first as a nonbasic variable grows, ties to the lowest name.
func (s *simplex) firstBlocking(column int) int {
	t, row := s.tableau, -1
	var left, right big.Int
	for i, variable := range t.basic {
		if s.free[variable] || t.cells[i][column].Sign() >= 0 {
			continue
		}
		if row >= 0 {
			left.Mul(&t.cells[i][0], &t.cells[row][column])
			right.Mul(&t.cells[row][0], &t.cells[i][column])
			if order := left.Cmp(&right); order < 0 || order == 0 && variable > t.basic[row] {
				continue // the product of two negative coefficients turns the comparison round
			}
		}
		row = i
	}
	return row
}

// point returns x at the present basis.
func (s *simplex) point() []*big.Rat {
	x := make([]*big.Rat, len(s.columns))
	for j, c := range s.columns {
		x[j] = new(big.Rat).Set(c.shift)
	}
	for i, variable := range s.tableau.basic {
		if variable >= 0 && variable < len(x) {
			x[variable].Add(x[variable], product(s.columns[variable].sign, s.tableau.value(i)))
		}
	}
	return x
}

// minimise minimises a linear objective over a polyhedron.
func (p *polyhedron) minimise(costs []*big.Rat) (outcome, *big.Rat, []*big.Rat) {
	s := p.feasible()
	if s == nil {
		return infeasible, nil, nil
	}
	return s.minimise(costs)
}
