package robust

import (
	"context"
	"math"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/exact"
)

// Solve minimises Φ_S over X for the given atoms and radius r >= 0: one model with
// |S|+1 robust rows per exposure. The empty S is the nominal problem.
//
// Errors: bad atoms, radius or options; one that wraps solver.ErrInfeasible or
// solver.ErrUnbounded and names the next step; the solver's status error when a
// limit left no point.
func (p *Problem) Solve(ctx context.Context, indices []int, radius float64, o *Options) (*Solution, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := p.restrictedSet(indices, radius); err != nil {
		return nil, err
	}
	started := time.Now()
	m, err := p.newMaster(indices, radius, options.Solver)
	if err != nil {
		return nil, err
	}
	solution, err := m.solveRestricted(ctx)
	if err != nil {
		return nil, err
	}
	solution.Elapsed = time.Since(started)
	return solution, nil
}

// solveRestricted solves the open model as it stands.
func (m *master) solveRestricted(ctx context.Context) (*Solution, error) {
	result, err := m.solve(ctx)
	if err != nil {
		return nil, err
	}
	x, found := m.decision(result), m.multipliers(result.RowDuals)
	solved := &Solution{
		Atoms: m.atoms, Radius: m.radius, LowerBound: m.exactBound(lowerBound(result), found, x), Rounds: 1, Rows: len(m.cuts),
		Result: result, multipliers: found, options: m.options, Partial: result.Status != solver.Optimal,
	}
	return solved.within(m.problem, x, m.problem.exposeAll(x))
}

// lowerBound returns what is proven about the minimum of the model as it stands in float64.
func lowerBound(result *solver.Result) float64 {
	if math.IsNaN(result.Bound) {
		return math.Inf(-1)
	}
	return result.Bound
}

// exactBound returns what is proven about the minimum of the exact model, given a bound for that in float64. They are one
// where all rows are relaxations. Where not, it is weak duality in fractions for the multipliers, or -Inf without them.
func (m *master) exactBound(bound float64, found multipliers, x []float64) float64 {
	if math.IsInf(bound, -1) || m.relaxes() {
		return bound
	}
	e := newExactProblem(m.problem, m.radius, x)
	proven := e.bound(e.repaired(e.newLeaf(found, false)))
	if proven == nil {
		return math.Inf(-1)
	}
	return exact.RoundedDown(proven)
}
