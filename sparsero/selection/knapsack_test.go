package selection_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Against brute force: within the capacity, at least (1-1/e)/2 of the optimum
// when the number of atoms is not limited, and never above its bound.
func TestKnapsackGuarantee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 6)
		n := in.coverage.Size()
		costs := make([]float64, n)
		for i := range costs {
			costs[i] = float64(rapid.IntRange(0, 5).Draw(t, "cost"))
		}
		capacity := float64(rapid.IntRange(0, 12).Draw(t, "capacity"))
		budget := rapid.IntRange(1, n).Draw(t, "B")
		policy := selection.Knapsack{Costs: costs, Capacity: capacity}
		s, err := policy.Select(context.Background(), in.coverage, budget)
		if err != nil {
			for _, cost := range costs {
				if cost <= capacity {
					t.Fatal(err)
				}
			}
			return
		}
		total := func(set []int) float64 {
			sum := 0.0
			for _, i := range set {
				sum += costs[i]
			}
			return sum
		}
		best := make([]float64, n+1) // best coverage within the capacity with at most b atoms
		for mask := range 1 << n {
			if set := members(mask); total(set) <= capacity {
				best[len(set)] = max(best[len(set)], in.coverage.Value(set))
			}
		}
		for b := 1; b <= n; b++ {
			best[b] = max(best[b], best[b-1])
		}
		if s.Len() > budget || len(s.Cost) != s.Len() {
			t.Fatalf("%d atoms with %d costs for budget %d", s.Len(), len(s.Cost), budget)
		}
		for b := 1; b <= s.Len(); b++ {
			if s.Cost[b-1] != total(s.Prefix(b)) || s.Cost[b-1] > capacity {
				t.Fatalf("cost %v of %v, capacity %v", s.Cost[b-1], s.Prefix(b), capacity)
			}
			if s.Bounds[b-1].Float() < best[b]-rounding {
				t.Fatalf("bound %v at b=%d below the optimum %v", s.Bounds[b-1], b, best[b])
			}
		}
		if got := in.coverage.Value(s.Atoms); budget == n && got < (1-1/math.E)/2*best[n]-rounding {
			t.Fatalf("coverage %v, optimum %v", got, best[n])
		}
	})
}

func TestKnapsackWithUnitCostsIsGreedy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 10, 3, 8)
		n := in.coverage.Size()
		costs := make([]float64, n)
		for i := range costs {
			costs[i] = 1
		}
		b := rapid.IntRange(1, n).Draw(t, "B")
		knapsack := selectAtoms(t, selection.Knapsack{Costs: costs, Capacity: float64(b)}, in.coverage, n)
		greedy := selectAtoms(t, selection.Greedy{StopAtFull: true}, in.coverage, b)
		if !equalInts(knapsack.Atoms, greedy.Atoms) {
			t.Fatalf("knapsack %v, greedy %v", knapsack.Atoms, greedy.Atoms)
		}
	})
}

// Gain per cost alone can be arbitrarily bad: a cheap trifle first, and the
// expensive treasure no longer fits. The best single atom mends that.
func TestKnapsackTakesTheTreasure(t *testing.T) {
	in := newInstance(t, mat.NewDense(2, 2, []float64{0.02, 0, 0, 1}), mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	s := selectAtoms(t, selection.Knapsack{Costs: []float64{0.01, 1}, Capacity: 1}, in.coverage, 2)
	if !equalInts(s.Atoms, []int{1}) || s.Cost[0] != 1 {
		t.Errorf("takes %v for %v", s.Atoms, s.Cost)
	}
	if calls := s.OracleCalls[0]; calls <= 0 || calls > 20 {
		t.Errorf("%d gains were bounded or computed", calls)
	}
	if frame := s.Frame(); frame.Err != nil || frame.Col("cost").Len() != 1 {
		t.Errorf("frame without costs: %v", frame)
	}
}

// Only a single atom that beats the path takes its place: of equal ones the path stays.
func TestKnapsackKeepsAPathThatIsAsGoodAsAnAtom(t *testing.T) {
	in := newInstance(t, mat.NewDense(3, 2, []float64{1, 1, 1, 0, 0, 1}), mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	s := selectAtoms(t, selection.Knapsack{Costs: []float64{2, 0.5, 1}, Capacity: 2}, in.coverage, 3)
	if !equalInts(s.Atoms, []int{1, 2}) {
		t.Errorf("takes %v for %v", s.Atoms, s.Cost)
	}
}

// Whenever the context ends, there is a cost for each atom that was taken, and for no other.
func TestKnapsackThatEndsHasACostOfEachAtom(t *testing.T) {
	in := randomInstance(t, 12, 3, 8, 4)
	partial := 0
	for questions := range 200 {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(int64(questions))
		s, err := selection.Knapsack{Costs: []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, Capacity: 6}.Select(ctx, in.coverage, 6)
		if err != nil || len(s.Cost) != s.Len() {
			t.Errorf("after %d questions: costs %v of atoms %v, %v", questions, s.Cost, s.Atoms, err)
		}
		if s.Partial {
			partial++
		}
	}
	if partial == 0 || partial == 200 {
		t.Errorf("%d selections were interrupted", partial)
	}
}

// The bounds know the capacity: what an atom brings that is too dear does not count.
func TestKnapsackBoundsKnowTheCapacity(t *testing.T) {
	unit := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	in := newInstance(t, mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 10}), unit)
	s := selectAtoms(t, selection.Knapsack{Costs: []float64{1, 1, 5}, Capacity: 2}, in.coverage, 3)
	if s.Len() != 2 || !closeTo(s.Bounds[1].Float(), 2./3) {
		t.Errorf("atoms %v with bounds %v", s.Atoms, s.Bounds)
	}
}

// A capacity of 0 buys what is free.
func TestKnapsackWithoutCapacity(t *testing.T) {
	s := selectAtoms(t, selection.Knapsack{Costs: []float64{1, 0, 1}}, unitCoverage(t, 1, 2, 3), 3)
	if !equalInts(s.Atoms, []int{1}) || s.Cost[0] != 0 || s.Partial {
		t.Errorf("atoms %v for %v, partial %v", s.Atoms, s.Cost, s.Partial)
	}
}

func TestKnapsackRejectsBadInput(t *testing.T) {
	in := randomInstance(t, 3, 2, 4, 1)
	for _, test := range []struct {
		name   string
		policy selection.Knapsack
		budget int
		want   string
	}{
		{"no costs", selection.Knapsack{Capacity: 1}, 2, "0 costs"},
		{"negative cost", selection.Knapsack{Costs: []float64{1, -2, 1}, Capacity: 1}, 2, "atom 1"},
		{"NaN cost", selection.Knapsack{Costs: []float64{1, 1, math.NaN()}, Capacity: 1}, 2, "atom 2"},
		{"infinite cost", selection.Knapsack{Costs: []float64{math.Inf(1), 1, 1}, Capacity: 1}, 2, "atom 0"},
		{"negative capacity", selection.Knapsack{Costs: []float64{1, 1, 1}, Capacity: -1}, 2, "capacity -1"},
		{"infinite capacity", selection.Knapsack{Costs: []float64{1, 1, 1}, Capacity: math.Inf(1)}, 2, "capacity +Inf"},
		{"nothing fits", selection.Knapsack{Costs: []float64{3, 2, 4}, Capacity: 1}, 2, "capacity 1"},
		{"budget 0", selection.Knapsack{Costs: []float64{1, 1, 1}, Capacity: 1}, 0, "budget 0"},
		{"budget above N", selection.Knapsack{Costs: []float64{1, 1, 1}, Capacity: 1}, 4, "budget 4"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.policy.Select(context.Background(), in.coverage, test.budget)
			wantError(t, err, test.want)
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := selection.Knapsack{Costs: []float64{1, 1, 1}, Capacity: 2}.Select(ctx, in.coverage, 2)
	if err != nil || !s.Partial || s.Len() != 0 {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}

func ExampleKnapsack() {
	d, _ := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 1, 1, 0, 0, 0.9}),
		&sparsero.DictionaryOptions{Labels: []string{"radar", "camera", "lamp"}})
	c, _ := selection.NewCoverage(d, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	shop := selection.Knapsack{Costs: []float64{10, 2, 2}, Capacity: 5}
	s, _ := shop.Select(context.Background(), c, 3)
	fmt.Printf("%v cost %v coverage %.2f of %.2f\n", s.Labels, s.Cost, s.Coverage[1], s.FullCoverage)
	// Output:
	// [camera lamp] cost [2 4] coverage 0.95 of 1.00
}

// unitCoverage has unit vectors times a size as atoms and as directions.
func unitCoverage(t *testing.T, sizes ...float64) *selection.Coverage {
	t.Helper()
	atoms := mat.NewDense(len(sizes), len(sizes), nil)
	for i, size := range sizes {
		atoms.Set(i, i, size)
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := selection.NewCoverage(d, atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What small costs add up to beside a large one counts, although no sum of float64 shows it: the exact sum rounds to at
// most the capacity.
func TestKnapsackKeepsToTheCapacity(t *testing.T) {
	sizes, costs := []float64{0x1p30}, []float64{1}
	for range 199 {
		sizes, costs = append(sizes, 1), append(costs, 0x1p-53)
	}
	c := unitCoverage(t, sizes...)
	for capacity, most := range map[float64]int{1: 2, 1 + 0x1p-52: 3, 1 + 0x1p-50: 10} { // half a unit rounds to even
		s, err := selection.Knapsack{Costs: costs, Capacity: capacity}.Select(context.Background(), c, len(costs))
		if err != nil {
			t.Fatal(err)
		}
		sum := new(big.Rat)
		for _, i := range s.Atoms {
			sum.Add(sum, new(big.Rat).SetFloat64(costs[i]))
		}
		if rounded, _ := sum.Float64(); s.Len() != most || rounded > capacity || s.Cost[s.Len()-1] != rounded {
			t.Errorf("capacity %v: %d atoms that cost %v, exactly %v, want %d atoms", capacity, s.Len(), s.Cost, rounded, most)
		}
	}
}

// Ten costs of 0.1 fit a capacity of 1 although the float64 of 0.1 is above 0.1, and the bound counts all ten.
func TestKnapsackCountsSumsAsFloat64(t *testing.T) {
	for _, test := range []struct {
		cost, capacity float64
		atoms          int
	}{{0.1, 1, 10}, {0.1, 0.3, 2}, {0.1, math.Nextafter(0.3, 1), 3}, {0.7, 2.1, 3}, {1.1, 11, 10}} {
		sizes, costs := make([]float64, test.atoms), make([]float64, test.atoms)
		for i := range sizes {
			sizes[i], costs[i] = 1, test.cost
		}
		c := unitCoverage(t, sizes...)
		s, err := selection.Knapsack{Costs: costs, Capacity: test.capacity}.Select(context.Background(), c, test.atoms)
		if err != nil || s.Len() != test.atoms {
			t.Fatalf("%+v: %+v, %v", test, s, err)
		}
		if s.Cost[test.atoms-1] > test.capacity || s.Bounds[test.atoms-1].Float() < c.Full() {
			t.Errorf("%+v: cost %v, bound %v below the coverage %v", test, s.Cost, s.Bounds, c.Full())
		}
	}
}

// The rounding of a selection has a type that callers can name.
func TestRoundingCanBeNamed(t *testing.T) {
	c := unitCoverage(t, 1, 0.3)
	var rounding selection.Rounding = selectAtoms(t, selection.Greedy{}, c, 1).Rounding
	if !(rounding.Relative >= 0) || !(rounding.Absolute >= 0) {
		t.Errorf("%+v", rounding)
	}
}

// A bound is a number where gain per cost is beyond float64.
func TestKnapsackBoundsWhereGainPerCostOverflows(t *testing.T) {
	for _, test := range []struct {
		size, cost, capacity float64
	}{{0x1p300, 0x1p-430, 0x1.8p-430}, {1, 2e-320, 3e-320}} {
		c := unitCoverage(t, test.size, test.size, test.size)
		s, err := selection.Knapsack{Costs: []float64{0, test.cost, test.cost}, Capacity: test.capacity}.Select(context.Background(), c, 3)
		if err != nil || s.Len() != 2 {
			t.Fatalf("%+v: %v, %v", test, s, err)
		}
		if value, all := s.Coverage[1], c.Full(); !(s.Bounds[1].Float() >= value) || s.Bounds[1].Float() > all*(1+1e-12) || !(s.OptimalityRatio(2).Float() >= 0.66) {
			t.Errorf("%+v: coverage %v, bound %v, ratio %v", test, value, s.Bounds, s.OptimalityRatio(2))
		}
	}
}

// Gains per cost that leave float64 for all atoms alike say nothing: the atoms that gain most are taken, and the bound
// is not below what they cover.
func TestKnapsackWhereGainsPerCostLeaveFloat64(t *testing.T) {
	for _, test := range []struct{ cost, small, large float64 }{{math.SmallestNonzeroFloat64, 1, 100}, {1e307, 1e-20, 1e-17}} {
		sizes, costs, want := slices.Repeat([]float64{test.small}, 20), slices.Repeat([]float64{test.cost}, 20), make([]int, 10)
		for k := range want {
			want[k] = 10 + k
			sizes[want[k]] = test.large
		}
		c := unitCoverage(t, sizes...)
		s, err := selection.Knapsack{Costs: costs, Capacity: 10 * test.cost}.Select(context.Background(), c, 20)
		if err != nil {
			t.Fatal(err)
		}
		if optimum := c.Value(want); !slices.Equal(s.Atoms, want) || s.Bounds[0].Float() < optimum {
			t.Errorf("costs of %v: atoms %v, bound %v, where %v is attained", test.cost, s.Atoms, s.Bounds[0], optimum)
		}
	}
}
