package blocks_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/blocks"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// drawMatrix draws numbers of few values, so that ties and duplicates are frequent, or of any.
func drawMatrix(t *rapid.T, name string, n, p int) *mat.Dense {
	value := rapid.Float64Range(-2, 2)
	if rapid.Bool().Draw(t, name+" on a grid") {
		value = rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-2, 2).Draw(t, "k")) })
	}
	return mat.NewDense(n, p, rapid.SliceOfN(value, n*p, n*p).Draw(t, name))
}

// empty is a block without atoms.
type empty struct{ rows }

func (empty) Size() int { return 0 }

// drawBlocks cuts atoms into blocks at drawn places, one atom each and none at all included.
func drawBlocks(t *rapid.T, atoms *mat.Dense) []selection.Source {
	n, p := atoms.Dims()
	var parts []selection.Source
	for from := 0; from < n; {
		if rapid.IntRange(0, 4).Draw(t, "an empty block") == 0 {
			parts = append(parts, empty{rows{atoms}})
		}
		to := from + rapid.IntRange(1, n-from).Draw(t, "size")
		parts = append(parts, rows{mat.DenseCopyOf(atoms.Slice(from, to, 0, p))})
		from = to
	}
	return parts
}

func must[T any](value T, err error) func(t interface{ Fatal(...any) }) T {
	return func(t interface{ Fatal(...any) }) T {
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// oneMachine is greedy with all atoms in memory.
func oneMachine(t interface{ Fatal(...any) }, atoms, directions *mat.Dense, budget int) *selection.Selection {
	coverage := must(selection.NewCoverage(rows{atoms}, directions, nil))(t)
	return must(selection.Greedy{StopAtFull: true}.Select(ctx, coverage, budget))(t)
}

// requireSame compares everything that is not a count of work or a time; one machine lowers its bounds further, by steps that
// look at all atoms.
func requireSame(t interface{ Fatalf(string, ...any) }, got, want *selection.Selection) {
	if !slices.Equal(got.Atoms, want.Atoms) || !slices.Equal(got.Labels, want.Labels) {
		t.Fatalf("atoms %v %v, want %v %v", got.Atoms, got.Labels, want.Atoms, want.Labels)
	}
	for name, pair := range map[string][2][]float64{
		"gains": {got.Gains, want.Gains}, "coverage": {got.Coverage, want.Coverage},
		"worst deficit": {got.WorstDeficit, want.WorstDeficit},
		"full coverage": {{got.FullCoverage}, {want.FullCoverage}},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Fatalf("%s %v, want %v", name, pair[0], pair[1])
		}
	}
	for b, bound := range got.Bounds {
		if bound.Float() < want.Bounds[b].Float() {
			t.Fatalf("bounds %v, below those of one machine, %v", got.Bounds, want.Bounds)
		}
	}
}

// Any partition gives the path of one machine, the same to the last bit.
func TestAnyPartitionIsOneMachine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p, m := rapid.IntRange(1, 40).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p"), rapid.IntRange(1, 12).Draw(t, "M")
		atoms, directions := drawMatrix(t, "atoms", n, p), drawMatrix(t, "directions", m, p)
		budget := rapid.IntRange(1, n).Draw(t, "B")
		engine := &memory{drawBlocks(t, atoms), blocks.Resources{Memory: rapid.SampledFrom([]int64{0, 1}).Draw(t, "memory")}}
		options := &blocks.Options{Rounds: n + 1, Propose: rapid.IntRange(1, budget).Draw(t, "proposals")}
		result := must(blocks.Select(ctx, engine, directions, budget, options))(t)
		want := oneMachine(t, atoms, directions, budget)
		if !result.Verified || result.Same != want.Len() {
			t.Fatalf("verified %v up to %d of %d after %d rounds", result.Verified, result.Same, want.Len(), len(result.Rounds))
		}
		requireSame(t, result.Selection, want)
	})
}

// A limit on rounds ends with a path that is that of one machine up to Same, and with bounds
// that no set exceeds: the optimum is found by trying all.
func TestBoundsHoldWithoutVerification(t *testing.T) {
	unverified := 0
	rapid.Check(t, func(t *rapid.T) {
		n, p, m := rapid.IntRange(2, 16).Draw(t, "N"), rapid.IntRange(2, 4).Draw(t, "p"), rapid.IntRange(2, 12).Draw(t, "M")
		atoms, directions := drawMatrix(t, "atoms", n, p), drawMatrix(t, "directions", m, p)
		budget := rapid.IntRange(1, min(n, 4)).Draw(t, "B")
		engine := &memory{parts: drawBlocks(t, atoms)}
		result := must(blocks.Select(ctx, engine, directions, budget, &blocks.Options{Rounds: 1, Propose: 1}))(t)
		got, want := result.Selection, oneMachine(t, atoms, directions, budget)
		if !result.Verified {
			unverified++
		}
		if !slices.Equal(got.Prefix(result.Same), want.Prefix(result.Same)) {
			t.Fatalf("the first %d of %v are said to be those of %v", result.Same, got.Atoms, want.Atoms)
		}
		coverage := must(selection.NewCoverage(rows{atoms}, directions, nil))(t)
		for b := 1; b <= got.Len(); b++ {
			best := 0.0
			eachSet(n, b, func(set []int) { best = math.Max(best, coverage.Value(set)) })
			if best > got.Bounds[b-1].Float()*(1+1e-14) {
				t.Fatalf("some %d atoms reach %v, the bound is %v", b, best, got.Bounds[b-1])
			}
			if got.Coverage[b-1] != coverage.Value(got.Prefix(b)) {
				t.Fatalf("coverage %v, is %v", got.Coverage[b-1], coverage.Value(got.Prefix(b)))
			}
		}
	})
	if unverified == 0 {
		t.Error("every path was verified: the drawn splits are too kind to test anything")
	}
}

// eachSet visits all sets of b of n atoms.
func eachSet(n, b int, visit func([]int)) {
	for mask := range 1 << n {
		var set []int
		for i := range n {
			if mask>>i&1 == 1 {
				set = append(set, i)
			}
		}
		if len(set) == b {
			visit(set)
		}
	}
}

// Splits made to mislead: all good atoms in one block, the same atoms in all, one atom each.
func TestAdversarialSplits(t *testing.T) {
	source := rand.New(rand.NewPCG(3, 4))
	random := func(n, p int, scale float64) *mat.Dense {
		m := mat.NewDense(n, p, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return scale * source.NormFloat64() }, m)
		return m
	}
	good, poor, directions := random(60, 8, 1), random(540, 8, 0.1), random(50, 8, 1)
	stacked := mat.NewDense(600, 8, nil)
	stacked.Stack(good, poor)
	copied := mat.NewDense(600, 8, nil)
	for k := range 10 {
		copied.Slice(60*k, 60*k+60, 0, 8).(*mat.Dense).Copy(good)
	}
	for name, test := range map[string]struct {
		atoms  *mat.Dense
		blocks int
	}{"all good atoms in one block": {stacked, 10}, "the same atoms in all blocks": {copied, 10}, "one atom each": {stacked, 600}} {
		t.Run(name, func(t *testing.T) {
			size := 600 / test.blocks
			engine := &memory{}
			for from := 0; from < 600; from += size {
				engine.parts = append(engine.parts, rows{mat.DenseCopyOf(test.atoms.Slice(from, from+size, 0, 8))})
			}
			result := must(blocks.Select(ctx, engine, directions, 30, nil))(t)
			if !result.Verified {
				t.Fatalf("rounds %+v", result.Rounds)
			}
			requireSame(t, result.Selection, oneMachine(t, test.atoms, directions, 30))
			t.Logf("%d rounds, %d candidates", len(result.Rounds), result.Rounds[len(result.Rounds)-1].Candidates)
		})
	}
}

// drawTask asks for the worst atoms, or for all else at once.
func drawTask(t *rapid.T, atoms, directions *mat.Dense) *blocks.Task {
	n, _ := atoms.Dims()
	task := must(blocks.NewTask(directions))(t)
	if task.Worst = rapid.IntRange(0, 3).Draw(t, "worst"); task.Worst > 0 {
		return task
	}
	task.Propose, task.Largest = rapid.IntRange(0, 3).Draw(t, "propose"), rapid.IntRange(0, 3).Draw(t, "largest")
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, n-1), 0, min(n, 4), rapid.ID).Draw(t, "path") {
		task.Path = append(task.Path, blocks.Step{Atom: blocks.Atom{Index: i, Values: mat.Row(nil, i, atoms)}, Gain: rapid.Float64Range(0, 1).Draw(t, "gain")})
	}
	if rapid.Bool().Draw(t, "ends") {
		task.Path = append(task.Path, blocks.Step{Atom: blocks.Atom{Index: blocks.NoAtom}})
	}
	return task
}

// Answers merge to the same in any order, joined in any way, from any partition, with blocks that
// answer twice: all but the proposals, which are a matter of the partition.
func TestMergeIsASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p, m := rapid.IntRange(1, 20).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 6).Draw(t, "M")
		atoms, directions := drawMatrix(t, "atoms", n, p), drawMatrix(t, "directions", m, p)
		task := drawTask(t, atoms, directions)
		whole := must(blocks.Work(ctx, rows{atoms}, 0, task, nil))(t)
		var answers []*blocks.Answer
		for range 2 { // two partitions, which overlap
			from := 0
			for _, block := range drawBlocks(t, atoms) {
				if block.Size() == 0 {
					continue
				}
				answers = append(answers, travelled(t, must(blocks.Work(ctx, block, from, task, nil))(t)))
				from += block.Size()
			}
		}
		answers = append(answers, answers[rapid.IntRange(0, len(answers)-1).Draw(t, "again")])
		one := mergeAll(t, answers)
		other := mergeTree(t, rapid.Permutation(answers).Draw(t, "order"))
		if a, b := text(t, one), text(t, other); a != b {
			t.Fatalf("%s\nin another order\n%s", a, b)
		}
		one.Proposed, whole.Proposed = nil, nil
		one.Bits, whole.Bits = nil, nil // a block alone may be exact where all together are not
		if a, b := text(t, one), text(t, whole); a != b {
			t.Fatalf("%s\nby one machine\n%s", a, b)
		}
	})
}

func travelled(t *rapid.T, a *blocks.Answer) *blocks.Answer {
	back := new(blocks.Answer)
	if err := json.Unmarshal([]byte(text(t, a)), back); err != nil {
		t.Fatal(err)
	}
	return back
}

func text(t *rapid.T, a *blocks.Answer) string {
	return string(must(json.Marshal(a))(t))
}

func mergeAll(t *rapid.T, answers []*blocks.Answer) (merged *blocks.Answer) {
	for _, answer := range answers {
		merged = must(blocks.Merge(merged, answer))(t)
	}
	return merged
}

func mergeTree(t *rapid.T, answers []*blocks.Answer) *blocks.Answer {
	if len(answers) == 1 {
		return answers[0]
	}
	half := len(answers) / 2
	return must(blocks.Merge(mergeTree(t, answers[:half]), mergeTree(t, answers[half:])))(t)
}

// What a block says is what float64 says of all its atoms, by the plain road.
func TestWorkTellsTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p, m := rapid.IntRange(1, 20).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(1, 6).Draw(t, "M")
		atoms, directions := drawMatrix(t, "atoms", n, p), drawMatrix(t, "directions", m, p)
		task := drawTask(t, atoms, directions)
		answer := must(blocks.Work(ctx, rows{atoms}, 0, task, nil))(t)
		dictionary := must(sparsero.NewDictionary(atoms, nil))(t)
		var chosen []int
		for k, step := range task.Path {
			state := must(selection.NewCoverage(dictionary, directions, nil))(t).NewState()
			for _, i := range chosen {
				state.Add(i)
			}
			none := blocks.Entry{Atom: blocks.NoAtom}
			best := none // of all atoms, the plain way
			for i := range n {
				if gain := state.Gain(i); !slices.Contains(chosen, i) && (best.Atom == blocks.NoAtom || gain > best.Value) {
					best = blocks.Entry{Atom: i, Value: gain}
				}
			}
			best.Beats = step.Atom.Index != blocks.NoAtom && (best.Value > step.Gain || best.Value == step.Gain && best.Atom < step.Atom.Index) && best.Atom != blocks.NoAtom ||
				step.Atom.Index == blocks.NoAtom && best.Value > 0
			if got := append(answer.States[k], none)[0]; got != best {
				t.Fatalf("step %d: best %v, is %v", k, got, best)
			}
			if list := answer.States[k]; len(list) > 1 && list[len(list)-1].Value == 0 {
				t.Fatalf("step %d: atoms without a gain travel: %v", k, list)
			}
			chosen = append(chosen, step.Atom.Index)
		}
		for s := range m {
			alignments := dictionary.Alignments(nil, directions.RawRowView(s))
			if task.Worst == 0 {
				if want := math.Max(0, slices.Max(alignments)); answer.Full[s] != want {
					t.Fatalf("support %v, is %v", answer.Full[s], want)
				}
				continue
			}
			var want []blocks.Entry
			for i, value := range alignments {
				want = append(want, blocks.Entry{Atom: i, Value: value, Beats: true})
			}
			slices.SortStableFunc(want, func(a, b blocks.Entry) int { return cmp.Compare(b.Value, a.Value) })
			if want = want[:min(task.Worst, len(want))]; !slices.Equal(answer.Worst[s], want) {
				t.Fatalf("worst %v, are %v", answer.Worst[s], want)
			}
			for _, entry := range want {
				k := slices.IndexFunc(answer.Challengers, func(a blocks.Atom) bool { return a.Index == entry.Atom })
				if k < 0 || !slices.Equal(answer.Challengers[k].Values, dictionary.Atom(entry.Atom)) {
					t.Fatalf("atom %d does not come along: %v", entry.Atom, answer.Challengers)
				}
			}
		}
	})
}

// broken is an engine that misbehaves.
type broken struct {
	memory
	spoil func(*blocks.Answer) (*blocks.Answer, error)
}

func (b *broken) Run(ctx context.Context, task *blocks.Task) (*blocks.Answer, error) {
	answer, err := b.memory.Run(ctx, task)
	if err != nil {
		return nil, err
	}
	return b.spoil(answer)
}

func TestErrors(t *testing.T) {
	atoms := mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, 0})
	directions := mat.NewDense(2, 2, []float64{1, 1, -1, 1})
	local := memory{parts: []selection.Source{rows{atoms}}}
	lost := errors.New("a disk is lost")
	for says, run := range map[string]func() error{
		"the engine is nil or": func() error { _, err := blocks.Select(ctx, nil, directions, 1, nil); return err },
		"budget 4 for 3 atoms": func() error { _, err := blocks.Select(ctx, &local, directions, 4, nil); return err },
		"-1 rounds": func() error {
			_, err := blocks.Select(ctx, &local, directions, 1, &blocks.Options{Rounds: -1})
			return err
		},
		"have dimension 1, the atoms 2": func() error {
			_, err := blocks.Select(ctx, &local, mat.NewDense(1, 1, []float64{1}), 1, nil)
			return err
		},
		"speak for the atoms [{0 2}]":        func() error { return spoiled(local, directions, func(a *blocks.Answer) { a.Ranges[0].To = 2 }) },
		"the answer is to another task":      func() error { return spoiled(local, directions, func(a *blocks.Answer) { a.Task = "x" }) },
		"tell 0 supports, 2 sizes, 0 states": func() error { return spoiled(local, directions, func(a *blocks.Answer) { a.Full = nil }) },
		"tell 2 supports, 1 sizes, 0 states": func() error { return spoiled(local, directions, func(a *blocks.Answer) { a.Sizes = a.Sizes[:1] }) },
		"tell 2 supports, 2 sizes, 1 states": func() error {
			return spoiled(local, directions, func(a *blocks.Answer) { a.States = a.States[:len(a.States)/2] })
		},
		"a disk is lost": func() error {
			_, err := (&broken{local, func(*blocks.Answer) (*blocks.Answer, error) { return nil, lost }}).Run(ctx, must(blocks.NewTask(directions))(t))
			return err
		},
		"the task has no directions": func() error { _, err := blocks.Work(ctx, rows{atoms}, 0, nil, nil); return err },
		"begin at -1": func() error {
			_, err := blocks.Work(ctx, rows{atoms}, -1, must(blocks.NewTask(directions))(t), nil)
			return err
		},
		"value NaN in coordinate 0": func() error {
			return work(rows{mat.NewDense(1, 2, []float64{math.NaN(), 0})}, must(blocks.NewTask(directions))(t))
		},
		"step 0 has the gain NaN": func() error {
			return workPath(atoms, directions, blocks.Step{Atom: blocks.Atom{Index: 0, Values: []float64{1, 0}}, Gain: math.NaN()})
		},
		"the atom of step 0": func() error {
			return workPath(atoms, directions, blocks.Step{Atom: blocks.Atom{Index: 0, Values: []float64{1}}})
		},
		"step 0 has the atom -1; give": func() error {
			return workPath(atoms, directions, blocks.Step{Atom: blocks.Atom{Index: -1}}, blocks.Step{Atom: blocks.Atom{Index: -1}})
		},
		"the answers are to different":   func() error { _, err := blocks.Merge(&blocks.Answer{Task: "a"}, &blocks.Answer{Task: "b"}); return err },
		"the answers have different len": func() error { _, err := blocks.Merge(&blocks.Answer{Full: []float64{1}}, &blocks.Answer{}); return err },
		"atom 1 came with two values": func() error {
			_, err := blocks.Merge(&blocks.Answer{Proposed: []blocks.Atom{{Index: 1, Values: []float64{1}}}}, &blocks.Answer{Proposed: []blocks.Atom{{Index: 1, Values: []float64{2}}}})
			return err
		},
	} {
		if err := run(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an error that says %q", err, says)
		}
	}
	if _, err := blocks.Describe(t.TempDir(), "sub/a.npy"); err == nil || !strings.Contains(err.Error(), `"sub/a.npy"`) || !strings.Contains(err.Error(), "without a path") {
		t.Errorf("a block of another folder: error %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := blocks.Select(ended, &local, directions, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled selection ends with %v", err)
	}
}

func spoiled(local memory, directions *mat.Dense, spoil func(*blocks.Answer)) error {
	engine := &broken{local, func(a *blocks.Answer) (*blocks.Answer, error) { spoil(a); return a, nil }}
	_, err := blocks.Select(ctx, engine, directions, 1, nil)
	return err
}

func work(block selection.Source, task *blocks.Task) error {
	_, err := blocks.Work(ctx, block, 0, task, nil)
	return err
}

func workPath(atoms, directions *mat.Dense, path ...blocks.Step) error {
	task, err := blocks.NewTask(directions)
	if err != nil {
		return err
	}
	task.Path = path
	return work(rows{atoms}, task)
}

// A dictionary that gains nothing has an empty path that is verified.
func TestNothingToGain(t *testing.T) {
	engine := &memory{parts: []selection.Source{rows{mat.NewDense(2, 1, []float64{1, 2})}, rows{mat.NewDense(1, 1, nil)}}}
	result := must(blocks.Select(ctx, engine, mat.NewDense(1, 1, []float64{-1}), 2, nil))(t)
	if !result.Verified || result.Selection.Len() != 0 || result.Selection.CoverageRatio(0) != 1 {
		t.Errorf("%+v", result)
	}
}
