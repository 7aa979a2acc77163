package layout

import (
	"fmt"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"gonum.org/v1/gonum/spatial/r2"
)

func settled(t *testing.T, c *chart.Chart) *Chart {
	t.Helper()
	f, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestLegendOrder: names in the order of the layers, bands without a line last, layers of the
// other form left out.
func TestLegendOrder(t *testing.T) {
	x := []float64{1}
	c := &chart.Chart{Layers: []chart.Layer{
		&chart.Band{Look: chart.Look{Name: "band"}, X: x, Low: x, High: x}, &chart.Band{Look: chart.Look{Name: "a"}, X: x, Low: x, High: x},
		&chart.Line{Look: chart.Look{Name: "b"}, X: x, Y: x}, &chart.Line{Look: chart.Look{Name: "a"}, X: x, Y: x},
		&chart.Line{Look: chart.Look{Name: "static", Only: chart.StaticOnly}, X: x, Y: x}, &chart.Line{Look: chart.Look{Name: "live", Only: chart.LiveOnly}, X: x, Y: x}, &chart.Line{Look: chart.Look{Name: "empty"}},
	}}
	f := settled(t, c)
	names := func(rendering chart.Where) (names []string) {
		for _, e := range f.Legend(rendering) {
			names = append(names, e.Name)
		}
		return names
	}
	if got := fmt.Sprint(names(chart.StaticOnly), names(chart.LiveOnly)); got != "[b a static band] [b a live band]" {
		t.Errorf("legends %s", got)
	}
	if band, line := f.layers[1].Ink, f.layers[3].Ink; band.R != line.R || band.A == line.A {
		t.Errorf("the band of a line has colour %v, the line %v", band, line)
	}
}

// TestRuleLabelsAvoidData: the label of a rule stands where no line passes, on every kind of
// axis, and two labels do not share a place.
func TestRuleLabelsAvoidData(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	falling := []float64{9, 8, 7, 6, 5, 4, 3.2, 3, 3, 3}
	level := &chart.Rule{Value: 3, Label: "three of them"}
	for name, c := range map[string]*chart.Chart{
		"linear":   {Layers: []chart.Layer{&chart.Line{X: x, Y: falling}, level}},
		"log":      {Layers: []chart.Layer{&chart.Line{X: x, Y: falling}, level}, Y: chart.Axis{Scale: chart.Log}},
		"reversed": {Layers: []chart.Layer{&chart.Line{X: x, Y: falling}, level}, Y: chart.Axis{Reverse: true}},
	} {
		f := settled(t, c)
		label := f.labelBox(level)
		for u := 1.0; u <= 10; u += 0.01 {
			k := min(int(u), 9)
			v := falling[k-1] + (u-float64(k))*(falling[k]-falling[k-1])
			if label.Contains(f.pixel(u, v)) {
				t.Errorf("%s: data at (%g, %g), where the label stands", name, u, v)
			}
		}
	}
	upright := []*chart.Rule{{Value: 5, Label: "first", Vertical: true}, {Value: 5.01, Label: "second", Vertical: true}}
	p := settled(t, &chart.Chart{Layers: []chart.Layer{&chart.Points{X: x, Y: falling}, upright[0], upright[1]}})
	if p.spots[upright[0]] == p.spots[upright[1]] {
		t.Errorf("both labels stand at %v", p.spots[upright[0]])
	}
	if got := p.spots[upright[0]]; got != (spot{1, -1, 1}) {
		t.Errorf("with room at the top the label stands at %v", got)
	}
}

// TestPiecesInABox counts the parts of a line in a box as a reader would.
func TestPiecesInABox(t *testing.T) {
	b := r2.Box{Max: r2.Vec{X: 2, Y: 1}}
	for _, test := range []struct {
		name string
		line []r2.Vec
		want int
	}{
		{"inside", []r2.Vec{{X: 0.5, Y: 0.5}, {X: 1, Y: 0.5}}, 1},
		{"through", []r2.Vec{{X: -1, Y: 0.5}, {X: 3, Y: 0.5}}, 1},
		{"across a corner", []r2.Vec{{X: -0.5, Y: 0.5}, {X: 0.5, Y: 1.5}}, 0},
		{"in, out and in again", []r2.Vec{{X: 1, Y: 0.5}, {X: 1, Y: 2}, {X: 1.5, Y: 2}, {X: 1.5, Y: 0.5}, {X: 1.5, Y: -1}}, 2},
		{"beside", []r2.Vec{{X: -1, Y: 2}, {X: 3, Y: 2}}, 0},
		{"away from it", []r2.Vec{{X: 3, Y: 0.5}, {X: 4, Y: 0.5}}, 0},
	} {
		if got := pieces(test.line, b); got != test.want {
			t.Errorf("%s: %d pieces, want %d", test.name, got, test.want)
		}
	}
}
