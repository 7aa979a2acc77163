package selection_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", text)
	}
	if !strings.Contains(err.Error(), text) {
		t.Fatalf("error %q does not contain %q", err, text)
	}
}

// Lazy greedy makes the picks of plain greedy, bit for bit, ties included.
func TestLazyGreedyEqualsPlainGreedy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 30, 4, 12)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		lazy := selectAtoms(t, selection.Greedy{}, in.coverage, budget)
		plain := selectAtoms(t, selection.Greedy{Plain: true}, in.coverage, budget)
		if !equalInts(lazy.Atoms, plain.Atoms) {
			t.Fatalf("lazy picks %v, plain %v", lazy.Atoms, plain.Atoms)
		}
		for k := range plain.Gains {
			if lazy.Gains[k] != plain.Gains[k] || lazy.Bounds[k] != plain.Bounds[k] || lazy.Coverage[k] != plain.Coverage[k] {
				t.Fatalf("step %d: lazy gain %v bound %v, plain gain %v bound %v", k, lazy.Gains[k], lazy.Bounds[k], plain.Gains[k], plain.Bounds[k])
			}
			if lazy.OracleCalls[k] > plain.OracleCalls[k] {
				t.Fatalf("step %d: lazy made %d calls, plain %d", k, lazy.OracleCalls[k], plain.OracleCalls[k])
			}
		}
	})
}

// Plain greedy written out with nothing but Coverage.Value, as in the paper. On
// integers the two ways of computing a gain are exact, so ties are compared too.
func TestGreedyFollowsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 10).Draw(t, "N")
		in := newInstance(t, drawMatrix(t, "atom", n, 3, true), drawMatrix(t, "direction", 8, 3, true))
		got := selectAtoms(t, selection.Greedy{}, in.coverage, n)
		var chosen []int
		for range n {
			best, bestValue := -1, math.Inf(-1)
			for i := range n {
				if !contains(chosen, i) {
					if value := in.coverage.Value(append(chosen[:len(chosen):len(chosen)], i)); value > bestValue {
						best, bestValue = i, value
					}
				}
			}
			chosen = append(chosen, best)
		}
		if !equalInts(got.Atoms, chosen) {
			t.Fatalf("greedy picks %v, by definition %v", got.Atoms, chosen)
		}
	})
}

func contains(list []int, i int) bool {
	for _, v := range list {
		if v == i {
			return true
		}
	}
	return false
}

// Theorem 4.4 in its sharp form 1-(1-1/B)^B, at every budget, for fixed T.
func TestGreedyGuarantee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 9, 4, 8)
		n := in.coverage.Size()
		path := selectAtoms(t, selection.Greedy{}, in.coverage, n)
		for b := 1; b <= n; b++ {
			optimum := bruteForce(in.coverage, b)
			factor := 1 - math.Pow(1-1/float64(b), float64(b))
			if path.Coverage[b-1] < factor*optimum-rounding {
				t.Fatalf("B=%d: greedy %v below %v of the optimum %v", b, path.Coverage[b-1], factor, optimum)
			}
		}
	})
}

// The a-posteriori bound holds for every policy's path, at every budget.
func TestBoundsCoverTheOptimum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 9, 4, 8)
		n := in.coverage.Size()
		budget := rapid.IntRange(1, n).Draw(t, "B")
		for _, policy := range allPolicies() {
			path := selectAtoms(t, policy, in.coverage, budget)
			for b := 1; b <= path.Len(); b++ {
				optimum := bruteForce(in.coverage, b)
				if path.Bounds[b-1].Float() < optimum-rounding {
					t.Fatalf("%s, B=%d: bound %v below the optimum %v", name(policy), b, path.Bounds[b-1], optimum)
				}
				if path.Coverage[b-1] > path.Bounds[b-1].Float() || path.Bounds[b-1].Float() > in.coverage.Full()+rounding {
					t.Fatalf("%s, B=%d: coverage %v, bound %v, full %v", name(policy), b, path.Coverage[b-1], path.Bounds[b-1], in.coverage.Full())
				}
				if ratio := path.OptimalityRatio(b).Float(); ratio > 1 || ratio < 0 {
					t.Fatalf("%s: optimality ratio %v", name(policy), ratio)
				}
			}
		}
	})
}

// The bound is never above the formula min_t F(S_t) + the b largest gains at S_t, evaluated here without any shortcut.
func TestBoundsFollowTheFormula(t *testing.T) {
	in := randomInstance(t, 25, 3, 40, 5)
	path := selectAtoms(t, selection.Greedy{}, in.coverage, 6)
	for b := 1; b <= 6; b++ {
		want := in.coverage.Full()
		for k := 0; k <= 6; k++ {
			prefix := path.Prefix(k)
			base := in.coverage.Value(prefix)
			var gains []float64
			for i := range in.coverage.Size() {
				gains = append(gains, in.coverage.Value(append(prefix[:k:k], i))-base)
			}
			total := base
			for range b {
				best := 0
				for i := range gains {
					if gains[i] > gains[best] {
						best = i
					}
				}
				total += gains[best]
				gains[best] = 0
			}
			want = min(want, total)
		}
		if path.Bounds[b-1].Float() > want*(1+1e-9) {
			t.Errorf("B=%d: bound %v, formula %v", b, path.Bounds[b-1], want)
		}
	}
}

func TestWarmStartContinuesGreedy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 20, 3, 10)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		k := rapid.IntRange(0, budget).Draw(t, "k")
		whole := selectAtoms(t, selection.Greedy{}, in.coverage, budget)
		for _, plain := range []bool{false, true} {
			resumed := selectAtoms(t, selection.Greedy{Plain: plain, Start: whole.Prefix(k)}, in.coverage, budget)
			if !equalInts(resumed.Atoms, whole.Atoms) {
				t.Fatalf("plain %v: from %d atoms picks %v, without a break %v", plain, k, resumed.Atoms, whole.Atoms)
			}
			for b := range whole.Gains {
				if resumed.Gains[b] != whole.Gains[b] {
					t.Fatalf("gain %v after a break, %v without", resumed.Gains[b], whole.Gains[b])
				}
			}
		}
	})
}

// Progress tells every step, warm ones included, and can cancel the run; what has
// been chosen until then is returned with its bounds.
func TestProgressFollowsThePath(t *testing.T) {
	in := randomInstance(t, 40, 3, 30, 12)
	for _, run := range []func(context.Context, func(selection.Step)) (*selection.Selection, error){
		func(ctx context.Context, progress func(selection.Step)) (*selection.Selection, error) {
			return selection.Greedy{Start: []int{3}, Progress: progress}.Select(ctx, in.coverage, 9)
		},
		func(ctx context.Context, progress func(selection.Step)) (*selection.Selection, error) {
			return selection.MaxGap{Start: []int{3}, Progress: progress}.Select(ctx, in.coverage, 9)
		},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var steps []selection.Step
		s, err := run(ctx, func(step selection.Step) {
			steps = append(steps, step)
			if step.Number == 4 {
				cancel()
			}
		})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if !s.Partial || s.Len() != 4 || len(steps) != 4 || len(s.Bounds) != 4 {
			t.Fatalf("%s: partial %v with %d atoms, %d steps, %d bounds", s.Policy, s.Partial, s.Len(), len(steps), len(s.Bounds))
		}
		for k, step := range steps {
			if step.Number != k+1 || step.Budget != 9 || step.Atom != s.Atoms[k] || step.Gain != s.Gains[k] ||
				step.Coverage != s.Coverage[k] || step.WorstDeficit != s.WorstDeficit[k] || step.FullCoverage != s.FullCoverage {
				t.Errorf("%s: step %+v does not match the selection", s.Policy, step)
			}
			if s.Bounds[k].Float() < s.Coverage[k] {
				t.Errorf("%s: bound %v below coverage %v", s.Policy, s.Bounds[k], s.Coverage[k])
			}
		}
	}
}

// A smaller budget gives a prefix of the path for a larger one.
func TestGreedyPathsAreNested(t *testing.T) {
	in := randomInstance(t, 40, 3, 30, 9)
	long := selectAtoms(t, selection.Greedy{}, in.coverage, 12)
	for b := 1; b <= 12; b++ {
		short := selectAtoms(t, selection.Greedy{}, in.coverage, b)
		if !equalInts(short.Atoms, long.Prefix(b)) {
			t.Errorf("B=%d: %v is not a prefix of %v", b, short.Atoms, long.Atoms)
		}
	}
}

// Scaling all atoms, or all directions, by a power of two scales every gain and
// changes no pick.
func TestGreedyIsScaleInvariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 12, 3, 8)
		scale := math.Ldexp(1, rapid.IntRange(-3, 3).Draw(t, "exponent"))
		var scaled mat.Dense
		scaled.Scale(scale, in.dictionary.Matrix())
		other := newInstance(t, &scaled, in.directions)
		n := in.coverage.Size()
		a, b := selectAtoms(t, selection.Greedy{}, in.coverage, n), selectAtoms(t, selection.Greedy{}, other.coverage, n)
		if !equalInts(a.Atoms, b.Atoms) {
			t.Fatalf("picks %v, scaled %v", a.Atoms, b.Atoms)
		}
		for k := range a.Gains {
			if b.Gains[k] != scale*a.Gains[k] {
				t.Fatalf("gain %v, scaled %v", a.Gains[k], b.Gains[k])
			}
		}
	})
}

// Repeated atoms and zero atoms are never worth a pick while something else is.
func TestGreedyIgnoresDuplicatesAndZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 8)
		n, p := in.dictionary.Size(), in.dictionary.Dim()
		doubled := mat.NewDense(2*n+1, p, nil)
		doubled.Slice(0, n, 0, p).(*mat.Dense).Copy(in.dictionary.Matrix())
		doubled.Slice(n, 2*n, 0, p).(*mat.Dense).Copy(in.dictionary.Matrix())
		other := newInstance(t, doubled, in.directions)
		stop := selection.Greedy{StopAtFull: true}
		a, b := selectAtoms(t, stop, in.coverage, n), selectAtoms(t, stop, other.coverage, 2*n+1)
		if !equalInts(a.Atoms, b.Atoms) {
			t.Fatalf("picks %v, with every atom twice %v", a.Atoms, b.Atoms)
		}
		if !closeTo(in.coverage.Value(a.Atoms), in.coverage.Full()) {
			t.Fatalf("stopped at %v of %v", in.coverage.Value(a.Atoms), in.coverage.Full())
		}
	})
}

// The result does not depend on the number of cores. The instance is large
// enough for the parallel passes.
func TestGreedyIsTheSameOnAnyNumberOfCores(t *testing.T) {
	in := randomInstance(t, 900, 6, 300, 1)
	for _, plain := range []bool{false, true} {
		greedy := selection.Greedy{Plain: plain}
		want := selectAtoms(t, greedy, in.coverage, 12)
		for _, cores := range []int{1, 2, 3, 7} {
			previous := runtime.GOMAXPROCS(cores)
			again := newInstance(t, in.dictionary.Matrix(), in.directions)
			got := selectAtoms(t, greedy, again.coverage, 12)
			runtime.GOMAXPROCS(previous)
			for k := range want.Atoms {
				if got.Atoms[k] != want.Atoms[k] || got.Gains[k] != want.Gains[k] || got.Bounds[k] != want.Bounds[k] {
					t.Fatalf("%v on %d cores: step %d differs", plain, cores, k)
				}
			}
		}
	}
}

func TestCancelledSelectionIsPartial(t *testing.T) {
	in := randomInstance(t, 30, 3, 20, 4)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, policy := range allPolicies() {
		s, err := policy.Select(ctx, in.coverage, 5)
		if err != nil {
			t.Fatalf("%s: %v", name(policy), err)
		}
		if !s.Partial || s.Len() != 0 {
			t.Errorf("%s: partial %v with %d atoms, want a partial empty selection", name(policy), s.Partial, s.Len())
		}
	}
}

func TestPoliciesRejectBadInput(t *testing.T) {
	in := randomInstance(t, 6, 2, 4, 4)
	tests := []struct {
		name   string
		policy selection.Policy
		budget int
		want   string
	}{
		{"warm start too long", selection.Greedy{Start: []int{0, 1, 2}}, 2, "start"},
		{"warm start out of range", selection.Greedy{Start: []int{6}}, 2, "Start[0]"},
		{"warm start repeated", selection.MaxGap{Start: []int{1, 1}}, 2, "atom 1"},
	}
	for _, policy := range allPolicies() {
		for budget, want := range map[int]string{
			0:  "budget 0",
			-3: "budget -3",
			7:  "budget 7",
		} {
			tests = append(tests, struct {
				name   string
				policy selection.Policy
				budget int
				want   string
			}{fmt.Sprintf("%s with budget %d", name(policy), budget), policy, budget, want})
		}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.policy.Select(context.Background(), in.coverage, test.budget)
			wantError(t, err, test.want)
		})
	}
	for _, policy := range allPolicies() {
		_, err := policy.Select(context.Background(), nil, 1)
		wantError(t, err, "coverage is nil")
	}
}

func ExampleGreedy() {
	// Four unit directions and one long but useless decoy.
	d, _ := sparsero.NewDictionary(mat.NewDense(5, 2, []float64{
		1, 0,
		0, 1,
		-1, 0,
		0.6, 0.6,
		0, -9,
	}), nil)
	probes := mat.NewDense(3, 2, []float64{1, 0.2, 0.2, 1, -1, 0})
	c, _ := selection.NewCoverage(d, probes, nil)
	s, _ := selection.Greedy{}.Select(context.Background(), c, 3)
	for b := 1; b <= s.Len(); b++ {
		fmt.Printf("B=%d atoms=%v coverage=%.3f worst deficit=%.2f optimality >= %.3f\n",
			b, s.Prefix(b), s.CoverageRatio(b), s.WorstDeficit[b-1], s.OptimalityRatio(b))
	}
	// Output:
	// B=1 atoms=[3] coverage=0.480 worst deficit=1.00 optimality >= 0.999
	// B=2 atoms=[3 2] coverage=0.813 worst deficit=0.28 optimality >= 0.999
	// B=3 atoms=[3 2 0] coverage=0.907 worst deficit=0.28 optimality >= 0.906
}

// TestACoverageThatIsEmptyPanics, whatever is asked but its size, and says so.
func TestACoverageThatIsEmptyPanics(t *testing.T) {
	for _, empty := range []*selection.Coverage{nil, {}} {
		for name, call := range map[string]func(){
			"Full":        func() { empty.Full() },
			"Value":       func() { empty.Value(nil) },
			"Deficits":    func() { empty.Deficits(nil) },
			"Directions":  func() { empty.Directions() },
			"Activations": func() { empty.Activations() },
			"NewState":    func() { empty.NewState() },
		} {
			func() {
				defer func() {
					if message, ok := recover().(string); !ok || !strings.Contains(message, "NewCoverage") {
						t.Errorf("%s: panic %q", name, message)
					}
				}()
				call()
			}()
		}
	}
}

func TestIndicesOutsideTheDictionaryPanic(t *testing.T) {
	in := randomInstance(t, 3, 2, 2, 1)
	for name, call := range map[string]func(){
		"Value":        func() { in.coverage.Value([]int{3}) },
		"Deficits":     func() { in.coverage.Deficits([]int{sparsero.NullAtom}) },
		"WorstDeficit": func() { in.coverage.WorstDeficit([]int{0, 7}) },
		"Gain":         func() { in.coverage.NewState().Gain(3) },
		"Add":          func() { in.coverage.NewState().Add(-2) },
	} {
		func() {
			defer func() {
				if message, ok := recover().(string); !ok || !strings.Contains(message, "[0,3)") {
					t.Errorf("%s: panic %q", name, message)
				}
			}()
			call()
		}()
	}
}
