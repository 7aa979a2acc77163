package interior

import (
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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
	n, m := len(f.gradient), len(f.equal)
	w := &newton{columns: n, system: mat.NewDense(n+m, n+m, nil)}
	w.system.Slice(0, n, 0, n).(*mat.Dense).Copy(f.hessian)
	for k, c := range f.above {
		for a, i := range c.Columns {
			row, weighted := w.system.RawRowView(i), weights[k]*c.Values[a]
			for b, j := range c.Columns {
				row[j] += weighted * c.Values[b]
			}
		}
	}
	for k, e := range f.equal {
		for a, j := range e.Columns {
			w.system.Set(n+k, j, e.sign*e.Values[a])
			w.system.Set(j, n+k, -e.sign*e.Values[a])
		}
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
