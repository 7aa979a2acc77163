package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

// Layer is one part of a chart: one of the types below, or a mark of your own as a Custom. NaN
// stands for a missing value: lines are interrupted there, other marks are left out. Infinite
// values are errors except where a layer says otherwise.
type Layer interface {
	look() *Look
	// check reports lists of different lengths and infinite values.
	check() error
	rows() int
	// xs and ys return the values that the axes must show.
	xs() []float64
	ys() []float64
	// draw draws the layer into the static picture.
	draw(s *canvas, c color.NRGBA)
	// thumbnail draws the legend entry.
	thumbnail(s *canvas, c color.NRGBA)
	// symbol is the path of the legend entry in the interactive rendering.
	symbol() string
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
	// Labels are shown in tooltips; default none.
	Labels []string
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
	// Groups tells the shapes of one layer apart: consecutive corners of one group belong
	// together; nil means one shape.
	Groups []int
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

// Cells draws a coloured rectangle for each value of a grid: rows along the y axis, columns
// along the x axis, both counted from 0.
type Cells struct {
	Look
	// Values holds the rows one after the other; NaN cells are grey.
	Values []float64
	// NRows and NCols are the shape of the grid; their product is the number of values.
	NRows, NCols int
	// Gradient colours the values from Min to Max; default style.Sequential, and both 0 the
	// range of the values.
	Gradient style.Gradient
	Min, Max float64
	// Label is the title of the colour bar.
	Label string
}

// sameLength checks that all named lists have one length.
func sameLength(names []string, lists ...[]float64) error {
	for i, l := range lists {
		if len(l) != len(lists[0]) {
			return fmt.Errorf("%s has %d values and %s has %d; give lists of one length", names[i], len(l), names[0], len(lists[0]))
		}
	}
	return nil
}

// finite checks that no value is infinite; NaN is allowed.
func finite(names []string, lists ...[]float64) error {
	for i, l := range lists {
		for k, v := range l {
			if math.IsInf(v, 0) {
				return fmt.Errorf("%s[%d] is %v: %w; leave it out or mark it missing with NaN", names[i], k, v, ErrNotFinite)
			}
		}
	}
	return nil
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

// checkLists does the checks that all layers with plain lists share.
func (l *Look) checkLists(names []string, lists ...[]float64) error {
	if err := sameLength(names, lists...); err != nil {
		return err
	}
	if err := finite(names, lists...); err != nil {
		return err
	}
	return l.checkColumns(len(lists[0]))
}

func checkLabels(labels []string, rows int, required bool) error {
	if len(labels) != rows && (required || labels != nil) {
		return fmt.Errorf("labels has %d texts for %d rows; give one for each", len(labels), rows)
	}
	return nil
}

func (l *Line) check() error { return l.checkLists([]string{"x", "y"}, l.X, l.Y) }
func (l *Points) check() error {
	if err := checkLabels(l.Labels, len(l.X), false); err != nil {
		return err
	}
	return l.checkLists([]string{"x", "y"}, l.X, l.Y)
}
func (l *Band) check() error {
	return l.checkLists([]string{"x", "low", "high"}, l.X, l.Low, l.High)
}
func (l *Bars) check() error {
	if err := sameLength([]string{"at", "to"}, l.At, l.To); err != nil {
		return err
	}
	if err := finite([]string{"at"}, l.At); err != nil {
		return err
	}
	if l.Thickness < 0 || l.Thickness > 1 {
		return fmt.Errorf("thickness %g is outside [0, 1]; it is a fraction of the room of a bar", l.Thickness)
	}
	return l.checkColumns(len(l.At))
}
func (l *Rule) check() error {
	if math.IsNaN(l.Value) {
		return fmt.Errorf("value is NaN: %w; leave the rule out", ErrNoData)
	}
	return nil
}
func (l *Segments) check() error {
	return l.checkLists([]string{"x", "y", "x2", "y2"}, l.X, l.Y, l.X2, l.Y2)
}
func (l *Polygon) check() error {
	if l.Groups != nil && len(l.Groups) != len(l.X) {
		return fmt.Errorf("groups has %d numbers for %d corners; give one for each", len(l.Groups), len(l.X))
	}
	return l.checkLists([]string{"x", "y"}, l.X, l.Y)
}
func (l *Text) check() error {
	if err := checkLabels(l.Labels, len(l.X), true); err != nil {
		return err
	}
	return l.checkLists([]string{"x", "y"}, l.X, l.Y)
}
func (l *Cells) check() error {
	if l.NRows < 0 || l.NCols < 0 || len(l.Values) != l.NRows*l.NCols {
		return fmt.Errorf("values has %d entries for %d rows and %d columns; give rows times columns", len(l.Values), l.NRows, l.NCols)
	}
	return finite([]string{"values"}, l.Values)
}

func (l *Line) rows() int     { return len(l.X) }
func (l *Points) rows() int   { return len(l.X) }
func (l *Band) rows() int     { return len(l.X) }
func (l *Bars) rows() int     { return len(l.At) }
func (l *Rule) rows() int     { return 1 }
func (l *Segments) rows() int { return len(l.X) }
func (l *Polygon) rows() int  { return len(l.X) }
func (l *Text) rows() int     { return len(l.X) }
func (l *Cells) rows() int    { return len(l.Values) }

func (l *Line) xs() []float64     { return l.X }
func (l *Points) xs() []float64   { return l.X }
func (l *Band) xs() []float64     { return l.X }
func (l *Segments) xs() []float64 { return append(append([]float64{}, l.X...), l.X2...) }
func (l *Polygon) xs() []float64  { return l.X }
func (l *Text) xs() []float64     { return l.X }
func (l *Bars) xs() []float64 {
	if l.Horizontal {
		return l.along()
	}
	return l.across()
}
func (l *Rule) xs() []float64 {
	if l.Vertical {
		return []float64{l.Value}
	}
	return nil
}
func (l *Cells) xs() []float64 { return []float64{-0.5, float64(l.NCols) - 0.5} }

func (l *Line) ys() []float64     { return l.Y }
func (l *Points) ys() []float64   { return l.Y }
func (l *Band) ys() []float64     { return append(append([]float64{}, l.Low...), l.High...) }
func (l *Segments) ys() []float64 { return append(append([]float64{}, l.Y...), l.Y2...) }
func (l *Polygon) ys() []float64  { return l.Y }
func (l *Text) ys() []float64     { return l.Y }
func (l *Bars) ys() []float64 {
	if l.Horizontal {
		return l.across()
	}
	return l.along()
}
func (l *Rule) ys() []float64 {
	if l.Vertical {
		return nil
	}
	return []float64{l.Value}
}
func (l *Cells) ys() []float64 { return []float64{-0.5, float64(l.NRows) - 0.5} }

// along returns the values of the bars, across the room of their positions.
func (l *Bars) along() []float64 { return l.To }
func (l *Bars) across() []float64 {
	out := make([]float64, 0, 2*len(l.At))
	for _, v := range l.At {
		out = append(out, v-0.5, v+0.5)
	}
	return out
}
