package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/plotting/vega"
)

// Layer is one part of a chart: one of the types below. NaN stands for a missing value: lines are
// interrupted there, other marks are left out. Infinite values are errors except where a layer says
// otherwise.
type Layer interface {
	look() *Look
	// lists are the coordinates, at least one list of them.
	lists() []list
	// check reports what else is wrong besides the lists.
	check() error
	// draw draws the layer into the static picture.
	draw(s *canvas, c color.NRGBA)
	// thumbnail draws the legend entry.
	thumbnail(s *canvas, c color.NRGBA)
	// live returns the layer of the interactive rendering.
	live(s *spec, c color.NRGBA) []vega.Object
}

// Line connects points in the order given.
type Line struct {
	Look
	// X and Y are the points, in the units of the axes.
	X, Y []float64
	// Step keeps the value until the next point, as a distribution function does.
	Step bool
	// Markers draws the points as well.
	Markers bool
}

// Shape is the form of a point.
type Shape int

// Ring is open, the others are filled.
const (
	Circle Shape = iota
	Diamond
	Ring
	Star
)

// Points draws a mark at each point.
type Points struct {
	Look
	// X and Y are the points, in the units of the axes.
	X, Y []float64
	// Shape is the form of all points of the layer; default Circle.
	Shape Shape
}

// Band fills the area between Low and High.
type Band struct {
	Look
	// Low and High are the ends of the area at each X.
	X, Low, High []float64
	// Step keeps both limits until the next point.
	Step bool
}

// Bars draws bars from 0, or from the low end of a logarithmic axis, to To at the given positions;
// To may be infinite, which is drawn as an arrow over the end of the axis.
type Bars struct {
	Look
	// At are the positions of the bars, usually the index of a category, and To their ends.
	At, To []float64
	// Horizontal runs the bars along the x axis.
	Horizontal bool
	// Thickness is the width of a bar as a fraction of a unit, 0 to 1; default 0.7.
	Thickness float64
}

// Rule is a straight line over the whole picture at one value, with a label. An
// infinite value is drawn as an arrow at the end of the axis.
type Rule struct {
	Look
	// Value is where the rule crosses its axis.
	Value float64
	// Vertical rules stand at a value of the x axis; others lie at a value of the y axis.
	Vertical bool
	// Label is written where the data leave room; default none.
	Label string
}

// Segments draws a straight line from (X, Y) to (X2, Y2) for each row.
type Segments struct {
	Look
	// X, Y and X2, Y2 are the ends of the lines, in the units of the axes.
	X, Y, X2, Y2 []float64
	// Arrow draws an arrow head at the second end.
	Arrow bool
}

// Polygon fills a closed shape and draws its outline.
type Polygon struct {
	Look
	// X and Y are the corners in the order of the outline; the last is joined to the first.
	X, Y []float64
	// Fill is the opacity of the inside, 0 to 1; default 0.15. Negative means no filling.
	Fill float64
}

// Text writes a label at each point.
type Text struct {
	Look
	// X and Y are the points, in the units of the axes; Labels are the texts, one for each. They
	// may hold sub- and superscripts, see style.Markup.
	X, Y   []float64
	Labels []string
	// Dx and Dy move the labels right and up by CSS pixels.
	Dx, Dy float64
	// Align is -1 for text to the left of the point, 0 centred, 1 to its right.
	Align int
	// Panel writes the label as line 1, 2, ... of a column to the right of the data, below
	// the legend, whatever its coordinates; default 0, at the point. Only the interactive
	// rendering has the column: it is where values at the sliders are read.
	Panel int
}

// list is one list of coordinates of a layer, with a value for each row. Names that begin with x
// belong to the x axis.
type list struct {
	name     string
	values   []float64
	infinite bool // values may be infinite
}

func (l *Line) lists() []list    { return []list{{name: "x", values: l.X}, {name: "y", values: l.Y}} }
func (l *Points) lists() []list  { return []list{{name: "x", values: l.X}, {name: "y", values: l.Y}} }
func (l *Polygon) lists() []list { return []list{{name: "x", values: l.X}, {name: "y", values: l.Y}} }
func (l *Text) lists() []list    { return []list{{name: "x", values: l.X}, {name: "y", values: l.Y}} }
func (l *Bars) lists() []list {
	return []list{{name: "at", values: l.At}, {name: "to", values: l.To, infinite: true}}
}
func (l *Band) lists() []list {
	return []list{{name: "x", values: l.X}, {name: "low", values: l.Low}, {name: "high", values: l.High}}
}
func (l *Segments) lists() []list {
	return []list{{name: "x", values: l.X}, {name: "y", values: l.Y}, {name: "x2", values: l.X2}, {name: "y2", values: l.Y2}}
}
func (l *Rule) lists() []list {
	name := "y"
	if l.Vertical {
		name = "x"
	}
	return []list{{name: name, values: []float64{l.Value}, infinite: true}}
}

// count is the number of rows of a layer.
func count(l Layer) int { return len(l.lists()[0].values) }

// extent returns the values that the x axis, or the y axis, must show.
func extent(l Layer, x bool) (values []float64) {
	if bars, ok := l.(*Bars); ok {
		if bars.Horizontal == x {
			return bars.To
		}
		for _, v := range bars.At { // with the room of a bar
			values = append(values, v-0.5, v+0.5)
		}
		return values
	}
	for _, c := range l.lists() {
		if strings.HasPrefix(c.name, "x") == x {
			values = append(values, c.values...)
		}
	}
	return values
}

// checkLists reports lists of different lengths and infinite values; NaN is allowed.
func checkLists(l Layer) error {
	lists := l.lists()
	for _, c := range lists {
		if len(c.values) != count(l) {
			return fmt.Errorf("%s has %d values and %s has %d; give lists of one length", c.name, len(c.values), lists[0].name, count(l))
		}
	}
	for _, c := range lists {
		for k, v := range c.values {
			if math.IsInf(v, 0) && !c.infinite {
				return fmt.Errorf("%s[%d] is %v: %w; leave it out or mark it missing with NaN", c.name, k, v, ErrNotFinite)
			}
		}
	}
	return l.look().checkColumns(count(l))
}

func (l *Look) checkColumns(rows int) error {
	for _, c := range l.Columns {
		if slices.Contains(reserved, c.Name) {
			return fmt.Errorf("column %q has the name of a coordinate; choose another", c.Name)
		}
		if c.len() != rows {
			return fmt.Errorf("column %q has %d values for %d rows; give one for each", c.Name, c.len(), rows)
		}
	}
	return nil
}

// check is that of layers with nothing but lists.
func (l *Look) check() error { return nil }

func (l *Text) check() error {
	if len(l.Labels) != len(l.X) {
		return fmt.Errorf("labels has %d texts for %d rows; give one for each", len(l.Labels), len(l.X))
	}
	return nil
}

func (l *Bars) check() error {
	if l.Thickness < 0 || l.Thickness > 1 {
		return fmt.Errorf("thickness %g is outside [0, 1]; it is a fraction of the room of a bar", l.Thickness)
	}
	return nil
}

func (l *Rule) check() error {
	if math.IsNaN(l.Value) {
		return fmt.Errorf("value is NaN: %w; leave the rule out", ErrNoData)
	}
	return nil
}
