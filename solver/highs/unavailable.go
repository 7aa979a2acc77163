//go:build !cgo

package highs

import (
	"fmt"

	"github.com/sparsero/directions/solver"
)

func open(*solver.Model, *solver.Options) (solver.Engine, error) {
	return nil, fmt.Errorf("solver/highs: this program was built without cgo; install a C compiler and HiGHS 1.10 or 1.11 (make setup) and build with CGO_ENABLED=1, or import nothing: the pure-Go default solves linear and convex quadratic models: %w", solver.ErrUnsupported)
}

func solverName() string { return "HiGHS (not available without cgo)" }

func readLP(string) (*solver.Model, error) { return nil, errNoLP }

func writeLP(string, *solver.Model) error { return errNoLP }

var errNoLP = fmt.Errorf("solver/highs: this program was built without cgo, and LP format goes through HiGHS; use MPS format (solver.ReadMPS, Model.WriteMPS): %w", solver.ErrUnsupported)
