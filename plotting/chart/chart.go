package chart

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"reflect"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

// Chart is the description of one figure. A chart needs a layer; everything else has a
// default.
type Chart struct {
	// Title and Subtitle stand above the data; long ones are wrapped.
	Title, Subtitle string
	// Width and Height are the size in CSS pixels (1/96 inch), legend and title included;
	// default style.DefaultWidth and style.DefaultHeight.
	Width, Height float64
	// X and Y describe the axes; default linear ones over the range of the data, without label.
	X, Y Axis
	// Equal makes a unit as long on the one axis as on the other.
	Equal bool
	// Layers are drawn in order, later ones above earlier ones.
	Layers []Layer
	// Sliders are parameters of the interactive rendering.
	Sliders []Slider
}

// Scale says how the values of an axis are placed.
type Scale int

// Linear is the default. Log wants positive values and leaves others out. Time takes seconds
// since 1970 in UTC.
const (
	Linear Scale = iota
	Log
	Time
)

// Axis describes one axis. Labels may hold sub- and superscripts, see style.Markup.
type Axis struct {
	// Label names the axis, with the unit in brackets; default none.
	Label string
	// Scale places the values; default Linear.
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

func (a Axis) fixed() bool { return a.Min != 0 || a.Max != 0 }

// Slider is a parameter of the interactive rendering, set by the reader; expressions refer
// to it by its name.
type Slider struct {
	// Name is the identifier in expressions: letters and digits.
	Name string
	// Label stands beside the slider.
	Label string
	// Min, Max and Step are the range of the slider; Value is where it starts.
	Min, Max, Step, Value float64
}

// Where limits a layer to one of the renderings.
type Where int

// A layer is drawn in both renderings unless it says otherwise.
const (
	Everywhere Where = iota
	StaticOnly
	LiveOnly
)

// Look is what all layers have in common.
type Look struct {
	// Name is the legend entry; default none. Layers of one name share a colour and an entry.
	Name string
	// Color is the colour with its opacity; default the next colour of the house style, and
	// black for text and grey for rules without name.
	Color color.NRGBA
	// Width is the width of lines, or the radius of points, in points; default by layer.
	Width float64
	// Dash is the dash pattern of lines in points; default solid.
	Dash []float64
	// Only limits the layer to one rendering; default both.
	Only Where
	// Columns are further values of each row, for tooltips and expressions.
	Columns []Column
	// Transform are Vega-Lite transforms of the rows in the interactive rendering, in which
	// the fields are named x, y, x2, y2, label, and by Columns. Of an expression that names another
	// field Vega-Lite leaves out the marks without a word.
	Transform []vega.Object
	// NoTooltip leaves the layer without tooltip.
	NoTooltip bool
}

func (l *Look) look() *Look { return l }

// Column is a named list of values beside the coordinates: numbers, or text.
type Column struct {
	// Name is the field name in expressions. The names of the coordinates are taken: x, y,
	// x2, y2, low, high, from, to, label, series, order, xname, yname, value.
	Name string
	// Numbers or Text are the values, one for each row; the other is nil.
	Numbers []float64
	Text    []string
	// Hidden keeps the column out of the tooltip.
	Hidden bool
	// Title is the name in tooltips; default Name.
	Title string
}

// reserved are the names of fields that layers write themselves.
var reserved = []string{"x", "y", "x2", "y2", "low", "high", "from", "to", "label", "series", "order", "xname", "yname", "value"}

func (c Column) len() int {
	if c.Numbers != nil {
		return len(c.Numbers)
	}
	return len(c.Text)
}

// Errors of charts that cannot be drawn.
var (
	// ErrNoData says that nothing is left to draw.
	ErrNoData = errors.New("there is nothing to draw")
	// ErrNotFinite says that a value is infinite where only finite ones can be drawn.
	ErrNotFinite = errors.New("value is infinite")
)

// prepared is a chart whose layers are checked and whose colours and ranges are settled.
type prepared struct {
	*Chart
	width, height float64
	colors        []color.NRGBA // by layer
	x, y          settled
	spots         map[Layer]spot // of the labels of rules
}

// settled is an axis with its range.
type settled struct {
	Axis
	span
	whole bool // the axis counts
}

// along returns the x axis, or the y axis.
func (f *prepared) along(x bool) *settled {
	if x {
		return &f.x
	}
	return &f.y
}

// prepare checks the chart and settles defaults.
func (c *Chart) prepare() (*prepared, error) {
	if c == nil {
		return nil, errors.New("chart: the chart is nil; give a Chart with at least one layer")
	}
	p := &prepared{Chart: c, width: cmp.Or(c.Width, style.DefaultWidth), height: cmp.Or(c.Height, style.DefaultHeight)}
	if len(c.Layers) == 0 {
		return nil, fmt.Errorf("chart: %q has no layers: %w", c.Title, ErrNoData)
	}
	drawn := false
	for i, l := range c.Layers {
		if l == nil || reflect.ValueOf(l).Kind() == reflect.Pointer && reflect.ValueOf(l).IsNil() {
			return nil, fmt.Errorf("chart: layer %d of %q is nil; leave it out", i, c.Title)
		}
		if err := errors.Join(checkLists(l), l.check()); err != nil {
			return nil, fmt.Errorf("chart: layer %d (%s) of %q: %w", i, l.look().Name, c.Title, err)
		}
		drawn = drawn || count(l) > 0
	}
	if !drawn {
		return nil, fmt.Errorf("chart: all layers of %q are empty: %w; give at least one row", c.Title, ErrNoData)
	}
	p.colors = c.settleColors()
	if err := p.settleRanges(); err != nil {
		return nil, err
	}
	p.labelSpots()
	return p, nil
}

// neutralColor is the colour of layers that are no series: text and straight lines over the whole
// picture, which take no colour away from the series unless they have a name.
func neutralColor(l Layer) (color.NRGBA, bool) {
	switch l.(type) {
	case *Text:
		return style.Black, true
	case *Rule:
		return style.Grey, true
	}
	return color.NRGBA{}, false
}

// bandOpacity is the opacity of a band around a line of the same colour.
const bandOpacity = 0.2

// settleColors gives each layer without a colour the next one, the same for the same name.
func (c *Chart) settleColors() []color.NRGBA {
	colors := make([]color.NRGBA, len(c.Layers))
	named := map[string]color.NRGBA{}
	next := 0
	for i, l := range c.Layers {
		look := l.look()
		if look.Color != (color.NRGBA{}) {
			colors[i] = look.Color
			continue
		}
		if neutral, ok := neutralColor(l); ok && look.Name == "" {
			colors[i] = neutral
			continue
		}
		known, ok := named[look.Name]
		if !ok || look.Name == "" {
			known = style.Series(next)
			named[look.Name] = known
			next++
		}
		if _, isBand := l.(*Band); isBand {
			known = style.Fade(known, bandOpacity)
		}
		colors[i] = known
	}
	return colors
}

// span is a closed range of finite values.
type span struct{ min, max float64 }

// emptySpan contains nothing.
func emptySpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.min, s.max = min(s.min, v), max(s.max, v)
		}
	}
}

func (s *span) empty() bool { return s.min > s.max }

// Room left between the data and the ends of an axis, as a fraction of its range, and the
// factor by which a range of one value is widened on a logarithmic axis.
const (
	rangePadding = 0.04
	singleFactor = 3
)

// leastCounts is the range from which an axis of whole numbers has no ticks between them; on a
// shorter one they help the eye.
const leastCounts = 2

// counts tells whether an axis counts: its data are whole numbers over a range, so that ticks
// between them would mean nothing.
func (f *prepared) counts(a Axis, x bool) bool {
	if a.Scale != Linear || len(a.Categories) > 0 || a.Hidden || f.Equal {
		return false
	}
	s := emptySpan()
	for _, l := range f.Layers {
		for _, v := range extent(l, x) {
			if v != math.Trunc(v) { // NaN is not counted, and neither is infinity
				if !math.IsNaN(v) {
					return false
				}
				continue
			}
			s.add(v)
		}
	}
	return s.max-s.min >= leastCounts
}

// settleRanges finds the range of both axes.
func (f *prepared) settleRanges() error {
	x, errX := f.settle("x", f.X, true)
	y, errY := f.settle("y", f.Y, false)
	f.x, f.y = settled{f.X, x, f.counts(f.X, true)}, settled{f.Y, y, f.counts(f.Y, false)}
	return cmp.Or(errX, errY)
}

func (f *prepared) settle(name string, a Axis, x bool) (span, error) {
	if len(a.Categories) > 0 {
		return span{-0.5, float64(len(a.Categories)) - 0.5}, nil
	}
	if a.fixed() {
		if !(a.Min < a.Max) || math.IsInf(a.Max-a.Min, 0) || (a.Scale == Log && a.Min <= 0) {
			return span{}, fmt.Errorf("chart: %s axis of %q cannot run from %g to %g; give a finite range, positive on a logarithmic axis", name, f.Title, a.Min, a.Max)
		}
		return span{a.Min, a.Max}, nil
	}
	s := emptySpan()
	for _, l := range f.Layers {
		for _, v := range extent(l, x) {
			if a.Scale != Log || v > 0 {
				s.add(v)
			}
		}
	}
	if a.Zero && a.Scale != Log {
		s.add(0)
	}
	if s.empty() {
		if a.Scale == Log {
			return s, fmt.Errorf("chart: %s axis of %q is logarithmic and no value is positive: %w; use a linear axis", name, f.Title, ErrNoData)
		}
		return s, fmt.Errorf("chart: %s axis of %q has no finite value: %w", name, f.Title, ErrNoData)
	}
	padded := s.padded(a)
	if math.IsInf(padded.max-padded.min, 0) || a.Scale == Log && !(padded.min > 0) {
		return s, fmt.Errorf("chart: %s axis of %q cannot run from %g to %g; use smaller units", name, f.Title, s.min, s.max)
	}
	return padded, nil
}

// padded leaves room around the data; an end at zero that the axis must include stays put.
func (s span) padded(a Axis) span {
	if a.Scale == Log {
		if s.min == s.max {
			return span{s.min / singleFactor, s.max * singleFactor}
		}
		ratio := math.Pow(s.max/s.min, rangePadding)
		return span{s.min / ratio, s.max * ratio}
	}
	if s.min == s.max {
		half := max(math.Abs(s.min)*0.1, 0.5)
		return span{s.min - half, s.max + half}
	}
	pad := (s.max - s.min) * rangePadding
	out := span{s.min - pad, s.max + pad}
	if a.Zero && s.min == 0 {
		out.min = 0
	}
	if a.Zero && s.max == 0 {
		out.max = 0
	}
	return out
}
