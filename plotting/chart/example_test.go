package chart_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

// A chart with a slider: the point on the parabola at the value of the slider. In a notebook
// it is shown by plotting.Show(plotting.NewFigure(c, "A parabola.")).
func Example() {
	x, y := []float64{0, 1, 2, 3}, []float64{0, 1, 4, 9}
	c := &chart.Chart{
		Title: "A parabola", X: chart.Axis{Label: "t [s]"}, Y: chart.Axis{Label: "t^{2}"},
		Sliders: []chart.Slider{{Name: "t", Min: 0, Max: 3, Step: 1, Value: 2}},
		Layers: []chart.Layer{
			&chart.Line{Look: chart.Look{Name: "path"}, X: x, Y: y},
			&chart.Points{Look: chart.Look{Name: "at t", Only: chart.LiveOnly, Transform: []vega.Object{{"filter": "datum.x==t"}}}, X: x, Y: y},
		},
	}
	picture, err := c.Static()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, remark, err := c.Live()
	if err != nil {
		fmt.Println(err)
		return
	}
	png, err := style.PNG(picture, 640, 400, 96)
	fmt.Println(len(png) > 0, err, remark == "")
	// Output:
	// true <nil> true
}
