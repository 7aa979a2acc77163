package highs

import "github.com/sparsero/directions/solver"

// Backend solves models with HiGHS. The zero value is ready for use.
//
// Linear programs are presolved, integer ones are not: the integer presolve of HiGHS 1.10.0
// gave a wrong optimum or called a feasible program infeasible about once in 5,000 small
// random programs, without it never.
type Backend struct{}

var _ solver.Backend = Backend{}

// String returns the name of the solver with its version, or says that it is
// not available.
func (Backend) String() string { return solverName() }
