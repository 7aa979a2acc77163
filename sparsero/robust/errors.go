package robust

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sparsero/directions/solver"
)

// ErrNotCertified is returned, wrapped, when a bound on the value gap is asked of
// a solution that violates a robust constraint of the full model.
var ErrNotCertified = errors.New("robust: not certified")

// InfeasibleError says that no decision satisfies a model. It wraps
// solver.ErrInfeasible.
type InfeasibleError struct {
	// Atoms are the atoms of the model that was solved.
	Atoms []int
	// Radius is the radius of that model.
	Radius float64
	// Constraints is the number of robust constraints.
	Constraints int
	// Detail is the solver's own summary.
	Detail error
}

// Error names the model and the next step.
func (e *InfeasibleError) Error() string {
	where := fmt.Sprintf("robust: no x in X satisfies the model with %d atoms at radius %g", len(e.Atoms), e.Radius)
	if e.Constraints == 0 {
		return where + ": X itself is empty, whatever the atoms; check the bounds and rows of the region: solver.Explain names those that contradict each other"
	}
	return fmt.Sprintf("%s and %d robust constraints; ask Problem.Explain which constraints and atoms conflict and which radius is still feasible",
		where, e.Constraints)
}

// Unwrap returns solver.ErrInfeasible and the solver's own error.
func (e *InfeasibleError) Unwrap() []error { return []error{solver.ErrInfeasible, e.Detail} }

// UnboundedError says that Φ_S has no minimum over X. It wraps
// solver.ErrUnbounded.
type UnboundedError struct {
	// Atoms are the atoms of the model that was solved.
	Atoms []int
	// Radius is the radius of that model.
	Radius float64
	// Open lists the names of region columns without a finite lower or upper bound.
	Open []string
	// Detail is the solver's own summary.
	Detail error
}

// openShown is the number of unbounded columns that an error lists by name.
const openShown = 5

// Error names the unbounded columns and the next step.
func (e *UnboundedError) Error() string {
	text := fmt.Sprintf("robust: Φ_S has no minimum over X with %d atoms at radius %g", len(e.Atoms), e.Radius)
	if len(e.Open) == 0 {
		return text + "; check the quadratic part of the objective"
	}
	shown, more := e.Open, ""
	if len(shown) > openShown {
		shown, more = shown[:openShown], fmt.Sprintf(" and %d more", len(e.Open)-openShown)
	}
	return text + "; give finite bounds to " + strings.Join(shown, ", ") + more
}

// Unwrap returns solver.ErrUnbounded and the solver's own error.
func (e *UnboundedError) Unwrap() []error { return []error{solver.ErrUnbounded, e.Detail} }
