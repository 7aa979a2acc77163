package layout

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"pgregory.net/rapid"
)

// TestThinLine: thinning keeps the first and last row, the extremes, the order, and a hole.
func TestThinLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		limit := rapid.IntRange(8, 200).Draw(t, "limit")
		y := rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "y")
		hole := rapid.IntRange(0, n-1).Draw(t, "hole")
		y[hole] = math.NaN()
		keep := ThinLine(y, limit)
		if n <= max(limit, 8) && len(keep) != n {
			t.Fatalf("kept %d rows of %d for a limit of %d", len(keep), n, limit)
		}
		if len(keep) > limit+limit/4+1 || !slices.IsSorted(keep) || len(slices.Compact(slices.Clone(keep))) != len(keep) {
			t.Fatalf("kept %d rows of %d for a limit of %d: %v", len(keep), n, limit, keep)
		}
		ends := func(values []float64) [2]float64 {
			known := slices.DeleteFunc(append([]float64{0}, values...), math.IsNaN)
			return [2]float64{slices.Min(known), slices.Max(known)}
		}
		if all, kept := ends(y), ends(Pick(y, keep)); all != kept || keep[0] != 0 || keep[len(keep)-1] != n-1 || !slices.Contains(keep, hole) {
			t.Fatalf("range %v became %v, rows %d to %d of %d, hole %d", all, kept, keep[0], keep[len(keep)-1], n, hole)
		}
	})
}

// TestJoined: a line is interrupted where a coordinate is missing, and where a logarithmic axis has no place for it.
func TestJoined(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 0, 3, 4, math.NaN(), 6}
	points := []chart.Layer{&chart.Points{X: x, Y: x}}
	for axis, want := range map[chart.Scale]string{
		0:         "[[{1 1} {2 1} {2 0} {3 0} {3 3} {4 3} {4 4}] [{6 6}]]",
		chart.Log: "[[{1 1}] [{3 3} {4 3} {4 4}] [{6 6}]]",
	} {
		f := settled(t, &chart.Chart{Layers: points, Y: chart.Axis{Scale: axis}})
		if got := fmt.Sprint(f.Joined(x, y, true)); got != want {
			t.Errorf("scale %d: %s, want %s", axis, got, want)
		}
	}
}
