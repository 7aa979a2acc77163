package selection_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// similarities is an objective of one's own: the mean over the columns of the largest entry, at
// least 0, among chosen rows. It has nothing but what an Objective needs.
type similarities struct{ *mat.Dense }

func (s similarities) Size() int { n, _ := s.Dims(); return n }

func (s similarities) Full() float64 {
	all := s.NewState()
	for i := range s.Size() {
		all.Add(i)
	}
	return all.Value()
}

func (s similarities) NewState() selection.State {
	_, m := s.Dims()
	return &served{s, make([]float64, m)}
}

// served holds the largest similarity of each column.
type served struct {
	similarities
	best []float64
}

func (s *served) Gain(i int) float64 {
	sum := 0.0
	for j, v := range s.RawRowView(i) {
		sum += max(0, v-s.best[j])
	}
	return sum / float64(len(s.best))
}

func (s *served) Add(i int) {
	for j, v := range s.RawRowView(i) {
		s.best[j] = max(s.best[j], v)
	}
}

func (s *served) Value() float64 {
	sum := 0.0
	for _, v := range s.best {
		sum += v
	}
	return sum / float64(len(s.best))
}

// Rules that need no probe directions see no difference between coverage and an objective
// of one's own that is the same function.
func TestObjectiveOfOnesOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions := drawMatrix(t, "atom", rapid.IntRange(1, 20).Draw(t, "N"), 3, true), drawMatrix(t, "direction", 8, 3, true)
		in := newInstance(t, atoms, directions)
		var alignments mat.Dense
		alignments.Mul(atoms, directions.T())
		f := similarities{&alignments}
		budget := rapid.IntRange(1, f.Size()).Draw(t, "B")
		costs := make([]float64, f.Size())
		for i := range costs {
			costs[i] = float64(1 + i%3)
		}
		for _, policy := range []selection.Policy{
			selection.Greedy{}, selection.Greedy{Plain: true},
			selection.Greedy{Start: []int{f.Size() - 1}}, selection.Knapsack{Costs: costs, Capacity: 5},
			selection.InexactGreedy{Multiplicative: 0.5}, selection.Random{Seed: 2},
		} {
			want, got := selectAtoms(t, policy, in.coverage, budget), selectFrom(t, policy, f, budget)
			if !equalInts(got.Atoms, want.Atoms) || got.FullCoverage != want.FullCoverage || got.WorstDeficit != nil {
				t.Fatalf("%s: %v of %v, coverage %v of %v", name(policy), got.Atoms, got.FullCoverage, want.Atoms, want.FullCoverage)
			}
			for b := range want.Atoms {
				if got.Gains[b] != want.Gains[b] || got.Coverage[b] != want.Coverage[b] || got.Bounds[b].Float() < want.Bounds[b].Float() {
					t.Fatalf("%s, step %d: %v, %v, %v, coverage %v, %v, %v", name(policy), b+1,
						got.Gains[b], got.Coverage[b], got.Bounds[b], want.Gains[b], want.Coverage[b], want.Bounds[b])
				}
			}
		}
	})
}

// withoutDirections is a coverage of which rules know only that it is an objective.
type withoutDirections struct{ selection.Objective }

func selectFrom(t fataler, policy selection.Policy, o selection.Objective, budget int) *selection.Selection {
	t.Helper()
	s, err := policy.Select(context.Background(), o, budget)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRulesForProbeDirectionsRefuseOtherObjectives(t *testing.T) {
	f := similarities{mat.NewDense(2, 2, []float64{1, 0, 0, 1})}
	for _, policy := range []selection.Policy{selection.MaxGap{}, selection.SetCover{}, selection.TopActivation{}, selection.MaxNorm{},
		selection.MaxGamma{}, selection.ExactPlanar{}, selection.Exact{}, selection.Swap{}} {
		_, err := policy.Select(context.Background(), f, 1)
		wantError(t, err, "similarities")
	}
}

// Coverage of unit vectors by rows of similarities is facility location: two of six towns on
// a road represent all, where nearness falls with the distance.
func ExampleNewCoverage_facilityLocation() {
	towns := []float64{0, 1, 2, 10, 11, 12}
	nearness := mat.NewDense(6, 6, nil)
	for i, a := range towns {
		for j, b := range towns {
			nearness.Set(i, j, 1/(1+math.Abs(a-b)))
		}
	}
	rows, err := sparsero.NewDictionary(nearness, nil)
	if err != nil {
		log.Fatal(err)
	}
	c, err := selection.NewCoverage(rows, sparsero.Identity(6).Matrix, nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := selection.Greedy{}.Select(context.Background(), c, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, on average %.2f near\n", s.Atoms, s.Coverage[1])
	// Output: [1 4], on average 0.67 near
}
