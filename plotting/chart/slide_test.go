package chart

import (
	"fmt"
	"testing"
)

// TestSlide: every position has its layers and its filter, the picture those of the start, and the whole is a chart.
func TestSlide(t *testing.T) {
	c := &Chart{Title: "a line whose slope slides"}
	c.Slide(Slider{Name: "slope", Min: -0.2, Max: 0.2, Step: 0.1, Value: 0.1}, func(slope float64) []Layer {
		return []Layer{&Line{Look: Look{Name: "line"}, X: []float64{0, 1}, Y: []float64{0, slope}}, &Rule{Value: slope}, &Text{X: []float64{0}, Y: []float64{0}, Labels: []string{"a value"}, Panel: 1}}
	})
	count := map[Where]int{}
	for _, layer := range c.Layers {
		look := layer.look()
		count[look.Only]++
		if line, ok := layer.(*Line); ok && look.Only == StaticOnly && line.Y[1] != 0.1 {
			t.Errorf("the picture shows the slope %g", line.Y[1])
		} else if ok && look.Only == LiveOnly {
			want := fmt.Sprintf("abs(slope-(%g)) < 0.05", line.Y[1])
			if got := look.Transform[0]["filter"]; got != want {
				t.Errorf("filter %q, want %q", got, want)
			}
		}
	}
	if count[LiveOnly] != 15 || count[StaticOnly] != 2 || len(c.Sliders) != 1 {
		t.Errorf("layers %v, sliders %v", count, c.Sliders)
	}
	if _, err := c.prepare(); err != nil {
		t.Error(err)
	}
}
