package selection_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
)

// What the rules prove of an instance, with the steps that they take by themselves and with sixty more, and in how many
// nodes optima of others are found: the steps are the same on every processor, so that a change of one shows here, for
// better or worse.
func TestBoundsAreThoseOfRecord(t *testing.T) {
	in := randomInstance(t, 300, 8, 120, 5)
	costs := make([]float64, 300)
	for i := range costs {
		costs[i] = 1 + float64(i*i%17)/8
	}
	for _, test := range []struct {
		rule            selection.Policy
		sum, last, more float64 // of the bounds of the prefixes, of the whole, and after more steps
	}{
		{selection.Greedy{}, 67.4803849063, 6.92707401415, 6.92707401415},
		{selection.Greedy{SkipBounds: true}, 94.9129345632, 7.9094112136, 6.9326626796},
		{selection.Random{Seed: 3}, 67.8523294454, 6.9276144277, 6.9276144277},
		{selection.Knapsack{Costs: costs, Capacity: 12}, 66.0705538772, 6.60705538772, 6.60705538772},
		{selection.Swap{}, 67.4657465581, 6.92855044015, 6.92855044015},
		{selection.MaxGap{}, 67.691059013, 6.92714540681, 6.92714540681},
	} {
		s := selectAtoms(t, test.rule, in.coverage, 12)
		n, sum := s.Len(), 0.0
		for _, bound := range s.Bounds {
			sum += bound.Float()
		}
		last := s.Bounds[n-1].Float()
		if err := s.Tighten(context.Background(), in.coverage, &selection.BoundOptions{Steps: 60}); err != nil {
			t.Fatal(err)
		}
		more := s.Bounds[n-1].Float()
		for _, pair := range [][2]float64{{sum, test.sum}, {last, test.last}, {more, test.more}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9*pair[1] {
				t.Errorf("%T: %.12g, %.12g, %.12g; want %.12g, %.12g, %.12g", test.rule, sum, last, more, test.sum, test.last, test.more)
				break
			}
		}
	}
	for seed, want := range map[uint64]struct {
		nodes int
		bound float64
	}{800: {19, 4.67741915584}, 804: {7, 5.37023445922}, 809: {9, 4.74551411939}, 810: {9, 4.51921209386}} {
		nodes := 0
		exact := selection.Exact{Progress: func(selection.Step) { nodes++ }}
		best := selectAtoms(t, exact, randomInstance(t, 60, 8, 50, seed).coverage, 5)
		if bound := best.Bounds[best.Len()-1].Float(); nodes != want.nodes || math.Abs(bound-want.bound) > 1e-9*bound {
			t.Errorf("seed %d: %d nodes and the bound %.12g", seed, nodes, bound)
		}
	}
}
