package robust

import (
	"math/big"
	"slices"
)

const (
	// repairRounds is how often the set of columns grows whose reduced costs are made 0.
	repairRounds = 6
	// repairColumns bounds that set: fractions grow with it, and the time to some seconds at 250.
	repairColumns = 250
)

// repaired returns a leaf whose multipliers are corrected, by about their rounding errors, so that the reduced costs
// of columns without a bound are exactly 0 where they have the wrong sign. It returns the leaf itself where this fails.
func (e *exactProblem) repaired(l *leaf) *leaf {
	var tight []int
	mended := l
	for range repairRounds {
		open := e.open(mended)
		if len(open) == 0 {
			return mended
		}
		if tight = append(tight, open...); len(tight) > repairColumns {
			break
		}
		if mended = e.corrected(l, tight); mended == nil {
			break
		}
	}
	return l
}

// open lists the columns that lack the bound on which their reduced cost leans: t where the multipliers of the objective sum
// to more than the radius.
func (e *exactProblem) open(l *leaf) []int {
	var open []int
	_, gradient := e.lagrangian(l)
	for j, g := range gradient {
		if g.Sign() > 0 && e.sides[j][0] == nil || g.Sign() < 0 && e.sides[j][1] == nil {
			open = append(open, j)
		}
	}
	return open
}

// corrected scales each multiplier by 1 + ρ so that the reduced costs of some columns are 0. Where b is quadratic, the
// coordinates of the point of its tangent move, too, by multiples σ of their sizes. It returns nil if there is no such leaf.
func (e *exactProblem) corrected(l *leaf, tight []int) *leaf {
	curved := e.curved(l)
	shares := solve(e.corrections(l, tight, curved))
	if shares == nil {
		return nil
	}
	scaled := &leaf{terms: slices.Clone(l.terms), empty: l.empty}
	for k := range scaled.terms {
		factor := new(big.Rat).Add(rational(1), shares[k])
		if factor.Sign() < 0 {
			return nil // a multiplier changes its sign
		}
		scaled.terms[k].value = factor.Mul(factor, l.terms[k].value)
	}
	if len(curved) > 0 {
		scaled.tangent = slices.Clone(e.x)
		for k, j := range curved {
			moved := new(big.Rat).Mul(shares[len(l.terms)+k], e.size(j))
			scaled.tangent[j] = moved.Add(moved, e.x[j])
		}
	}
	return scaled
}

// corrections are the equations for the ρ and σ, an equation for each tight column: what they change its reduced cost by is
// what it is, with the other sign.
func (e *exactProblem) corrections(l *leaf, tight, curved []int) [][]*big.Rat {
	system := make([][]*big.Rat, len(tight))
	for row := range system {
		system[row] = zeros(len(l.terms) + len(curved) + 1)
	}
	_, gradient := e.lagrangian(l)
	for row, j := range tight {
		last := len(system[row]) - 1
		system[row][last].Neg(gradient[j])
	}
	for k, t := range l.terms {
		_, share := e.lagrangian(&leaf{terms: []term{t}, empty: true})
		for row, j := range tight {
			system[row][k] = share[j]
		}
	}
	at := zeros(len(e.x))
	_, flat := e.tangent(at)
	for k, j := range curved { // the gradient of b moves in proportion to a coordinate
		at[j] = e.size(j)
		_, moved := e.tangent(at)
		at[j] = new(big.Rat)
		for row, i := range tight {
			system[row][len(l.terms)+k].Sub(moved[i], flat[i])
		}
	}
	return system
}

// curved lists the columns with quadratic terms; an empty leaf, which has no b, has none.
func (e *exactProblem) curved(l *leaf) []int {
	var columns []int
	for _, q := range e.problem.region.Quadratic() {
		columns = append(columns, q.I, q.J)
	}
	if l.empty {
		return nil
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// size is that of a coordinate of the decision, 1 for 0.
func (e *exactProblem) size(j int) *big.Rat {
	if e.x[j].Sign() == 0 {
		return rational(1)
	}
	return new(big.Rat).Abs(e.x[j])
}
