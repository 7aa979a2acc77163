package plotting

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestBins: every finite value lies in exactly one bin, whatever the values and the number of
// bins, and the edges increase, even where values differ by rounding alone.
func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.IntRange(-5, 5)
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Map(whole, func(i int) float64 { return float64(i) })), 1, 60).Draw(t, "values")
		if rapid.Bool().Draw(t, "alike") {
			values = rapid.SliceOfN(rapid.Map(whole, func(i int) float64 { return 0.3 + float64(i)*0x1p-54 }), 1, 60).Draw(t, "values")
		}
		bins := rapid.IntRange(0, 40).Draw(t, "bins")
		sorted := slices.Sorted(slices.Values(values))
		edges := binEdges(sorted, bins)
		if !increasing(edges) || edges[0] > sorted[0] || edges[len(edges)-1] < sorted[len(sorted)-1] || (bins > 0 && len(edges) != bins+1) {
			t.Fatalf("edges %v for %v", edges, sorted)
		}
		counts, n := binCounts(append(values, math.NaN(), math.Inf(1)), edges)
		sum := 0.0
		for _, c := range counts {
			sum += c
		}
		if int(sum) != len(values) || n != len(values)+1 {
			t.Fatalf("%g of %d values have a bin, and %d count", sum, len(values), n)
		}
	})
}

func increasing(edges []float64) bool {
	for k := range edges[1:] {
		if !(edges[k] < edges[k+1]) {
			return false
		}
	}
	return true
}

// TestWholeNumberBins: a short range of whole numbers has one bin for each.
func TestWholeNumberBins(t *testing.T) {
	if edges := binEdges([]float64{2, 3, 3, 5}, 0); !slices.Equal(edges, []float64{1.5, 2.5, 3.5, 4.5, 5.5}) {
		t.Errorf("edges %v", edges)
	}
	counts, _ := binCounts([]float64{2, 3, 3, 5}, []float64{1.5, 2.5, 3.5, 4.5, 5.5})
	if !slices.Equal(counts, []float64{1, 2, 0, 1}) {
		t.Errorf("counts %v", counts)
	}
}
