package chart

import (
	"fmt"
	"slices"
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
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

// TestSlideOfLayersWithOneTransform: layers that share the list of their transforms keep a filter each.
func TestSlideOfLayersWithOneTransform(t *testing.T) {
	shared := slices.Grow([]map[string]any{{"calculate": "2*datum.x", "as": "y"}}, 1)
	c := &Chart{}
	c.Slide(Slider{Name: "p", Min: 1, Max: 2, Step: 1, Value: 1}, func(float64) []Layer {
		return []Layer{&Points{Look: Look{Transform: shared}, X: []float64{0}, Y: []float64{0}}}
	})
	for k, want := range []string{"abs(p-(1)) < 0.5", "abs(p-(2)) < 0.5"} {
		if got := c.Layers[k].look().Transform[1]["filter"]; got != want {
			t.Errorf("the filter of position %d is %q, want %q", k+1, got, want)
		}
	}
}

// TestSlideKeepsOnly: a layer for one of the renderings stays out of the other.
func TestSlideKeepsOnly(t *testing.T) {
	c := &Chart{}
	c.Slide(Slider{Name: "p", Min: 1, Max: 2, Step: 1, Value: 1}, func(float64) []Layer {
		return []Layer{&Rule{Look: Look{Name: "live", Only: LiveOnly}}, &Rule{Look: Look{Name: "static", Only: StaticOnly}}}
	})
	var got []string
	for _, layer := range c.Layers {
		got = append(got, fmt.Sprint(layer.look().Name, layer.look().Only))
	}
	if want := fmt.Sprint([]string{fmt.Sprint("live", LiveOnly), fmt.Sprint("live", LiveOnly), fmt.Sprint("static", StaticOnly)}); fmt.Sprint(got) != want {
		t.Errorf("layers %v, want %v", got, want)
	}
}
