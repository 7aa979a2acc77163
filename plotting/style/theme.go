package style

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Default size of a figure in CSS pixels (1/96 inch): the width of a notebook's output area
// on a laptop, and of a printed page at 17 cm.
const (
	DefaultWidth  = 640
	DefaultHeight = 400
)

// Pixel is the length of a CSS pixel.
const Pixel = vg.Inch / 96

// Font sizes in points.
const (
	titleSize  = 12
	labelSize  = 10.5
	tickSize   = 9.5
	legendSize = 9.5
)

// bold is the weight of titles on the scale of golang.org/x/image/font.
const bold = 3

// Family is the font family that Vega-Lite charts ask for, the closest match to the font of
// the static pictures.
const Family = "Liberation Sans, Arial, Helvetica, sans-serif"

// Font returns the house font at a size in points.
func Font(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(size)}
}

// Text returns a text style of the house font.
func Text(size float64, c color.Color, x draw.XAlignment, y draw.YAlignment) text.Style {
	return text.Style{Color: c, Font: Font(size), XAlign: x, YAlign: y, Handler: Markup{}}
}

// LabelText returns the style of labels written into a picture.
func LabelText(c color.Color, x draw.XAlignment, y draw.YAlignment) text.Style {
	return Text(tickSize, c, x, y)
}

// Bold returns the text style with a bold font.
func Bold(sty text.Style) text.Style {
	sty.Font.Weight = bold
	return sty
}

// margin is the room around a figure in points.
const margin = 8

// Margin takes the outer margin of a figure off a canvas.
func Margin(c draw.Canvas) draw.Canvas {
	return draw.Crop(c, margin, -margin, margin, -margin)
}

// New returns an empty gonum plot in the house style with a light grid and ticks at round
// numbers; for other axes set Tick.Marker to LogTicks or a ticker of gonum. Labels may hold
// sub- and superscripts, see Markup.
func New(title, xLabel, yLabel string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, xLabel, yLabel
	p.TextHandler = Markup{}
	p.BackgroundColor = color.White
	p.Title.TextStyle.Handler, p.Title.TextStyle.Font = Markup{}, Font(titleSize)
	p.Title.TextStyle.Font.Weight = bold
	p.Title.Padding = vg.Points(8)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Handler, axis.Label.TextStyle.Font = Markup{}, Font(labelSize)
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Handler, axis.Tick.Label.Font = Markup{}, Font(tickSize)
		axis.Tick.Marker = LinearTicks{}
		axis.LineStyle = Line(Grey, 0.8, nil)
		axis.Tick.LineStyle = Line(Grey, 0.8, nil)
		axis.Tick.Length = vg.Points(4)
		axis.Padding = vg.Points(2)
	}
	p.Legend.TextStyle.Handler, p.Legend.TextStyle.Font = Markup{}, Font(legendSize)
	p.Legend.Padding = vg.Points(4)
	p.Legend.YPosition = draw.PosCenter
	line := Line(color.NRGBA{R: 0xe4, G: 0xe4, B: 0xe4, A: 0xff}, 0.6, nil)
	p.Add(&plotter.Grid{Vertical: line, Horizontal: line})
	return p
}
