package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// SolveFull minimises Φ_N over X as [Problem.SolveFull] does, which here solves over the pool.
// Then one pass over the blocks finds M_N at its point, and the CutsPerRound worst atoms of each
// exposure that the pool does not have join it. It ends when these raise Φ_N by no more than the
// tolerance and break no robust constraint. Fewer atoms are a relaxation, so that LowerBound
// holds for all N atoms from the first round on.
//
// Of the options, MaxRounds bounds the passes, Progress is called after each, and Start lists
// indices of known atoms. If the context or MaxRounds ends the work after a point that
// satisfies the full model, the best such point is returned as Partial. The errors are those of
// [Problem.SolveFull] and of the engine, and what the blocks answered if it contradicts itself.
func (s *Sharded) SolveFull(ctx context.Context, radius float64, o *Options) (*ShardedSolution, error) {
	r, err := s.newRounds(o)
	if err != nil {
		return nil, err
	}
	var best *ShardedSolution
	started, next := time.Now(), r.options.Start
	for done := false; !done; {
		var round *ShardedSolution
		round, next, err = r.full(ctx, radius, next, best)
		switch {
		case err != nil && ctx.Err() != nil && best != nil && best.Solution.FullFeasible():
			best.Solution.Partial = true
			return best, nil
		case err != nil:
			return nil, err
		}
		best, done = round, round.Verified
		if r.report(best.Solution); !done && r.number == r.options.MaxRounds {
			if !best.Solution.FullFeasible() {
				return nil, fmt.Errorf("robust: MaxRounds %d ended without a point that satisfies the full model; raise MaxRounds or CutsPerRound", r.number)
			}
			best.Solution.Partial, done = true, true
		}
		best.Solution.Elapsed = time.Since(started)
	}
	return best, nil
}

// full is one round: the optimum over the pool from the given atoms, verified, or the best
// point before if that is better. It also returns the atoms of the model.
func (r *rounds) full(ctx context.Context, radius float64, start []int, before *ShardedSolution) (*ShardedSolution, []int, error) {
	problem, found, err := r.solve(ctx, radius, start)
	if err != nil {
		return nil, nil, err
	}
	chosen := r.indices(found.Atoms)
	directions := mat.NewDense(len(found.exposed), r.engine.Dim(), nil)
	for k, e := range found.exposed {
		directions.SetRow(k, e.direction)
	}
	task, err := shard.NewTask(directions)
	if err != nil {
		return nil, nil, err
	}
	task.Worst = r.options.CutsPerRound
	grown, of, err := r.verify(ctx, problem, directions, task)
	if err != nil {
		return nil, nil, err
	}
	of.Indices = chosen
	solution, err := found.within(grown, found.X)
	if err != nil {
		return nil, nil, err
	}
	of.Verified = of.Verified || solution.FullFeasible() && solution.Value-found.Value <= r.options.Tolerance*solution.size
	if before != nil && before.Solution.FullFeasible() && (before.Solution.Value < solution.Value || !solution.FullFeasible()) {
		solution, err = found.within(grown, before.Solution.X)
	}
	return &ShardedSolution{solution, of}, chosen, err
}

// solve solves over the pool, which it extends where the model has no minimum.
func (r *rounds) solve(ctx context.Context, radius float64, start []int) (*Problem, *Solution, error) {
	options := r.options
	options.MaxRounds, options.Progress = 0, nil
	for {
		problem, err := r.over(r.pool, r.sizes)
		if err != nil {
			return nil, nil, err
		}
		if options.Start, err = r.positions(start); err != nil {
			return nil, nil, err
		}
		found, err := problem.SolveFull(ctx, radius, &options)
		if errors.Is(err, solver.ErrUnbounded) {
			err = r.bound(ctx, radius, err)
		} else {
			return problem, found, err
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// bound takes atoms into the pool that bound the model, as Problem.boundingAtoms finds them.
func (r *rounds) bound(ctx context.Context, radius float64, unbounded error) error {
	recession := r.parts.recession()
	if recession == nil {
		return unbounded
	}
	options := r.options
	options.Start, options.Progress = nil, nil
	rays, err := (&Sharded{r.engine, recession, r.pool}).SolveFull(ctx, radius, &options)
	if err != nil || rays.Solution.Partial {
		return fmt.Errorf("robust: b(x) alone has no minimum over X, and the rounds ended before it was known whether the atoms give one: %w", cmp.Or(err, ctx.Err(), solver.ErrLimit))
	}
	had := len(r.pool)
	r.pool, r.number = joined(r.pool, rays.Pool), r.number+rays.Rounds
	if len(r.pool) == had || rays.Solution.Value < -r.options.Tolerance*rays.Solution.size {
		return unbounded
	}
	return nil
}

// within evaluates a decision against another dictionary, which begins with the same atoms, and
// keeps what is proven from below.
func (s *Solution) within(p *Problem, x []float64) (*Solution, error) {
	set, err := sparsero.NewAtomicSet(p.dictionary, s.Atoms, s.Radius)
	if err != nil {
		return nil, err
	}
	moved, err := p.solution(set, x, p.exposeAll(x))
	if err != nil {
		return nil, err
	}
	if moved.Full = s.Full; s.Full {
		moved.Value += moved.Certificate.Bound
	}
	moved.LowerBound = math.Min(s.LowerBound, moved.Value)
	moved.Rounds, moved.Rows, moved.Elapsed, moved.Partial = s.Rounds, s.Rows, s.Elapsed, s.Partial
	moved.Result, moved.multipliers, moved.options = s.Result, s.multipliers, s.options
	return moved, nil
}

// report tells Progress about a round.
func (r *rounds) report(s *Solution) {
	if r.options.Progress == nil {
		return
	}
	round := Round{Number: r.number, Size: len(s.Atoms), Rows: s.Rows, Lower: s.LowerBound, Upper: math.Inf(1)}
	if s.FullFeasible() {
		round.Upper = s.Value
	}
	r.options.Progress(round)
}
