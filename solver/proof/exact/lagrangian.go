package exact

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// Lagrangian is an affine function of columns, from which multiples of rows are taken, without rounding: a float64 is a whole
// number over a power of two, and so are sums and products of such, which a big.Float of the largest precision holds.
type Lagrangian struct {
	Constant *big.Float
	reduced  []*big.Float // the coefficients; nil for 0
	pending  [][4]float64 // what is still to be added to them
	spare    *big.Float   // takes the next sum, as a big.Float that is its own summand allocates
}

// NewLagrangian returns the function 0 of so many columns. It panics if they are fewer than none or more than 2^26.
func NewLagrangian(columns int) *Lagrangian {
	if columns < 0 || columns > 1<<26 {
		panic(fmt.Sprintf("exact: %d columns; give 0 to 2^26", columns))
	}
	return &Lagrangian{Constant: unrounded(), reduced: make([]*big.Float, columns), pending: make([][4]float64, columns), spare: unrounded()}
}

// unrounded is 0 as the place of a sum or product that is not to be rounded.
func unrounded() *big.Float { return new(big.Float).SetPrec(big.MaxPrec) }

// Of returns the coefficient of a column, to be changed until the next Take. It panics if there is no such column.
func (g *Lagrangian) Of(j int) *big.Float {
	if j < 0 || j >= len(g.reduced) {
		panic(fmt.Sprintf("exact: column %d of %d; columns count from 0", j, len(g.reduced)))
	}
	if g.reduced[j] == nil {
		g.reduced[j] = unrounded()
	}
	for k, v := range g.pending[j] {
		if v != 0 {
			g.reduced[j].Add(g.reduced[j], big.NewFloat(v))
		}
		g.pending[j][k] = 0
	}
	return g.reduced[j]
}

// add adds a float64 to a coefficient: to the first number that is pending, its rounding error to the second, and so on
// (Shewchuk 1997). It is far from the largest float64.
func (g *Lagrangian) add(j int, x float64) {
	for k, v := range g.pending[j] {
		sum := v + x
		back := sum - v
		g.pending[j][k], x = sum, (v-(sum-back))+(x-back) // Knuth 1969
		if x == 0 {
			return
		}
	}
	sum := g.Of(j)
	sum.Add(sum, big.NewFloat(x))
}

// Take adds y (side - <row, columns>), which is at most 0 where the row keeps to its lower side and y >= 0, or to its upper
// side and y <= 0. It panics if anything is nil, or the row has not one column for each value.
func (g *Lagrangian) Take(y *big.Float, row *program.Row, side *big.Float) {
	if y == nil || row == nil || side == nil || len(row.Columns) != len(row.Values) {
		panic("exact: the multiplier, the row or its side is nil, or the row has not one column for each value")
	}
	entry, term := new(big.Float), unrounded()
	g.Constant.Add(g.Constant, term.Mul(y, side))
	factor, accuracy := y.Float64()
	for k, v := range row.Values {
		j, product := row.Columns[k], float64(factor*v)
		switch size := math.Abs(product); {
		case v == 0:
		case accuracy == big.Exact && size > 0x1p-900 && size < 0x1p900: // so that its rounding error is a float64
			g.add(j, -product)
			g.add(j, -math.FMA(factor, v, -product))
		default:
			sum := g.spare.Sub(g.Of(j), term.Mul(y, entry.SetFloat64(v)))
			g.reduced[j], g.spare = sum, g.reduced[j]
		}
	}
}

// AddLeast adds the least value of a column's term between two sides, nil for none, to the constant; false if there is none. It
// panics if there is no such column.
func (g *Lagrangian) AddLeast(j int, lower, upper *big.Float) bool {
	cost, side := g.Of(j), lower
	if cost.Sign() < 0 {
		side = upper
	}
	if cost.Sign() != 0 && side != nil {
		g.Constant.Add(g.Constant, unrounded().Mul(cost, side))
	}
	return cost.Sign() == 0 || side != nil
}

// Bound returns the lower bound of weak duality on the minimum of cost'x,
//
//	Σ_i y_i side_i + Σ_j min{(cost - A'y)_j x_j : lower_j <= x_j <= upper_j},
//
// where side_i is the row's lower bound for y_i > 0 and its upper one for y_i < 0. It returns nil where the bound is
// -Inf, and if y has no number for each row. It panics if the program or the cost does not fit together.
func Bound(p *program.Program, cost []float64, y []*big.Rat) *big.Rat {
	check(p)
	check(&program.Program{Cost: cost, Lower: p.Lower, Upper: p.Upper})
	if len(y) != len(p.Rows) || slices.Contains(y, nil) {
		return nil
	}
	scale := CommonDenominator(y)
	times, g := new(big.Float).SetInt(scale), NewLagrangian(len(cost))
	for j, c := range cost {
		g.Of(j).Mul(times, big.NewFloat(c))
	}
	for i, v := range y {
		side := finite(p.Rows[i].Lower)
		if v.Sign() < 0 {
			side = finite(p.Rows[i].Upper)
		}
		switch whole := new(big.Int).Quo(scale, v.Denom()); {
		case v.Sign() == 0:
		case side == nil:
			return nil
		default:
			g.Take(new(big.Float).SetInt(whole.Mul(whole, v.Num())), &p.Rows[i], side)
		}
	}
	for j := range cost {
		if !g.AddLeast(j, finite(p.Lower[j]), finite(p.Upper[j])) {
			return nil
		}
	}
	bound, _ := g.Constant.Rat(nil)
	return bound.Quo(bound, new(big.Rat).SetInt(scale))
}

// finite is nil for an infinite number.
func finite(v float64) *big.Float {
	if math.IsInf(v, 0) {
		return nil
	}
	return big.NewFloat(v)
}
