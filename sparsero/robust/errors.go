package robust

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/sparsero/directions/solver"
)

// ErrNotCertified is returned, wrapped, when a bound on the value gap is asked of
// a solution that violates a robust constraint of the full model.
var ErrNotCertified = errors.New("robust: not certified")

// infeasible names the model that no decision satisfies, and the next step. It wraps solver.ErrInfeasible.
func (m *master) infeasible() error {
	rows := len(m.problem.constraints)
	if rows == 0 {
		return fmt.Errorf("robust: no x in X satisfies the model with %d atoms at radius %g (%w): X itself is empty, whatever the atoms; check the bounds and rows of the region: solver.Explain names those that contradict each other",
			len(m.atoms), m.radius, solver.ErrInfeasible)
	}
	return fmt.Errorf("robust: no x in X satisfies the model with %d atoms at radius %g and %d robust constraints (%w); ask Problem.Explain which constraints and atoms conflict and which radius is still feasible",
		len(m.atoms), m.radius, rows, solver.ErrInfeasible)
}

// openShown is the number of unbounded columns that a text lists by name.
const openShown = 5

// boundsToGive asks for finite bounds of columns that lack one, by name; empty if none does.
func (p *Problem) boundsToGive() string {
	open := p.openColumns()
	if len(open) == 0 {
		return ""
	}
	next := "give finite bounds to " + strings.Join(open[:min(openShown, len(open))], ", ")
	if len(open) > openShown {
		next += fmt.Sprintf(" and %d more", len(open)-openShown)
	}
	return next
}

// unbounded says that Φ_S has no minimum over X, and names columns without a bound. It wraps solver.ErrUnbounded.
func (m *master) unbounded() error {
	next := cmp.Or(m.problem.boundsToGive(), "check the quadratic part of the objective")
	return fmt.Errorf("robust: Φ_S has no minimum over X with %d atoms at radius %g (%w); %s", len(m.atoms), m.radius, solver.ErrUnbounded, next)
}
