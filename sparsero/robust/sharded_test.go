package robust_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// cut returns the dictionary in blocks that begin at 0 and at the given atoms.
func cut(t testing.TB, d *sparsero.Dictionary, at ...int) *shard.Local {
	t.Helper()
	engine, from := &shard.Local{}, 0
	for _, to := range append(at, d.Size()) {
		if to > from {
			engine.Blocks = append(engine.Blocks, selection.Source(must(d.Subset(everyAtom(d)[from:to]))(t)))
		}
		from = to
	}
	return engine
}

// drawCut cuts between any atoms: all in one block, one in each, and what lies between.
func drawCut(t *rapid.T, d *sparsero.Dictionary) *shard.Local {
	engine, from := &shard.Local{}, 0
	for to := 1; to <= d.Size(); to++ {
		if to == d.Size() || rapid.Bool().Draw(t, "cut") {
			engine.Blocks = append(engine.Blocks, get(d.Subset(everyAtom(d)[from:to]))(t))
			from = to
		}
	}
	return engine
}

// known lists atoms with their coordinates.
func known(d *sparsero.Dictionary, indices []int) (atoms []shard.Atom) {
	for _, i := range indices {
		atoms = append(atoms, shard.Atom{Index: i, Values: d.Atom(i)})
	}
	return atoms
}

// sharded is the problem over blocks.
func sharded(engine shard.Engine, p *robust.Problem, atoms []shard.Atom) (*robust.Sharded, error) {
	return robust.NewSharded(engine, atoms, p.Region(), p.Map(), p.Constraints()...)
}

// drawAny draws a problem of one of the given kinds.
func drawAny(t *rapid.T) *robust.Problem {
	return rapid.SampledFrom(problemKinds).Draw(t, "kind")(t)
}

// problemKinds draw problems; with HiGHS there are integer ones.
var problemKinds = []func(*rapid.T) *robust.Problem{drawProblem, drawConstrained}

// Whatever the blocks and whatever the centre knows before, the full model over blocks has the value
// of the one in memory, its bounds hold there, and what it says of its decision is what the whole
// dictionary says.
func TestFullModelOverBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawAny(t), drawRadius(t)
		d := p.Dictionary()
		s := get(sharded(drawCut(t, d), p, known(d, drawSubset(t, d.Size()))))(t)
		options := &robust.Options{CutsPerRound: rapid.IntRange(0, 2).Draw(t, "cuts")}
		want, err := p.SolveFull(ctx, radius, options)
		got, shardedErr := s.SolveFull(ctx, radius, options)
		if err != nil || shardedErr != nil {
			if !errors.Is(shardedErr, solver.ErrInfeasible) || !errors.Is(err, solver.ErrInfeasible) {
				t.Fatalf("in memory %v, over blocks %v", err, shardedErr)
			}
			return
		}
		if !near(got.Value, want.Value) || !got.Blocks.Verified || got.Partial || got.Blocks.Size != d.Size() {
			t.Fatalf("over blocks %v after %d rounds, in memory %v", got.Value, got.Blocks.Rounds, want.Value)
		}
		checkAgainstAll(t, p, got, want)
		for k, atom := range got.Blocks.Pool {
			if !slices.Equal(got.Problem().Dictionary().Atom(k), d.Atom(atom)) {
				t.Fatalf("atom %d of the pool is not atom %d", k, atom)
			}
		}
	})
}

// checkAgainstAll compares what a solution over blocks says of its decision with the whole dictionary in memory.
func checkAgainstAll(t *rapid.T, p *robust.Problem, got, full *robust.Solution) {
	here := get(p.Evaluate(got.Blocks.Indices(got.Atoms), got.Radius, got.X))(t)
	if here.FullValue() != got.FullValue() || here.FullFeasible() != got.FullFeasible() || here.Certificate.Full != got.Certificate.Full {
		t.Fatalf("at the decision the blocks say %v (%v), all atoms %v (%v)", got.FullValue(), got.FullFeasible(), here.FullValue(), here.FullFeasible())
	}
	for k, c := range here.Constraints {
		if c.Full != got.Constraints[k].Full {
			t.Fatalf("%s: blocks say %v, all atoms %v", c.Name, got.Constraints[k].Full, c.Full)
		}
	}
	if got.LowerBound > full.Value+tolerance*(1+math.Abs(full.Value)) {
		t.Fatalf("lower bound %v above the optimum %v", got.LowerBound, full.Value)
	}
	if bound, err := got.GapBound(); err == nil && bound < here.FullValue()-full.Value-tolerance {
		t.Fatalf("gap bound %v below the regret %v", bound, here.FullValue()-full.Value)
	}
}

// A design over blocks picks the atoms of the design in memory, and is certified when that is.
func TestDesignOverBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawAny(t), drawRadius(t)
		d := p.Dictionary()
		s := get(sharded(drawCut(t, d), p, known(d, drawSubset(t, d.Size()))))(t)
		budget := rapid.IntRange(1, d.Size()).Draw(t, "B")
		options := &robust.DesignOptions{Rule: rapid.SampledFrom([]robust.AtomRule{robust.CoverageGain, robust.MostViolated}).Draw(t, "rule")}
		full, fullErr := p.SolveFull(ctx, radius, nil)
		want, err := p.Design(ctx, budget, radius, options)
		got, shardedErr := s.Design(ctx, budget, radius, options)
		if err != nil || shardedErr != nil {
			if !errors.Is(fullErr, solver.ErrInfeasible) || !errors.Is(errors.Join(err, shardedErr), solver.ErrInfeasible) {
				t.Fatalf("in memory %v, over blocks %v", err, shardedErr)
			}
			return
		}
		same := slices.Equal(want.Atoms, got.Solution.Blocks.Indices(got.Atoms)) && slices.Equal(want.Solution.X, got.Solution.X)
		if !same || want.Certified != got.Certified || want.Stop != got.Stop || !got.Solution.Blocks.Verified {
			t.Fatalf("in memory atoms %v, %v, certified %v; over blocks %v, %v, %v", want.Atoms, want.Stop, want.Certified, got.Solution.Blocks.Indices(got.Atoms), got.Stop, got.Certified)
		}
		if fullErr == nil {
			checkAgainstAll(t, p, got.Solution, full)
		}
	})
}

var _ = []any{context.Canceled, rand.N[int], filepath.Join, strings.Cut, certificate.Verify, mat.NewDense}
