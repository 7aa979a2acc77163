package proof

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
	"pgregory.net/rapid"
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

// TestObjectivesOfWholePointsRaiseABound: no objective of a whole point lies between a bound and what it is raised to, and none is passed.
func TestObjectivesOfWholePointsRaiseABound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, integers := &Program{Offset: float64(rapid.IntRange(-20, 20).Draw(t, "offset")) / 8}, []int(nil)
		for j := range rapid.IntRange(1, 3).Draw(t, "columns") {
			p.Cost = append(p.Cost, float64(rapid.IntRange(-12, 12).Draw(t, "cost"))*rapid.SampledFrom([]float64{1, 0.25, 0.1, 3e9}).Draw(t, "unit"))
			integers = append(integers, j)
		}
		x := make([]float64, len(p.Cost))
		for j := range x {
			x[j] = float64(rapid.IntRange(-5, 5).Draw(t, "x"))
		}
		exact := new(big.Rat).SetFloat64(p.Offset)
		for j, cost := range p.Cost {
			exact.Add(exact, new(big.Rat).Mul(new(big.Rat).SetFloat64(cost), new(big.Rat).SetFloat64(x[j])))
		}
		below := LowerOf(new(big.Rat).Sub(exact, new(big.Rat).SetFloat64(rapid.Float64Range(0, 3).Draw(t, "below"))))
		raised := latticeOf(p, integers).raise(below)
		if raised.Float() < below.Float() || new(big.Rat).SetFloat64(raised.Float()).Cmp(exact) > 0 {
			t.Fatalf("%v is raised to %v, but %v is the objective of a whole point", below, raised, exact)
		}
	})
}

// TestOnlyWholeCostsRaiseABound: a column that need not be whole, or a square, can have any objective.
func TestOnlyWholeCostsRaiseABound(t *testing.T) {
	whole := &Program{Cost: []float64{4, 6, 0}, Offset: 1}
	if got := latticeOf(whole, []int{0, 1}).raise(AtLeast(1.5)); got != AtLeast(3) { // 1, 3, 5, ...
		t.Errorf("1.5 is raised to %v, want 3", got)
	}
	for _, p := range []*Program{
		{Cost: []float64{4, 6, 1}}, {Cost: []float64{0, 0, 0}}, {Cost: []float64{4, 6, 0}, Quadratic: []program.Term{{Value: 0.5}}},
	} {
		if got := latticeOf(p, []int{0, 1}).raise(AtLeast(1.5)); got != AtLeast(1.5) {
			t.Errorf("%+v: 1.5 is raised to %v", p, got)
		}
	}
	if got := latticeOf(whole, []int{0, 1}).raise(Lower{}); !math.IsInf(got.Float(), -1) {
		t.Errorf("nothing is raised to %v", got)
	}
}
