//go:build !cgo

package highs

import (
	"fmt"

	"github.com/sparsero/directions/solver"
)

// Open returns an error matching solver.ErrUnsupported, as this program was
// built without cgo.
func (Backend) Open(*solver.Model, *solver.Options) (solver.Engine, error) {
	return nil, fmt.Errorf("solver/highs: this program was built without cgo; install a C compiler and HiGHS 1.10 or 1.11 (make setup) and build with CGO_ENABLED=1, or import nothing: the pure-Go default solves linear and convex quadratic models: %w", solver.ErrUnsupported)
}

// Available reports whether this program contains HiGHS.
func Available() bool { return false }

func solverName() string { return "HiGHS (not available without cgo)" }

// ReadLP returns an error matching solver.ErrUnsupported.
func ReadLP(string) (*solver.Model, error) { return nil, errNoLP }

// WriteLP returns an error matching solver.ErrUnsupported.
func WriteLP(string, *solver.Model) error { return errNoLP }

var errNoLP = fmt.Errorf("solver/highs: this program was built without cgo, and LP format goes through HiGHS; use MPS format (solver.ReadMPS, Model.WriteMPS): %w", solver.ErrUnsupported)
