package chart_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/plotting/chart"
)

// A chart with a slider: the point on the parabola at the value of the slider. In a notebook
// plotting.Show shows the figure.
func Example() {
	x, y := []float64{0, 1, 2, 3}, []float64{0, 1, 4, 9}
	c := &chart.Chart{
		Title: "A parabola", X: chart.Axis{Label: "t [s]"}, Y: chart.Axis{Label: "t^{2}"},
		Sliders: []chart.Slider{{Name: "t", Min: 0, Max: 3, Step: 1, Value: 2}},
		Layers: []chart.Layer{
			&chart.Line{Look: chart.Look{Name: "path"}, X: x, Y: y},
			&chart.Points{Look: chart.Look{Name: "at t", Only: chart.LiveOnly, Transform: []map[string]any{{"filter": "datum.x==t"}}}, X: x, Y: y},
		},
	}
	figure, err := plotting.NewFigure(c, "A parabola.")
	if err != nil {
		fmt.Println(err)
		return
	}
	png, err := figure.PNG(96)
	fmt.Println(len(png) > 0, len(figure.Live) > 0, err)
	// Output:
	// true true <nil>
}
