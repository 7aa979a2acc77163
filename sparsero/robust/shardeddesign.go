package robust

import (
	"context"
	"errors"
	"fmt"
	"math"


	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// ShardedDesign is a design that the blocks verified. The numbers of its Solution hold against
// all N atoms, as those of a [ShardedSolution].
type ShardedDesign struct {
	Design *Design
	Verification
}

// Save writes the design as [Design.Save] does, with the note of [ShardedSolution.Save].
func (d *ShardedDesign) Save(path string, record *Record) error {
	return d.Design.Save(path, d.record(record))
}

// Design runs Algorithm 1 as [Problem.Design] does, which here chooses from the pool. Then one
// pass over the blocks replays all its steps: each pick has the largest gain of all N atoms, to
// the last bit and ties to the lowest index, and each decision met its worst atom. Otherwise
// the better atoms join the pool and the design begins again. At least one more step is then
// final, so that it takes at most one pass more than the steps of the design. What remains is a
// run of Algorithm 1 with all N atoms; where a model has several optima, another run may take others.
//
// Of the options, Start lists indices of known atoms, Calibrate is given indices in the whole
// dictionary, and Progress too; all functions are called in each repetition. The rule
// SmallestDeficit is an error, as blocks do not tell deficits. Solve.MaxRounds bounds the passes: the
// last design is then returned as Partial, with a certificate that is true, and so it is if
// the context ends after a pass. The errors are those of [Problem.Design] and [Sharded.SolveFull].
func (s *Sharded) Design(ctx context.Context, budget int, radius float64, o *DesignOptions) (*ShardedDesign, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	r, err := s.newRounds(options.Solve)
	if err != nil {
		return nil, err
	}
	if n := r.engine.Size(); budget > n {
		return nil, fmt.Errorf("robust: budget %d exceeds the %d atoms of the engine; use at most %d", budget, n, n)
	}
	if options.Rule == SmallestDeficit {
		return nil, errors.New("robust: blocks cannot verify the rule SmallestDeficit; use CoverageGain or MostViolated")
	}
	var last *ShardedDesign
	for last == nil || !last.Verified && r.number != r.options.MaxRounds {
		run, err := r.designRun(budget, radius, options)
		if err != nil {
			return nil, err
		}
		round, err := r.design(ctx, run)
		if err != nil {
			if ctx.Err() == nil || last == nil {
				return nil, err
			}
			break
		}
		last = round
	}
	if !last.Verified {
		last.Design.Stop, last.Design.Partial = Interrupted, true
	}
	return last, nil
}

// designRun prepares a design over the pool.
func (r *rounds) designRun(budget int, radius float64, o DesignOptions) (*designRun, error) {
	problem, err := r.over(r.pool, r.sizes)
	if err != nil {
		return nil, err
	}
	if o.Start, err = r.positions(o.Start); err != nil {
		return nil, err
	}
	if calibrate := o.Calibrate; calibrate != nil {
		o.Calibrate = func(positions []int) (float64, error) { return calibrate(r.indices(positions)) }
	}
	if progress := o.Progress; progress != nil {
		o.Progress = func(it Iteration) {
			if it.Added != sparsero.NullAtom {
				it.Added = r.pool[it.Added].Index
			}
			progress(it)
		}
	}
	run, err := problem.newDesignRun(min(budget, problem.dictionary.Size()), radius, &o)
	if err == nil {
		run.budget = budget
	}
	return run, err
}

// design is one round: a design over the pool, verified.
func (r *rounds) design(ctx context.Context, run *designRun) (*ShardedDesign, error) {
	design, err := run.run(ctx, (*designRun).corrected)
	if err != nil {
		return nil, err
	}
	if design.Partial {
		return nil, fmt.Errorf("robust: the design over the pool was interrupted: %w", ctx.Err())
	}
	chosen := r.indices(design.Atoms)
	directions := (&probes{revealed: append(run.probes.revealed, run.passed...)}).matrix()
	task, err := shard.NewTask(directions)
	if err != nil {
		return nil, err
	}
	task.Worst, task.Path = 1, r.path(run)
	grown, of, err := r.verify(ctx, run.problem, directions, task)
	if err != nil {
		return nil, err
	}
	of.Indices = chosen
	if run.design.Solution, err = design.Solution.within(grown, design.Solution.X); err != nil {
		return nil, err
	}
	design.request.problem = grown
	design.Certified = run.certified() && run.solved()
	return &ShardedDesign{design, of}, nil
}

// path lists what blocks can compare: the picks of the largest gain. Atoms of the start were
// not picked, and nothing beats them.
func (r *rounds) path(run *designRun) []shard.Step {
	if run.options.Rule != CoverageGain {
		return nil
	}
	var path []shard.Step
	for _, atom := range run.options.Start {
		path = append(path, shard.Step{Atom: r.pool[atom], Gain: math.MaxFloat64, Directions: 1})
	}
	for _, pick := range run.picks {
		path = append(path, shard.Step{Atom: r.pool[pick.atom], Gain: pick.gain, Directions: pick.directions})
	}
	return path
}
