package robust

import (
	"math"
	"testing"
)

// TestTidyTakesZeros: 0 takes the place of a rounding error where the point is as good, and a point whose q(x) is
// beyond float64 is an error.
func TestTidyTakesZeros(t *testing.T) {
	m, err := searched(t, 9, 9, 9).newMaster(nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []float64{0.5, math.MaxFloat64} {
		run := &cuttingPlanes{master: m, options: Options{Tolerance: 1e-9}, best: &Solution{X: []float64{first, 0x1p-60}, Value: 1}, missed: 1}
		if err := run.tidy(t.Context()); (err == nil) != (first == 0.5) || (err == nil) != (run.best.X[1] == 0) {
			t.Errorf("%v: the best point is %v, %v", first, run.best.X, err)
		}
	}
}
