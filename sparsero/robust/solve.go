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
	solution.proveBound()
	solution.Elapsed = time.Since(started)
	return solution, nil
}

// solveRestricted solves the open model as it stands; what is left to prove of the bound is for proveBound.
func (m *master) solveRestricted(ctx context.Context) (*Solution, error) {
	result, err := m.solve(ctx)
	if err != nil {
		return nil, err
	}
	x, found := m.decision(result), m.multipliers(result.RowDuals)
	solved := &Solution{
		Atoms: m.atoms, Radius: m.radius, LowerBound: m.exactBound(lowerBound(result)), Rounds: 1, Rows: len(m.cuts),
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

// exactBound returns a bound for the minimum of the model in float64 where it is one for that of the exact model, because all
// rows are relaxations, and -Inf where not.
func (m *master) exactBound(bound float64) float64 {
	if m.relaxes() {
		return bound
	}
	return math.Inf(-1)
}

// proveBound sets a LowerBound that is not proven yet to that of weak duality in fractions for the multipliers. It costs
// seconds for hundreds of columns without bounds, and nothing where the bound is proven.
func (s *Solution) proveBound() {
	if !math.IsInf(s.LowerBound, -1) || s.multipliers.Rows == nil {
		return
	}
	e := newExactProblem(s.problem, s.Radius, s.X)
	if proven := e.bound(e.repaired(e.newLeaf(s.multipliers, false))); proven != nil {
		s.LowerBound = math.Min(exact.RoundedDown(proven), s.Value)
	}
}
