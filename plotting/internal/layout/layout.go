// Package layout settles what a chart leaves open, once for both renderings: colours, ranges and ticks of the axes, the
// entries of the legend, and the places of labels. It knows nothing of gonum/plot and of Vega-Lite's marks.
//
// Where things are:
//
//	layout       sizes, colours, the entries of the legend, the room around the data
//	axis, ticks  the ranges of axes; the texts of ticks in both pictures, their places in the static one (in the live one: live/encoding)
//	marks        what an axis cannot show of a mark; thinned lines
//	rulelabels   where the labels of rules stand
package layout

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/gonum/spatial/r2"
)

// Default size of a figure in CSS pixels (1/96 inch): the width of a notebook's output area
// on a laptop, and of a printed page at 17 cm.
const (
	DefaultWidth  = 640
	DefaultHeight = 400
)

// Default sizes of marks and labels in points, and of bars and fillings as fractions.
const (
	LineWidth    = 1.8
	RuleWidth    = 1.3
	Outline      = 1.2
	PointRadius  = 3.2
	MarkerRadius = PointRadius - 0.6 // of the points on a line
	SampleRadius = 4.5               // the largest of a mark in the legend
	BarRoom      = 0.7
	FillOpacity  = 0.15
	LabelSize    = 9.5
	HaloWidth    = 1.2 // of the white rim that keeps a label apart from lines
)

// GridColor is the colour of the lines behind the data.
var GridColor = color.NRGBA{R: 0xe4, G: 0xe4, B: 0xe4, A: 0xff}

// Chart is a chart that can be drawn.
type Chart struct {
	*chart.Chart
	// Width and Height are the size in CSS pixels, legend and title included.
	Width, Height float64
	// Area is the size of the data area of the interactive rendering in CSS pixels; that of the picture has about this size.
	Area r2.Vec
	// X and Y are the axes with their ranges.
	X, Y   Axis
	layers []Layer
	spots  map[*chart.Rule]spot // of the labels of rules
}

// Layer is a layer with its colour.
type Layer struct {
	chart.Layer
	*chart.Look
	Ink color.NRGBA
}

// New checks a chart and settles it. The errors are those of chart.Check, and those of an axis whose range is empty.
func New(c *chart.Chart) (*Chart, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	f := &Chart{Chart: c, Width: cmp.Or(c.Width, DefaultWidth), Height: cmp.Or(c.Height, DefaultHeight), layers: inked(c.Layers)}
	var errX, errY error
	f.X, errX = axis(c, true)
	f.Y, errY = axis(c, false)
	if err := cmp.Or(errX, errY); err != nil {
		return nil, err
	}
	f.Area = f.area()
	f.placeRuleLabels()
	return f, nil
}

// Axis returns the x axis, or the y axis.
func (f *Chart) Axis(x bool) *Axis {
	if x {
		return &f.X
	}
	return &f.Y
}

// Layers returns the layers of a rendering, StaticOnly or LiveOnly, in the order in which they are drawn.
func (f *Chart) Layers(rendering chart.Where) []Layer {
	return slices.DeleteFunc(slices.Clone(f.layers), func(l Layer) bool {
		return l.Only != 0 && l.Only != rendering || l.Rows() == 0
	})
}

// Rows is the number of rows of a layer.
func (l Layer) Rows() int { return len(chart.Lists(l.Layer)[0].Values) }

// bandOpacity is the opacity of a band around a line of the same colour.
const bandOpacity = 0.2

// inked gives each layer without a colour the next one, the same for the same name. Text and straight lines over the whole
// picture are no series: they take no colour away from the series unless they have a name.
func inked(layers []chart.Layer) (out []Layer) {
	named := map[string]color.NRGBA{}
	next := 0
	for _, l := range layers {
		look := chart.Common(l)
		ink, known := named[look.Name]
		if !known || look.Name == "" {
			ink = style.Series(next)
		}
		_, isText := l.(*chart.Text)
		_, isRule := l.(*chart.Rule)
		switch {
		case look.Color != (color.NRGBA{}):
			ink = look.Color
		case isText && look.Name == "":
			ink = style.Black
		case isRule && look.Name == "":
			ink = style.Grey
		case !known || look.Name == "":
			named[look.Name] = ink
			next++
		}
		layer := Layer{l, look, ink}
		if look.Color == (color.NRGBA{}) && layer.isBand() {
			layer.Ink = style.Fade(ink, bandOpacity)
		}
		out = append(out, layer)
	}
	return out
}

// Entry is an entry of the legend with the layers that it names.
type Entry struct {
	Name   string
	Layers []Layer
}

// Legend returns the entries of a rendering in the order of the layers, those that consist of bands alone last.
func (f *Chart) Legend(rendering chart.Where) (entries []Entry) {
	layers := f.Layers(rendering)
	for _, bands := range []bool{false, true} {
		for _, l := range layers {
			known := slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == l.Name })
			if l.Name == "" || l.isBand() != bands || known {
				continue
			}
			named := slices.DeleteFunc(slices.Clone(layers), func(other Layer) bool { return other.Name != l.Name })
			entries = append(entries, Entry{l.Name, named})
		}
	}
	return entries
}

// isBand tells whether a layer is a band, which stands behind the line of its name.
func (l Layer) isBand() bool {
	_, ok := l.Layer.(*chart.Band)
	return ok
}

// Room for axes, title and legend around the data area, in CSS pixels, and the mean width of a character.
const (
	roomForYAxis  = 62
	roomForXAxis  = 44
	roomForTitle  = 34
	lineOfTitle   = 18
	roomForLegend = 50
	charWidth     = 6.2
	leastData     = 120
)

// area returns the size of the data area, such that the whole interactive chart has about the size that was asked for.
// (Vega-Lite can fit the whole itself, but clips titles then.)
func (f *Chart) area() r2.Vec {
	legend := 0.0
	if longest := f.longestEntry(); longest > 0 {
		legend = roomForLegend + charWidth*float64(longest)
	}
	left := float64(roomForYAxis)
	for _, name := range f.Y.Categories {
		left = max(left, 28+charWidth*float64(utf8.RuneCountInString(label.OneLine(name))))
	}
	top := 0.0
	if f.Title != "" || f.Subtitle != "" {
		top = roomForTitle
	}
	if f.Subtitle != "" {
		top += lineOfTitle
	}
	width, height := max(leastData, f.Width-left-legend), max(leastData, f.Height-roomForXAxis-top)
	if f.Equal {
		spanX, spanY := f.X.Max-f.X.Min, f.Y.Max-f.Y.Min
		unit := min(width/spanX, height/spanY)
		width, height = spanX*unit, spanY*unit
	}
	return r2.Vec{X: math.Round(width), Y: math.Round(height)}
}

func (f *Chart) longestEntry() (longest int) {
	for _, entry := range f.Legend(chart.LiveOnly) {
		longest = max(longest, utf8.RuneCountInString(label.Unicode(label.OneLine(entry.Name))))
	}
	for _, l := range f.layers {
		if text, ok := l.Layer.(*chart.Text); ok && text.Panel > 0 {
			longest = max(longest, panelChars)
		}
	}
	return longest
}

// panelChars is the room for a line of the column of values beside the data.
const panelChars = 20
