package tally

import (
	"math"
	"testing"
)

func TestQuantile(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		values      []float64
		level, want float64
	}{
		{[]float64{5, inf, 1, 3}, 0, 1}, {[]float64{5, inf, 1, 3}, 0.25, 2.5}, {[]float64{5, inf, 1, 3}, 0.5, 4}, {[]float64{5, inf, 1, 3}, 1, inf},
		{[]float64{7}, 0.25, 7}, {[]float64{1, inf, inf}, 0.25, inf}, {[]float64{1, 1, inf, 1, inf}, 0.75, inf}, {[]float64{inf, inf}, 0.5, inf},
		{[]float64{3, 1}, 0.5, 2},
	} {
		if got := Quantile(test.values, test.level); got != test.want {
			t.Errorf("quantile %v of %v is %v, want %v", test.level, test.values, got, test.want)
		}
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("the quantile of nothing must be NaN")
	}
}
