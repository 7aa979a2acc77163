package certificate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestNearestToOriginIsOptimal: no point lies nearer in the direction of the one that is found (Wolfe 1976), whose weights
// are convex.
func TestNearestToOriginIsOptimal(t *testing.T) {
	for seed := range uint64(3000) {
		random := rand.New(rand.NewPCG(seed, 1))
		p, shift := 1+random.IntN(6), 4*random.Float64()-2
		points := make([][]float64, 1+random.IntN(25))
		for j := range points {
			for range p {
				value := random.Float64()*2 - 1 + shift
				if seed%2 == 0 {
					value = float64(random.IntN(7) - 3)
				}
				points[j] = append(points[j], value)
			}
		}
		far, near := make([][]float64, len(points)), make([][]float64, len(points))
		for j, point := range points {
			far[j] = floats.ScaleTo(make([]float64, p), 0x1p30, point)
			near[j] = floats.ScaleTo(make([]float64, p), 0x1p-30, point)
		}
		weights, nearest, scale := nearestToOrigin(points), make([]float64, p), 0.0
		for j, point := range points {
			floats.AddScaled(nearest, weights[j], point)
			scale = max(scale, floats.Dot(point, point))
		}
		if sum := floats.Sum(weights); floats.Min(weights) < 0 || sum < 1-1e-12 || sum > 1+1e-12 {
			t.Fatalf("seed %d: weights %v", seed, weights)
		}
		if !slices.Equal(nearestToOrigin(far), weights) || !slices.Equal(nearestToOrigin(near), weights) {
			t.Fatalf("seed %d: other weights in other units", seed)
		}
		for _, point := range points {
			if floats.Dot(point, nearest) < floats.Dot(nearest, nearest)-1e-9*scale {
				t.Fatalf("seed %d: %v is found, but %v leads nearer", seed, nearest, point)
			}
		}
	}
}

// TestNearestToOriginStopsAtTies: points that are as near as the nearest one in its own direction cost no steps.
func TestNearestToOriginStopsAtTies(t *testing.T) {
	points := make([][]float64, 20_000)
	for j := range points {
		points[j] = []float64{1, float64(len(points) - 1 - j)}
	}
	if weights := nearestToOrigin(points); weights[len(points)-1] != 1 {
		t.Errorf("the nearest point has weight %v", weights[len(points)-1])
	}
}
