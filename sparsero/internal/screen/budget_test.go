package screen

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/rank"
	"pgregory.net/rapid"
)

func drawBudget(t *rapid.T, n int) Budget {
	b := Budget{Capacity: rapid.Float64Range(0, 8).Draw(t, "capacity"), Count: rapid.IntRange(0, 6).Draw(t, "count")}
	if rapid.Bool().Draw(t, "costs") {
		b.Costs = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 3}), n, n).Draw(t, "costs")
	}
	if rapid.Bool().Draw(t, "some") {
		b.Among = slices.DeleteFunc(rank.Indices[int32](n), func(int32) bool { return rapid.Bool().Draw(t, "out") })
	}
	return b
}

// filling lists the allowed atoms that gain, as far as they fill the budget in falling order of gain per cost, what of each is
// within it, and whether they fill it.
func filling(b Budget, gains []float64) (atoms []int32, shares []float64, filled bool) {
	cost := func(i int32) float64 {
		if b.Costs == nil {
			return 1
		}
		return b.Costs[i]
	}
	for i := range int32(len(gains)) {
		if gains[i] > 0 && cost(i) <= b.Capacity && (b.Among == nil || slices.Contains(b.Among, i)) {
			atoms = append(atoms, i)
		}
	}
	slices.SortStableFunc(atoms, func(i, k int32) int { return rank.Compare(gains[i]/cost(i), int(i), gains[k]/cost(k), int(k)) })
	left := b.Capacity
	for k, i := range atoms {
		share := 1.0
		if cost(i) > left {
			share = left / cost(i)
		}
		shares, left = append(shares, share), left-cost(i)
		if filled = len(shares) == b.Count || cost(i) > 0 && left <= 0; filled {
			return atoms[:k+1], shares, true
		}
	}
	return atoms, shares, false
}

// TestBudgetsAreFilledAsByThePlainAlgorithm: the atoms, their gains, their value within the budget, what they take off each
// direction, and the calls, at multipliers that move. No set within the budget exceeds the total.
func TestBudgetsAreFilledAsByThePlainAlgorithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 100, 40, 20)
		r := newReference(atoms, directions, p)
		budget, u, all := drawBudget(t, r.n), make([][]float64, 3), make([]float64, r.n)
		for k := range u {
			for _, full := range r.full {
				u[k] = append(u[k], full*rapid.Float64Range(0, 1).Draw(t, "u"))
			}
		}
		for _, o := range everyOptions() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			l := s.NewLagrangian()
			for _, u := range u {
				l.Move(u)
				bounds, calls := s.Cost().Bounds, l.Calls()
				found, gains, err := l.Largest(context.Background(), budget)
				if err != nil || int64(l.Calls()-calls) != s.Cost().Bounds-bounds+int64(len(l.known)) {
					t.Fatalf("%v: %d calls, %v", o, l.Calls()-calls, err)
				}
				value, slope := 0.0, make([]float64, r.m)
				for i := range all {
					all[i] = r.gain(i, u)
				}
				want, shares, filled := filling(budget, all)
				for k, i := range want {
					value += shares[k] * all[i]
					for j, alignment := range r.scores[i] {
						if alignment > u[j] {
							slope[j] -= shares[k]
						}
					}
				}
				if !slices.Equal(found, want) || !slices.EqualFunc(gains, want, func(g float64, i int32) bool { return g == all[i] }) {
					t.Fatalf("%v: %+v takes %v with the gains %v, want %v", o, budget, found, gains, want)
				}
				got := make([]float64, r.m)
				if l.Slope(got, budget, found); !slices.Equal(got, slope) || math.Abs(budget.Value(found, gains)-value) > 1e-12*value {
					t.Fatalf("%v: %+v is worth %v, want %v; slope %v, want %v", o, budget, budget.Value(found, gains), value, got, slope)
				}
				total := Total(s.Rounding.AtMultipliers(s.m), 1, budget, found, gains)
				if !(total >= 1+value) || (!filled || len(want) != budget.Count) && total > (1+value)*(1+1e-9) {
					t.Fatalf("%v: %+v has the total %v, want %v", o, budget, total, 1+value)
				}
			}
		}
	})
}

// TestWhatABudgetAllows: atoms that are named, where some are, and cost no more than the capacity.
func TestWhatABudgetAllows(t *testing.T) {
	for atom, want := range map[int32]bool{0: false, 1: true, 2: false, 3: false} {
		if got := (Budget{Costs: []float64{1, 2, 3, 4}, Capacity: 3, Among: []int32{1, 3}}).allows(atom); got != want {
			t.Errorf("atom %d among 1 and 3, of cost %d where 3 is the capacity: %v", atom, atom+1, got)
		}
	}
}
