package style

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Room around a figure and between the data and its legend, in points.
const (
	margin    = 8
	legendGap = 12
)

// Outside is a picture of a plot with its legend to the right of the data instead of in it.
type Outside struct{ Plot *plot.Plot }

// Draw draws the plot into the canvas, leaving a margin and room for the legend.
func (o Outside) Draw(c draw.Canvas) {
	if o.Plot == nil || c.Canvas == nil {
		return
	}
	c = Margin(c)
	original := o.Plot.Legend
	legend := original
	legend.Top, legend.Left, legend.XOffs, legend.YOffs = true, true, 0, 0
	size := legend.Rectangle(c).Size()
	if size.Y <= 0 {
		o.Plot.Draw(c)
		return
	}
	o.Plot.Legend = plot.NewLegend()
	defer func() { o.Plot.Legend = original }()

	left, right := SplitRight(c, size.X)
	o.Plot.Draw(left)
	if o.Plot.Title.Text != "" {
		right.Max.Y -= o.Plot.Title.TextStyle.Height(o.Plot.Title.Text) + o.Plot.Title.Padding
	}
	legend.Draw(right)
}

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
