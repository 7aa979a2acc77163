package interior

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/internal/program"
)

// newton solves
//
//	M dx - E'dy = r1,  E dx = r2,  M = H + C'WC,  W = z/s,
//
// by the Cholesky factors of M + E'E (which has the same solutions once
// r1 is moved by E'r2) and of the Schur complement of E.
type newton struct {
	f          *form
	matrix     *mat.SymDense // M
	factor     mat.Cholesky  // of M + E'E, regularised
	schur      mat.Cholesky  // of E (...)^-1 E', regularised
	transposed mat.Dense     // (...)^-1 E'
}

// factorise prepares the system of an iterate.
func (w *newton) factorise(it *iterate) bool {
	weights := make([]float64, len(it.s))
	for k := range weights {
		weights[k] = it.z[k] / it.s[k]
	}
	w.f = it.f
	return w.prepare(weights)
}

// prepare builds and factorises the matrices for the given weights.
func (w *newton) prepare(weights []float64) bool {
	f, n := w.f, len(w.f.gradient)
	w.matrix = mat.NewSymDense(n, nil)
	rows := len(f.above.rhs)
	if rows > 0 {
		var scaled mat.Dense
		scaled.Apply(func(i, _ int, v float64) float64 { return v * math.Sqrt(weights[i]) }, f.above.matrix)
		w.matrix.SymOuterK(1, scaled.T())
	}
	w.matrix.AddSym(w.matrix, f.hessian)
	for k, b := range f.bounds {
		w.matrix.SetSym(b.column, b.column, w.matrix.At(b.column, b.column)+weights[rows+k])
	}
	shifted := mat.NewSymDense(n, nil)
	if f.equal.matrix != nil {
		shifted.SymOuterK(1, f.equal.matrix.T())
	}
	shifted.AddSym(shifted, w.matrix)
	for j := range n {
		shifted.SetSym(j, j, shifted.At(j, j)+regularisation*(1+shifted.At(j, j)))
	}
	if !w.factor.Factorize(shifted) {
		return false
	}
	if f.equal.matrix == nil {
		return true
	}
	if err := w.factor.SolveTo(&w.transposed, f.equal.matrix.T()); err != nil && !isCondition(err) {
		return false
	}
	var product mat.Dense
	product.Mul(f.equal.matrix, &w.transposed)
	size, _ := product.Dims()
	schur := mat.NewSymDense(size, nil)
	for i := range size {
		for j := range i + 1 {
			schur.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
		schur.SetSym(i, i, schur.At(i, i)*(1+regularisation)+regularisation)
	}
	return w.schur.Factorize(schur)
}

// isCondition reports whether err only warns of a large condition number.
func isCondition(err error) bool {
	_, ok := err.(mat.Condition)
	return ok
}

// solve solves and refines.
func (w *newton) solve(r1, r2 []float64) (dx, dy []float64) {
	dx, dy = w.once(r1, r2)
	for range refinements {
		e1, e2 := w.residual(r1, r2, dx, dy)
		before := math.Max(program.MaxAbs(e1), program.MaxAbs(e2))
		cx, cy := w.once(e1, e2)
		tx, ty := append([]float64(nil), dx...), append([]float64(nil), dy...)
		floats.AddScaled(tx, 1, cx)
		floats.AddScaled(ty, 1, cy)
		if e1, e2 = w.residual(r1, r2, tx, ty); !(math.Max(program.MaxAbs(e1), program.MaxAbs(e2)) < before) {
			break
		}
		dx, dy = tx, ty
	}
	return dx, dy
}

// residual returns what (dx, dy) leaves of the system.
func (w *newton) residual(r1, r2, dx, dy []float64) (e1, e2 []float64) {
	e1, e2 = append([]float64(nil), r1...), append([]float64(nil), r2...)
	var product mat.VecDense
	product.MulVec(w.matrix, mat.NewVecDense(len(dx), dx))
	for j := range e1 {
		e1[j] -= product.AtVec(j)
	}
	w.f.equal.addTransposed(e1, 1, dy)
	for k, v := range w.f.equal.times(dx) {
		e2[k] -= v
	}
	return e1, e2
}

// once solves the regularised system.
func (w *newton) once(r1, r2 []float64) (dx, dy []float64) {
	moved := append([]float64(nil), r1...)
	w.f.equal.addTransposed(moved, 1, r2)
	var base mat.VecDense
	// A large condition number is no failure here: residuals are refined.
	_ = w.factor.SolveVecTo(&base, mat.NewVecDense(len(moved), moved))
	dx = base.RawVector().Data
	if w.f.equal.matrix == nil {
		return dx, nil
	}
	right := append([]float64(nil), r2...)
	for k, v := range w.f.equal.times(dx) {
		right[k] -= v
	}
	var multipliers mat.VecDense
	_ = w.schur.SolveVecTo(&multipliers, mat.NewVecDense(len(right), right))
	dy = multipliers.RawVector().Data
	var correction mat.VecDense
	correction.MulVec(&w.transposed, &multipliers)
	for j := range dx {
		dx[j] += correction.AtVec(j)
	}
	return dx, dy
}
