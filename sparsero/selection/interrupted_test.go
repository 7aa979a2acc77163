package selection_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// everyRule lists the rules for n atoms.
func everyRule(n int) []selection.Policy {
	costs := make([]float64, n)
	for i := range costs {
		costs[i] = float64(1 + i%3)
	}
	return []selection.Policy{
		selection.Greedy{}, selection.Greedy{Plain: true}, selection.Greedy{Start: []int{3, 1}}, selection.Swap{}, selection.MaxGap{}, selection.MaxGap{ByGain: true},
		selection.SetCover{}, selection.Knapsack{Costs: costs, Capacity: 7}, selection.TopActivation{}, selection.MaxGamma{}, selection.MaxNorm{},
		selection.Random{Seed: 1}, selection.Exact{},
	}
}

// smallCoverage is a coverage of few atoms by one worker, among which greedy finds no best set.
func smallCoverage(t *testing.T, storage selection.Storage) *selection.Coverage {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 6))
	points := mat.NewDense(60, 8, nil)
	points.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, points)
	d, err := sparsero.NewDictionary(points.Slice(0, 16, 0, 8), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := selection.NewCoverage(d, points.Slice(16, 60, 0, 8), &selection.CoverageOptions{Workers: 1, Storage: storage})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A rule that is interrupted says so: unmarked, a selection is that of the uninterrupted rule. Its bounds hold in any case.
func TestEveryRuleSaysThatItWasInterrupted(t *testing.T) {
	for _, storage := range []selection.Storage{selection.Screened, selection.Streamed} {
		c := smallCoverage(t, storage)
		var best [4]float64
		for k := range best {
			best[k] = bruteForce(c, k+1)
		}
		for _, rule := range everyRule(c.Size()) {
			whole, err := rule.Select(context.Background(), c, 4)
			if err != nil {
				t.Fatal(err)
			}
			if _, exact := rule.(selection.Exact); exact && math.Abs(whole.Coverage[3]-best[3]) > rounding {
				t.Fatalf("the best set covers %v, not %v", best[3], whole.Coverage)
			}
			for questions, partial := 0, true; partial || questions < 300; questions += 1 + questions/10 {
				ctx := &countdown{Context: context.Background()}
				ctx.left.Store(int64(questions))
				s, err := rule.Select(ctx, c, 4)
				if err != nil {
					t.Fatalf("%T after %d questions: %v", rule, questions, err)
				}
				if partial = s.Partial; !partial && !slices.Equal(s.Atoms, whole.Atoms) {
					t.Fatalf("%T, %v: after %d questions %v without a word, %v in the whole", rule, storage, questions, s.Atoms, whole.Atoms)
				}
				for k, bound := range s.Bounds {
					if _, priced := rule.(selection.Knapsack); !priced && bound.Float() < best[k]-rounding {
						t.Fatalf("%T after %d questions: %d atoms cover at most %v, but some %v", rule, questions, k+1, bound, best[k])
					}
				}
				if calls := s.OracleCalls; len(calls) > 0 && slices.Min(calls) < 0 {
					t.Fatalf("%T after %d questions: %v calls", rule, questions, calls)
				}
			}
		}
	}
}
