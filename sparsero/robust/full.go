package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sparsero/directions/solver"
)

// SolveFull minimises Φ_N over X, the model with all N atoms, by cutting planes:
// it solves with the atoms it has, adds the most violated ones, and starts the next
// solve from the last basis. Each round costs one warm solve and O(Np) for the
// oracle; at most N rounds are needed, in practice a few dozen atoms.
//
// An unbounded X is fine as long as Φ_N has a minimum: where b alone has none, the atoms
// that bound the model come first.
//
// The solution's Atoms are the atoms that were needed, and its certificate
// proves that no other atom matters. The errors are those of Solve. When the
// context is cancelled or MaxRounds is reached after a point satisfying all
// constraints was found, that point is returned as Partial with a valid
// LowerBound.
func (p *Problem) SolveFull(ctx context.Context, radius float64, o *Options) (*Solution, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := p.restrictedSet(nil, radius); err != nil {
		return nil, err
	}
	if _, err := p.restrictedSet(options.Start, radius); err != nil {
		return nil, fmt.Errorf("robust: Start: %w", err)
	}
	m, err := p.newMaster(options.Start, radius, options.Solver)
	if err != nil {
		return nil, err
	}
	run := &cuttingPlanes{master: m, options: options, lower: math.Inf(-1)}
	started := time.Now()
	if err := run.loop(ctx); err != nil {
		return nil, err
	}
	solution, err := run.solution()
	if err != nil {
		return nil, err
	}
	solution.Elapsed = time.Since(started)
	return solution, nil
}

// cuttingPlanes is the state of SolveFull.
type cuttingPlanes struct {
	master      *master
	options     Options
	lower       float64
	multipliers multipliers // those of lower
	best        *Solution   // the point of the smallest value
	rounds      int
	partial     bool
	result      *solver.Result
}

func (run *cuttingPlanes) loop(ctx context.Context) error {
	for {
		result, err := run.master.solve(ctx)
		if errors.Is(err, solver.ErrUnbounded) && run.rounds == 0 {
			result, err = run.solveBounded(ctx, err)
		}
		if err != nil {
			if ctx.Err() != nil && run.best != nil {
				run.partial = true
				return nil
			}
			return err
		}
		run.rounds++
		run.result = result
		if bound := lowerBound(result); bound > run.lower || math.IsInf(run.lower, -1) {
			run.lower, run.multipliers = bound, run.master.multipliers(result.RowDuals)
		}
		missing, err := run.separate(run.master.decision(result))
		if err != nil {
			return err
		}
		run.report()
		switch {
		case len(missing) == 0:
			run.partial = result.Status != solver.Optimal
			return nil
		case run.best != nil && run.best.Value-run.lower <= run.options.Tolerance*run.best.size:
			return nil
		case ctx.Err() != nil || run.rounds == run.options.MaxRounds:
			return run.stop(ctx)
		}
		for _, c := range missing {
			run.master.add(c)
		}
	}
}

// solveBounded adds atoms that bound the model, if there are any.
func (run *cuttingPlanes) solveBounded(ctx context.Context, unbounded error) (*solver.Result, error) {
	m := run.master
	before := len(m.cuts)
	atoms, err := m.problem.boundingAtoms(ctx, m.radius, run.options)
	if err != nil {
		return nil, err
	}
	for _, atom := range atoms {
		m.addAtom(atom)
	}
	if len(m.cuts) == before {
		return nil, unbounded
	}
	return m.solve(ctx)
}

// stop ends the work early with the best point, or with an error if there is none.
func (run *cuttingPlanes) stop(ctx context.Context) error {
	if run.best == nil {
		if cause := ctx.Err(); cause != nil {
			return fmt.Errorf("robust: stopped after %d rounds without a point that satisfies the full model: %w", run.rounds, cause)
		}
		return fmt.Errorf("robust: MaxRounds %d ended without a point that satisfies the full model; raise MaxRounds or CutsPerRound", run.rounds)
	}
	run.partial = true
	return nil
}

// separate evaluates the full model at x, keeps x if it is the best point so far,
// and returns the most violated rows that are not in the model yet.
func (run *cuttingPlanes) separate(x []float64) ([]cut, error) {
	m := run.master
	here, err := (&Solution{Atoms: m.atoms, Radius: m.radius, Full: true}).within(m.problem, x, m.problem.exposeAll(x))
	if err != nil {
		return nil, err
	}
	var missing []cut
	for k, exposure := range m.problem.exposures() {
		scores := here.exposed[k].alignments
		threshold := m.covered(exposure, scores)
		if exposure == objectiveExposure {
			threshold += run.options.Tolerance * here.size / m.radius
		} else {
			c := here.Constraints[exposure]
			nominal, _ := m.problem.nominal(exposure, x)
			threshold = math.Max(threshold, (c.Limit+c.allowed()-nominal.Value())/m.radius)
		}
		if m.radius > 0 {
			missing = append(missing, run.mostViolated(exposure, scores, threshold)...)
		}
	}
	if (here.FullFeasible() || len(missing) == 0) && (run.best == nil || here.Value < run.best.Value) {
		run.best = here
	}
	return missing, nil
}

// covered returns the largest alignment of the rows that protect an exposure, at least 0.
func (m *master) covered(exposure int, alignments []float64) float64 {
	covered := 0.0
	for _, c := range m.cuts {
		if c.exposure == exposure {
			covered = math.Max(covered, alignments[c.atom])
		}
	}
	return covered
}

// mostViolated returns the best scored atoms above a threshold, best first, ties
// to the lowest index.
func (run *cuttingPlanes) mostViolated(exposure int, scores []float64, threshold float64) []cut {
	var atoms []int
	for i, score := range scores {
		if score > threshold && !run.master.known[cut{exposure, i}] {
			atoms = append(atoms, i)
		}
	}
	slices.SortStableFunc(atoms, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	cuts := make([]cut, 0, run.options.CutsPerRound)
	for _, i := range atoms[:min(len(atoms), run.options.CutsPerRound)] {
		cuts = append(cuts, cut{exposure, i})
	}
	return cuts
}

func (run *cuttingPlanes) report() {
	if run.options.Progress == nil {
		return
	}
	round := Round{Number: run.rounds, Size: len(run.master.atoms), Rows: len(run.master.cuts), Lower: run.lower, Upper: math.Inf(1)}
	if run.best != nil {
		round.Upper = run.best.Value
	}
	run.options.Progress(round)
}

// solution evaluates the best point against the full dictionary.
func (run *cuttingPlanes) solution() (*Solution, error) {
	m := run.master
	solved := &Solution{
		Atoms: m.atoms, Radius: m.radius, Full: true, LowerBound: m.exactBound(run.lower), Rounds: run.rounds, Rows: len(m.cuts),
		Result: run.result, multipliers: run.multipliers, options: m.options, Partial: run.partial,
	}
	solution, err := solved.within(m.problem, run.best.X, run.best.exposed)
	if err != nil {
		return nil, err
	}
	solution.proveBound()
	return solution, nil
}
