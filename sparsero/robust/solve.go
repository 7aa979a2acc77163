package robust

import (
	"context"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Solve minimises Φ_S over X for the given atoms and radius r >= 0; the empty S is the nominal problem.
//
// Errors: bad atoms, radius or options; one that wraps solver.ErrInfeasible or solver.ErrUnbounded and names the next step;
// the solver's status error when a limit left no point.
func (p *Problem) Solve(ctx context.Context, indices []int, radius float64, o *Options) (*Solution, error) {
	ctx = input.Context(ctx)
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := p.checkSet(indices, radius); err != nil {
		return nil, err
	}
	m, err := p.newMaster(indices, radius, options.Solver)
	if err != nil {
		return nil, err
	}
	solution, err := m.solveRestricted(ctx)
	if err != nil {
		return nil, err
	}
	solution.proveBound()
	return solution, nil
}

// solveRestricted solves the open model as it stands; what is left to prove of the bound is for proveBound.
func (m *master) solveRestricted(ctx context.Context) (*Solution, error) {
	result, err := m.solve(ctx)
	if err != nil {
		return nil, err
	}
	x, found := m.decision(result), m.multipliers(result.RowDuals)
	exposed, err := m.worst(ctx, x, 1)
	if err != nil {
		return nil, err
	}
	solved := &Solution{
		Atoms: m.atoms, Radius: m.radius, LowerBound: m.exactBound(result.Lower), Rounds: 1, Rows: len(m.cuts),
		Result: result, multipliers: found, options: m.options, Partial: result.Status != solver.Optimal,
	}
	return solved.within(m.problem, x, exposed)
}
