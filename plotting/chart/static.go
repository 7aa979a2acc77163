package chart

import (
	"image/color"
	"math"
	"strings"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Static returns the picture of the chart, to be drawn on a canvas of gonum. All checks are done here;
// drawing cannot fail afterwards. The errors are ErrNoData, ErrNotFinite, and lists of a layer that differ
// in length or an axis whose range is empty.
func (c *Chart) Static() (style.Drawing, error) {
	p, err := c.prepare()
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Draw draws title, data and legend.
func (f *prepared) Draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = f.title(style.Margin(c))
	c = f.drawLegend(c)
	p := f.area()
	if f.Equal {
		equalise(p, c)
	}
	p.Draw(c)
}

// area returns the data area as a gonum plot, without title and legend.
func (f *prepared) area() *plot.Plot {
	p := style.New("", f.X.Label, f.Y.Label)
	f.x.draw(&p.X)
	f.y.draw(&p.Y)
	for i, l := range f.Layers {
		if l.look().Only != LiveOnly {
			p.Add(plotter{layer: l, color: f.colors[i], chart: f})
		}
	}
	return p
}

// draw describes the axis to gonum.
func (a *settled) draw(axis *plot.Axis) {
	axis.Min, axis.Max = a.min, a.max
	axis.Tick.Marker = a.ticker()
	if a.Scale == Log {
		axis.Scale = plot.LogScale{}
	}
	if a.Reverse {
		axis.Scale = plot.InvertedScale{Normalizer: axis.Scale}
	}
	if a.Hidden {
		axis.Label.Text = ""
		axis.Width, axis.Tick.Length = 0, 0
		axis.Tick.Marker = plot.ConstantTicks(nil)
	}
}

// Sizes of the title block in points.
const (
	titleSize    = 12.5
	subtitleSize = 10
	titleGap     = 4
)

// title draws title and subtitle at the top and returns what is left of the canvas.
func (f *prepared) title(c draw.Canvas) draw.Canvas {
	write := func(text string, size float64, bold bool, ink color.NRGBA) {
		if text == "" {
			return
		}
		sty := style.Text(size, ink, draw.XLeft, draw.YTop)
		if bold {
			sty = style.Bold(sty)
		}
		for _, line := range wrap(text, c.Max.X-c.Min.X, sty.Width) {
			c.FillText(sty, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
			c.Max.Y -= sty.Height(line) * 1.1
		}
		c.Max.Y -= titleGap
	}
	write(f.Title, titleSize, true, style.Black)
	write(f.Subtitle, subtitleSize, false, style.Grey)
	return c
}

// wrap breaks a text into lines no wider than the limit; a single word may be wider.
func wrap(text string, limit vg.Length, width func(string) vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		candidate := strings.TrimSpace(line + " " + word)
		if line != "" && width(candidate) > limit {
			lines = append(lines, line)
			candidate = word
		}
		line = candidate
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// equalise widens one axis until a unit is as long on both.
func equalise(p *plot.Plot, c draw.Canvas) {
	area := p.DataCanvas(c)
	size := area.Size()
	perX, perY := (p.X.Max-p.X.Min)/float64(size.X), (p.Y.Max-p.Y.Min)/float64(size.Y)
	widen := func(a *plot.Axis, factor float64) {
		middle, half := (a.Min+a.Max)/2, (a.Max-a.Min)/2*factor
		a.Min, a.Max = middle-half, middle+half
	}
	if perX < perY {
		widen(&p.X, perY/perX)
	} else {
		widen(&p.Y, perX/perY)
	}
}

// plotter draws a layer inside a gonum plot.
type plotter struct {
	layer Layer
	color color.NRGBA
	chart *prepared
}

func (d plotter) Plot(c draw.Canvas, p *plot.Plot) {
	d.layer.draw(&canvas{Canvas: c, plot: p, chart: d.chart}, d.color)
}

// Thumbnail draws the legend entry.
func (d plotter) Thumbnail(c *draw.Canvas) {
	d.layer.thumbnail(&canvas{Canvas: *c, chart: d.chart}, d.color)
}

// canvas is a data area on which layers draw in data coordinates.
type canvas struct {
	draw.Canvas
	plot  *plot.Plot
	chart *prepared
}

// at returns the place of a point, and false if the axes cannot show it.
func (s *canvas) at(x, y float64) (vg.Point, bool) {
	px, okX := place(x, &s.plot.X, s.X)
	py, okY := place(y, &s.plot.Y, s.Y)
	return vg.Point{X: px, Y: py}, okX && okY
}

// farOutside bounds coordinates in units of the data area, so that far values do not
// overflow while they are clipped.
const farOutside = 1e4

func place(v float64, a *plot.Axis, scale func(float64) vg.Length) (vg.Length, bool) {
	if math.IsNaN(v) || (isLog(a) && v <= 0) {
		return 0, false
	}
	n := a.Norm(v)
	return scale(min(max(n, -farOutside), farOutside)), !math.IsNaN(n)
}

func isLog(a *plot.Axis) bool {
	switch s := a.Scale.(type) {
	case plot.LogScale:
		return true
	case plot.InvertedScale:
		_, ok := s.Normalizer.(plot.LogScale)
		return ok
	}
	return false
}

// stroke draws a line clipped to the data area.
func (s *canvas) stroke(line draw.LineStyle, points []vg.Point) {
	s.StrokeLines(line, s.ClipLinesXY(points)...)
}

// fill fills a polygon clipped to the data area.
func (s *canvas) fill(c color.NRGBA, points []vg.Point) {
	if len(points) > 2 && c.A > 0 {
		s.FillPolygon(c, s.ClipPolygonXY(points))
	}
}
