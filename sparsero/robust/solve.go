package robust

import (
	"context"
	"math"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// Solve minimises Φ_S over X for the given atoms and radius r >= 0: one model with
// |S|+1 robust rows per exposure. The empty S is the nominal problem.
//
// Errors: bad atoms, radius or options; *InfeasibleError and *UnboundedError
// (errors.Is with solver.ErrInfeasible, solver.ErrUnbounded); the solver's status
// error when a limit left no point.
func (p *Problem) Solve(ctx context.Context, indices []int, radius float64, o *Options) (*Solution, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	set, err := p.restrictedSet(indices, radius)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	m, err := p.newMaster(indices, radius, options.Solver)
	if err != nil {
		return nil, err
	}
	defer m.close()
	solution, err := m.solveRestricted(ctx, set)
	if err != nil {
		return nil, err
	}
	solution.Elapsed = time.Since(started)
	return solution, nil
}

// solveRestricted solves the open model as it stands; set holds the same atoms.
func (m *master) solveRestricted(ctx context.Context, set *sparsero.AtomicSet) (*Solution, error) {
	result, err := m.solve(ctx)
	if err != nil {
		return nil, err
	}
	x := m.decision(result)
	solution, err := m.problem.solution(set, x, m.problem.exposeAll(x))
	if err != nil {
		return nil, err
	}
	solution.LowerBound = math.Min(solution.Value, lowerBound(result))
	solution.Rounds, solution.Rows = 1, len(m.cuts)
	solution.Result, solution.multipliers, solution.options = result, m.multipliers(result.RowDuals), m.options
	solution.Partial = result.Status != solver.Optimal
	return solution, nil
}

// lowerBound returns what is proven about the minimum.
func lowerBound(result *solver.Result) float64 {
	if math.IsNaN(result.Bound) {
		return math.Inf(-1)
	}
	return result.Bound
}
