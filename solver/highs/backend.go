package highs

import "github.com/sparsero/directions/solver"

// Backend solves models with HiGHS. The zero value is ready for use.
//
// Linear programs are presolved, integer ones are not: the integer presolve of HiGHS 1.10.0 gave a wrong optimum or
// called a feasible program infeasible about once in 5,000 small random programs, without it never.
type Backend struct{}

var _ solver.Backend = Backend{}

// Open looks at the model. HiGHS itself takes it when the first solve starts. A quadratic
// objective, and a program built without cgo, give an error matching solver.ErrUnsupported.
func (Backend) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) { return open(m, o) }

// String returns the name of the solver with its version, or says that it is not available.
func (Backend) String() string { return solverName() }

// ReadLP reads a model from a file in CPLEX's LP format, which HiGHS reads and hands on with 15 significant digits;
// solver.ReadMPS keeps all. It is an error if the file's name does not end in .lp, or if HiGHS does not read it; without cgo it
// matches solver.ErrUnsupported.
func ReadLP(path string) (*solver.Model, error) { return readLP(path) }

// WriteLP writes a model to a file in LP format, through HiGHS with 15 significant digits and with the names of
// Model.WriteMPS, %2F in the place of the / behind a group. It is an error if the name does not end in .lp, or if the model
// or the file cannot be written; without cgo it matches solver.ErrUnsupported.
func WriteLP(path string, m *solver.Model) error { return writeLP(path, m) }
