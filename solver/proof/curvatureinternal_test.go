package proof

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/exact"
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

// programOf has the objective x'Hx/2.
func programOf(hessian *mat.SymDense) *Program {
	n := hessian.SymmetricDim()
	p := &Program{Cost: make([]float64, n), Lower: make([]float64, n), Upper: make([]float64, n)}
	for a := range n {
		p.Quadratic = append(p.Quadratic, program.Term{I: a, J: a, Value: hessian.At(a, a) / 2})
		for b := a + 1; b < n; b++ {
			p.Quadratic = append(p.Quadratic, program.Term{I: a, J: b, Value: hessian.At(a, b)})
		}
	}
	return p
}

// TestSmallEntriesAreNotLost: an entry that vanishes in the units of the diagonal still makes an objective concave in some direction.
func TestSmallEntriesAreNotLost(t *testing.T) {
	p := &Program{
		Cost: make([]float64, 2), Lower: []float64{-1, -1}, Upper: []float64{1, 1},
		Quadratic: []program.Term{{I: 0, J: 0, Value: 0x1p600}, {I: 0, J: 1, Value: 0x1p-800}},
	}
	if NotConvex(p, 1e-9) {
		t.Error("called not convex up to rounding errors")
	}
	if bound, _ := DualBound(p, []float64{0, 0}, []float64{}); !(bound.Float() < 0) {
		t.Errorf("the minimum is below 0, the bound is %v", bound)
	}
}

// TestFallBelowAllFloats: of x^2 10^10 + 10^-200 x the least value is below 0, and so is its bound.
func TestFallBelowAllFloats(t *testing.T) {
	p := &Program{Cost: []float64{1e-200}, Lower: []float64{math.Inf(-1)}, Upper: []float64{math.Inf(1)}, Quadratic: []program.Term{{Value: 1e10}}}
	if bound, _ := DualBound(p, []float64{0}, []float64{}); !(bound.Float() < 0) || bound.Float() < -1e-300 {
		t.Errorf("bound %v", bound)
	}
}

// TestFlatColumnsKeepABound: of x² + 0 y over a free x and 0 <= y <= 1, the column that nothing depends on takes no bound away.
func TestFlatColumnsKeepABound(t *testing.T) {
	p := &Program{Cost: []float64{0, 0}, Lower: []float64{math.Inf(-1), 0}, Upper: []float64{math.Inf(1), 1}, Quadratic: []program.Term{{Value: 1}}}
	if bound, _ := DualBound(p, []float64{0.5, 0}, []float64{}); !(bound.Float() <= 0) || bound.Float() < -2 {
		t.Errorf("bound %v of the minimum 0", bound)
	}
}

// TestTangentsAreLoweredToTheFarthestCorner: of (x+y)²/2 + ε xy, which curves down by rounding errors alone, the tangent at one
// corner of the box lies above the objective by ε uv at the other one, over a box of u by v.
func TestTangentsAreLoweredToTheFarthestCorner(t *testing.T) {
	const epsilon = 0x1p-52
	rapid.Check(t, func(t *rapid.T) {
		low := []float64{float64(rapid.IntRange(-9, 9).Draw(t, "x")), float64(rapid.IntRange(-9, 9).Draw(t, "y"))}
		size := []float64{float64(rapid.IntRange(1, 9).Draw(t, "u")), float64(rapid.IntRange(1, 9).Draw(t, "v"))}
		p := programOf(mat.NewSymDense(2, []float64{1, 1 + epsilon, 1 + epsilon, 1}))
		p.Lower, p.Upper = low, []float64{low[0] + size[0], low[1] + size[1]}
		at := []float64{p.Lower[0], p.Upper[1]}
		if rapid.Bool().Draw(t, "other corner") {
			at = []float64{p.Upper[0], p.Lower[1]}
		}
		// Along (u, -v) the objective lies (u-v)²/2 - ε uv above the tangent.
		above := (size[0]-size[1])*(size[0]-size[1])/2 - epsilon*size[0]*size[1]
		if loss := curvatureLoss(p, at); loss < -above || loss == 0 {
			t.Fatalf("loss %v, the tangent lies up to %v above", loss, -above)
		}
	})
}

// TestTermsAreNotRepeated: of two terms of the same columns a Hessian would hold one.
func TestTermsAreNotRepeated(t *testing.T) {
	p := &Program{Cost: make([]float64, 2), Lower: []float64{-1, -1}, Upper: []float64{1, 1}, Quadratic: []program.Term{{I: 0, J: 1, Value: -5}, {I: 1, J: 0, Value: 5}}}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "add them up") {
			t.Errorf("two terms of the columns 0 and 1: %s", text)
		}
	}()
	NotConvex(p, 1e-9)
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
		if _, semidefinite := exact.Squares(n, hessian.At); semidefinite != want {
			t.Fatalf("semidefinite: %v, by minors %v\n%v", !want, want, mat.Formatted(hessian))
		}
		seen[want]++
		if loss := negativeCurvature(programOf(hessian), hessian); want && loss != 0 || !want && loss <= 0 {
			t.Fatalf("semidefinite: %v, but negative curvature %v\n%v", want, loss, mat.Formatted(hessian))
		}
		if want && NotConvex(programOf(hessian), 0) {
			t.Fatalf("semidefinite, but not convex\n%v", mat.Formatted(hessian))
		}
	})
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("drawn: %v", seen)
	}
}
