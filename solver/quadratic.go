package solver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/internal/program"
)

// convexityTolerance is the relative size of a negative eigenvalue of the
// Hessian that is taken for rounding error.
const convexityTolerance = 1e-9

// checkConvex returns an error wrapping ErrNotConvex when the quadratic part
// is not convex for a minimisation (not concave for a maximisation).
func (m *Model) checkConvex() error {
	terms := m.Quadratic()
	if len(terms) == 0 {
		return nil
	}
	hessian, _ := m.scaledHessian()
	largest := program.MaxAbs(hessian.RawSymmetric().Data) // infinite where a product is beyond its squares
	if !math.IsInf(largest, 1) && shiftedCholesky(hessian, convexityTolerance*largest) {
		return nil
	}
	var eigen mat.EigenSym
	unscaled, _ := m.signedHessian(terms)
	if !eigen.Factorize(unscaled, false) {
		return fmt.Errorf("solver: quadratic objective: the eigenvalues of its Hessian could not be computed; rescale it: %w", ErrNotConvex)
	}
	smallest := eigen.Values(nil)[0]
	shape, repair := "convex", "minimise"
	if m.sense == Maximize {
		shape, repair, smallest = "concave", "maximise", -smallest
	}
	return fmt.Errorf("solver: quadratic objective is not %s: its Hessian has eigenvalue %.6g; %s a %s objective, for instance with the Hessian projected on its semidefinite part: %w",
		shape, smallest, repair, shape, ErrNotConvex)
}

// signedHessian returns the Hessian of the minimised objective over the columns
// that have quadratic terms, and these columns.
func (m *Model) signedHessian(terms []Term) (*mat.SymDense, []int) {
	position, columns := make(map[int]int), []int(nil)
	for _, t := range terms {
		for _, column := range [2]int{t.I, t.J} {
			if _, found := position[column]; !found {
				position[column] = len(columns)
				columns = append(columns, column)
			}
		}
	}
	hessian := mat.NewSymDense(len(columns), nil)
	for _, t := range terms {
		value := m.sign() * t.Value
		if t.I == t.J {
			value *= 2
		}
		hessian.SetSym(position[t.I], position[t.J], value)
	}
	return hessian, columns
}
