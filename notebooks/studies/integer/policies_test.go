package integer

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// testUnit returns the unit of a small instance.
func testUnit(t interface{ Fatal(...any) }, s small, seed uint64, c Config) *unit {
	c = c.withDefaults()
	u, err := newUnit(mustSmall(s, seed), &c, seed)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestGreedyPicksTheBestAtom follows Algorithm 1 step by step and
// compares each pick with all others on the same revealed directions.
func TestGreedyPicksTheBestAtom(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		s := small{n: 8, m: rapid.IntRange(1, 3).Draw(t, "m"), k: 3, atoms: 9, heldOut: 1}
		u := testUnit(t, s, rapid.Uint64().Draw(t, "seed"), Config{Budgets: []int{5}, FullBudget: true})
		policy := rapid.SampledFrom([]Policy{greedyCoverage, greedyMaxGap}).Draw(t, "policy")
		atoms, err := u.path(ctx, policy, nil, 1, 5)
		if err != nil {
			t.Fatal(err)
		}
		var directions []float64
		var seen [][]int
		for step := range atoms {
			x, err := u.solve(ctx, atoms[:step], 1)
			if err != nil || x == nil {
				t.Fatalf("step %d: no optimum (%v), but an atom was added", step, err)
			}
			if !slices.ContainsFunc(seen, func(other []int) bool { return slices.Equal(other, x.Items) }) {
				seen = append(seen, x.Items)
				for k := range s.m {
					q := make([]float64, s.n)
					for _, j := range x.Items {
						q[j] = u.instance.Extra.At(k, j)
					}
					directions = append(directions, q...)
				}
			}
			coverage, err := selection.NewCoverage(u.instance.Dictionary, mat.NewDense(len(directions)/s.n, s.n, directions), nil)
			if err != nil {
				t.Fatal(err)
			}
			better := func(a, b []int) bool { // by more than rounding
				gap := coverage.WorstDeficit(a) - coverage.WorstDeficit(b)
				if policy == greedyMaxGap && math.Abs(gap) > 1e-9 {
					return gap < 0
				}
				return coverage.Value(a) > coverage.Value(b)+1e-9
			}
			for i := range s.atoms {
				if other := append(slices.Clone(atoms[:step]), i); better(other, atoms[:step+1]) {
					t.Fatalf("step %d: picked %d, but %d is better", step, atoms[step], i)
				}
			}
		}
	})
}

// TestNestedGreedyEndsAtTheFullOptimum checks the certified stop: with enough
// budget the last optimum is that of the whole dictionary (Corollary 2.4), or
// both are infeasible.
func TestNestedGreedyEndsAtTheFullOptimum(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		s := small{n: 9, m: 2, k: 3, atoms: 12, heldOut: 1}
		u := testUnit(t, s, rapid.Uint64().Draw(t, "seed"), Config{Budgets: []int{12}})
		atoms, err := u.path(ctx, rapid.SampledFrom([]Policy{greedyCoverage, greedyMaxGap}).Draw(t, "policy"), nil, 1, 12)
		if err != nil {
			t.Fatal(err)
		}
		all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
		full, err := u.cell(ctx, all, 1)
		if err != nil {
			t.Fatal(err)
		}
		restricted, err := u.cell(ctx, atoms, 1)
		if err != nil {
			t.Fatal(err)
		}
		if restricted.Feasible != full.Feasible || restricted.Value != full.Value || restricted.Dictionary != full.Feasible {
			t.Fatalf("atoms %v: %+v, whole dictionary: %+v", atoms, restricted, full)
		}
	})
}

// TestNestedSetsNeverLoseOnTheDictionary checks the monotonicity that holds at
// one radius, and that restricted values grow with the set.
func TestNestedSetsNeverLoseOnTheDictionary(t *testing.T) {
	budgets := []int{1, 2, 3, 4, 6, 8, 10}
	rapid.Check(t, func(t *rapid.T) {
		s := small{n: 9, m: 2, k: 3, atoms: 10, heldOut: 5}
		u := testUnit(t, s, rapid.Uint64().Draw(t, "seed"), Config{Budgets: budgets, Draws: 1, Protocols: []Protocol{Nested}})
		o, err := u.outcome(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range o.Runs {
			if run.NonNested != 0 {
				t.Fatalf("%s: %d steps are not nested", run.Policy, run.NonNested)
			}
			if o.Full && loses(run, func(c cell) bool { return c.Dictionary }) {
				t.Fatalf("%s loses a success on the dictionary: %+v", run.Policy, run.Cells)
			}
			for k, cell := range run.Cells {
				if o.Full && (!cell.Feasible || cell.Value > o.FullValue || k > 0 && cell.Value < run.Cells[k-1].Value) {
					t.Fatalf("%s: values %+v with full value %v", run.Policy, run.Cells, o.FullValue)
				}
			}
		}
	})
}

// TestRankings compares the three readings of max-gamma with sums written out.
func TestRankings(t *testing.T) {
	u := testUnit(t, small{n: 8, m: 3, k: 3, atoms: 9, heldOut: 1}, 6, Config{Budgets: []int{5}})
	nominal, err := u.solve(context.Background(), nil, 1)
	if err != nil || nominal == nil {
		t.Fatal(nominal, err)
	}
	for policy, items := range map[Policy][]int{maxGammaSum: {0, 1, 2, 3, 4, 5, 6, 7}, maxGammaMax: {0, 1, 2, 3, 4, 5, 6, 7}, maxGammaNominal: nominal.Items} {
		gamma := make([]float64, 9)
		for i := range gamma {
			for k := range 3 {
				load, base := 0.0, 0.0
				for _, j := range items {
					load += u.instance.Dictionary.Atom(i)[j] * u.instance.Extra.At(k, j)
					base += u.instance.Base.At(k, j)
				}
				switch policy {
				case maxGammaSum:
					gamma[i] += load
				case maxGammaMax:
					gamma[i] = max(gamma[i], load)
				case maxGammaNominal:
					gamma[i] = max(gamma[i], base+load)
				}
			}
		}
		order, err := u.ranking(context.Background(), policy)
		if err != nil {
			t.Fatal(err)
		}
		for b := 1; b < len(order); b++ {
			before, after := gamma[order[b-1]], gamma[order[b]]
			if before < after-1e-12 || before == after && order[b-1] > order[b] {
				t.Errorf("%s: order %v of scores %v", policy, order, gamma)
				break
			}
		}
	}
}

func TestRandomSetsAndDecisions(t *testing.T) {
	c := Config{Budgets: []int{4, 6}, StartDecisions: 7}
	u := testUnit(t, small{n: 8, m: 3, k: 3, atoms: 9, heldOut: 1}, 6, c)
	set := u.random(streamSets, 4).Perm(9)[:4]
	again := u.random(streamSets, 4).Perm(9)[:4]
	if !slices.Equal(set, again) || len(set) != 4 {
		t.Errorf("the same stream gave %v and %v", set, again)
	}
	seen := map[string]bool{}
	for _, seed := range []uint64{0, 1} {
		for _, kind := range []uint64{streamSets, streamDecisions} {
			for _, budget := range []int{4, 6} {
				u.seed = seed
				seen[string(rune(u.random(kind, budget).IntN(1<<20)))] = true
			}
		}
	}
	if len(seen) < 7 { // one coincidence of eight draws out of a million would be odd enough
		t.Errorf("8 streams began with %d distinct numbers", len(seen))
	}
	decisions := u.startDecisions(4)
	if len(decisions) != 7 {
		t.Fatalf("%d start decisions, want 7", len(decisions))
	}
	for _, items := range decisions {
		base := baseUse(u.instance, items)
		if len(items) != 3 || slices.Max(base) > 1+Tolerance {
			t.Errorf("decision %v has base use %v", items, base)
		}
	}
}

// TestRadii compares with the figures of the study design: .09 at B = 1 and
// .163 at B = 30 for N = 60, m = 1000, delta = 1e-5; 1.29 and 1.52 for m = 100.
func TestRadii(t *testing.T) {
	for _, test := range []struct {
		samples, budget int
		want            float64
	}{{1000, 1, 1.090}, {1000, 30, 1.163}, {100, 1, 1.29}, {100, 30, 1.52}} {
		c := Config{CalibrationSamples: test.samples}
		if got := c.Radius(CalibratedAfter, 60, test.budget); math.Abs(got-test.want) > 0.006 {
			t.Errorf("m = %d, B = %d: radius %.4f, want about %v", test.samples, test.budget, got, test.want)
		}
		if c.Radius(Nested, 60, test.budget) != 1 || c.Radius(Independent, 60, test.budget) != 1 {
			t.Error("protocols without calibration must use radius 1")
		}
	}
	// sqrt(ln(2 (1+60) 1e5) / 2000), written out.
	if got, want := (Config{}).Radius(calibratedThroughout, 60, 1), 1+math.Sqrt(math.Log(122e5)/2000); math.Abs(got-want) > 1e-12 {
		t.Errorf("radius %v, want %v", got, want)
	}
}
