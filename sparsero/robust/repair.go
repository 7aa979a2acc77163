package robust

import (
	"maps"
	"math/big"
	"slices"
)

const (
	// repairRounds is how often the set of columns grows whose reduced costs are made 0.
	repairRounds = 6
	// repairColumns bounds that set: fractions grow with it.
	repairColumns = 150
)

// repaired returns a leaf whose multipliers are corrected, by about their rounding errors, so that the reduced costs
// of columns without a bound are exactly 0 where they have the wrong sign. It returns the leaf itself where this fails.
func (e *exactProblem) repaired(l *leaf, columns []interval) *leaf {
	var tight []int
	full := false // the multipliers of the objective sum to the radius
	mended := l
	for range repairRounds {
		open := e.open(mended, columns)
		over := mended.objectiveSum().Cmp(e.radius) > 0
		if len(open) == 0 && !over {
			return mended
		}
		tight, full = append(tight, open...), full || over
		if len(tight) > repairColumns {
			break
		}
		if mended = e.corrected(l, tight, full); mended == nil {
			break
		}
	}
	return l
}

// open lists the columns that lack the bound on which their reduced cost leans.
func (e *exactProblem) open(l *leaf, columns []interval) []int {
	var open []int
	_, gradient := e.reduced(l)
	for j, g := range gradient {
		if g.Sign() > 0 && columns[j].lower == nil || g.Sign() < 0 && columns[j].upper == nil {
			open = append(open, j)
		}
	}
	return open
}

func (l *leaf) objectiveSum() *big.Rat {
	sum := new(big.Rat)
	for _, w := range l.Objective {
		sum.Add(sum, w.value)
	}
	return sum
}

// corrected scales each multiplier by 1 + ρ so that the reduced costs of some columns are 0 and, if full, the multipliers
// of the objective sum to the radius. It returns nil if there is no such leaf.
func (e *exactProblem) corrected(l *leaf, tight []int, full bool) *leaf {
	parts := l.single()
	_, gradient := e.reduced(l)
	system := make([][]*big.Rat, 0, len(tight)+1) // an equation for each column: Σ_k part_k ρ_k = -gradient
	for _, j := range tight {
		system = append(system, append(make([]*big.Rat, len(parts)), new(big.Rat).Neg(gradient[j])))
	}
	if full {
		system = append(system, append(make([]*big.Rat, len(parts)), new(big.Rat).Sub(e.radius, l.objectiveSum())))
	}
	for k, part := range parts {
		_, share := e.reduced(part)
		for row, j := range tight {
			system[row][k] = share[j]
		}
		if full {
			system[len(tight)][k] = part.objectiveSum()
		}
	}
	moves := e.moves(l.Empty)
	for row := range system {
		last := len(system[row]) - 1
		for k, m := range moves {
			entry := new(big.Rat)
			if row < len(tight) && m.gradient[tight[row]] != nil {
				entry = m.gradient[tight[row]]
			}
			system[row] = slices.Insert(system[row], last+k, entry)
		}
	}
	shares := solve(system)
	if shares == nil {
		return nil
	}
	scaled := l.scaled(shares)
	if scaled != nil && len(moves) > 0 {
		scaled.Tangent = slices.Clone(e.x)
		for k, m := range moves {
			moved := new(big.Rat).Mul(shares[len(parts)+k], m.size)
			scaled.Tangent[m.column] = moved.Add(moved, e.x[m.column])
		}
	}
	return scaled
}

// move is a change, by the size of a coordinate, of the point at which the tangent of a quadratic b is taken, and what
// it adds to the gradient.
type move struct {
	column   int
	size     *big.Rat
	gradient map[int]*big.Rat
}

// moves are those of the columns with quadratic terms; an empty leaf, which has no b, has none.
func (e *exactProblem) moves(empty bool) []*move {
	if empty {
		return nil
	}
	byColumn := map[int]*move{}
	add := func(column, other int, value float64) {
		m := byColumn[column]
		if m == nil {
			m = &move{column, new(big.Rat).Abs(e.x[column]), map[int]*big.Rat{}}
			if m.size.Sign() == 0 {
				m.size = rational(1)
			}
			byColumn[column] = m
		}
		if m.gradient[other] == nil {
			m.gradient[other] = new(big.Rat)
		}
		addProduct(m.gradient[other], rational(value), m.size)
	}
	for _, q := range e.problem.region.Quadratic() {
		add(q.I, q.J, q.Value)
		add(q.J, q.I, q.Value)
	}
	return slices.SortedFunc(maps.Values(byColumn), func(a, b *move) int { return a.column - b.column })
}

// single returns a leaf for each multiplier, alone.
func (l *leaf) single() []*leaf {
	var parts []*leaf
	for _, w := range l.Rows {
		parts = append(parts, &leaf{Rows: []weight{w}, Empty: true})
	}
	for _, w := range l.Objective {
		parts = append(parts, &leaf{Objective: []weight{w}, Empty: true})
	}
	for _, w := range l.Constraints {
		parts = append(parts, &leaf{Constraints: []robustWeight{w}, Empty: true})
	}
	return parts
}

// scaled multiplies the multipliers by 1 + ρ; nil if one changes its sign.
func (l *leaf) scaled(shares []*big.Rat) *leaf {
	scaled := &leaf{Rows: slices.Clone(l.Rows), Objective: slices.Clone(l.Objective), Constraints: slices.Clone(l.Constraints), Empty: l.Empty}
	for k, w := range scaled.weights() {
		factor := new(big.Rat).Add(rational(1), shares[k])
		if factor.Sign() < 0 {
			return nil
		}
		w.value = factor.Mul(factor, w.value)
	}
	return scaled
}

// weights lists the multipliers of rows, atoms and robust constraints.
func (l *leaf) weights() []*weight {
	var all []*weight
	for i := range l.Rows {
		all = append(all, &l.Rows[i])
	}
	for i := range l.Objective {
		all = append(all, &l.Objective[i])
	}
	for i := range l.Constraints {
		all = append(all, &l.Constraints[i].weight)
	}
	return all
}

// solve solves equations, whose last entry is the right-hand side, by elimination with the largest entry of a row as
// its pivot; unknowns without one are 0. It returns nil if there is no solution.
func solve(system [][]*big.Rat) []*big.Rat {
	last := len(system[0]) - 1
	solution := make([]*big.Rat, last)
	for k := range solution {
		solution[k] = new(big.Rat)
	}
	pivots := make([]int, 0, len(system))
	for row, equation := range system {
		pivot := largestEntry(equation[:last])
		if pivot < 0 {
			if equation[last].Sign() != 0 {
				return nil
			}
			pivots = append(pivots, -1)
			continue
		}
		pivots = append(pivots, pivot)
		for other := range system {
			if other != row {
				eliminate(system[other], equation, pivot)
			}
		}
	}
	for row, pivot := range pivots {
		if pivot >= 0 {
			solution[pivot].Quo(system[row][last], system[row][pivot])
		}
	}
	return solution
}

func largestEntry(entries []*big.Rat) int {
	best := -1
	for k, v := range entries {
		if v.Sign() != 0 && (best < 0 || new(big.Rat).Abs(v).Cmp(new(big.Rat).Abs(entries[best])) > 0) {
			best = k
		}
	}
	return best
}

// eliminate subtracts a multiple of an equation from another so that the entry of the pivot is 0.
func eliminate(other, equation []*big.Rat, pivot int) {
	if other[pivot].Sign() == 0 {
		return
	}
	factor := new(big.Rat).Quo(other[pivot], equation[pivot])
	for k, v := range equation {
		if v.Sign() != 0 {
			other[k] = new(big.Rat).Sub(other[k], new(big.Rat).Mul(factor, v))
		}
	}
}
