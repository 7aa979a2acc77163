package solver

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
)

// checkConvex returns an error wrapping ErrNotConvex when the quadratic part
// is not convex for a minimisation (not concave for a maximisation).
func (m *Model) checkConvex() error {
	plain := m.program()
	if !proof.NotConvex(plain, convexityTolerance) {
		return nil
	}
	var eigen mat.EigenSym
	if hessian, _ := program.Hessian(plain); !eigen.Factorize(hessian, false) {
		return fmt.Errorf("solver: quadratic objective: the eigenvalues of its Hessian could not be computed; rescale it: %w", ErrNotConvex)
	}
	smallest := eigen.Values(nil)[0]
	shape, repair := "convex", "minimise"
	if m.maximize {
		shape, repair, smallest = "concave", "maximise", -smallest
	}
	return fmt.Errorf("solver: quadratic objective is not %s: its Hessian has eigenvalue %.6g; %s a %s objective, for instance with the Hessian projected on its semidefinite part: %w",
		shape, smallest, repair, shape, ErrNotConvex)
}
