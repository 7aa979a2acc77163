// Package static draws a chart as a picture on a canvas of gonum/plot: Picture, and PNG and SVG, which write one.
//
// Where things are:
//
//	picture, image  title, data and legend of a picture (the legend as live/legend.go writes it); PNG and SVG
//	area            axes, ticks and grid
//	marks           how each layer is drawn in data coordinates, and its sample in the legend
//	text            sizes and styles of text and lines, margins; fonts, sub- and superscripts, the signs of sets
package static

import (
	"image/color"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Drawing draws itself into a canvas; *plot.Plot is one.
type Drawing interface{ Draw(c draw.Canvas) }

// Picture returns the picture of a chart. All checks are done here; drawing cannot fail afterwards. The errors are those of
// chart.Check, and that of an axis whose range is empty.
func Picture(c *chart.Chart) (Drawing, error) {
	f, err := layout.New(c)
	if err != nil {
		return nil, err
	}
	return &picture{f}, nil
}

type picture struct{ *layout.Chart }

func (f *picture) Draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = f.title(draw.Crop(c, margin, -margin, margin, -margin))
	c = f.legend(c)
	a := newArea(f.Chart)
	if f.Equal {
		a.equalise(c)
	}
	a.Draw(c)
}

// titleGap is the room below each of title and subtitle in points.
const titleGap = 4

// title draws title and subtitle at the top and returns what is left of the canvas.
func (f *picture) title(c draw.Canvas) draw.Canvas {
	write := func(text string, sty draw.TextStyle) {
		if text == "" {
			return
		}
		for _, line := range wrapped(text, c.Max.X-c.Min.X, sty) {
			c.FillText(sty, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
			c.Max.Y -= sty.Height(line) * 1.1
		}
		c.Max.Y -= titleGap
	}
	bold := textStyle(titleSize, style.Black, draw.XLeft, draw.YTop)
	bold.Font.Weight = boldWeight
	write(f.Title, bold)
	write(f.Subtitle, textStyle(subtitleSize, style.Grey, draw.XLeft, draw.YTop))
	return c
}

func wrapped(text string, width vg.Length, sty draw.TextStyle) []string {
	return label.Wrap(text, float64(width), func(s string) float64 { return float64(sty.Width(s)) })
}

// equalise widens one axis until a unit is as long on both.
func (a *area) equalise(c draw.Canvas) {
	size := a.data(c).Size()
	perX, perY := (a.x.Max-a.x.Min)/float64(size.X), (a.y.Max-a.y.Min)/float64(size.Y)
	widen := func(a *axis, factor float64) {
		middle, half := (a.Min+a.Max)/2, (a.Max-a.Min)/2*factor
		a.Min, a.Max = middle-half, middle+half
	}
	if perX < perY {
		widen(&a.x, perY/perX)
	} else {
		widen(&a.y, perX/perY)
	}
}

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
