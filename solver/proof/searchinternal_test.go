package proof

import (
	"context"
	"testing"
)

// TestSplitLosesNoWholeNumber: beyond 2^53 the number after the one below may be no float64.
func TestSplitLosesNoWholeNumber(t *testing.T) {
	for _, value := range []float64{0, 2.5, -7.25, 1<<53 - 1, 1 << 53, 1<<53 + 2, 1<<53 + 4, -(1<<53 + 2), 1 << 60} {
		whole := &node{lower: []float64{-0x1p62}, upper: []float64{0x1p62}}
		down, up := whole.split(0, value)
		last, first := int64(down.upper[0]), int64(up.lower[0])
		if first > last+1 || last < int64(value)-1 || first > int64(value)+1 {
			t.Errorf("%v is split into at most %d and at least %d", value, last, first)
		}
	}
}

// TestSearchWithoutAPointFindsOne: nothing is known at first, and the whole point of the relaxation is kept.
func TestSearchWithoutAPointFindsOne(t *testing.T) {
	s := &Search{
		Program:  &Program{Cost: []float64{-1}, Lower: []float64{0}, Upper: []float64{3}},
		Integers: []int{0}, Whole: 1e-7, Feasibility: 1e-7, Slack: 1e-9,
		Relax: func(_ context.Context, _, upper []float64) ([]float64, Lower) { return upper, AtLeast(-upper[0]) },
	}
	if bound := s.Bound(context.Background(), 10); bound != AtLeast(-3) || len(s.Incumbent) != 1 || s.Incumbent[0] != 3 {
		t.Errorf("bound %v at %v, want -3 at 3", bound, s.Incumbent)
	}
}
