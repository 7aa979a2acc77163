package layout

import (
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"pgregory.net/rapid"
)

func TestTicks(t *testing.T) {
	labels := func(a chart.Axis, low, high float64) string {
		var out []string
		a.Min, a.Max = low, high
		for _, tick := range (&Axis{Axis: a}).Ticks() {
			if tick.Label != "" {
				out = append(out, tick.Label)
			}
		}
		return strings.Join(out, " ")
	}
	for _, test := range []struct {
		axis      chart.Axis
		low, high float64
		want      string
	}{
		{chart.Axis{}, 0, 1, "0 0.2 0.4 0.6 0.8 1.0"},
		{chart.Axis{}, -0.3, 0.3, "-0.3 -0.2 -0.1 0 0.1 0.2 0.3"},
		{chart.Axis{}, 0, 20, "0 2 4 6 8 10 12 14 16 18 20"},
		{chart.Axis{}, 0, 3e6, "0 5·10^{5} 1·10^{6} 1.5·10^{6} 2·10^{6} 2.5·10^{6} 3·10^{6}"},
		{chart.Axis{}, 0, 3e-6, "0 5·10^{-7} 1·10^{-6} 1.5·10^{-6} 2·10^{-6} 2.5·10^{-6} 3·10^{-6}"},
		{chart.Axis{Scale: chart.Log}, 0.5, 2000, "1 10 100 1000"},
		{chart.Axis{Scale: chart.Log}, 1e-6, 1e6, "10^{-6} 10^{-4} 10^{-2} 10^{0} 10^{2} 10^{4} 10^{6}"},
		{chart.Axis{Scale: chart.Log}, 30, 3e5, "10^{2} 10^{3} 10^{4} 10^{5}"},
		{chart.Axis{Scale: chart.Log}, 1e-4, 3e4, "0.0001 0.001 0.01 0.1 1 10 100 1000 10000"},
		{chart.Axis{Scale: chart.Log}, 1.5e-6, 6e-5, "2·10^{-6} 5·10^{-6} 10^{-5} 2·10^{-5} 5·10^{-5}"},
		{chart.Axis{Scale: chart.Log}, 1.5e-6, 6e-6, "2·10^{-6} 5·10^{-6}"},
		{chart.Axis{Scale: chart.Log}, 3, 9, "5"},
		{chart.Axis{Scale: chart.Log}, 3, 4, "3 3.2 3.4 3.6 3.8 4"},
		{chart.Axis{Scale: chart.Time}, 0, 10 * 365.25 * day, "Jan 1970 May 1971 Sep 1972 Feb 1974 Jun 1975 Nov 1976 Mar 1978 Aug 1979"},
		{chart.Axis{Scale: chart.Time}, 0, 180 * day, "1 Jan 21 Jan 10 Feb 2 Mar 22 Mar 11 Apr 1 May 21 May 10 Jun 30 Jun"},
		{chart.Axis{Scale: chart.Time}, 0, 5 * day, "1 Jan 2 Jan 3 Jan 4 Jan 5 Jan 6 Jan"},
		{chart.Axis{Scale: chart.Time}, 0, 3600, "1 Jan"},
		{chart.Axis{Categories: []string{"a\nb", "c"}}, -0.5, 1.5, "a b c"},
	} {
		if got := labels(test.axis, test.low, test.high); got != test.want {
			t.Errorf("%+v from %g to %g: %q, want %q", test.axis, test.low, test.high, got, test.want)
		}
	}
}

// TestTicksOfRangesThatAreNone: ranges that are empty, without end or none at all have few ticks, and soon.
func TestTicksOfRangesThatAreNone(t *testing.T) {
	values := []float64{0, 1, -1, 1e-320, math.MaxFloat64, -math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, low := range values {
		for _, high := range values {
			for _, a := range []Axis{{}, {Whole: true}, {Axis: chart.Axis{Scale: chart.Log}}, {Axis: chart.Axis{Scale: chart.Time}}} {
				a.Min, a.Max = low, high
				if ticks := a.Ticks(); len(ticks) > 6000 {
					t.Errorf("%+v from %g to %g: %d ticks", a, low, high, len(ticks))
				}
			}
		}
	}
}

// TestTicksLieInside: ticks are increasing, in the range, neither none nor many.
func TestTicksLieInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-1e6, 1e6).Draw(t, "low")
		width := math.Pow(10, rapid.Float64Range(-6, 8).Draw(t, "log width"))
		ticks := (&Axis{Axis: chart.Axis{Min: low, Max: low + width}}).Ticks()
		if len(ticks) < 3 || len(ticks) > 14 {
			t.Fatalf("%d ticks", len(ticks))
		}
		for i, tick := range ticks {
			if tick.Value < low-1e-8*width || tick.Value > low+width*(1+1e-8) || (i > 0 && tick.Value <= ticks[i-1].Value) {
				t.Fatalf("tick %d at %g, range %g to %g", i, tick.Value, low, low+width)
			}
		}
	})
}
