package static

import (
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// filled returns where the areas that a band fills begin and end, in units of the x axis.
func filled(t *testing.T, l *chart.Band, y chart.Axis) (areas [][2]float64) {
	t.Helper()
	f, err := layout.New(&chart.Chart{Layers: []chart.Layer{l}, Y: y})
	if err != nil {
		t.Fatal(err)
	}
	record := new(recorder.Canvas)
	place := draw.Canvas{Canvas: record, Rectangle: vg.Rectangle{Max: vg.Point{X: 400, Y: 300}}}
	(&canvas{Canvas: place, area: newArea(f)}).draw(l, style.Blue)
	for _, action := range record.Actions {
		fill, ok := action.(*recorder.Fill)
		if !ok {
			continue
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, part := range fill.Path {
			if part.Type != vg.CloseComp {
				x := f.X.Min + float64(part.Pos.X/place.Max.X)*(f.X.Max-f.X.Min)
				low, high = min(low, math.Round(1e3*x)/1e3), max(high, math.Round(1e3*x)/1e3)
			}
		}
		areas = append(areas, [2]float64{low, high})
	}
	return areas
}

// TestBandsWithGaps: a band is interrupted where one of its limits is missing, or has no place on a logarithmic axis.
func TestBandsWithGaps(t *testing.T) {
	x, two, gap := []float64{1, 2, 3, 4, 5}, []float64{2, 2, 2, 2, 2}, math.NaN()
	for _, test := range []struct {
		name      string
		low, high []float64
		axis      chart.Axis
		want      string
	}{
		{"no gap", []float64{1, 1, 1, 1, 1}, two, chart.Axis{}, "[[1 5]]"},
		{"zero on a logarithmic axis", []float64{1, 1, 0, 1, 1}, two, chart.Axis{Scale: chart.Log}, "[[1 2] [4 5]]"},
		{"a low end missing", []float64{1, 1, gap, 1, 1}, two, chart.Axis{}, "[[1 2] [4 5]]"},
		{"a high end missing", []float64{1, 1, 1, 1, 1}, []float64{2, gap, 2, 2, 2}, chart.Axis{}, "[[3 5]]"},
		{"both missing apart", []float64{1, 1, 1, gap, 1}, []float64{gap, 2, 2, 2, 2}, chart.Axis{}, "[[2 3]]"},
	} {
		if got := fmt.Sprint(filled(t, &chart.Band{X: x, Low: test.low, High: test.high}, test.axis)); got != test.want {
			t.Errorf("%s: filled %s, want %s", test.name, got, test.want)
		}
	}
}

// TestLongBand: a band that is thinned has the gaps of both limits.
func TestLongBand(t *testing.T) {
	const n = 100_000
	band := &chart.Band{X: make([]float64, n), Low: make([]float64, n), High: make([]float64, n)}
	for i := range n {
		band.X[i], band.Low[i], band.High[i] = float64(i), math.Sin(float64(i)), 3+math.Cos(float64(i))
	}
	for i := 20_000; i < 40_000; i++ {
		band.Low[i], band.High[n-1-i] = math.NaN(), math.NaN()
	}
	areas := filled(t, band, chart.Axis{})
	if len(areas) != 3 {
		t.Fatalf("filled %v, want three areas", areas)
	}
	for k, want := range [][2]float64{{0, 19_999}, {40_000, 59_999}, {80_000, n - 1}} {
		if got := areas[k]; math.Abs(got[0]-want[0]) > 1000 || math.Abs(got[1]-want[1]) > 1000 {
			t.Errorf("area %d is filled from %g to %g, want %g to %g", k, got[0], got[1], want[0], want[1])
		}
	}
}
