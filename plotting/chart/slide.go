package chart

import (
	"fmt"
	"math"
	"slices"
)

// Slide adds a slider and the layers of each of its positions Min, Min+Step, ..., Max: the interactive rendering shows
// those of the position that the reader sets, the static one those of s.Value. What no formula of a transform gives, a
// solve or a selection, is so computed before. The layers of a position are made once for each rendering; give one thing
// the same name in all of them. A layer that says Only is left out of the other rendering. Without a function, without a Step
// above 0 or with more than 10,000 positions there are no layers.
func (c *Chart) Slide(s Slider, layers func(value float64) []Layer) {
	c.Sliders = append(c.Sliders, s)
	last := (s.Max-s.Min)/s.Step + halfStep
	if layers == nil || !(s.Step > 0 && last < mostPositions) {
		return
	}
	for k := 0; float64(k) <= last; k++ {
		value := s.Min + float64(k)*s.Step
		if math.Abs(value-s.Value) < halfStep*s.Step {
			value = s.Value
		}
		shown := map[string]any{"filter": fmt.Sprintf("abs(%s-(%g)) < %g", s.Name, value, halfStep*s.Step)}
		for _, layer := range layers(value) {
			look := layer.look()
			if look.Only == StaticOnly {
				continue
			}
			look.Only, look.Transform = LiveOnly, slices.Concat(look.Transform, []map[string]any{shown})
			c.Layers = append(c.Layers, layer)
		}
	}
	for _, layer := range layers(s.Value) {
		text, ok := layer.(*Text)
		if ok && text.Panel > 0 || layer.look().Only == LiveOnly {
			continue // no panel in the picture, and no layer of the other rendering
		}
		layer.look().Only = StaticOnly
		c.Layers = append(c.Layers, layer)
	}
}

// mostPositions bounds the positions for each of which a slider has layers.
const mostPositions = 10_000

// halfStep tells the positions of a slider apart, as a part of its step.
const halfStep = 0.5
