package attack

import (
	"math/big"
	"slices"
)

// minimiseQuadratic minimises <costs, x> + x'Hx/2 for a positive semidefinite H over a polyhedron whose columns have a
// finite end, by the criss-cross method on the optimality conditions
//
//	s = Hy + g - A'z >= 0,  w = Ay + b >= 0,  y, z >= 0,  y's = z'w = 0,
//
// which needs no feasible start and ends for every such H (Klafszky and Terlaky 1992).
func (p *polyhedron) minimiseQuadratic(costs []*big.Rat, hessian [][]*big.Rat) (outcome, *big.Rat, []*big.Rat) {
	if p.feasible() == nil {
		return infeasible, nil, nil
	}
	columns := p.substitutions()
	conditions := p.inequalities(columns)
	n, m := len(columns), len(conditions)
	matrix := make([][]*big.Rat, n+m)
	shift := make([]*big.Rat, n)
	for j, c := range columns {
		shift[j] = c.shift
	}
	for i := range n {
		gradient := sum(costs[i], inner(hessian[i], shift))
		matrix[i] = append([]*big.Rat{product(columns[i].sign, gradient)}, zeros(n+m)...)
		for j := range n {
			matrix[i][1+j] = product(hessian[i][j], product(columns[i].sign, columns[j].sign))
		}
		for k, row := range conditions {
			matrix[i][1+n+k] = negative(row[1+i])
		}
	}
	for k, row := range conditions {
		matrix[n+k] = append(slices.Clone(row), zeros(m)...)
	}
	whole, scales := integers(matrix)
	t := newTableau(whole, names(0, n+m), names(n+m, n+m))
	if !crissCross(t, n+m) {
		return unbounded, nil, nil // feasible, and no point is stationary
	}
	x := slices.Clone(shift)
	for i, name := range t.basic {
		if j := name - (n + m); j >= 0 && j < n {
			x[j] = sum(x[j], product(product(columns[j].sign, scales[1+j]), t.value(i)))
		}
	}
	value := inner(costs, x)
	for i := range n {
		value.Add(value, product(product(x[i], big.NewRat(1, 2)), inner(hessian[i], x)))
	}
	return solved, value, x
}

// inequalities is slacks with every equation as two inequalities.
func (p *polyhedron) inequalities(columns []substitution) [][]*big.Rat {
	matrix, equation := p.slacks(columns)
	for i, equal := range equation {
		if equal {
			matrix = append(matrix, scaled(integer(-1), matrix[i]))
		}
	}
	return matrix
}

// crissCross solves the linear complementarity problem of size n whose pair k has the names k and n+k, by least indices.
// It returns false if there is no solution.
func crissCross(t *tableau, n int) bool {
	pair := func(name int) int { return name % n }
	for {
		row := -1
		for i, name := range t.basic {
			if t.cells[i][0].Sign() < 0 && (row < 0 || pair(name) < pair(t.basic[row])) {
				row = i
			}
		}
		if row < 0 {
			return true
		}
		own := slices.IndexFunc(t.nonbasic, func(name int) bool { return name >= 0 && pair(name) == pair(t.basic[row]) })
		if t.cells[row][own].Sign() > 0 {
			t.pivot(row, own)
			continue
		}
		column := 0
		for j := 1; j < len(t.nonbasic); j++ {
			if t.cells[row][j].Sign() > 0 && (column == 0 || pair(t.nonbasic[j]) < pair(t.nonbasic[column])) {
				column = j
			}
		}
		if column == 0 {
			return false
		}
		partner := slices.IndexFunc(t.basic, func(name int) bool { return pair(name) == pair(t.nonbasic[column]) })
		t.pivot(row, column)
		t.pivot(partner, own)
	}
}
