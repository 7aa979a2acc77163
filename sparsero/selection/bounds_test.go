package selection_test

import (
	"context"
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// hardCase is an instance on which float64 loses much or there are many ties, of at most 6 atoms.
func hardCase(source *rand.Rand) (atoms, directions *mat.Dense) {
	n, p, m := 1+source.IntN(6), 1+source.IntN(3), 1+source.IntN(5)
	entry := []func() float64{
		source.NormFloat64,
		func() float64 { return float64(source.IntN(5) - 2) },
		func() float64 { return math.Ldexp(source.NormFloat64(), source.IntN(60)-30) },
		func() float64 { return 1e9 + source.NormFloat64() },
		func() float64 { return 1 + float64(source.IntN(3))*0x1p-52 },
	}[source.IntN(5)]
	atoms, directions = mat.NewDense(n, p, nil), mat.NewDense(m, p, nil)
	for _, matrix := range []*mat.Dense{atoms, directions} {
		matrix.Apply(func(int, int, float64) float64 { return entry() }, matrix)
	}
	return atoms, directions
}

// No bound is below the exact optimum: of any number of atoms, and of a knapsack, in exact arithmetic over all sets, with the usual
// steps and after more of them.
func TestBoundsAreNeverBelowTheOptimum(t *testing.T) {
	cases := 10_000
	if testing.Short() {
		cases = 500
	}
	for seed := range uint64(cases) {
		source := rand.New(rand.NewPCG(seed, 7))
		atoms, directions := hardCase(source)
		in := newInstance(t, atoms, directions)
		n, _ := atoms.Dims()
		m, _ := directions.Dims()
		values := exactCoverage(atoms, directions)
		knapsack := selection.Knapsack{Costs: make([]float64, n), Capacity: float64(1 + source.IntN(8))}
		for i := range knapsack.Costs {
			knapsack.Costs[i] = float64(source.IntN(5))
		}
		knapsack.Costs[0] = 1 // one atom is affordable
		for _, rule := range []selection.Policy{selection.Greedy{}, selection.Random{Seed: seed}, knapsack} {
			s := selectAtoms(t, rule, in.coverage, n)
			for range 2 {
				for b := range s.Bounds {
					bound, optimum := new(big.Rat).SetFloat64(s.Bounds[b].Float()), new(big.Rat)
					for set, value := range values {
						if allowed(rule, members(set), b+1) && value.Cmp(optimum) > 0 {
							optimum = value
						}
					}
					if bound.Mul(bound, big.NewRat(int64(m), 1)).Cmp(optimum) < 0 {
						t.Fatalf("seed %d, %s, B=%d: bound %v, optimum %s", seed, name(rule), b+1, s.Bounds[b], optimum.FloatString(30))
					}
				}
				if err := s.Tighten(context.Background(), in.coverage, &selection.BoundOptions{Steps: 20}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// allowed tells whether the bounds of b atoms by the rule hold for a set: of at most as many, or within the capacity.
func allowed(rule selection.Policy, set []int, b int) bool {
	knapsack, is := rule.(selection.Knapsack)
	if !is {
		return len(set) <= b
	}
	cost := 0.0
	for _, i := range set {
		cost += knapsack.Costs[i]
	}
	return cost <= knapsack.Capacity
}

// A knapsack whose path ends early is no proof against larger sets within the capacity.
func TestKnapsackBoundsAreOfTheCapacity(t *testing.T) {
	atoms := mat.NewDense(4, 3, []float64{-2, 1, -2, -1, -2, 1, -1, 1, -2, 0, 1, 2})
	directions := mat.NewDense(8, 3, nil)
	for j := range 8 {
		directions.SetRow(j, []float64{float64(1 - 2*(j&1)), float64(1 - j&2), float64(1 - j>>1&2)})
	}
	rule := selection.Knapsack{Costs: []float64{2, 2, .1, .3}, Capacity: 2.1}
	in := newInstance(t, atoms, directions)
	s := selectAtoms(t, rule, in.coverage, 4)
	best := 0.0
	for set := range 1 << 4 {
		if allowed(rule, members(set), 4) {
			best = max(best, in.coverage.Value(members(set)))
		}
	}
	if last := s.Len(); s.Bounds[last-1].Float() < best || s.OptimalityRatio(last).Float()*best > s.Coverage[last-1] {
		t.Errorf("atoms %v cover %v, bound %v, ratio %v; %v is possible", s.Atoms, s.Coverage, s.Bounds, s.OptimalityRatio(last), best)
	}
}

// A step that proves the share that was asked for is the last one.
func TestTightenEndsAtTheShare(t *testing.T) {
	in := randomInstance(t, 300, 8, 120, 5)
	s := selectAtoms(t, selection.Greedy{SkipBounds: true}, in.coverage, 12)
	var shares []float64
	note := func(_ int, share proof.Lower) { shares = append(shares, share.Float()) }
	const asked = 0.9
	options := &selection.BoundOptions{Share: asked, Progress: note}
	if err := s.Tighten(context.Background(), in.coverage, options); err != nil {
		t.Fatal(err)
	}
	last := len(shares) - 1
	if last < 1 || shares[last] < asked || shares[last-1] >= asked {
		t.Errorf("shares %v, asked for %v", shares, asked)
	}
}

// Tighten goes on where it stopped, tells of its steps, ends at the share that was asked for and with the context.
func TestTighten(t *testing.T) {
	in := randomInstance(t, 300, 8, 120, 5)
	s := selectAtoms(t, selection.Greedy{}, in.coverage, 12)
	before, shares := s.OptimalityRatio(12).Float(), []float64{}
	note := func(step int, share proof.Lower) {
		if shares = append(shares, share.Float()); step < 1 || step > len(shares) {
			t.Fatalf("step %d is the %d-th", step, len(shares))
		}
	}
	ctx := context.Background()
	if err := s.Tighten(ctx, in.coverage, &selection.BoundOptions{Steps: 3, Progress: note}); err != nil || len(shares) != 3 {
		t.Fatalf("%d steps, %v; want 3", len(shares), err)
	}
	if err := s.Tighten(ctx, in.coverage, &selection.BoundOptions{Progress: note}); err != nil {
		t.Fatal(err)
	}
	for k, share := range shares {
		if share < before {
			t.Fatalf("step %d proves %v after %v", k+1, share, before)
		}
		before = share
	}
	taken := len(shares)
	if err := s.Tighten(ctx, in.coverage, &selection.BoundOptions{Share: before / 2, Progress: note}); err != nil || len(shares) != taken+1 {
		t.Errorf("%d more steps for a share that was proven already, %v", len(shares)-taken, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Tighten(ended, in.coverage, nil); err != nil || s.OptimalityRatio(12).Float() < before {
		t.Errorf("a context that has ended: share %v after %v, %v", s.OptimalityRatio(12), before, err)
	}
	wantError(t, s.Tighten(ctx, in.coverage, &selection.BoundOptions{Steps: -1}), "-1 steps")
	wantError(t, s.Tighten(ctx, in.coverage, &selection.BoundOptions{Share: 2}), "fraction 2")
	wantError(t, s.Tighten(ctx, nil, nil), "objective")
	wantError(t, s.Tighten(ctx, randomInstance(t, 300, 8, 120, 6).coverage, nil), "Coverage")
}

// TestTightenNeedsAWholeSelection: with a bound for each atom and what a knapsack costs, in any context and up to the
// whole optimum.
func TestTightenNeedsAWholeSelection(t *testing.T) {
	in := randomInstance(t, 30, 4, 20, 5)
	var forever context.Context
	costs := slices.Repeat([]float64{1}, 30)
	for _, rule := range []selection.Policy{selection.Greedy{}, selection.Knapsack{Costs: costs, Capacity: 3}} {
		s := selectAtoms(t, rule, in.coverage, 3)
		if err := s.Tighten(forever, in.coverage, &selection.BoundOptions{Steps: 2, Share: 1}); err != nil {
			t.Error(err)
		}
		short := *s
		short.Bounds = s.Bounds[:2]
		wantError(t, short.Tighten(forever, in.coverage, nil), "as its rule returned it")
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var read selection.Selection
		if err := json.Unmarshal(text, &read); err == nil && s.Cost != nil {
			wantError(t, read.Tighten(forever, in.coverage, nil), "as its rule returned it")
		}
	}
}
