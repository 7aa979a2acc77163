package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sparsero/directions/sparsero/selection/shard"
)

// Design runs Algorithm 1 as [Problem.Design] does, which here chooses from the pool. Then one
// pass over the blocks replays all its steps: each pick has the largest gain of all N atoms, to
// the last bit and ties to the lowest index, and each decision met its worst atom. Otherwise
// the better atoms, up to CutsPerRound for each direction, join the pool, and the design begins
// again with at least one more step that is final. What remains is the design of one machine with
// all atoms.
//
// Calibrate is given indices in the whole dictionary, and an Iteration positions in the pool. All
// functions of the options are called in each repetition. Start and the rule SmallestDeficit, of which blocks cannot tell,
// are errors. Solve.MaxRounds bounds the passes: the last design is then returned as
// Partial, with a certificate that is true, and so it is if the context ends after a pass. If
// atoms on the way show that no x satisfies the full model, the error wraps
// solver.ErrInfeasible. The others are those of [Problem.Design] and of the engine.
func (s *Sharded) Design(ctx context.Context, budget int, radius float64, o *DesignOptions) (*Design, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := s.newRounds(options.Solve, options.Start)
	if err != nil {
		return nil, err
	}
	if s.parts.set != nil && options.Rule != MostViolated {
		return nil, fmt.Errorf("robust: the rule is %v, but a convex set has no list of atoms whose gains could be compared; use MostViolated", options.Rule)
	}
	if n := r.engine.Size(); budget > n && s.parts.set == nil {
		return nil, fmt.Errorf("robust: budget %d exceeds the %d atoms of the engine; use at most %d", budget, n, n)
	}
	if options.RowBudgets != nil {
		return nil, errors.New("robust: blocks cannot verify RowBudgets; give all rows one budget")
	}
	if options.Rule == SmallestDeficit {
		return nil, errors.New("robust: blocks cannot verify the rule SmallestDeficit; use CoverageGain or MostViolated")
	}
	var last *Design
	err = r.untilVerified(ctx, func() (*Solution, error) {
		design, err := r.design(ctx, budget, radius, options)
		if err != nil {
			return nil, err
		}
		last = design
		return last.Solution, nil
	})
	if err == nil && !last.Solution.Blocks.Verified {
		last.Stop, last.Partial = Interrupted, true
	}
	return last, err
}

// design is one round: a design over the pool, verified.
func (r *rounds) design(ctx context.Context, budget int, radius float64, o DesignOptions) (*Design, error) {
	slices.SortFunc(r.pool, func(a, b shard.Atom) int { return cmp.Compare(a.Index, b.Index) }) // as ties are broken
	pool := Verification{Pool: indicesOf(r.pool)}
	problem, err := r.over(r.pool, r.sizes)
	if err != nil {
		return nil, err
	}
	if calibrate := o.Calibrate; calibrate != nil {
		o.Calibrate = func(atoms []int) (float64, error) { return calibrate(pool.Indices(atoms)) }
	}
	run, err := problem.newDesignRun(min(budget, problem.dictionary.Size()), radius, &o)
	if err != nil {
		return nil, err
	}
	run.budget = budget
	design, err := run.run(ctx, (*designRun).corrected)
	if err == nil && design.Partial {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	var path []shard.Step
	for _, pick := range run.picks {
		if o.Rule == CoverageGain { // the other rule looks at the worst atoms alone
			path = append(path, shard.Step{Atom: r.pool[pick.atom], Gain: pick.gain, Directions: pick.directions})
		}
	}
	directions := (&probes{revealed: append(run.probes.revealed, run.passed...)}).matrix()
	if design.Solution, err = r.verify(ctx, design.Solution, directions, path); err != nil {
		return nil, err
	}
	design.Certified = run.certified() && run.solved()
	if design.Certified && r.parts.set != nil { // whose points come closer without end
		design.Solution.Blocks.Verified = true
	}
	return design, nil
}
