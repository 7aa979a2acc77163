package selection

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// onesCase is a dictionary of ones and zeros with directions of weights 1 to 3.
func onesCase(t *testing.T, seed uint64) *Coverage {
	t.Helper()
	const n, p = 18, 30
	source, atoms, identity := rand.New(rand.NewPCG(seed, 13)), mat.NewDense(n, p, nil), mat.NewDense(p, p, nil)
	for j := range p {
		identity.Set(j, j, float64(1+j%3))
		for range 3 {
			atoms.Set(source.IntN(n), j, 1)
		}
	}
	return coverageOf(t, atoms, identity)
}

// wholeCase is a dictionary of the whole numbers 0 to 3 with the unit vectors as directions.
func wholeCase(t *testing.T, seed uint64) *Coverage {
	t.Helper()
	const n, p = 18, 16
	source, atoms := rand.New(rand.NewPCG(seed, 13)), make([]float64, n*p)
	for k := range atoms {
		atoms[k] = float64(source.IntN(4))
	}
	return wholeCoverage(t, p, atoms...)
}

// TestExactLooksAtFewNodes: atoms of whole numbers leave no step to the processor, so that the search is known to the
// last node, and a bound that is looser or an atom that is ruled out later shows.
func TestExactLooksAtFewNodes(t *testing.T) {
	for name, test := range map[string]struct {
		coverage func(*testing.T, uint64) *Coverage
		want     []int
	}{
		"ones":          {onesCase, []int{3, 23, 13, 33, 3, 7, 25, 29}},
		"whole numbers": {wholeCase, []int{11, 5, 353, 271, 17, 11, 19, 387}},
	} {
		var got []int
		for seed := range uint64(len(test.want)) {
			nodes := 0
			s, err := Exact{Progress: func(Step) { nodes++ }}.Select(t.Context(), test.coverage(t, seed), 3+int(seed%4))
			if err != nil || s.Partial || s.OracleCalls[s.Len()-1] != nodes {
				t.Fatalf("%s, seed %d: %d nodes are told of, and %v are counted; %v", name, seed, nodes, s.OracleCalls, err)
			}
			got = append(got, nodes)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v nodes, not %v", name, got, test.want)
		}
	}
}

// TestBoundOfASearchFallsAsNodesAreClosed: what is open later is part of what was open before.
func TestBoundOfASearchFallsAsNodesAreClosed(t *testing.T) {
	falls := 0
	for seed := range uint64(8) {
		before, partial := math.Inf(1), true
		for nodes := 0; partial && nodes < 40; nodes++ {
			ctx, cancel := context.WithCancel(t.Context())
			s, err := Exact{Progress: func(step Step) {
				if step.Number > nodes {
					cancel()
				}
			}}.Select(ctx, onesCase(t, seed), 5)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			bound := s.Bounds[s.Len()-1].Float()
			if partial = s.Partial; bound > before {
				t.Errorf("seed %d: the bound is %v after %d nodes and was %v before", seed, bound, nodes, before)
			}
			if partial && nodes > 0 && bound < before {
				falls++
			}
			before = bound
		}
	}
	if falls < 8 {
		t.Errorf("the bounds fell %d times in all", falls)
	}
}

// TestAGigabyteOfAlignmentsIsHeld, and no number more.
func TestAGigabyteOfAlignmentsIsHeld(t *testing.T) {
	if !fits(1<<14, 1<<13) || fits(1<<14, 1<<13+1) || fits(1<<27+1, 1) {
		t.Error("the limit is not a gigabyte")
	}
}

// TestExactWheneverTheContextEnds: the set is the best one or Partial, at least as good as that of Swap if this was
// found, and the bound is not below the optimum.
func TestExactWheneverTheContextEnds(t *testing.T) {
	better := 0
	for seed := range uint64(8) {
		c, budget := onesCase(t, seed), 3+int(seed%4)
		whole, err := Exact{}.Select(t.Context(), c, budget)
		swap, other := Swap{SkipBounds: true}.Select(t.Context(), c, budget)
		if err != nil || other != nil {
			t.Fatal(err, other)
		}
		optimum := whole.Coverage[whole.Len()-1]
		if optimum == swap.Coverage[swap.Len()-1] || better == 2 {
			continue
		}
		better++
		for calls := 0; ; calls += 1 + calls/4 {
			ctx := &endsAfter{t.Context(), calls}
			s, err := Exact{}.Select(ctx, c, budget)
			if err != nil {
				t.Fatal(err)
			}
			last := s.Len() - 1
			if !s.Partial && s.Coverage[last] < optimum || last >= 0 && s.Bounds[last].Float() < optimum {
				t.Errorf("seed %d, %d calls: partial %v, %v of %v, at most %v", seed, calls, s.Partial, s.Coverage, optimum, s.Bounds)
			}
			if ctx.left >= 0 {
				break
			}
		}
	}
	if better == 0 {
		t.Error("Swap finds every optimum; this test sees too little")
	}
}

// TestBoundOfATreeCoversItsSums: of a term for each direction and each atom, each of which may lose half a unit.
func TestBoundOfATreeCoversItsSums(t *testing.T) {
	c := wholeCoverage(t, 4, 1, 0, 0, 0, 0, 1, 0, 0)
	for budget := range 12 {
		tree := &branching{coverage: c, budget: budget, open: 0.5, value: 0.25}
		if lost := (tree.bound() - 0.5) / 0.5; lost < float64(4+budget)*0x1p-53 || lost > float64(4+budget)*0x1p-48 {
			t.Errorf("a bound of %v for %d atoms is widened by %v", 0.5, budget, lost)
		}
		if tree.open = 0.1; tree.bound() < 0.25 {
			t.Errorf("%v is attained, and the bound is %v", tree.value, tree.bound())
		}
	}
}
