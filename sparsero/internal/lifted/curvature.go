package lifted

import (
	"maps"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/proof/exact"
)

// Convex tells whether the quadratic part of b with the slack is the sum of the squares and of a rest R with
//
//	r_ii >= 0 and (m-1)² r_ij² <= r_ii r_jj
//
// over m columns, which is convex: 2 |r_ij x_i x_j| <= (r_ii x_i² + r_jj x_j²) / (m-1) for each pair, and each column is in
// m-1 pairs. O(m³) products of whole numbers, as everything is multiplied by a common denominator.
func (c *Curvature) Convex(q *Quadratic) bool {
	m := len(c.Columns)
	rest := c.quadratic(q)
	columns, weights := c.wholeSquares()
	common := exact.CommonDenominator(slices.AppendSeq(slices.Clone(weights), maps.Values(rest)))
	weighted := make([][]*big.Int, m) // the columns times weight and common denominator of each square
	for k, w := range weights {
		factor := wholeTimes(w, common)
		for i := range columns {
			if k < len(columns[i]) {
				weighted[i] = append(weighted[i], new(big.Int).Mul(factor, columns[i][k]))
			}
		}
	}
	diagonal, pairs, term := make([]*big.Int, m), big.NewInt(int64(m-1)*int64(m-1)), new(big.Int)
	for j := range m {
		for i := j; i >= 0; i-- { // the diagonal first
			sum := new(big.Int)
			if q := rest[[2]int{i, j}]; q != nil {
				sum = wholeTimes(q, common)
			}
			for k := range min(len(columns[i]), len(columns[j])) {
				sum.Sub(sum, term.Mul(weighted[i][k], columns[j][k]))
			}
			if i == j {
				diagonal[j] = sum
				if sum.Sign() < 0 {
					return false
				}
			} else if sum.Mul(sum, sum).Mul(sum, pairs).Cmp(term.Mul(diagonal[i], diagonal[j])) > 0 {
				return false
			}
		}
	}
	return true
}

// places are those of the columns.
func (c *Curvature) places() map[int]int {
	places := make(map[int]int, len(c.Columns))
	for k, j := range c.Columns {
		places[j] = k
	}
	return places
}

// quadratic returns the upper triangle of the symmetric matrix of the quadratic part and the slack, by places in Columns.
func (c *Curvature) quadratic(q *Quadratic) map[[2]int]*big.Rat {
	places, matrix := c.places(), map[[2]int]*big.Rat{}
	add := func(i, j int, v *big.Rat) {
		at := [2]int{min(i, j), max(i, j)}
		if known := matrix[at]; known != nil {
			v.Add(v, known)
		}
		matrix[at] = v
	}
	for k, v := range q.Values {
		value := Rational(v)
		if q.I[k] != q.J[k] {
			value.Quo(value, Rational(2))
		}
		add(places[q.I[k]], places[q.J[k]], value)
	}
	for k, v := range c.Slack {
		add(k, k, Rational(v))
	}
	return matrix
}

// wholeSquares returns the squares as whole numbers, those of a column one after the other, and what each square is to be
// multiplied by instead.
func (c *Curvature) wholeSquares() (columns [][]*big.Int, weights []*big.Rat) {
	columns = make([][]*big.Int, len(c.Columns))
	for k, square := range c.Squares {
		shift := 0
		for _, v := range square.Values {
			if v := v.float(); v.Sign() != 0 {
				shift = max(shift, int(v.MinPrec())-v.MantExp(nil))
			}
		}
		first := len(c.Columns) - len(square.Values)
		for i, v := range square.Values {
			whole, _ := dyadic(0).SetMantExp(v.float(), shift).Int(nil)
			for len(columns[first+i]) < k { // not in squares before
				columns[first+i] = append(columns[first+i], new(big.Int))
			}
			columns[first+i] = append(columns[first+i], whole)
		}
		scale := fraction(dyadic(0).SetMantExp(square.Divisor.float(), 2*shift))
		weights = append(weights, scale.Inv(scale))
	}
	return columns, weights
}

// wholeTimes returns a fraction times a multiple of its denominator.
func wholeTimes(v *big.Rat, multiple *big.Int) *big.Int {
	whole := new(big.Int).Mul(v.Num(), multiple)
	return whole.Quo(whole, v.Denom())
}
