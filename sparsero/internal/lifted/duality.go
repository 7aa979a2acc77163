package lifted

import (
	"math"
	"math/big"
)

// lowerBound is the least bound of the leaves of a proof, nil for none. It ends the check where every leaf is empty.
func (l *program) lowerBound(p *Proof) *big.Rat {
	l = l.with(p)
	ensureProof(p.Curvature != nil || len(l.problem.Model.Quadratic.Values) == 0, "it has no curvature, and b is quadratic")
	var least *big.Rat
	all, none := true, false
	parents := p.parents()
	for k := range p.Leaves {
		leaf, part := &p.Leaves[k], l.part(p, parents, len(p.Branches)+k)
		g := part.lagrangian(leaf)
		ensureProof(g.Of(l.worst()).Sign() >= 0, "the multipliers of a leaf's atoms add up to more than the radius")
		bound := part.least(g, leaf)
		switch {
		case leaf.Empty && bound != nil && bound.Sign() > 0:
			continue
		case leaf.Empty || bound == nil:
			none = true
		case least == nil || bound.Cmp(least) < 0:
			least = bound
		}
		all = false
	}
	ensureProof(!all, "all its leaves are empty, which proves no lower bound")
	if none {
		return nil
	}
	return least
}

// ensureProof ends the check of a proof with a step that weak duality does not allow.
func ensureProof(holds bool, exact string) { Ensure(holds, "proof", "one by weak duality", exact) }

// parents returns the branch of which each node is a part.
func (p *Proof) parents() []int {
	parents := make([]int, len(p.Branches)+len(p.Leaves))
	for id, b := range p.Branches {
		parents[b[2]], parents[b[3]] = id, id
	}
	return parents
}

// part is the problem in a node of a proof: what each branch above it demands.
func (l *program) part(p *Proof, parents []int, node int) *program {
	part := *l
	part.sides = l.sides.clone()
	for node > 0 {
		column, whole, above := p.Branches[parents[node]][0], float64(p.Branches[parents[node]][1]), p.Branches[parents[node]][3]
		if above == node {
			part.sides.narrow(column, lowerSide, dyadic(0).Add(dyadic(whole), dyadic(1)))
		} else {
			part.sides.narrow(column, upperSide, dyadic(whole))
		}
		node = parents[node]
	}
	return &part
}

// imply gives a column the bound that a row implies: the side of the row less the least, or the largest, values of its
// other columns, rounded outwards to a float64. Whatever the list of bounds, they hold. It reports whether a bound that it
// rests on is missing.
func (l *program) imply(b Implied) (missing bool) {
	row, column, side := &l.problem.Model.Rows[b[0]], b[1], b[2]
	own, upper := row.coefficient(column), side > 0
	high := upper == (own > 0)
	known := l.sides[sideOf(high)][l.worst()+b[0]]
	if known == nil {
		return true
	}
	rest := dyadic(0).Set(known)
	for k, j := range row.Columns {
		v := row.Values[k]
		if j == column || v == 0 {
			continue
		}
		if known = l.sides[sideOf(high != (v > 0))][j]; known == nil {
			return true
		}
		rest.Sub(rest, product(dyadic(v), known))
	}
	bound := roundedOutwards(new(big.Rat).Quo(fraction(rest), Rational(own)), side)
	if !math.IsInf(bound, 0) {
		l.sides[sideOf(upper)][column] = dyadic(bound)
	}
	return false
}

// impliedPasses bounds the passes over the rows in search of implied bounds.
const impliedPasses = 10

// implications searches the rows of X for bounds of columns that lack them; each may rest on those before it. It returns the list
// for a [Proof], and the problem with these bounds.
func (l *program) implications() ([]Implied, *program) {
	bounded := *l
	bounded.sides = l.sides.clone()
	var list []Implied
	for range impliedPasses {
		before := len(list)
		for i := range l.problem.Model.Rows {
			row := &l.problem.Model.Rows[i]
			for k, j := range row.Columns {
				for side, sign := range [2]int{-1, 1} {
					if row.Values[k] != 0 && bounded.sides[side][j] == nil && !bounded.imply(Implied{i, j, sign}) && bounded.sides[side][j] != nil {
						list = append(list, Implied{i, j, sign})
					}
				}
			}
		}
		if len(list) == before {
			break
		}
	}
	return list, &bounded
}

// roundedOutwards returns the float64 next to a number that is not below it for sign 1, or not above it for -1.
func roundedOutwards(v *big.Rat, sign int) float64 {
	nearest, _ := v.Float64()
	if !math.IsInf(nearest, 0) && Rational(nearest).Cmp(v)*sign < 0 {
		return math.Nextafter(nearest, math.Inf(sign))
	}
	return nearest
}
