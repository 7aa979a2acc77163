package static

import (
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// area is the data area of a picture with its axes, grid and layers. It stands in the place of a gonum plot, which
// would link all of gonum's formats and fonts into every program that shows a figure: 5 MB.
type area struct {
	x, y  axis
	chart *layout.Chart
}

// axis is an axis as it is drawn, which may have another range.
type axis struct {
	layout.Axis
	tickLabel text.Style
}

// Sizes of axes in points.
const (
	axisWidth  = 0.8
	gridWidth  = 0.6
	tickLength = 4
	axisGap    = 2 // between an axis and the data
	labelGap   = 4 // between the label of an axis and the rest
)

// newArea returns the data area of a chart, without title and legend.
func newArea(f *layout.Chart) *area {
	return &area{newAxis(&f.X, draw.XCenter, draw.YTop), newAxis(&f.Y, draw.XRight, draw.YCenter), f}
}

func newAxis(a *layout.Axis, x draw.XAlignment, y draw.YAlignment) axis {
	drawn := axis{*a, textStyle(layout.LabelSize, color.Black, x, y)}
	if a.Hidden {
		drawn.Label = ""
	}
	return drawn
}

// labelled are the ticks with a label; the others are small.
func (a *axis) labelled() []layout.Tick {
	return slices.DeleteFunc(a.Ticks(), func(t layout.Tick) bool { return t.Label == "" })
}

func (a *axis) line() draw.LineStyle { return lineStyle(style.Grey, axisWidth, nil) }

func (a *axis) labelStyle() text.Style {
	return textStyle(axisSize, color.Black, draw.XCenter, draw.YBottom)
}

func (a *axis) labelRoom() (room vg.Point) {
	for _, t := range a.labelled() {
		size := a.tickLabel.Rectangle(t.Label).Size()
		room.X, room.Y = max(room.X, size.X), max(room.Y, size.Y)
	}
	return room
}

// lineRoom is half of the axis' own line, and the gap to the data.
func (a *axis) lineRoom() vg.Length {
	if a.Hidden {
		return axisGap
	}
	return axisWidth/2 + axisGap
}

// below is the room that an axis takes below the data.
func (a *axis) below() vg.Length {
	room := a.lineRoom()
	if a.Label != "" {
		room += a.labelStyle().Height(a.Label) + labelGap
	}
	if len(a.Ticks()) > 0 {
		room += tickLength + a.labelRoom().Y
	}
	return room
}

// beside is the room that an axis takes at the left of the data.
func (a *axis) beside() vg.Length {
	room, sty := a.lineRoom(), a.labelStyle()
	if a.Label != "" {
		room += sty.FontExtents().Descent + sty.Height(a.Label) + labelGap
	}
	if len(a.Ticks()) > 0 {
		room += tickLength
		if width := a.labelRoom().X; width > 0 {
			room += width + sty.Width(" ")
		}
	}
	return room
}

// overhang is text beside an axis: where it stands, from 0 to 1, and how far it reaches from there towards the end of the axis.
type overhang struct {
	at    float64
	reach vg.Length
}

// fitted returns where an axis that begins at low has to end, so that none of the texts beside it reaches beyond high: its
// label, and those of its ticks, of which reach tells how far they go.
func (a *axis) fitted(low, high, label vg.Length, reach func(string) vg.Length) vg.Length {
	texts := []overhang{{0.5, label}}
	for _, t := range a.labelled() {
		texts = append(texts, overhang{a.Fraction(t.Value), reach(t.Label)})
	}
	farthest, last := high, overhang{at: 1}
	for _, t := range texts {
		if end := low + vg.Length(t.at)*(high-low) + t.reach; t.at > 0 && t.at <= 1 && end > farthest {
			farthest, last = end, t
		}
	}
	return low + (high-last.reach-low)/vg.Length(last.at)
}

// fitX narrows a canvas until the texts below the horizontal axis fit.
func (a *area) fitX(c draw.Canvas) draw.Canvas {
	reach := func(label string) vg.Length { return a.x.tickLabel.Rectangle(label).Max.X }
	c.Max.X = a.x.fitted(c.Min.X, c.Max.X, a.x.labelStyle().Rectangle(a.x.Label).Max.X, reach)
	return c
}

// fitY lowers a canvas until the texts beside the vertical axis fit.
func (a *area) fitY(c draw.Canvas) draw.Canvas {
	extents := a.y.tickLabel.FontExtents()
	reach := func(label string) vg.Length {
		return a.y.tickLabel.Rectangle(label).Max.Y + extents.Height - extents.Ascent
	}
	c.Max.Y = a.y.fitted(c.Min.Y, c.Max.Y, upright(a.y.labelStyle()).Rectangle(a.y.Label).Max.Y, reach)
	return c
}

func upright(sty text.Style) text.Style {
	sty.Rotation += math.Pi / 2
	return sty
}

func (a *area) data(c draw.Canvas) draw.Canvas {
	return a.fitY(a.fitX(draw.Crop(c, a.y.beside(), 0, a.x.below(), 0)))
}

func (a *area) Draw(c draw.Canvas) {
	a.x.drawBelow(a.fitX(draw.Crop(c, a.y.beside(), 0, 0, 0)))
	a.y.drawBeside(a.fitY(draw.Crop(c, 0, 0, a.x.below(), 0)))
	inner := a.data(c)
	a.grid(inner)
	for _, l := range a.chart.Layers(chart.StaticOnly) {
		(&canvas{inner, a}).draw(l.Layer, l.Ink)
	}
}

func (a *area) grid(c draw.Canvas) {
	sty := lineStyle(layout.GridColor, gridWidth, nil)
	for _, t := range a.x.labelled() {
		if x := c.X(a.x.Fraction(t.Value)); c.ContainsX(x) {
			c.StrokeLine2(sty, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, t := range a.y.labelled() {
		if y := c.Y(a.y.Fraction(t.Value)); c.ContainsY(y) {
			c.StrokeLine2(sty, c.Min.X, y, c.Max.X, y)
		}
	}
}

func (a *axis) drawBelow(c draw.Canvas) {
	y, sty := c.Min.Y, a.labelStyle()
	if a.Label != "" {
		c.FillText(sty, vg.Point{X: c.Center().X, Y: y + sty.FontExtents().Descent}, a.Label)
		y += sty.Height(a.Label) + labelGap
	}
	if a.Hidden {
		return
	}
	ticks := a.Ticks()
	if len(ticks) == 0 {
		c.StrokeLine2(a.line(), c.Min.X, y+axisWidth/2, c.Max.X, y+axisWidth/2)
		return
	}
	top := y + a.labelRoom().Y
	for _, t := range ticks {
		x := c.X(a.Fraction(t.Value))
		if !c.ContainsX(x) {
			continue
		}
		if t.Label != "" {
			c.FillText(a.tickLabel, vg.Point{X: x, Y: top + a.tickLabel.FontExtents().Descent}, t.Label)
		}
		c.StrokeLine2(a.line(), x, top+tickStart(t), x, top+tickLength)
	}
	c.StrokeLine2(a.line(), c.Min.X, top+tickLength, c.Max.X, top+tickLength)
}

func (a *axis) drawBeside(c draw.Canvas) {
	x, sty := c.Min.X, a.labelStyle()
	if a.Label != "" {
		x += sty.Height(a.Label)
		descent := sty.FontExtents().Descent
		c.FillText(upright(sty), vg.Point{X: x - descent, Y: c.Center().Y}, a.Label)
		x += descent + labelGap
	}
	if a.Hidden {
		return
	}
	right := x + a.labelRoom().X
	if right > x {
		x = right + a.tickLabel.Width(" ")
	}
	ticks := a.Ticks()
	for _, t := range ticks {
		y := c.Y(a.Fraction(t.Value))
		if !c.ContainsY(y) {
			continue
		}
		if t.Label != "" {
			c.FillText(a.tickLabel, vg.Point{X: right, Y: y + a.tickLabel.FontExtents().Descent}, t.Label)
		}
		c.StrokeLine2(a.line(), x+tickStart(t), y, x+tickLength, y)
	}
	if len(ticks) > 0 {
		x += tickLength
	}
	c.StrokeLine2(a.line(), x, c.Min.Y, x, c.Max.Y)
}

// tickStart is where the line of a tick begins: one without a label is half as long.
func tickStart(t layout.Tick) vg.Length {
	if t.Label == "" {
		return tickLength / 2
	}
	return 0
}
