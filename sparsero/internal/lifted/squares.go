package lifted

import (
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/solver/proof/exact"
	"gonum.org/v1/gonum/mat"
)

// convexityTolerance is the size of a negative eigenvalue, relative to the diagonal, that the solvers take for a rounding
// error.
const convexityTolerance = 1e-9

// newCurvature shows in squares that a quadratic b is convex, up to a slack where it is so only up to rounding errors; nil
// if it is not.
func newCurvature(of *Quadratic) *Curvature {
	columns, q := of.symmetric()
	if q == nil {
		return nil
	}
	m := float64(len(columns))
	noise := 8 * m * 0x1p-52 // of a Cholesky factor
	var best *Curvature
	for _, shift := range []float64{-m * noise, -noise, noise, 0x1p5 * noise, 0x1p10 * noise, 4 * convexityTolerance} {
		if best = factored(columns, q, shift); best != nil {
			break
		}
	}
	if (best == nil || slices.Max(best.Slack) > 0) && len(columns) <= exactColumns {
		if exact := eliminated(columns, q); exact != nil {
			return exact
		}
	}
	return best
}

// symmetric returns the columns with quadratic terms, and over them Q with b(x) = ⟨x, Q x⟩ + ..., nil where half a term is no float64.
func (of *Quadratic) symmetric() (columns []int, q *mat.SymDense) {
	columns = slices.Concat(of.I, of.J)
	slices.Sort(columns)
	columns = slices.Compact(columns)
	q = mat.NewSymDense(len(columns), nil)
	for k, value := range of.Values {
		i, _ := slices.BinarySearch(columns, of.I[k])
		j, _ := slices.BinarySearch(columns, of.J[k])
		if i != j {
			if value /= 2; 2*value != of.Values[k] {
				return columns, nil
			}
		}
		q.SetSym(i, j, value)
	}
	return columns, q
}

// factored takes the rows of a Cholesky factor of Q, its diagonal times 1 + shift, as squares, and the least slack with which the
// diagonal of the rest dominates; nil if there is no factor.
func factored(columns []int, q *mat.SymDense, shift float64) *Curvature {
	m := len(columns)
	shifted := mat.NewSymDense(m, nil)
	shifted.CopySym(q)
	for k := range m {
		shifted.SetSym(k, k, q.At(k, k)*(1+shift))
	}
	var factor mat.Cholesky
	if !factor.Factorize(shifted) {
		return nil
	}
	var upper mat.TriDense
	factor.UTo(&upper)
	written := &Curvature{Columns: columns, Slack: slack(q, &upper)}
	for k := range m {
		square := Square{Divisor: Float(1)}
		for j := k; j < m; j++ {
			square.Values = append(square.Values, Float(upper.At(k, j)))
		}
		written.Squares = append(written.Squares, square)
	}
	return written
}

// slack returns what makes the rest R of Q less UᵀU dominated by its diagonal: with |r_ij| <= s √(q_ii q_jj) it makes r_ii at
// least (m-1) s q_ii.
func slack(q *mat.SymDense, upper *mat.TriDense) []float64 {
	m, share := q.SymmetricDim(), 0.0
	slack, columns := make([]float64, m), mat.DenseCopyOf(upper.T()) // whose rows are contiguous
	for i := range m {
		for j := i; j < m; j++ {
			var excess directed.Sum // of UᵀU over Q
			excess.Add(-q.At(i, j))
			for k, v := range columns.RawRowView(i)[:i+1] {
				excess.AddProduct(v, columns.At(j, k))
			}
			if i == j {
				slack[i] = excess.Upper()
			} else {
				size := directed.ProductLower(math.Sqrt(q.At(i, i)), math.Sqrt(q.At(j, j)))
				share = math.Max(share, math.Max(excess.Upper(), -excess.Lower())/size)
			}
		}
	}
	share = float64(m-1) * share * (1 + 0x1p-40) // more than what rounding may have lost
	for k, v := range slack {
		slack[k] = math.Max(0, directed.SumUpper(v, directed.ProductUpper(share, q.At(k, k))))
	}
	return slack
}

// eliminated takes the squares from elimination in fractions; nil if Q is not positive semidefinite.
func eliminated(columns []int, q *mat.SymDense) *Curvature {
	rows, semidefinite := exact.Squares(len(columns), q.At)
	if !semidefinite {
		return nil
	}
	written := &Curvature{Columns: columns, Slack: make([]float64, len(columns))}
	for k, row := range rows {
		if row[k].Sign() > 0 {
			written.Squares = append(written.Squares, wholeSquare(row[k], row[k:]))
		}
	}
	return written
}

// wholeSquare is (Σ_k values[k] x_k)² / divisor in whole numbers, where the divisor is one of the values.
func wholeSquare(divisor *big.Rat, values []*big.Rat) (square Square) {
	scale := new(big.Rat).SetInt(exact.CommonDenominator(values))
	for _, v := range values {
		whole, _ := newNumber(new(big.Rat).Mul(v, scale))
		square.Values = append(square.Values, whole)
	}
	scale.Mul(scale, scale)
	square.Divisor, _ = newNumber(scale.Mul(scale, divisor))
	return square
}
