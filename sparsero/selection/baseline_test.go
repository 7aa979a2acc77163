package selection_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// allPolicies lists every policy that works on any dictionary, in any dimension,
// without a solver.
func allPolicies() []selection.Policy {
	return []selection.Policy{
		selection.Greedy{},
		selection.Greedy{Plain: true},
		selection.Swap{},
		selection.MaxGap{},
		selection.MaxGap{ByGain: true},
		selection.SetCover{},
		selection.Random{Seed: 1},
		selection.MaxNorm{},
		selection.TopActivation{},
		selection.MaxGamma{},
	}
}

// name tells policies and their options apart in what tests say.
func name(policy selection.Policy) string { return fmt.Sprintf("%T%+v", policy, policy) }

// A selection is a path: distinct atoms, with values that match the objective
// and never get worse.
func TestSelectionsAreNestedPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 12, 3, 8)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		for _, policy := range allPolicies() {
			s := selectAtoms(t, policy, in.coverage, budget)
			if s.Policy == "" || s.Len() != budget || s.Partial || s.FullCoverage != in.coverage.Full() {
				t.Fatalf("%s: %d atoms of %d, partial %v", s.Policy, s.Len(), budget, s.Partial)
			}
			if err := input.CheckIndices("Atoms", s.Atoms, in.dictionary.Size()); err != nil {
				t.Fatal(err)
			}
			coverage, deficit, calls := 0.0, math.Inf(1), 0
			for k := range s.Atoms {
				prefix := s.Prefix(k + 1)
				switch {
				case s.Coverage[k] != in.coverage.Value(prefix) || s.Coverage[k] < coverage:
					t.Fatalf("%s: coverage %v after %v at step %d", s.Policy, s.Coverage[k], coverage, k)
				case s.WorstDeficit[k] != in.coverage.WorstDeficit(prefix) || s.WorstDeficit[k] > deficit:
					t.Fatalf("%s: deficit %v after %v at step %d", s.Policy, s.WorstDeficit[k], deficit, k)
				case !closeTo(s.Gains[k], s.Coverage[k]-coverage):
					t.Fatalf("%s: gain %v, coverage rose by %v", s.Policy, s.Gains[k], s.Coverage[k]-coverage)
				case s.OracleCalls[k] < calls:
					t.Fatalf("%s: counters fell at step %d", s.Policy, k)
				case s.Labels[k] != in.dictionary.Label(s.Atoms[k]):
					t.Fatalf("%s: label %q", s.Policy, s.Labels[k])
				}
				coverage, deficit, calls = s.Coverage[k], s.WorstDeficit[k], s.OracleCalls[k]
			}
		}
	})
}

// Max-gap written out from its definition, with both tie rules.
func TestMaxGapFollowsTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 9, 3, 8)
		n := in.coverage.Size()
		for _, byGain := range []bool{false, true} {
			got := selectAtoms(t, selection.MaxGap{ByGain: byGain}, in.coverage, n)
			state := in.coverage.NewState()
			for k, pick := range got.Atoms {
				best, bestDeficit, bestGain := -1, math.Inf(1), math.Inf(-1)
				for i := range n {
					if contains(got.Atoms[:k], i) {
						continue
					}
					deficit, gain := in.coverage.WorstDeficit(append(got.Prefix(k), i)), state.Gain(i)
					if !byGain {
						gain = 0
					}
					if deficit < bestDeficit || deficit == bestDeficit && gain > bestGain {
						best, bestDeficit, bestGain = i, deficit, gain
					}
				}
				if pick != best {
					t.Fatalf("%v, step %d: picked %d, definition %d", byGain, k, pick, best)
				}
				state.Add(pick)
			}
		}
	})
}

// Max-gap has no guarantee. With ties broken by the lowest index it takes all of
// 1000 useless atoms before the two that are needed; ties by coverage gain see
// through that.
func TestMaxGapTiesByIndexNeed1002Atoms(t *testing.T) {
	const useless = 1000
	atoms := mat.NewDense(useless+2, 2, nil)
	atoms.Set(useless, 0, 1)
	atoms.Set(useless+1, 1, 1)
	in := newInstance(t, atoms, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	byIndex := selectAtoms(t, selection.MaxGap{}, in.coverage, useless+2)
	if b := stepsToZero(byIndex); b != 1002 {
		t.Errorf("ties by index reach zero at %d atoms, want 1002", b)
	}
	byGain := selectAtoms(t, selection.MaxGap{ByGain: true}, in.coverage, 10)
	if b := stepsToZero(byGain); b != 2 {
		t.Errorf("ties by gain reach zero at %d atoms, want 2", b)
	}
}

// The same failure after a first pick without ties: of the atoms (c,c) with
// c = j/200 the last is strictly best; then all others tie, and by index 99
// useless ones precede e_1 and e_2.
func TestMaxGapByIndexNeeds102Atoms(t *testing.T) {
	const steps = 100
	atoms := mat.NewDense(steps+2, 2, nil)
	for j := 1; j <= steps; j++ {
		c := 0.5 * float64(j) / steps
		atoms.SetRow(j-1, []float64{c, c})
	}
	atoms.Set(steps, 0, 1)
	atoms.Set(steps+1, 1, 1)
	in := newInstance(t, atoms, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	s := selectAtoms(t, selection.MaxGap{}, in.coverage, steps+2)
	if s.Atoms[0] != steps-1 {
		t.Errorf("first pick %d, want the atom (.5,.5) at %d", s.Atoms[0], steps-1)
	}
	if b := stepsToZero(s); b != 102 {
		t.Errorf("reaches zero at %d atoms, want 102", b)
	}
	if in.coverage.WorstDeficit([]int{steps, steps + 1}) != 0 {
		t.Error("the last two atoms alone should leave no deficit")
	}
}

// stepsToZero returns the least budget without a deficit on T, 0 if there is none.
func stepsToZero(s *selection.Selection) int {
	for k, deficit := range s.WorstDeficit {
		if deficit == 0 {
			return k + 1
		}
	}
	return 0
}

// The least budget without a deficit is the number of active atoms when the
// maximiser is unique in every direction, and top-activation attains it.
func TestTopActivationAttainsTheLeastBudget(t *testing.T) {
	for seed := range uint64(20) {
		in := randomInstance(t, 12, 3, 15, 100+seed)
		active := 0
		counts, err := in.coverage.Activations()
		if err != nil {
			t.Fatal(err)
		}
		for _, count := range counts {
			if count > 0 {
				active++
			}
		}
		s := selectAtoms(t, selection.TopActivation{}, in.coverage, in.coverage.Size())
		if b := stepsToZero(s); b != active {
			t.Errorf("seed %d: zero deficit at %d atoms, %d are active", seed, b, active)
		}
		for mask := range 1 << 12 {
			if indices := members(mask); len(indices) < active && in.coverage.WorstDeficit(indices) == 0 {
				t.Fatalf("seed %d: %v leaves no deficit with fewer than %d atoms", seed, indices, active)
			}
		}
	}
}

func TestRankings(t *testing.T) {
	in := newInstance(t,
		mat.NewDense(5, 2, []float64{1, 0, 0, 3, 0, -3, 2, 2, 0.5, 0}),
		mat.NewDense(3, 2, []float64{1, 0, 1, 0.1, 0, -1}))
	for _, test := range []struct {
		policy selection.Policy
		want   []int
	}{
		// Norms 1, 3, 3, 2.83, 0.5; the tie goes to atom 1.
		{selection.MaxNorm{}, []int{1, 2, 3, 0, 4}},
		// Active: atom 3 twice, atom 2 once; the others by sum of max(0,<d,s>) = 2, .3, -, -, 1.
		{selection.TopActivation{}, []int{3, 2, 0, 4, 1}},
		// Sum of directions (2,-0.9): 2, -2.7, 2.7, 2.2, 1.
		{selection.MaxGamma{}, []int{2, 3, 0, 4, 1}},
	} {
		if got := selectAtoms(t, test.policy, in.coverage, 5); !equalInts(got.Atoms, test.want) {
			t.Errorf("%s ranks %v, want %v", name(test.policy), got.Atoms, test.want)
		}
	}
}

func TestRandomIsNestedAndSeeded(t *testing.T) {
	in := randomInstance(t, 50, 2, 5, 6)
	long := selectAtoms(t, selection.Random{Seed: 3}, in.coverage, 50)
	short := selectAtoms(t, selection.Random{Seed: 3}, in.coverage, 7)
	other := selectAtoms(t, selection.Random{Seed: 4}, in.coverage, 7)
	if !equalInts(short.Atoms, long.Prefix(7)) {
		t.Error("a smaller budget is not a prefix of a larger one")
	}
	if equalInts(short.Atoms, other.Atoms) {
		t.Error("another seed gives the same picks")
	}
}

// A random set of B of N atoms contains a given atom with probability B/N. Over
// 4000 seeds the share deviates by more than 4.5 standard deviations less than
// once in 100,000 runs; the seeds are fixed.
func TestRandomContainsAnAtomWithProbabilityBOverN(t *testing.T) {
	in := randomInstance(t, 10, 1, 1, 1)
	const seeds, budget = 4000, 3
	hits := 0
	for seed := range uint64(seeds) {
		if contains(selectAtoms(t, selection.Random{Seed: seed}, in.coverage, budget).Atoms, 7) {
			hits++
		}
	}
	deviation := math.Sqrt(0.3 * 0.7 / seeds)
	if share := float64(hits) / seeds; math.Abs(share-0.3) > 4.5*deviation {
		t.Errorf("atom 7 is in a share %v of the selections, want 0.3", share)
	}
}

// The longest of atoms whose squares vanish beside a long one comes next.
func TestMaxNormBesideALongAtom(t *testing.T) {
	in := newInstance(t, mat.NewDense(3, 1, []float64{1e-170, 1e-165, 1}), mat.NewDense(1, 1, []float64{1}))
	if s := selectAtoms(t, selection.MaxNorm{}, in.coverage, 3); !equalInts(s.Atoms, []int{2, 1, 0}) {
		t.Errorf("atoms %v", s.Atoms)
	}
}

// Directions whose sum is beyond float64 rank no atoms.
func TestMaxGammaOfDirectionsThatOverflow(t *testing.T) {
	in := newInstance(t, mat.NewDense(2, 1, []float64{1e-20, 1e-10}), mat.NewDense(3, 1, []float64{1e308, 1e308, 1e308}))
	if s, err := (selection.MaxGamma{}).Select(context.Background(), in.coverage, 1); err == nil {
		t.Errorf("atoms %v", s.Atoms)
	}
}

func TestSelectionAccessors(t *testing.T) {
	in := randomInstance(t, 10, 2, 20, 8)
	s := selectAtoms(t, selection.Greedy{}, in.coverage, 4)
	if len(s.Prefix(-1)) != 0 || len(s.Prefix(0)) != 0 || len(s.Prefix(9)) != 4 {
		t.Error("Prefix does not clamp its argument")
	}
	if s.OptimalityRatio(0).Float() != 1 || s.CoverageRatio(0) != 0 || s.CoverageRatio(4) != s.CoverageRatio(99) {
		t.Error("ratios do not clamp their argument")
	}
	frame := s.Frame()
	if frame.Err != nil || frame.Nrow() != 4 {
		t.Fatalf("frame with %d rows: %v", frame.Nrow(), frame.Err)
	}
	prefix := s.Prefix(4)
	prefix[0] = -7
	if s.Atoms[0] == -7 {
		t.Error("Prefix shares memory with the selection")
	}
	// A dictionary that covers nothing: every choice is optimal.
	zero := newInstance(t, mat.NewDense(2, 1, nil), mat.NewDense(1, 1, []float64{1}))
	z := selectAtoms(t, selection.Greedy{}, zero.coverage, 2)
	if z.CoverageRatio(1) != 1 || z.OptimalityRatio(1).Float() != 1 || !equalInts(z.Atoms, []int{0, 1}) {
		t.Errorf("zero dictionary: ratios %v %v, atoms %v", z.CoverageRatio(1), z.OptimalityRatio(1), z.Atoms)
	}
}

func ExampleMaxGap() {
	// Two atoms suffice, but each alone leaves the other direction as bad as
	// before, so the first picks tie.
	d, _ := sparsero.NewDictionary(mat.NewDense(4, 2, []float64{
		0, 0,
		0, 0,
		1, 0,
		0, 1,
	}), nil)
	c, _ := selection.NewCoverage(d, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	for _, policy := range []selection.Policy{
		selection.MaxGap{},
		selection.MaxGap{ByGain: true},
	} {
		s, _ := policy.Select(context.Background(), c, 4)
		fmt.Println(s.Policy, s.Atoms, s.WorstDeficit)
	}
	// Output:
	// max-gap [0 1 2 3] [1 1 1 0]
	// max-gap (ties by coverage gain) [2 3 0 1] [1 0 0 0]
}
