package dualsimplex

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Breakpoints come in order, and the stablest one is that of a search through all of them, sorted.
func TestBreakpointsComeInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ratio := rapid.SampledFrom([]float64{0, 1e-13, 1, 1 + 1e-13, 2})
		size := rapid.SampledFrom([]float64{2e-9, 1e-8, 3e-8, 5e-7, 1e-6, 0.5, 1, 3})
		points := make([]breakpoint, rapid.IntRange(1, 30).Draw(t, "points"))
		for k := range points {
			points[k] = breakpoint{k, ratio.Draw(t, "ratio"), size.Draw(t, "size")}
		}
		sorted := slices.SortedFunc(slices.Values(points), func(a, b breakpoint) int {
			return cmp.Or(cmp.Compare(a.ratio, b.ratio), cmp.Compare(a.position, b.position))
		})
		var b breakpoints
		b.start(points)
		last := rapid.IntRange(1, len(points)).Draw(t, "passed") - 1
		for k := range last + 1 {
			if got := b.pass(); got != sorted[k] {
				t.Fatalf("breakpoint %d is %v, want %v", k, got, sorted[k])
			}
		}
		if got, want := b.stablest(), stablest(sorted, last); got != want {
			t.Fatalf("the stablest from %d on of %v is %v, want %v", last, sorted, got, want)
		}
	})
}

// stablest looks through sorted breakpoints, of which those up to last are passed.
func stablest(sorted []breakpoint, last int) breakpoint {
	reach := math.Inf(1)
	for _, point := range sorted[last:] {
		reach = min(reach, (point.ratio*point.size+dualTolerance)/point.size)
	}
	best := last
	for c := last; c < len(sorted) && sorted[c].ratio <= reach; c++ {
		if sorted[c].size > sorted[best].size {
			best = c
		}
	}
	for c := last - 1; c >= 0 && sorted[best].size < goodPivot; c-- {
		if sorted[c].size > sorted[best].size {
			best = c
		}
	}
	return sorted[best]
}
