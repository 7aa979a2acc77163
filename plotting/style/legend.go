package style

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Room around a figure and between the data and its legend, in points.
const (
	margin    = 8
	legendGap = 12
)

// Margin takes the outer margin of a figure off a canvas.
func Margin(c draw.Canvas) draw.Canvas {
	return draw.Crop(c, margin, -margin, margin, -margin)
}

// SplitRight divides a canvas into the data side and a strip of the given width at its
// right, with a gap between them.
func SplitRight(c draw.Canvas, width vg.Length) (left, right draw.Canvas) {
	left = draw.Crop(c, 0, -(width + legendGap), 0, 0)
	right = draw.Crop(c, c.Max.X-c.Min.X-width, 0, 0, 0)
	return left, right
}
