package large_test

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"github.com/sparsero/directions/sparsero/selection/large"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// fataler is the part of testing.TB that rapid's T has too.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// drawMatrix draws generic numbers, or small integers for which float64 sums are
// exact in any order, with many ties.
func drawMatrix(t *rapid.T, name string, rows, columns int, integers bool) *mat.Dense {
	source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, name), 5))
	m := mat.NewDense(rows, columns, nil)
	for i := range rows {
		for j := range columns {
			if integers {
				m.Set(i, j, float64(source.IntN(5)-2))
			} else {
				m.Set(i, j, source.NormFloat64())
			}
		}
	}
	return m
}

func mustDictionary(t fataler, atoms mat.Matrix, options ...sparsero.DictionaryOption) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(atoms, options...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustCoverage(t fataler, atoms large.Atoms, directions mat.Matrix, o *large.Options) *large.Coverage {
	t.Helper()
	c, err := large.NewCoverage(context.Background(), atoms, directions, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// rule is a rule of this package and its counterpart in package selection.
type rule struct {
	here  func(context.Context, *large.Coverage, int) (*selection.Selection, error)
	there selection.Policy
}

func rules(warm []int) []rule {
	return []rule{
		{large.Greedy{Warm: warm}.Select, selection.Greedy{Strategy: selection.Plain, Warm: warm}},
		{large.Greedy{StopAtFull: true}.Select, selection.Greedy{StopAtFull: true}},
		{large.MaxGap{Warm: warm}.Select, selection.MaxGap{Warm: warm}},
		{large.MaxGap{Tie: selection.CoverageGain}.Select, selection.MaxGap{Tie: selection.CoverageGain}},
		{large.SetCover{}.Select, selection.SetCover{}},
		{large.SetCover{Resolution: 0.01}.Select, selection.SetCover{Resolution: 0.01}},
	}
}

// rounding is the slack between values that are added up in different orders.
const rounding = 1e-9

func closeTo(a, b float64) bool { return math.Abs(a-b) <= rounding*(1+math.Abs(a)) }

// compare checks a selection against that of package selection.
func compare(t fataler, got, want *selection.Selection) {
	t.Helper()
	if got.Policy != want.Policy || !slices.Equal(got.Atoms, want.Atoms) || !slices.Equal(got.Labels, want.Labels) || got.Partial {
		t.Fatalf("%s chose %v (%v), package selection %s %v (%v)", got.Policy, got.Atoms, got.Labels, want.Policy, want.Atoms, want.Labels)
	}
	for b := range want.Atoms {
		if !closeTo(got.Gains[b], want.Gains[b]) || !closeTo(got.Coverage[b], want.Coverage[b]) ||
			!closeTo(got.WorstDeficit[b], want.WorstDeficit[b]) || !closeTo(got.Bounds[b], want.Bounds[b]) {
			t.Fatalf("%s step %d: gain %v, coverage %v, deficit %v, bound %v, want %v, %v, %v, %v", got.Policy, b+1,
				got.Gains[b], got.Coverage[b], got.WorstDeficit[b], got.Bounds[b],
				want.Gains[b], want.Coverage[b], want.WorstDeficit[b], want.Bounds[b])
		}
	}
	if len(got.OracleCalls) != got.Len() || len(got.Elapsed) != got.Len() || !closeTo(got.FullCoverage, want.FullCoverage) {
		t.Fatalf("%s: %d atoms, %d oracle calls, %d times, full coverage %v, want %v",
			got.Policy, got.Len(), len(got.OracleCalls), len(got.Elapsed), got.FullCoverage, want.FullCoverage)
	}
}

func TestChoicesAreThoseOfPackageSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m, p := rapid.IntRange(1, 40).Draw(t, "N"), rapid.IntRange(1, 40).Draw(t, "M"), rapid.IntRange(1, 8).Draw(t, "p")
		integers := rapid.Bool().Draw(t, "integers")
		d := mustDictionary(t, drawMatrix(t, "atoms", n, p, integers))
		directions := drawMatrix(t, "directions", m, p, integers)
		reference, err := selection.NewCoverage(d, directions)
		if err != nil {
			t.Fatal(err)
		}
		budget := rapid.IntRange(1, n).Draw(t, "budget")
		warm := []int{rapid.IntRange(0, n-1).Draw(t, "warm")}
		stream := rapid.Bool().Draw(t, "stream")
		c := mustCoverage(t, large.FromDictionary(d), directions, &large.Options{Stream: stream})
		for _, r := range rules(warm) {
			want, err := r.there.Select(context.Background(), reference, budget)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.here(context.Background(), c, budget)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, got, want)
			value, worst, err := c.Value(want.Atoms)
			if err != nil || !closeTo(value, reference.Value(want.Atoms)) || !closeTo(worst, reference.WorstDeficit(want.Atoms)) {
				t.Fatalf("value %v, worst deficit %v (%v)", value, worst, err)
			}
		}
	})
}

// randomFloat32 returns atoms that fill several blocks.
func randomFloat32(n, p int, seed uint64) []float32 {
	source := rand.New(rand.NewPCG(seed, 1))
	data := make([]float32, n*p)
	for k := range data {
		data[k] = float32(source.NormFloat64())
	}
	return data
}

func randomDirections(m, p int, seed uint64) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 2))
	directions := mat.NewDense(m, p, nil)
	for i := range m {
		for j := range p {
			directions.Set(i, j, source.NormFloat64())
		}
	}
	return directions
}

// Everything but the time must have the same bits whatever the number of
// goroutines, held or streamed.
func TestBitsDoNotDependOnWorkersOrStreaming(t *testing.T) {
	const n, m, p, budget = 2500, 90, 12, 15
	atoms, err := large.FromFloat32(randomFloat32(n, p, 1), p)
	if err != nil {
		t.Fatal(err)
	}
	directions := randomDirections(m, p, 1)
	for _, r := range rules([]int{7}) {
		var first *selection.Selection
		for _, o := range []large.Options{{Workers: 1}, {Workers: 2}, {Workers: 7}, {Workers: 1, Stream: true}, {Workers: 5, Stream: true}} {
			s, err := r.here(context.Background(), mustCoverage(t, atoms, directions, &o), budget)
			if err != nil {
				t.Fatal(err)
			}
			s.Elapsed = nil
			if first == nil {
				first = s
			}
			if !sameBits(s, first) {
				t.Fatalf("%+v: %+v, first %+v", o, s, first)
			}
		}
	}
}

func sameBits(a, b *selection.Selection) bool {
	return a.Policy == b.Policy && slices.Equal(a.Atoms, b.Atoms) && slices.Equal(a.Gains, b.Gains) &&
		slices.Equal(a.Coverage, b.Coverage) && slices.Equal(a.WorstDeficit, b.WorstDeficit) && slices.Equal(a.Bounds, b.Bounds) &&
		slices.Equal(a.OracleCalls, b.OracleCalls) && a.FullCoverage == b.FullCoverage
}

func TestLabelsAreThoseOfTheDictionary(t *testing.T) {
	d := mustDictionary(t, mat.NewDense(2, 1, []float64{1, 2}), sparsero.WithLabels([]string{"low", "high"}))
	s, err := large.Greedy{}.Select(context.Background(), mustCoverage(t, large.FromDictionary(d), mat.NewDense(1, 1, []float64{1}), nil), 2)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"high", "low"}; !slices.Equal(s.Labels, want) {
		t.Fatalf("labels %v, want %v", s.Labels, want)
	}
}

func TestProgressAndCancellation(t *testing.T) {
	atoms, err := large.FromFloat32(randomFloat32(500, 4, 3), 4)
	if err != nil {
		t.Fatal(err)
	}
	c := mustCoverage(t, atoms, randomDirections(50, 4, 3), nil)
	ctx, cancel := context.WithCancel(context.Background())
	var steps []selection.Step
	progress := func(step selection.Step) {
		if steps = append(steps, step); step.Number == 3 {
			cancel()
		}
	}
	s, err := large.Greedy{Progress: progress}.Select(ctx, c, 10)
	if err != nil || !s.Partial || s.Len() != 3 || len(s.Bounds) != 3 {
		t.Fatalf("selection %+v, error %v", s, err)
	}
	for k, step := range steps {
		if step.Number != k+1 || step.Budget != 10 || step.Atom != s.Atoms[k] || step.Gain != s.Gains[k] || step.Coverage != s.Coverage[k] {
			t.Errorf("step %+v does not match %+v", step, s)
		}
	}
	for _, r := range rules(nil) {
		if s, err := r.here(ctx, c, 10); err != nil || !s.Partial || s.Len() != 0 {
			t.Errorf("ended context: %+v, %v", s, err)
		}
	}
	if _, err := large.NewCoverage(ctx, atoms, randomDirections(50, 4, 3), nil); err == nil {
		t.Error("a coverage was built after the context ended")
	}
}

func TestSkippedBoundsAreThoseOfTheDictionary(t *testing.T) {
	atoms, err := large.FromFloat32(randomFloat32(100, 4, 4), 4)
	if err != nil {
		t.Fatal(err)
	}
	c := mustCoverage(t, atoms, randomDirections(30, 4, 4), nil)
	s, err := large.Greedy{SkipBounds: true}.Select(context.Background(), c, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, bound := range s.Bounds {
		if bound != c.Full() {
			t.Fatalf("bounds %v, want %v", s.Bounds, c.Full())
		}
	}
}

// Peak memory of a selection is estimated before it starts, and streaming is
// offered when holding the alignments would not fit.
func TestMemoryIsRefusedInAdvance(t *testing.T) {
	const n, m, p = 20000, 200, 8
	atoms, err := large.FromFloat32(randomFloat32(n, p, 5), p)
	if err != nil {
		t.Fatal(err)
	}
	directions := randomDirections(m, p, 5)
	estimate := large.EstimateMemory(n, m, p, nil)
	if least := int64(2 * n * m); estimate.Held < least || estimate.Streamed >= least {
		t.Fatalf("estimate %+v for a matrix of %d bytes", estimate, least)
	}
	limit := (estimate.Held + estimate.Streamed) / 2
	_, err = large.NewCoverage(context.Background(), atoms, directions, &large.Options{MemoryLimit: limit})
	checkRefusal(t, err, "set Options.Stream", false)
	_, err = large.NewCoverage(context.Background(), atoms, directions, &large.Options{MemoryLimit: 1000})
	checkRefusal(t, err, "even Options.Stream needs", false)
	_, err = large.NewCoverage(context.Background(), atoms, directions, &large.Options{MemoryLimit: 1000, Stream: true})
	checkRefusal(t, err, "use fewer directions or atoms", true)
	c := mustCoverage(t, atoms, directions, &large.Options{MemoryLimit: limit, Stream: true})
	runtime.KeepAlive(c)
}
