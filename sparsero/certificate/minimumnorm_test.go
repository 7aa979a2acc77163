package certificate

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// TestNearestToOriginIsOptimal: no point lies nearer in the direction of the one that is found (Wolfe 1976), whose weights
// are convex.
func TestNearestToOriginIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, shift := rapid.IntRange(1, 6).Draw(t, "p"), rapid.Float64Range(-2, 2).Draw(t, "shift")
		number := rapid.Map(rapid.Float64Range(-1, 1), func(v float64) float64 { return v + shift })
		if rapid.Bool().Draw(t, "whole") {
			number = rapid.Map(rapid.IntRange(-3, 3), func(v int) float64 { return float64(v) })
		}
		points := rapid.SliceOfN(rapid.SliceOfN(number, p, p), 1, 25).Draw(t, "points")
		weights, nearest, scale := nearestToOrigin(points), make([]float64, p), 0.0
		for j, point := range points {
			floats.AddScaled(nearest, weights[j], point)
			scale = max(scale, floats.Dot(point, point))
		}
		if sum := floats.Sum(weights); floats.Min(weights) < 0 || sum < 1-1e-12 || sum > 1+1e-12 {
			t.Fatalf("weights %v", weights)
		}
		for _, point := range points {
			if floats.Dot(point, nearest) < floats.Dot(nearest, nearest)-1e-9*scale {
				t.Fatalf("%v is found, but %v leads nearer", nearest, point)
			}
		}
	})
}
