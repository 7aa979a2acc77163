package lifted

import (
	"context"
	"math"
	"slices"
	"testing"
)

// relaxedSplit relaxes the least x of the whole ones in [0, 3] with 2x >= 3, which is 2, and lists the parts that it is asked for.
func relaxedSplit(parts *[][2]float64) Relaxation {
	return func(_ context.Context, lower, upper []float64) ([]float64, *Leaf) {
		*parts = append(*parts, [2]float64{lower[0], upper[0]})
		leaf := &Leaf{Scale: Float(1)}
		x := math.Max(lower[0], 1.5)
		if lower[0] < 1.5 {
			leaf.Rows.Add(0, 0.5)
		}
		if x > upper[0] {
			leaf.Empty = true
			return nil, leaf
		}
		return []float64{x}, leaf
	}
}

// TestProofsGrowAsFarAsTheyNeed: multipliers that prove enough are the proof, and otherwise a tree of relaxations is if it proves
// more; what a relaxation does not prove is left out.
func TestProofsGrowAsFarAsTheyNeed(t *testing.T) {
	var parts [][2]float64
	relax := relaxedSplit(&parts)
	nothing := func(context.Context, []float64, []float64) ([]float64, *Leaf) {
		parts = append(parts, [2]float64{})
		return nil, nil
	}
	lost := func(ctx context.Context, lower, upper []float64) ([]float64, *Leaf) { // which takes the upper part for empty
		x, leaf := relax(ctx, lower, upper)
		leaf.Empty = leaf.Empty || lower[0] > 0
		return x, leaf
	}
	emptyFor := func(multiplier float64) Relaxation {
		return func(ctx context.Context, lower, upper []float64) ([]float64, *Leaf) {
			x, leaf := relax(ctx, lower, upper)
			if leaf.Empty {
				leaf.Rows.Values[0] = Float(multiplier)
			}
			return x, leaf
		}
	}
	for name, test := range map[string]struct {
		multiplier, enough, lower float64 // of the row
		relax                     Relaxation
		calls, branches           int
	}{
		"enough at once":              {0.5, 1.5, 1.5, relax, 0, 0},
		"more than enough":            {0.5, 1.25, 1.5, relax, 0, 0},
		"a tree":                      {0.5, 2, 2, relax, 3, 1},
		"too much is asked":           {0.5, 2.5, 2, relax, 3, 1},
		"nothing is asked":            {0.5, math.Inf(-1), 2, relax, 3, 1},
		"nothing is ever enough":      {0.5, math.Inf(1), 2, relax, 3, 1},
		"a tree of one leaf":          {0, 1.5, 1.5, relax, 1, 0},
		"no relaxation":               {0.5, 2, 1.5, nothing, 1, 0},
		"neither":                     {0, 2, 0, nothing, 1, 0},
		"a little":                    {0.25, 2, 0.75, nothing, 1, 0},
		"not shown to be empty":       {0.5, 2, 1.5, emptyFor(0), 3, 0},
		"shown to be empty by little": {0.5, 2, 2, emptyFor(0x1p-40), 3, 1},
		"wrongly said to be empty":    {0.5, 2, 2, lost, 3, 1},
	} {
		s := split()
		s.p.Model.Rows[0].Lower, s.d.X[0] = ptr(3.), 2
		found := &Leaf{Scale: Float(1)}
		found.Rows.Add(0, test.multiplier)
		parts = nil
		proof := Prove(t.Context(), &s.p, &s.d, found, test.enough, test.relax)
		if proof == nil {
			t.Fatalf("%s: no proof", name)
		}
		lower := Evaluate(&s.p, &s.d, proof).Lower
		if lower == nil || lower.Cmp(Rational(test.lower)) != 0 || len(parts) != test.calls || len(proof.Branches) != test.branches || len(proof.Leaves) != test.branches+1 {
			t.Errorf("%s: the parts %v, the bound %v by %+v", name, parts, lower, proof)
		}
		if test.branches == 1 && (!slices.Equal(proof.Branches, []Branch{{0, 1, 1, 2}}) || !proof.Leaves[0].Empty || proof.Leaves[1].Empty) {
			t.Errorf("%s: the tree %+v", name, proof)
		}
		if want := [][2]float64{{0, 3}, {0, 1}, {2, 3}}; test.calls == 3 && !slices.Equal(parts, want) {
			t.Errorf("%s: the parts %v", name, parts)
		}
	}
}

// TestProofsRepairWhatTheyNeed: multipliers that are wrong by their last digits prove a bound over columns without one, those at hand
// and those of a relaxation.
func TestProofsRepairWhatTheyNeed(t *testing.T) {
	p, d, leaf := freeColumns(2)
	for name, found := range map[string]*Leaf{"at hand": leaf, "of a relaxation": {Scale: Float(1)}} {
		asked := 0
		proof := Prove(t.Context(), p, d, found, 2, func(context.Context, []float64, []float64) ([]float64, *Leaf) {
			asked++
			return []float64{1, 1}, leaf
		})
		if proof == nil || (asked == 0) != (found == leaf) {
			t.Fatalf("%s: %+v after %d relaxations", name, proof, asked)
		}
		if lower := Evaluate(p, d, proof).Lower; lower == nil || lower.Cmp(Rational(2)) != 0 {
			t.Errorf("%s: the bound is %v", name, lower)
		}
	}
}

// TestNoProof of a cost that falls without end, by the leaf or by a relaxation, and of one that is not convex.
func TestNoProof(t *testing.T) {
	s := split()
	s.p.Model.Columns[0].Upper, s.p.Model.Columns[0].Cost, s.p.Model.Rows = nil, -1, nil
	calls := 0
	relax := func(context.Context, []float64, []float64) ([]float64, *Leaf) {
		calls++
		return []float64{1}, &Leaf{Scale: Float(1)}
	}
	if proof := Prove(t.Context(), &s.p, &s.d, &Leaf{Scale: Float(1)}, -9, relax); proof != nil || calls != 1 {
		t.Errorf("%+v is a proof, after %d relaxations", proof, calls)
	}
	if bound := Bound(&s.p, &s.d, &Leaf{Scale: Float(1)}); bound != nil {
		t.Errorf("the bound %v", bound)
	}
	s = split()
	s.p.Model.Quadratic = Quadratic{[]int{0}, []int{0}, []float64{-1}}
	if proof := Prove(t.Context(), &s.p, &s.d, &Leaf{Scale: Float(1)}, -9, relax); proof != nil || calls != 1 {
		t.Errorf("%+v is a proof for what is not convex, after %d relaxations", proof, calls)
	}
	if bound := Bound(&s.p, &s.d, &Leaf{Scale: Float(1)}); bound != nil {
		t.Errorf("the bound %v of what is not convex", bound)
	}
	s.p.Model.Quadratic.Values[0] = 1
	if bound := Bound(&s.p, &s.d, &Leaf{Scale: Float(1)}); bound == nil || bound.Sign() > 0 {
		t.Errorf("the bound %v of x² + x over x >= 0", bound)
	}
}

// TestMostFractional is the whole column farthest from a whole number, if any is farther than rounding errors of solvers.
func TestMostFractional(t *testing.T) {
	v := &prover{problem: &Problem{Model: Model{Columns: []Column{{Integer: true}, {}, {Integer: true}}}}}
	for _, test := range []struct {
		x    []float64
		want int
	}{
		{[]float64{0, 0.5, 1}, -1}, {[]float64{0.25, 0.5, 0.375}, 2}, {[]float64{-1.5, 0, 0.375}, 0}, {[]float64{0.75, 0, -3.125}, 0},
		{[]float64{1e-8, 0, 0}, -1}, {[]float64{0, 0, 2 - 1e-8}, -1}, {[]float64{1e-6, 0, 0}, 0}, {[]float64{0, 0, 2 - 1e-6}, 2},
	} {
		if got := v.mostFractional(test.x); got != test.want {
			t.Errorf("%v: %d", test.x, got)
		}
	}
}

// TestProofsOfManyNodesEnd at the number of relaxations that is documented for files.
func TestProofsOfManyNodesEnd(t *testing.T) {
	if MostNodes != 400 || MostEmbedded != 200_000 {
		t.Errorf("%d nodes and %d numbers are allowed, not 400 and 200,000", MostNodes, MostEmbedded)
	}
}
