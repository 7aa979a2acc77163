package static

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mark is a layer in the static picture.
type mark interface {
	// draw draws the layer into the data area.
	draw(s *canvas, c color.NRGBA)
	// sample draws the legend entry.
	sample(s *canvas, c color.NRGBA)
}

// markOf says how each layer is drawn.
func markOf(l chart.Layer) mark {
	switch l := l.(type) {
	case *chart.Line:
		return line{l}
	case *chart.Points:
		return points{l}
	case *chart.Band:
		return band{l}
	case *chart.Bars:
		return bars{l}
	case *chart.Rule:
		return rule{l}
	case *chart.Segments:
		return segments{l}
	case *chart.Polygon:
		return polygon{l}
	case *chart.Text:
		return labels{l}
	}
	panic(fmt.Sprintf("static: a layer of type %T has no case in markOf", l))
}

// stroke is the style of the lines of a layer, of a width in points where it has none of its own.
func stroke(l *chart.Look, c color.NRGBA, width float64) draw.LineStyle {
	return lineStyle(c, cmp.Or(l.Width, width), l.Dash)
}

// stroked draws a line through the middle of an entry.
func (s *canvas) stroked(sty draw.LineStyle) {
	y := s.Center().Y
	s.StrokeLine2(sty, s.Min.X, y, s.Max.X, y)
}

// swatch is the shape of an entry for an area.
func (s *canvas) swatch() []vg.Point {
	x0, x1, m := s.Min.X+2, s.Max.X-2, s.Center().Y
	return []vg.Point{{X: x0, Y: m - 4}, {X: x1, Y: m - 4}, {X: x1, Y: m + 4}, {X: x0, Y: m + 4}}
}

type line struct{ *chart.Line }

func (l line) draw(s *canvas, c color.NRGBA) {
	keep := layout.ThinLine(l.Y, s.resolved())
	for _, run := range s.joined(layout.Pick(l.X, keep), layout.Pick(l.Y, keep), l.Step) {
		if len(run) == 1 && !l.Markers {
			s.point(chart.Circle, c, cmp.Or(l.Width, layout.LineWidth), run[0])
			continue
		}
		s.stroke(stroke(&l.Look, c, layout.LineWidth), run)
	}
	if l.Markers {
		s.points(chart.Circle, c, layout.MarkerRadius, l.X, l.Y)
	}
}

func (l line) sample(s *canvas, c color.NRGBA) {
	s.stroked(stroke(&l.Look, c, layout.LineWidth))
	if l.Markers {
		s.point(chart.Circle, c, layout.MarkerRadius, s.Center())
	}
}

type points struct{ *chart.Points }

func (l points) draw(s *canvas, c color.NRGBA) {
	s.points(l.Shape, c, cmp.Or(l.Width, layout.PointRadius), l.X, l.Y)
}

func (l points) sample(s *canvas, c color.NRGBA) {
	s.point(l.Shape, c, min(cmp.Or(l.Width, layout.PointRadius), layout.SampleRadius), s.Center())
}

type band struct{ *chart.Band }

func (l band) draw(s *canvas, c color.NRGBA) {
	low, high := s.chart.Limits(l.Band)
	keep := layout.ThinBand(low, high, s.resolved())
	x := layout.Pick(l.X, keep)
	lower, upper := s.joined(x, layout.Pick(low, keep), l.Step), s.joined(x, layout.Pick(high, keep), l.Step)
	for i := range lower {
		slices.Reverse(upper[i])
		s.fill(c, append(lower[i], upper[i]...))
	}
}

func (l band) sample(s *canvas, c color.NRGBA) { s.FillPolygon(c, s.swatch()) }

type segments struct{ *chart.Segments }

func (l segments) draw(s *canvas, c color.NRGBA) {
	for i := range l.X {
		from, okFrom := s.at(l.X[i], l.Y[i])
		to, okTo := s.at(l.X2[i], l.Y2[i])
		switch {
		case !okFrom || !okTo:
		case l.Arrow && s.Contains(to):
			s.arrow(c, cmp.Or(l.Width, layout.RuleWidth), from, to)
		default:
			s.stroke(stroke(&l.Look, c, layout.RuleWidth), []vg.Point{from, to})
		}
	}
}

func (l segments) sample(s *canvas, c color.NRGBA) {
	if !l.Arrow {
		s.stroked(stroke(&l.Look, c, layout.RuleWidth))
		return
	}
	y := s.Center().Y
	s.arrow(c, cmp.Or(l.Width, layout.RuleWidth), vg.Point{X: s.Min.X, Y: y}, vg.Point{X: s.Max.X, Y: y})
}

type polygon struct{ *chart.Polygon }

func (l polygon) draw(s *canvas, c color.NRGBA) {
	var shape []vg.Point
	for i := range l.X {
		if at, ok := s.at(l.X[i], l.Y[i]); ok {
			shape = append(shape, at)
		}
	}
	if len(shape) == 0 {
		return
	}
	if l.Fill >= 0 {
		s.fill(style.Fade(c, cmp.Or(l.Fill, layout.FillOpacity)), shape)
	}
	s.stroke(stroke(&l.Look, c, layout.Outline), append(shape, shape[0]))
}

func (l polygon) sample(s *canvas, c color.NRGBA) {
	box := s.swatch()
	if l.Fill >= 0 {
		s.FillPolygon(style.Fade(c, cmp.Or(l.Fill, layout.FillOpacity)), box)
	}
	s.StrokeLines(stroke(&l.Look, c, layout.Outline), append(box, box[0]))
}

type labels struct{ *chart.Text }

func (l labels) draw(s *canvas, c color.NRGBA) {
	sty := labelStyle(c, draw.XCenter)
	switch {
	case l.Align < 0:
		sty.XAlign = draw.XRight
	case l.Align > 0:
		sty.XAlign = draw.XLeft
	}
	moved := vg.Point{X: vg.Length(l.Dx) * pixel, Y: vg.Length(l.Dy) * pixel}
	for i := range l.X {
		if at, ok := s.at(l.X[i], l.Y[i]); ok && s.Contains(at) {
			s.haloed(sty, at.Add(moved), label.OneLine(l.Labels[i]))
		}
	}
}

// sample of labels is nothing: they stand beside the marks whose name they have.
func (l labels) sample(*canvas, color.NRGBA) {}

type bars struct{ *chart.Bars }

func (l bars) draw(s *canvas, c color.NRGBA) {
	low, high, from, to := s.chart.Extents(l.Bars)
	for i := range low {
		shape := make([]vg.Point, 4)
		ok := true
		for k, corner := range [][2]float64{{low[i], from[i]}, {low[i], to[i]}, {high[i], to[i]}, {high[i], from[i]}} {
			x, y := corner[0], corner[1]
			if l.Horizontal {
				x, y = y, x
			}
			var fits bool
			shape[k], fits = s.at(x, y)
			ok = ok && fits
		}
		if ok {
			s.fill(c, shape)
		}
	}
	labels{s.chart.BarEnds(l.Bars)}.draw(s, style.White)
}

func (l bars) sample(s *canvas, c color.NRGBA) { s.FillPolygon(c, s.swatch()) }

type rule struct{ *chart.Rule }

func (l rule) draw(s *canvas, c color.NRGBA) {
	axis, at := &s.y, s.Y
	if l.Vertical {
		axis, at = &s.x, s.X
	}
	if axis.Has(l.Value) && !math.IsInf(l.Value, 0) {
		place := along(axis, l.Value, at)
		ends := []vg.Point{{X: s.Min.X, Y: place}, {X: s.Max.X, Y: place}}
		if l.Vertical {
			ends = []vg.Point{{X: place, Y: s.Min.Y}, {X: place, Y: s.Max.Y}}
		}
		s.stroke(stroke(&l.Look, c, layout.RuleWidth), ends)
	}
	labels{s.chart.RuleLabel(l.Rule)}.draw(s, c)
}

func (l rule) sample(s *canvas, c color.NRGBA) { s.stroked(stroke(&l.Look, c, layout.RuleWidth)) }
