package robust_test

import (
	"context"
	"errors"
	"math"
	"os"
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

// circle is the problem of the directions 0 to N-1 on a circle, whose design needs several of them.
func circle(t testing.TB, n int, constraints ...robust.Constraint) *robust.Problem {
	rows := make([][]float64, n)
	for i := range rows {
		angle := 2 * math.Pi * float64(i) / float64(n)
		rows[i] = []float64{math.Cos(angle), 2 * math.Sin(angle), math.Sin(3 * angle)}
	}
	return must(robust.NewProblem(dictionary(t, rows...), box(-1, 1, 0.5, -0.25, 0.125), sparsero.Identity(3), constraints...))(t)
}

// The pool and the number of passes do not depend on the blocks: good atoms in one of them, spread, or alone.
func TestPoolDoesNotDependOnTheBlocks(t *testing.T) {
	p := circle(t, 60)
	var pools [][]int
	for _, at := range [][]int{nil, {1, 2, 3}, {20, 40}, everyAtom(p.Dictionary())} {
		s := must(sharded(cut(t, p.Dictionary(), at...), p, nil))(t)
		options := &robust.Options{CutsPerRound: 2}
		design := must(s.Design(ctx, 9, 1, &robust.DesignOptions{Solve: options}))(t)
		full := must(s.SolveFull(ctx, 1, options))(t)
		pools = append(pools, design.Solution.Blocks.Pool, []int{design.Solution.Blocks.Rounds}, full.Blocks.Pool, []int{full.Blocks.Rounds})
	}
	for k := range pools[4:] {
		if !slices.Equal(pools[k], pools[k+4]) {
			t.Errorf("pool %v for some blocks, %v for others", pools[k], pools[k+4])
		}
	}
}

// Options that change the path change it as in memory: directions from the beginning, a calibrated radius and
// early validation.
func TestDesignOptionsOverBlocks(t *testing.T) {
	p := circle(t, 40)
	s := must(sharded(cut(t, p.Dictionary(), 13, 26), p, nil))(t)
	growing := func(atoms []int) (float64, error) { return 1 + float64(slices.Max(append(atoms, 0)))/40, nil } // tells indices from positions
	for name, options := range map[string]robust.DesignOptions{
		"directions": {Directions: matrix([]float64{5, 0, 1}, []float64{0, -5, 2}, []float64{1, 1, 1})},
		"calibrate":  {Calibrate: growing},
		"validate":   {Validate: func(x []float64) (float64, error) { return -math.Abs(x[0]), nil }},
	} {
		want := must(p.Design(ctx, 6, 0.5, &options))(t)
		got := must(s.Design(ctx, 6, 0.5, &options))(t)
		if !slices.Equal(want.Atoms, got.Solution.Blocks.Indices(got.Atoms)) || want.Radius != got.Radius || want.Stop != got.Stop || !mat.Equal(want.Directions, got.Directions) {
			t.Errorf("%s: in memory %v at %v, %v; over blocks %v at %v, %v", name, want.Atoms, want.Radius, want.Stop, got.Solution.Labels(), got.Radius, got.Stop)
		}
		for k, it := range want.Iterations {
			same := got.Iterations[k]
			if it.Coverage != same.Coverage || it.FullCoverage != same.FullCoverage || it.Bound != same.Bound {
				t.Errorf("%s: iteration %d is %+v in memory, %+v over blocks", name, k, it, same)
			}
		}
	}
}

// faulty is an engine that fails from a pass on, or changes its answers.
type faulty struct {
	shard.Engine
	fails  int
	before func()
	change func(*shard.Answer)
	passes int
}

var errBlocks = errors.New("the blocks are gone")

func (f *faulty) Run(ctx context.Context, task *shard.Task) (*shard.Answer, error) {
	if f.passes++; f.passes == f.fails {
		if f.before == nil {
			return nil, errBlocks
		}
		f.before()
	}
	answer, err := f.Engine.Run(ctx, task)
	if err == nil && f.change != nil {
		f.change(answer)
	}
	return answer, err
}

// However many passes are allowed, and after whichever pass the context ends, what comes back is true of all atoms.
func TestEarlyEndOverBlocks(t *testing.T) {
	load := robust.Constraint{Name: "load", Map: sparsero.AffineMap{Matrix: matrix([]float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1})}, Limit: 1.5}
	solutions, designs := map[bool]int{}, map[bool]int{} // by Partial
	for _, p := range []*robust.Problem{circle(t, 60), circle(t, 60, load)} {
		full := must(p.SolveFull(ctx, 1, nil))(t)
		blocks := cut(t, p.Dictionary(), 30)
		for passes := 1; passes <= 8; passes++ {
			limited := func() (context.Context, shard.Engine, *robust.Options) {
				return ctx, blocks, &robust.Options{CutsPerRound: 1, MaxRounds: passes}
			}
			cancelled := func() (context.Context, shard.Engine, *robust.Options) {
				within, cancel := context.WithCancel(ctx)
				return within, &faulty{Engine: blocks, fails: passes + 1, before: cancel}, &robust.Options{CutsPerRound: 1}
			}
			for cause, end := range map[error]func() (context.Context, shard.Engine, *robust.Options){solver.ErrLimit: limited, context.Canceled: cancelled} {
				within, engine, options := end()
				solution, err := must(sharded(engine, p, nil))(t).SolveFull(within, 1, options)
				if err == nil {
					checkBounds(t, p, solution, full)
					solutions[solution.Partial]++
				}
				if err != nil && !errors.Is(err, cause) || err == nil && (solution.Partial == solution.Blocks.Verified || solution.Blocks.Rounds > passes) {
					t.Errorf("%d passes, %v: error %v, %v", passes, cause, err, solution)
				}
				within, engine, options = end()
				design := must(must(sharded(engine, p, nil))(t).Design(within, 6, 1, &robust.DesignOptions{Solve: options}))(t)
				checkBounds(t, p, design.Solution, full)
				designs[design.Partial]++
				if design.Partial != (design.Stop == robust.Interrupted) || design.Partial == design.Solution.Blocks.Verified {
					t.Errorf("%d passes, %v: %v, partial %v, %+v", passes, cause, design.Stop, design.Partial, design.Solution.Blocks)
				}
			}
		}
	}
	if min(solutions[true], designs[true], solutions[false], designs[false]) < 2 {
		t.Errorf("solutions %v, designs %v; this test sees too little", solutions, designs)
	}
}

// checkBounds compares what a solution over blocks says with the model in memory.
func checkBounds(t testing.TB, p *robust.Problem, got, full *robust.Solution) {
	t.Helper()
	here := must(p.Evaluate(got.Blocks.Indices(got.Atoms), got.Radius, got.X))(t)
	if here.FullValue() != got.FullValue() || here.FullFeasible() != got.FullFeasible() || got.LowerBound > full.Value+tolerance {
		t.Errorf("blocks say %v (%v) and at least %v, all atoms %v (%v), optimum %v", got.FullValue(), got.FullFeasible(), got.LowerBound, here.FullValue(), here.FullFeasible(), full.Value)
	}
	if bound, err := got.GapBound(); err == nil && bound < here.FullValue()-full.Value-tolerance {
		t.Errorf("gap bound %v below the regret %v", bound, here.FullValue()-full.Value)
	}
}

// Engines that fail, leave blocks out or send less than they report are found out, and bad input is named.
func TestBlocksThatCannotBeTrusted(t *testing.T) {
	p := circle(t, 20)
	blocks := cut(t, p.Dictionary(), 10)
	for name, test := range map[string]struct {
		engine shard.Engine
		want   string
	}{
		"failure":       {&faulty{Engine: blocks, fails: 1}, errBlocks.Error()},
		"later failure": {&faulty{Engine: blocks, fails: 2}, errBlocks.Error()},
		"half":          {&faulty{Engine: blocks, change: func(a *shard.Answer) { a.Ranges[0].To = 10 }}, "10"},
		"nothing sent":  {&faulty{Engine: blocks, change: func(a *shard.Answer) { a.Challengers = nil }}, "do not reach"},
		"no supports":   {&faulty{Engine: blocks, change: func(a *shard.Answer) { a.Full = nil }}, "tell 0 supports"},
		"short atoms":   {&faulty{Engine: blocks, change: func(a *shard.Answer) { a.Challengers[0].Values = nil }}, "0 coordinates"},
		"no size":       {&faulty{Engine: blocks, change: func(a *shard.Answer) { a.Sizes = a.Sizes[:1] }}, "sizes"},
	} {
		s := must(sharded(test.engine, p, nil))(t)
		_, err := s.SolveFull(ctx, 1, &robust.Options{CutsPerRound: 1})
		checkMessage(t, "SolveFull: "+name, err, test.want)
		if f, ok := test.engine.(*faulty); ok {
			f.passes = 0
		}
		_, err = s.Design(ctx, 9, 1, &robust.DesignOptions{Solve: &robust.Options{CutsPerRound: 1}})
		checkMessage(t, "Design: "+name, err, test.want)
	}
	for name, atoms := range map[string][]shard.Atom{"[0-9] has 3": {{Index: 20, Values: make([]float64, 3)}}, "has 2": {{Index: 2, Values: make([]float64, 2)}}} {
		_, err := sharded(blocks, p, atoms)
		checkMessage(t, name, err, "the engine has atoms 0 to 19 with 3")
	}
	_, err := sharded(nil, p, nil)
	checkMessage(t, "no engine", err, "engine is nil")
	_, err = new(robust.Sharded).SolveFull(ctx, 1, nil)
	checkMessage(t, "empty", err, "NewSharded")
	s := must(sharded(blocks, p, nil))(t)
	_, err = s.SolveFull(ctx, 1, &robust.Options{Start: []int{1}})
	checkMessage(t, "Start", err, "Start")
	_, err = s.Design(ctx, 3, 1, &robust.DesignOptions{Start: []int{1}})
	checkMessage(t, "Start", err, "Start")
	_, err = s.Design(ctx, 3, 1, &robust.DesignOptions{Rule: robust.SmallestDeficit})
	checkMessage(t, "rule", err, "SmallestDeficit")
	_, err = s.Design(ctx, 21, 1, nil)
	checkMessage(t, "budget", err, "20 atoms")
	_, err = s.SolveFull(ctx, -1, nil)
	checkMessage(t, "radius", err, "radius -1")
	if _, err := s.MarshalJSON(); err == nil {
		t.Error("blocks travel")
	}
}

// The file of a design over blocks holds the pool, its claims are true, and it says what it does not prove.
func TestFileOfADesignOverBlocks(t *testing.T) {
	p := circle(t, 40)
	s := must(sharded(cut(t, p.Dictionary(), 13), p, known(p.Dictionary(), []int{7})))(t)
	design := must(s.Design(ctx, 6, 1, nil))(t)
	path := filepath.Join(t.TempDir(), "design.json")
	if err := design.Save(path, &robust.Record{Note: "Thursday"}); err != nil {
		t.Fatal(err)
	}
	must(certificate.Verify(must(os.Open(path))(t), nil))(t)
	record := must(robust.LoadRecord(path))(t)
	if !strings.HasPrefix(record.Note, "Thursday\n") || !strings.Contains(record.Note, "out of 40") {
		t.Errorf("note %q", record.Note)
	}
	back := must(robust.LoadDesign(path, nil))(t)
	if must(back.Solution.GapBound())(t) != must(design.Solution.GapBound())(t) {
		t.Error("another bound after the file")
	}
	if !slices.Equal(back.Solution.Blocks.Indices(back.Atoms), design.Solution.Blocks.Indices(design.Atoms)) || !back.Solution.Blocks.Verified {
		t.Errorf("%+v came back as %+v", design.Solution.Blocks, back.Solution.Blocks)
	}
}

// Atom 1 has the larger alignment with (1,1), but not in float64, so that it stays away; GapBound knows that it may.
func TestGapBoundCountsWhatBlocksRound(t *testing.T) {
	const lost = 0x1p-60
	p := must(robust.NewProblem(dictionary(t, []float64{1, 0}, []float64{1, lost}), box(1, 1, 0, 0), sparsero.Identity(2)))(t)
	solution := must(must(sharded(cut(t, p.Dictionary(), 1), p, nil))(t).SolveFull(ctx, 1, &robust.Options{CutsPerRound: 1}))(t)
	if bound := must(solution.GapBound())(t); !slices.Equal(solution.Blocks.Pool, []int{0}) || bound < lost || bound > 1e-12 {
		t.Errorf("pool %v, bound %g; want [0] and at least %g", solution.Blocks.Pool, bound, lost)
	}
}
