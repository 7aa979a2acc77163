package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
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
	run := &cuttingPlanes{master: m, options: options, lower: math.Inf(-1), upper: math.Inf(1)}
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
	master       *master
	options      Options
	lower, upper float64
	multipliers  multipliers // those of lower
	best         []float64   // the point that attains upper
	bestAt       []exposed   // its exposures
	size         float64     // of the terms of the objective there
	rounds       int
	partial      bool
	result       *solver.Result
	scores       []float64
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
		if bound := lowerBound(result); bound > run.lower {
			run.lower, run.multipliers = bound, run.master.multipliers(result.RowDuals)
		}
		missing := run.separate(run.master.decision(result))
		run.report()
		switch {
		case len(missing) == 0:
			run.partial = result.Status != solver.Optimal
			return nil
		case run.best != nil && run.upper-run.lower <= run.options.Tolerance*run.size:
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
func (run *cuttingPlanes) separate(x []float64) []cut {
	p, radius := run.master.problem, run.master.radius
	value, feasible, size := p.region.Objective(x), true, 0.0
	var missing []cut
	var at []exposed
	for _, exposure := range p.exposures() {
		here := p.expose(exposure, x)
		at, run.scores = append(at, here), here.alignments
		direction := here.direction
		worst, full, covered := run.covered(exposure)
		threshold := covered
		if exposure == objectiveExposure {
			value += radius * full
			size = p.objectiveSize(radius, x, direction, worst)
			threshold += run.options.Tolerance * size / radius
		} else {
			c := &p.constraints[exposure]
			terms := c.nominalSize(x) + radius*p.alignmentSize(direction, worst)
			room := c.Limit + feasibilityTolerance*math.Max(math.Abs(c.Limit), terms) - c.nominal(x)
			feasible = feasible && radius*full <= room
			threshold = math.Max(threshold, room/radius)
		}
		if radius > 0 {
			missing = append(missing, run.mostViolated(exposure, threshold)...)
		}
	}
	if (feasible || len(missing) == 0) && (run.best == nil || value < run.upper) {
		run.upper, run.best, run.bestAt, run.size = value, slices.Clone(x), at, size
	}
	return missing
}

// covered returns the worst scored atom, M_[N] and the alignment that the rows already
// present cover.
func (run *cuttingPlanes) covered(exposure int) (worst int, full, covered float64) {
	worst = floats.MaxIdx(run.scores)
	if full = run.scores[worst]; full <= 0 {
		worst, full = sparsero.NullAtom, 0
	}
	for _, c := range run.master.cuts {
		if c.exposure == exposure {
			covered = math.Max(covered, run.scores[c.atom])
		}
	}
	return worst, full, covered
}

// mostViolated returns the best scored atoms above a threshold, best first, ties
// to the lowest index.
func (run *cuttingPlanes) mostViolated(exposure int, threshold float64) []cut {
	var atoms []int
	for i, score := range run.scores {
		if score > threshold && !run.master.known[cut{exposure, i}] {
			atoms = append(atoms, i)
		}
	}
	slices.SortStableFunc(atoms, func(a, b int) int { return cmp.Compare(run.scores[b], run.scores[a]) })
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
	run.options.Progress(Round{
		Number: run.rounds, Size: len(run.master.atoms), Rows: len(run.master.cuts), Lower: run.lower, Upper: run.upper,
	})
}

// solution evaluates the best point against the full dictionary.
func (run *cuttingPlanes) solution() (*Solution, error) {
	m := run.master
	solved := &Solution{
		Atoms: m.atoms, Radius: m.radius, Full: true, LowerBound: run.lower, Rounds: run.rounds, Rows: len(m.cuts),
		Result: run.result, multipliers: run.multipliers, options: m.options, Partial: run.partial,
	}
	return solved.within(m.problem, run.best, run.bestAt)
}
