package interior

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/internal/program"
)

// newton solves
//
//	M dx - E'dy = r1,  E dx = r2,  M = H + C'WC,  W = z/s,
//
// by the LU factors of the system, regularised, and refinement.
type newton struct {
	columns int // of x
	system  *mat.Dense
	factor  mat.LU // of the system, regularised
}

// newNewton factorises the system for the given weights W.
func (f *form) newNewton(weights []float64) *newton {
	n, m, rows := len(f.gradient), len(f.equal.rhs), len(f.above.rhs)
	curvature := mat.NewSymDense(n, nil) // M
	if rows > 0 {
		var scaled mat.Dense
		scaled.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(weights[i]) }, f.above.matrix)
		curvature.SymOuterK(1, scaled.T())
	}
	curvature.AddSym(curvature, f.hessian)
	for k, b := range f.bounds {
		curvature.SetSym(b.column, b.column, curvature.At(b.column, b.column)+weights[rows+k])
	}
	w := &newton{columns: n, system: mat.NewDense(n+m, n+m, nil)}
	w.system.Slice(0, n, 0, n).(*mat.Dense).Copy(curvature)
	if m > 0 {
		w.system.Slice(n, n+m, 0, n).(*mat.Dense).Copy(f.equal.matrix)
		w.system.Slice(0, n, n, n+m).(*mat.Dense).Scale(-1, f.equal.matrix.T())
	}
	regular := mat.DenseCopyOf(w.system)
	for j := range n + m {
		regular.Set(j, j, regular.At(j, j)+regularisation*(1+regular.At(j, j)))
	}
	w.factor.Factorize(regular)
	return w
}

// solve solves and refines.
func (w *newton) solve(r1, r2 []float64) (dx, dy []float64) {
	right := slices.Concat(r1, r2)
	solution := w.once(right)
	left := w.residual(right, solution)
	for range refinements {
		next := w.once(left)
		floats.Add(next, solution)
		remaining := w.residual(right, next)
		if !(program.MaxAbs(remaining) < program.MaxAbs(left)) {
			break
		}
		solution, left = next, remaining
	}
	return solution[:w.columns], solution[w.columns:]
}

// residual returns what a solution leaves of the system.
func (w *newton) residual(right, solution []float64) []float64 {
	var product mat.VecDense
	product.MulVec(w.system, mat.NewVecDense(len(solution), solution))
	return floats.SubTo(make([]float64, len(right)), right, product.RawVector().Data)
}

// once solves the regularised system.
func (w *newton) once(right []float64) []float64 {
	solution := make([]float64, len(right))
	// A large condition number is no failure here: residuals are refined.
	_ = w.factor.SolveVecTo(mat.NewVecDense(len(right), solution), false, mat.NewVecDense(len(right), right))
	return solution
}
