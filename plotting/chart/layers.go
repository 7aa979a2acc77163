package chart

import (
	"errors"
	"image/color"
)

// ErrNoData says that nothing is left to draw.
var ErrNoData = errors.New("there is nothing to draw")

// Layer is one part of a chart: one of the types below. NaN stands for a missing value: lines are interrupted there,
// other marks are left out. Infinite values are errors except where a layer says otherwise.
type Layer interface {
	look() *Look
	// lists are the coordinates, at least one list of them.
	lists() []List
}

// Common returns what a layer has in common with all others; a change of it changes the layer. It panics for a nil layer.
func Common(l Layer) *Look { return l.look() }

// Lists returns the coordinates of a layer, at least one list, all of one length. It panics for a nil layer.
func Lists(l Layer) []List { return l.lists() }

// List is one list of coordinates of a layer, with a value for each row.
type List struct {
	// Name is that of the field, in lower case.
	Name string
	// OnX says that the values belong to the x axis; others belong to the y axis.
	OnX bool
	// Values are in the unit of the axis, and may be infinite where Infinite says so.
	Values   []float64
	Infinite bool
	// Room is what the axis must show on both sides of each value.
	Room float64
}

// Where limits a layer to one of the renderings.
type Where int

// A layer is drawn in both renderings unless it says otherwise.
const (
	_ Where = iota
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
	Transform []map[string]any
	// NoTooltip leaves the layer without tooltip.
	NoTooltip bool
}

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
	// may hold sub- and superscripts as the labels of an Axis.
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

func (l *Look) look() *Look { return l }

func points(x, y []float64) []List {
	return []List{{Name: "x", OnX: true, Values: x}, {Name: "y", Values: y}}
}

func (l *Line) lists() []List    { return points(l.X, l.Y) }
func (l *Points) lists() []List  { return points(l.X, l.Y) }
func (l *Polygon) lists() []List { return points(l.X, l.Y) }
func (l *Text) lists() []List    { return points(l.X, l.Y) }

func (l *Band) lists() []List {
	return []List{{Name: "x", OnX: true, Values: l.X}, {Name: "low", Values: l.Low}, {Name: "high", Values: l.High}}
}

func (l *Segments) lists() []List {
	return append(points(l.X, l.Y), List{Name: "x2", OnX: true, Values: l.X2}, List{Name: "y2", Values: l.Y2})
}

func (l *Bars) lists() []List {
	return []List{{Name: "at", OnX: !l.Horizontal, Values: l.At, Room: 0.5}, {Name: "to", OnX: l.Horizontal, Values: l.To, Infinite: true}}
}

func (l *Rule) lists() []List {
	return []List{{Name: "value", OnX: l.Vertical, Values: []float64{l.Value}, Infinite: true}}
}
