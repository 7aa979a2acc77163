package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// Sharded is a robust program, as [Problem], whose N atoms lie in blocks on one machine or
// many. The centre solves with a pool of few atoms. Then all blocks verify the result in one
// pass, atoms that object join the pool, and this is repeated until none does. What takes memory
// at the centre is the pool. Build it with [NewSharded], or over a convex set, which answers as blocks do, with [NewConvex];
// it does not change.
type Sharded struct {
	engine shard.Engine
	parts  *Problem // over the null atom alone
	known  []shard.Atom
	sizes  []float64 // of the coordinates of a convex set
}

// Verification says what the blocks of a [Sharded] confirmed about a Solution.
type Verification struct {
	// Pool are the atoms at the centre, as indices in the whole dictionary: atom k of the
	// Solution, row k of the Dictionary of its Problem, is Pool[k].
	Pool []int
	// Size is N, and Rounds counts the passes over all blocks.
	Size, Rounds int
	// Sizes are the largest magnitudes of the p coordinates over all N atoms.
	Sizes []float64
	// Verified tells that no atom outside the pool changes the outcome. Without it the outcome
	// is Partial; what it says of X and all its bounds hold against all N atoms even so.
	Verified bool
}

// Indices returns which atoms of the whole dictionary the given atoms of the Solution are: the
// same for nil, which stands for a dictionary in memory, and NullAtom for what is none.
func (v *Verification) Indices(atoms []int) []int {
	indices := slices.Clone(atoms)
	for k, atom := range atoms {
		if v != nil && (atom < 0 || atom >= len(v.Pool)) {
			indices[k] = sparsero.NullAtom
		} else if v != nil {
			indices[k] = v.Pool[atom]
		}
	}
	return indices
}

// note is what a design file does not prove.
func (v *Verification) note() string {
	return fmt.Sprintf("All atoms of this file are a pool of %d out of %d, labelled by their indices. Blocks of the others were asked %d times and in float64 found none with a larger alignment at the decision; a check of this file proves its claims about the pool, but not that.",
		len(v.Pool), v.Size, v.Rounds)
}

// NewSharded checks the parts as [NewProblem] does. Atoms of the engine that the centre knows
// before it asks save rounds; nil is none. It is an error if the engine is nil or empty, or if
// a known atom has an index outside [0,N) or not p coordinates.
func NewSharded(engine shard.Engine, known []shard.Atom, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*Sharded, error) {
	if engine == nil || engine.Size() < 1 || engine.Dim() < 1 {
		return nil, errors.New("robust: the engine is nil or has no atoms; give one of package shard with blocks")
	}
	null, _ := sparsero.NewDictionary(mat.NewDense(1, engine.Dim(), nil), nil) // of finite numbers
	parts, err := NewProblem(null, region, q, constraints...)
	if err != nil {
		return nil, err
	}
	s := &Sharded{engine, parts, slices.Clone(known), nil}
	_, err = s.over(known, make([]float64, engine.Dim()))
	return s, err
}

// over returns the program with the atoms of a pool, a part of atoms of the given sizes.
func (s *Sharded) over(pool []shard.Atom, sizes []float64) (*Problem, error) {
	problem, atoms := *s.parts, s.parts.dictionary
	if len(pool) > 0 {
		for _, atom := range pool {
			if atom.Index < 0 || atom.Index >= s.engine.Size() || len(atom.Values) != s.engine.Dim() {
				return nil, fmt.Errorf("robust: atom %d has %d coordinates; the engine has atoms 0 to %d with %d", atom.Index, len(atom.Values), s.engine.Size()-1, s.engine.Dim())
			}
		}
		var err error
		if atoms, err = shard.Dictionary(pool); err != nil {
			return nil, err
		}
	}
	problem.dictionary = atoms
	return problem.asPart(sizes)
}

func indicesOf(atoms []shard.Atom) []int {
	indices := make([]int, len(atoms))
	for k, atom := range atoms {
		indices[k] = atom.Index
	}
	return indices
}

// asPart returns the problem with the dictionary as a pool from atoms of the given sizes.
func (p *Problem) asPart(sizes []float64) (*Problem, error) {
	atoms, err := p.dictionary.AsPart(sizes)
	part := *p
	part.dictionary, part.part = atoms, true
	return &part, err
}

// rounds is the work of a method.
type rounds struct {
	*Sharded
	options Options
	pool    []shard.Atom
	sizes   []float64 // of the coordinates of all N atoms, zeros before the first pass
	number  int
}

func (s *Sharded) newRounds(o *Options, start []int) (*rounds, error) {
	if s == nil || s.parts == nil {
		return nil, errors.New("robust: the sharded problem is nil or empty; build it with NewSharded")
	}
	options, err := o.withDefaults()
	if err == nil && len(options.Start)+len(start) > 0 {
		err = errors.New("robust: Start cannot be used with blocks, because the centre does not know the numbers of their atoms; give NewSharded the atoms that are known")
	}
	if s.parts.set != nil { // the points of another run would join in
		fresh := *s
		fresh.engine = newOracle(s.parts.set, s.sizes)
		s = &fresh
	}
	return &rounds{Sharded: s, options: options, pool: slices.Clone(s.known), sizes: make([]float64, s.engine.Dim())}, err
}

// verify asks all blocks once, for T and a path through it, about a solution over the pool. It
// returns the solution over the pool and, behind it, the atoms that object, and takes these in.
func (r *rounds) verify(ctx context.Context, s *Solution, directions *mat.Dense, path []shard.Step) (*Solution, error) {
	task, err := shard.NewTask(directions)
	if err != nil {
		return nil, err
	}
	m, _ := directions.Dims()
	for j := range m { // below the support, so that equals of lower index come, too
		task.Known = append(task.Known, math.Nextafter(s.problem.dictionary.Support(directions.RawRowView(j)), 0))
	}
	task.Worst, task.Path = r.options.CutsPerRound, path
	answer, err := shard.Ask(ctx, r.engine, task)
	if err != nil {
		return nil, fmt.Errorf("robust: pass %d over the blocks: %w", r.number+1, err)
	}
	had := indicesOf(r.pool)
	verified := r.number > 0 // the models depend on the sizes, too
	for _, atom := range answer.Challengers {
		if !slices.Contains(had, atom.Index) {
			r.pool, verified = append(r.pool, atom), false
		}
	}
	r.sizes, r.number = answer.Sizes, r.number+1
	grown, err := r.over(r.pool, r.sizes)
	if err != nil {
		return nil, err
	}
	for j := range m {
		if grown.dictionary.Support(directions.RawRowView(j)) != answer.Full[j] {
			return nil, fmt.Errorf("robust: in direction %d the atoms that the blocks sent do not reach the support that they report; let all workers run one version on the same atoms", j)
		}
	}
	moved, err := s.within(grown, s.X, grown.exposeAll(s.X))
	if err == nil {
		moved.Blocks = &Verification{indicesOf(r.pool), r.engine.Size(), r.number, r.sizes, verified}
	}
	return moved, err
}

// untilVerified repeats a round until blocks verify its solution, MaxRounds is reached or, after
// a round at least, the context ends.
func (r *rounds) untilVerified(ctx context.Context, round func() (*Solution, error)) error {
	for first := true; ; first = false {
		s, err := round()
		switch {
		case err != nil && ctx.Err() != nil && !first:
			return nil
		case err != nil || s.Blocks.Verified || r.number == r.options.MaxRounds:
			return err
		}
	}
}

// SolveFull minimises Φ_N over X: it solves over the pool as [Problem.SolveFull] does, and asks
// the blocks for the CutsPerRound worst atoms of each exposure at the point found. It ends when
// these raise Φ_N by no more than the tolerance and break no robust constraint. Fewer atoms are
// a relaxation, so that LowerBound holds for all N atoms from the first round on. The columns
// must be bounded, or the known atoms must bound the model.
//
// MaxRounds bounds the passes, Progress is called after each, and Start is an error. If the
// context or MaxRounds ends the work after a point that satisfies the full model, the best such
// point is returned as Partial. The errors are those of [Problem.SolveFull] and of the engine.
func (s *Sharded) SolveFull(ctx context.Context, radius float64, o *Options) (*Solution, error) {
	r, err := s.newRounds(o, nil)
	if err != nil {
		return nil, err
	}
	started := time.Now()
	var best *Solution
	err = r.untilVerified(ctx, func() (*Solution, error) {
		found, err := r.full(ctx, radius, best)
		if err == nil {
			best = found
		}
		return best, err
	})
	if err != nil {
		return nil, err
	}
	if best.Partial = best.Partial || !best.Blocks.Verified; best.Partial && !best.FullFeasible() {
		return nil, fmt.Errorf("robust: %d rounds ended without a point that satisfies the full model; raise MaxRounds or CutsPerRound: %w", r.number, cmp.Or(ctx.Err(), solver.ErrLimit))
	}
	best.Elapsed = time.Since(started)
	return best, nil
}

// full is one round: the optimum over the pool, verified, or the best point before if that is
// better.
func (r *rounds) full(ctx context.Context, radius float64, best *Solution) (*Solution, error) {
	problem, err := r.over(r.pool, r.sizes)
	if err != nil {
		return nil, err
	}
	options := r.options
	if options.MaxRounds, options.Progress = 0, nil; best != nil {
		options.Start = best.Atoms
	}
	found, err := problem.SolveFull(ctx, radius, &options)
	if err != nil {
		return nil, err
	}
	verified, err := r.verify(ctx, found, (&probes{revealed: found.exposed}).matrix(), nil)
	if err != nil {
		return nil, err
	}
	ends := verified.FullFeasible() && verified.Value-found.Value <= r.options.Tolerance*verified.size
	verified.Blocks.Verified = verified.Blocks.Verified || ends
	round := Round{Number: r.number, Size: len(found.Atoms), Rows: found.Rows, Lower: found.LowerBound, Upper: math.Inf(1)}
	if best != nil && best.FullFeasible() && (best.Value < verified.Value || !verified.FullFeasible()) {
		verified, err = verified.within(verified.problem, best.X, verified.problem.exposeAll(best.X))
	}
	if err == nil && r.options.Progress != nil {
		if verified.FullFeasible() {
			round.Upper = verified.Value
		}
		r.options.Progress(round)
	}
	return verified, err
}
