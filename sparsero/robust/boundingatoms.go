package robust

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// boundingAtoms returns atoms with which the restricted model has a minimum, when
// the full model has one although b alone falls without end over an unbounded X. They are
// those that cutting planes need for the recession problem
//
//	min b∞(y) + r M_[N](q∞(y))   y a recession direction of X, -1 <= y <= 1,
//
// with the linear parts b∞ and q∞: its minimum is 0 exactly when no direction improves
// the full model. It returns nil when some direction does, and an error when the problem
// could not be solved.
func (p *Problem) boundingAtoms(ctx context.Context, radius float64, o Options) ([]int, error) {
	constraints := make([]Constraint, len(p.constraints))
	for k, c := range p.constraints {
		constraints[k] = Constraint{Name: c.Name, Nominal: c.Nominal, Map: sparsero.AffineMap{Matrix: c.Map.Matrix}}
	}
	recession, _ := NewProblem(p.dictionary, p.region.Recession(), sparsero.AffineMap{Matrix: p.q.Matrix}, constraints...) // of parts that fit
	o.Start, o.Progress = nil, nil
	rays, err := recession.SolveFull(ctx, radius, &o)
	switch {
	case err == nil && rays.Value < -o.Tolerance*recession.objectiveReach(radius):
		return nil, nil
	case err == nil && !rays.Partial:
		return rays.Atoms, nil
	}
	return nil, fmt.Errorf("robust: b(x) alone has no minimum over X, and the work ended before it was known whether the atoms give one; raise the limits, or give every column finite bounds: %w",
		cmp.Or(err, ctx.Err(), solver.ErrLimit))
}
