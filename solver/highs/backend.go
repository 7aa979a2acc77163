package highs

import "github.com/sparsero/directions/solver"

// Backend solves models with HiGHS. The zero value is ready for use.
type Backend struct {
	// Presolve lets HiGHS presolve integer programs. It is off by default:
	// the integer presolve of HiGHS 1.10.0 gave a wrong optimum or called a
	// feasible program infeasible about once in 5,000 small random programs,
	// without it never. Turn it on for large programs, and check what comes
	// out. Linear programs are always presolved.
	Presolve bool
}

var _ solver.Backend = Backend{}

// String returns the name of the solver with its version, or says that it is
// not available.
func (Backend) String() string { return solverName() }
