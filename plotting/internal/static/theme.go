package static

import (
	"image/color"

	"github.com/sparsero/directions/plotting/internal/layout"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// pixel is the length of a CSS pixel.
const pixel = vg.Inch / 96

// margin is the room around a figure in points.
const margin = 8

// Font sizes in points.
const (
	titleSize    = 12.5
	subtitleSize = 10
	axisSize     = 10.5
)

// boldWeight is the weight of titles on the scale of golang.org/x/image/font.
const boldWeight = 3

func fontOf(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(size)}
}

func textStyle(size float64, c color.Color, x draw.XAlignment, y draw.YAlignment) text.Style {
	return text.Style{Color: c, Font: fontOf(size), XAlign: x, YAlign: y, Handler: handler}
}

// labelStyle returns the style of labels written into a picture.
func labelStyle(c color.Color, x draw.XAlignment) text.Style {
	return textStyle(layout.LabelSize, c, x, draw.YCenter)
}

// lineStyle returns the style of a line of the given colour, width and dash pattern in points.
func lineStyle(c color.NRGBA, width float64, dash []float64) draw.LineStyle {
	line := draw.LineStyle{Color: c, Width: vg.Length(width)}
	for _, v := range dash {
		line.Dashes = append(line.Dashes, vg.Length(v))
	}
	return line
}
