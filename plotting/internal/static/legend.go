package static

import (
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of the legend in points.
const (
	sampleWidth  = 18
	entryGap     = 6
	legendGap    = 12   // from the data
	widestLegend = 0.36 // of the width of the figure; longer entries are wrapped
)

// legend draws the legend at the right and returns the canvas left for the data. One
// entry that repeats what the title says still helps, so it is drawn too.
func (f *picture) legend(c draw.Canvas) draw.Canvas {
	entries := f.Legend(chart.StaticOnly)
	if len(entries) == 0 {
		return c
	}
	sty := labelStyle(style.Black, draw.XLeft)
	sty.YAlign = draw.YBottom
	limit := vg.Length(widestLegend)*(c.Max.X-c.Min.X) - sampleWidth
	names := make([]string, len(entries))
	var width, height vg.Length
	for k, entry := range entries {
		names[k] = strings.Join(wrapped(entry.Name, limit, sty), "\n")
		width, height = max(width, sampleWidth+sty.Rectangle(" "+names[k]).Max.X), max(height, sty.Rectangle(names[k]).Max.Y)
	}
	left, descent := c.Max.X-width, sty.FontExtents().Descent
	bottom := c.Max.Y - height - descent
	for k, entry := range entries {
		place := c
		place.Min, place.Max = vg.Point{X: left, Y: bottom}, vg.Point{X: left + sampleWidth, Y: bottom + height}
		for _, l := range entry.Layers {
			(&canvas{Canvas: place}).sample(l.Layer, l.Ink)
		}
		middle := bottom + descent + (height-descent-sty.Rectangle(names[k]).Max.Y)/2
		c.FillText(sty, vg.Point{X: place.Max.X + sty.Rectangle(" ").Max.X, Y: middle}, names[k])
		bottom -= height + entryGap
	}
	return draw.Crop(c, 0, -width-legendGap, 0, 0)
}
