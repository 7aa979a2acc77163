package chart

import (
	"cmp"
	"image/color"
	"slices"
	"strings"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot"
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

// names returns the legend entries of a rendering in the order of the layers, those that
// consist of a band alone last. Layers limited to the other rendering are left out.
func (f *prepared) names(other Where) []string {
	var names []string
	add := func(bands bool) {
		for _, l := range f.Layers {
			look := l.look()
			_, isBand := l.(*Band)
			if look.Name != "" && look.Only != other && count(l) > 0 && isBand == bands && !slices.Contains(names, look.Name) {
				names = append(names, look.Name)
			}
		}
	}
	add(false)
	add(true)
	return names
}

// drawLegend draws the legend at the right and returns the canvas left for the data. One
// entry that repeats what the title says still helps, so it is drawn too.
func (f *prepared) drawLegend(c draw.Canvas) draw.Canvas {
	names := f.names(LiveOnly)
	if len(names) == 0 {
		return c
	}
	legend := plot.NewLegend()
	legend.TextStyle = style.LabelText(style.Black, draw.XLeft, draw.YBottom)
	legend.Top, legend.Left, legend.ThumbnailWidth, legend.Padding = true, true, sampleWidth, entryGap
	limit := vg.Length(widestLegend)*(c.Max.X-c.Min.X) - sampleWidth
	for _, name := range names {
		var samples []plot.Thumbnailer
		for i, l := range f.Layers {
			if look := l.look(); look.Name == name && look.Only != LiveOnly {
				samples = append(samples, plotter{layer: l, color: f.colors[i], chart: f})
			}
		}
		legend.Add(strings.Join(wrap(name, limit, legend.TextStyle.Width), "\n"), samples...)
	}
	width := legend.Rectangle(c).Size().X
	legend.Draw(draw.Crop(c, c.Max.X-c.Min.X-width, 0, 0, 0))
	return draw.Crop(c, 0, -width-legendGap, 0, 0)
}

func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

func (l *Look) sample(s *canvas, c color.NRGBA, width float64) {
	y := s.Center().Y
	s.StrokeLine2(l.line(c, width), s.Min.X, y, s.Max.X, y)
}

func (l *Line) thumbnail(s *canvas, c color.NRGBA) {
	l.sample(s, c, lineWidth)
	if l.Markers {
		s.mark(Circle, c, pointRadius-0.6, s.Center())
	}
}

func (l *Points) thumbnail(s *canvas, c color.NRGBA) {
	s.mark(l.Shape, c, min(cmp.Or(l.Width, pointRadius), 4.5), s.Center())
}

// thumbnail is that of layers that fill an area.
func (l *Look) thumbnail(s *canvas, c color.NRGBA) { s.swatch(c) }

// thumbnail of labels is nothing: they stand beside the marks whose name they have.
func (l *Text) thumbnail(*canvas, color.NRGBA) {}

func (s *canvas) swatch(c color.NRGBA) {
	m := s.Center()
	s.FillPolygon(c, rectangle(s.Min.X+2, m.Y-4, s.Max.X-2, m.Y+4))
}

func (l *Rule) thumbnail(s *canvas, c color.NRGBA) { l.sample(s, c, ruleWidth) }

func (l *Segments) thumbnail(s *canvas, c color.NRGBA) {
	if !l.Arrow {
		l.sample(s, c, ruleWidth)
		return
	}
	y := s.Center().Y
	s.arrow(c, cmp.Or(l.Width, ruleWidth), vg.Point{X: s.Min.X, Y: y}, vg.Point{X: s.Max.X, Y: y})
}

func (l *Polygon) thumbnail(s *canvas, c color.NRGBA) {
	m := s.Center()
	box := rectangle(s.Min.X+2, m.Y-4, s.Max.X-2, m.Y+4)
	if l.Fill >= 0 {
		s.FillPolygon(style.Fade(c, cmp.Or(l.Fill, fillOpacity)), box)
	}
	s.StrokeLines(l.line(c, outline), append(box, box[0]))
}
