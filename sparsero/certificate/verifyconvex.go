package certificate

import (
	"math"
	"math/big"
)

// checkConvex tests whether the quadratic terms are those of a convex function.
func (f *designFile) checkConvex() error {
	if !semidefinite(f.hessian()) {
		return &FalseClaimError{"quadratic", "convex", "its matrix is not positive semidefinite"}
	}
	return nil
}

// hessian is the matrix of second derivatives over the columns with quadratic terms, times a power of two that makes
// it whole.
func (f *designFile) hessian() [][]*big.Int {
	places, least := map[int]int{}, 0 // exponent of the values
	for _, q := range f.Model.Quadratic {
		for _, j := range []int{q.I, q.J} {
			if _, found := places[j]; !found {
				places[j] = len(places)
			}
		}
		_, exponent := math.Frexp(q.Value)
		least = min(least, exponent-53)
	}
	matrix := make([][]*big.Int, len(places))
	for i := range matrix {
		matrix[i] = make([]*big.Int, len(places))
		for j := range matrix[i] {
			matrix[i][j] = new(big.Int)
		}
	}
	for _, q := range f.Model.Quadratic {
		value, i, j := dyadic(q.Value), places[q.I], places[q.J]
		whole, _ := value.SetMantExp(value, -least).Int(nil)
		matrix[i][j].Add(matrix[i][j], whole)
		matrix[j][i].Add(matrix[j][i], whole) // on the diagonal once more: the second derivative of v x^2 is 2 v
	}
	return matrix
}

// semidefinite tells whether a symmetric matrix is positive semidefinite, by elimination in whole numbers (Bareiss
// 1968): all pivots must be 0 or more, and a row with the pivot 0 must be 0. It overwrites the matrix.
func semidefinite(matrix [][]*big.Int) bool {
	previous := big.NewInt(1)
	for k, row := range matrix {
		pivot := row[k]
		if pivot.Sign() < 0 {
			return false
		}
		for i := k + 1; i < len(matrix); i++ {
			if pivot.Sign() == 0 && row[i].Sign() != 0 {
				return false
			}
			for j := i; j < len(matrix) && pivot.Sign() > 0; j++ {
				product := new(big.Int).Mul(row[i], row[j])
				entry := matrix[i][j]
				entry.Sub(entry.Mul(entry, pivot), product).Quo(entry, previous)
			}
		}
		if pivot.Sign() > 0 {
			previous = pivot
		}
	}
	return true
}
