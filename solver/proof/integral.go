package proof

import (
	"math"
	"math/big"
	"slices"
)

// lattice holds every objective that a whole point can have: offset + k step for whole k.
type lattice struct {
	offset, step *big.Rat
}

// latticeOf returns nil where a column that costs something need not be whole, or the objective is quadratic.
func latticeOf(p *Program, integers []int) *lattice {
	step := 0.0
	for j, cost := range p.Cost {
		switch {
		case cost == 0:
		case !slices.Contains(integers, j):
			return nil
		default:
			step = commonStep(step, math.Abs(cost))
		}
	}
	if step == 0 || len(p.Quadratic) > 0 {
		return nil
	}
	return &lattice{new(big.Rat).SetFloat64(p.Offset), new(big.Rat).SetFloat64(step)}
}

// commonStep returns the largest number of which a and b, at least 0, are whole multiples; the remainder of floats is exact.
func commonStep(a, b float64) float64 {
	for b != 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}

// raise returns the least number of the lattice that a bound allows, rounded down.
func (l *lattice) raise(bound Lower) Lower {
	if l == nil || math.IsInf(bound.Float(), 0) {
		return bound
	}
	steps := new(big.Rat).SetFloat64(bound.Float())
	steps.Quo(steps.Sub(steps, l.offset), l.step)
	whole, rest := new(big.Int).DivMod(steps.Num(), steps.Denom(), new(big.Int)) // rounds down
	if rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	least := new(big.Rat).SetInt(whole)
	return LowerOf(least.Add(least.Mul(least, l.step), l.offset))
}
