package lifted

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// imply derives the implied bounds of the proof.
func (v *certificate) imply(region viprPart) {
	for number, b := range v.proof.Implied {
		row, j, side := &region.problem.Model.Rows[b[0]], b[1], sideOf(b[2] > 0)
		own := row.coefficient(j)
		high := (side == upperSide) == (own > 0)
		sum := combination{}
		sum.add(v.rows[[2]int{sideOf(high), b[0]}], new(big.Rat).Inv(Rational(own)))
		for k, other := range row.Columns {
			if value := row.Values[k]; other != j && value != 0 {
				sum.add(region.held[[2]int{sideOf(high != (value > 0)), other}], new(big.Rat).Quo(Rational(-value), Rational(own)))
			}
		}
		before := region.sides[side][j]
		region.imply(b)
		if bound := region.sides[side][j]; bound != before { // one beyond float64 is none
			region.held[[2]int{side, j}] = v.derive(fmt.Sprint("implied", number), senses[side], fraction(bound).RatString(), viprTerms(column(j)), sum.String())
		}
	}
}

// prove derives in a node of the proof, a part of the region, that the objective is not below the claim, or an absurdity in
// an empty one.
func (v *certificate) prove(id int, part viprPart) int {
	if id >= len(v.proof.Branches) {
		return v.proveLeaf(id-len(v.proof.Branches), part)
	}
	b := &v.proof.Branches[id]
	assume := func(side, whole int) (index int, within viprPart) {
		to := dyadic(0).SetInt64(int64(whole))
		index = v.derive(fmt.Sprintf("node%d%s", id, senses[side]), senses[side], fmt.Sprint(whole), viprTerms(column(b[0])), "asm")
		return index, part.narrowed(b[0], side, to, index)
	}
	atMost, below := assume(upperSide, b[1])
	first := v.prove(b[2], below)
	atLeast, above := assume(lowerSide, b[1]+1)
	second := v.prove(b[3], above)
	return v.derive(fmt.Sprint("node", id), "G", v.lower.RatString(), "OBJ", fmt.Sprintf("uns %d %d %d %d", first, atMost, second, atLeast))
}

// narrowed is the part in which a constraint moves a side of a column inwards.
func (p viprPart) narrowed(column, side int, to *big.Float, constraint int) viprPart {
	within := p.program.narrowed(column, side, to)
	held := maps.Clone(p.held)
	if within.sides[side][column] == to {
		held[[2]int{side, column}] = constraint
	}
	return viprPart{within, held}
}

// proveLeaf takes the multipliers of a leaf, and those of the sides of columns that leave nothing of the rest.
func (v *certificate) proveLeaf(number int, part viprPart) int {
	leaf := &v.proof.Leaves[number]
	scale, sum, g := fraction(leaf.Scale.float()), combination{}, part.lagrangian(leaf)
	use := func(constraint int, y *big.Float) { sum.add(constraint, new(big.Rat).Quo(fraction(y), scale)) }
	for k, i := range leaf.Rows.Of {
		if y := leaf.Rows.Values[k].float(); y.Sign() != 0 {
			use(v.rows[[2]int{sideOf(y.Sign() < 0), i}], y)
		}
	}
	leaf.eachAtom(func(k, atom int, y *big.Float) { use(v.atoms[[2]int{k, atom}], dyadic(0).Neg(y)) })
	for j := range part.worst() + 1 {
		if cost := g.Of(j); cost.Sign() != 0 {
			use(part.held[[2]int{sideOf(cost.Sign() < 0), j}], cost)
		}
	}
	name := fmt.Sprint("leaf", number)
	if !leaf.Empty {
		return v.derive(name, "G", v.lower.RatString(), "OBJ", sum.String())
	}
	bound := part.least(g, leaf)
	for _, y := range sum {
		y.Quo(y, bound)
	}
	return v.derive(name, "G", "1", "0", sum.String())
}

// combination holds multipliers of constraints by their indices.
type combination map[int]*big.Rat

func (c combination) add(constraint int, y *big.Rat) {
	if c[constraint] == nil {
		c[constraint] = new(big.Rat)
	}
	c[constraint].Add(c[constraint], y)
}

// String is the reason of a derivation.
func (c combination) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "lin %d", len(c))
	for _, constraint := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(&b, " %d %s", constraint, c[constraint].RatString())
	}
	return b.String()
}
