package solver

import (
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// determinant is that of the chosen rows and columns, by Laplace's expansion.
func determinant(rows [][]*big.Rat, chosen []int) *big.Rat {
	var expand func(row int, left []int) *big.Rat
	expand = func(row int, left []int) *big.Rat {
		if len(left) == 0 {
			return big.NewRat(1, 1)
		}
		total := new(big.Rat)
		for k, column := range left {
			rest := append(append([]int(nil), left[:k]...), left[k+1:]...)
			term := new(big.Rat).Mul(rows[chosen[row]][column], expand(row+1, rest))
			if k%2 == 1 {
				term.Neg(term)
			}
			total.Add(total, term)
		}
		return total
	}
	return expand(0, chosen)
}

// semidefiniteByMinors: a symmetric matrix is positive semidefinite exactly when all its
// principal minors are at least 0.
func semidefiniteByMinors(hessian *mat.SymDense) bool {
	n := hessian.SymmetricDim()
	rows := make([][]*big.Rat, n)
	for a := range rows {
		for b := range n {
			rows[a] = append(rows[a], new(big.Rat).SetFloat64(hessian.At(a, b)))
		}
	}
	for mask := range 1 << n {
		var chosen []int
		for k := range n {
			if mask>>k&1 == 1 {
				chosen = append(chosen, k)
			}
		}
		if determinant(rows, chosen).Sign() < 0 {
			return false
		}
	}
	return true
}

// TestSemidefiniteIsExact compares the elimination with principal minors, on matrices of
// low rank, where rounding decides, and on some that are a hair away from them.
func TestSemidefiniteIsExact(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "size")
		hessian := mat.NewSymDense(n, nil)
		for range rapid.IntRange(0, n).Draw(t, "rank") {
			factor := make([]float64, n)
			for k := range factor {
				factor[k] = float64(rapid.IntRange(-3, 3).Draw(t, "factor"))
			}
			hessian.SymRankOne(hessian, 1, mat.NewVecDense(n, factor))
		}
		if rapid.Bool().Draw(t, "disturbed") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "row"), rapid.IntRange(0, n-1).Draw(t, "column")
			hessian.SetSym(a, b, hessian.At(a, b)+rapid.SampledFrom([]float64{-1, 1, -0x1p-48, 0x1p-48}).Draw(t, "disturbance"))
		}
		want := semidefiniteByMinors(hessian)
		if seen[want]++; semidefinite(hessian) != want {
			t.Fatalf("semidefinite: %v, by minors %v\n%v", !want, want, mat.Formatted(hessian))
		}
		if loss := negativeCurvature(hessian); want && loss != 0 || !want && loss <= 0 {
			t.Fatalf("semidefinite: %v, but negative curvature %v\n%v", want, loss, mat.Formatted(hessian))
		}
	})
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("drawn: %v", seen)
	}
}
