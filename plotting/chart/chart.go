// Package chart describes a figure as data: a list of layers (lines, points, bands, bars, ...) over two axes.
//
// Where things are:
//
//	chart   a chart, its axes, layers for each position of a slider, and its mistakes
//	layers  the marks
//
// plotting.NewFigure draws a chart with gonum/plot (package static) and writes it as a Vega-Lite specification (package
// live), with the same data, colours, axes and legend. A layer may be limited to one of the renderings (Look.Only), and the
// interactive one can bind parameters to sliders (Chart.Sliders) that transform the rows of a layer (Look.Transform).
//
// A new mark is a struct here, with its lists, and a case in each of the two renderings.
package chart

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// Chart is the description of one figure. A chart needs a layer; everything else has a default.
type Chart struct {
	// Title and Subtitle stand above the data; long ones are wrapped.
	Title, Subtitle string
	// Width and Height are the size in CSS pixels (1/96 inch), legend and title included; default 640 and 400.
	Width, Height float64
	// X and Y describe the axes; default linear ones over the range of the data, without label.
	X, Y Axis
	// Equal makes a unit as long on the one axis as on the other; none of them may be logarithmic.
	Equal bool
	// Layers are drawn in order, later ones above earlier ones.
	Layers []Layer
	// Sliders are parameters of the interactive rendering.
	Sliders []Slider
}

// Scale says how the values of an axis are placed.
type Scale int

// The default is linear. Log wants positive values and leaves others out. Time takes seconds since 1970 in UTC.
const (
	_ Scale = iota
	Log
	Time
)

// Axis describes one axis. Labels may hold sub- and superscripts with braces, as in TeX: "Δ_{S}(s)", "10^{-3}". An
// underscore or caret without braces is an ordinary character, so that column names need no escaping.
type Axis struct {
	// Label names the axis, with the unit in brackets; default none.
	Label string
	// Scale places the values; default linear.
	Scale Scale
	// Min and Max fix the range; both 0 means the range of the data.
	Min, Max float64
	// Zero includes 0 in the range of the data.
	Zero bool
	// Categories names the positions 0, 1, 2, ...
	Categories []string
	// Reverse runs the axis from high to low, so that the first category is on top.
	Reverse bool
	// Hidden leaves out line, ticks and label.
	Hidden bool
}

// Slider is a parameter of the interactive rendering, set by the reader; expressions refer to it by its name.
type Slider struct {
	// Name is the identifier in expressions: letters and digits.
	Name string
	// Label stands beside the slider.
	Label string
	// Min, Max and Step are the range of the slider; Value is where it starts.
	Min, Max, Step, Value float64
}

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

// Check reports what keeps a chart from being drawn: no layer, or none with a row; lists of a layer that differ in length
// or hold infinite values; a column with the name of a coordinate. Both renderings call it. ErrNoData is among the errors.
func (c *Chart) Check() error {
	if c == nil {
		return errors.New("chart: the chart is nil; give a Chart with at least one layer")
	}
	if len(c.Layers) == 0 {
		return fmt.Errorf("chart: %q has no layers: %w", c.Title, ErrNoData)
	}
	if c.Equal && (c.X.Scale == Log || c.Y.Scale == Log) {
		return fmt.Errorf("chart: %q has Equal and a logarithmic axis, whose units differ in length; leave out one of them", c.Title)
	}
	rows := 0
	for i, l := range c.Layers {
		if l == nil || reflect.ValueOf(l).Kind() == reflect.Pointer && reflect.ValueOf(l).IsNil() {
			return fmt.Errorf("chart: layer %d of %q is nil; leave it out", i, c.Title)
		}
		if err := errors.Join(checkLists(l), checkOthers(l)); err != nil {
			return fmt.Errorf("chart: layer %d (%s) of %q: %w", i, l.look().Name, c.Title, err)
		}
		rows += len(l.lists()[0].Values)
	}
	if rows == 0 {
		return fmt.Errorf("chart: all layers of %q are empty: %w; give at least one row", c.Title, ErrNoData)
	}
	return nil
}

// checkLists reports lists of different lengths and infinite values; NaN is allowed.
func checkLists(l Layer) error {
	lists := l.lists()
	rows := len(lists[0].Values)
	for _, c := range lists {
		if len(c.Values) != rows {
			return fmt.Errorf("%s has %d values and %s has %d; give lists of one length", c.Name, len(c.Values), lists[0].Name, rows)
		}
	}
	for _, c := range lists {
		for k, v := range c.Values {
			if math.IsInf(v, 0) && !c.Infinite {
				return fmt.Errorf("%s[%d] is %v, and only finite values can be drawn; leave it out or mark it missing with NaN", c.Name, k, v)
			}
		}
	}
	return l.look().checkColumns(rows)
}

// checkOthers reports what else is wrong besides the lists.
func checkOthers(l Layer) error {
	switch l := l.(type) {
	case *Text:
		if len(l.Labels) != len(l.X) {
			return fmt.Errorf("labels has %d texts for %d rows; give one for each", len(l.Labels), len(l.X))
		}
	case *Bars:
		if l.Thickness < 0 || l.Thickness > 1 {
			return fmt.Errorf("thickness %g is outside [0, 1]; it is a fraction of the room of a bar", l.Thickness)
		}
	case *Rule:
		if math.IsNaN(l.Value) {
			return fmt.Errorf("value is NaN: %w; leave the rule out", ErrNoData)
		}
	}
	return nil
}

// reserved are the names of fields that the rows of a layer have themselves.
var reserved = []string{"x", "y", "x2", "y2", "low", "high", "from", "to", "label", "series", "order", "xname", "yname", "value"}

func (l *Look) checkColumns(rows int) error {
	for _, c := range l.Columns {
		if slices.Contains(reserved, c.Name) {
			return fmt.Errorf("column %q has the name of a coordinate; choose another", c.Name)
		}
		if n := max(len(c.Numbers), len(c.Text)); n != rows {
			return fmt.Errorf("column %q has %d values for %d rows; give one for each", c.Name, n, rows)
		}
	}
	return nil
}
