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

// canvas is a data area on which layers draw in data coordinates.
type canvas struct {
	draw.Canvas
	*area
}

// at returns the place of a point, and false if the axes cannot show it.
func (s *canvas) at(x, y float64) (vg.Point, bool) {
	if !s.x.Has(x) || !s.y.Has(y) {
		return vg.Point{}, false
	}
	near := func(fraction float64) float64 { return min(max(fraction, -farOutside), farOutside) }
	return vg.Point{X: s.X(near(s.x.Fraction(x))), Y: s.Y(near(s.y.Fraction(y)))}, true
}

// farOutside bounds coordinates in units of the data area, so that far values do not overflow while they are clipped.
const farOutside = 1e4

func (s *canvas) stroke(line draw.LineStyle, points []vg.Point) {
	s.StrokeLines(line, s.ClipLinesXY(points)...)
}

func (s *canvas) fill(c color.NRGBA, points []vg.Point) {
	if len(points) > 2 && c.A > 0 {
		s.FillPolygon(c, s.ClipPolygonXY(points))
	}
}

// resolved is the number of points of a line that the canvas can resolve, two in each column of pixels.
func (s *canvas) resolved() int { return 2 * int((s.Max.X-s.Min.X)/pixel) }

// joined returns the uninterrupted parts of a line in canvas coordinates.
func (s *canvas) joined(x, y []float64, step bool) (lines [][]vg.Point) {
	for _, line := range s.chart.Joined(x, y, step) {
		places := make([]vg.Point, len(line))
		for i, p := range line {
			places[i], _ = s.at(p.X, p.Y)
		}
		lines = append(lines, places)
	}
	return lines
}

// crowd is the number of points above which points that fall on the same spot are drawn once; a spot is spotSize wide.
const (
	crowd    = 20000
	spotSize = 2 * pixel
)

// points draws a mark at each point that lies in the data area.
func (s *canvas) points(shape chart.Shape, c color.NRGBA, radius float64, x, y []float64) {
	taken := map[[2]int32]bool{}
	for i := range x {
		at, ok := s.at(x[i], y[i])
		if !ok || !s.Contains(at) {
			continue
		}
		if len(x) > crowd {
			spot := [2]int32{int32((at.X - s.Min.X) / spotSize), int32((at.Y - s.Min.Y) / spotSize)}
			if taken[spot] {
				continue
			}
			taken[spot] = true
		}
		s.point(shape, c, radius, at)
	}
}

func (s *canvas) point(shape chart.Shape, c color.NRGBA, radius float64, at vg.Point) {
	if corners := layout.Corners(shape, radius); corners != nil {
		polygon := make([]vg.Point, len(corners))
		for i, p := range corners {
			polygon[i] = at.Add(vg.Point{X: vg.Length(p.X), Y: vg.Length(p.Y)})
		}
		s.FillPolygon(c, polygon)
		return
	}
	r := vg.Length(radius)
	var path vg.Path
	path.Move(vg.Point{X: at.X + r, Y: at.Y})
	path.Arc(at, r, 0, 2*math.Pi)
	path.Close()
	if shape == chart.Circle {
		s.SetColor(c)
		s.Fill(path)
		return
	}
	s.SetColor(color.White)
	s.Fill(path)
	s.SetLineStyle(lineStyle(c, layout.Outline+0.2, nil))
	s.Stroke(path)
}

// arrowHead is the length of an arrow head in points.
const arrowHead = 6.5

// arrow draws a line with a filled head at its second end.
func (s *canvas) arrow(c color.NRGBA, width float64, from, to vg.Point) {
	length := vg.Length(math.Hypot(float64(to.X-from.X), float64(to.Y-from.Y)))
	if length == 0 {
		return
	}
	unit, head := to.Sub(from).Scale(1/length), min(arrowHead, length*0.6)
	neck := to.Sub(unit.Scale(head))
	s.StrokeLine2(lineStyle(c, width, nil), from.X, from.Y, neck.X, neck.Y)
	side := vg.Point{X: -unit.Y, Y: unit.X}.Scale(head * 0.42)
	s.FillPolygon(c, []vg.Point{to, neck.Add(side), neck.Sub(side)})
}

// haloed writes a label with a white rim, unless it is white itself.
func (s *canvas) haloed(sty draw.TextStyle, at vg.Point, text string) {
	rim := sty
	rim.Color = color.White
	for k := 0; k < 8 && sty.Color != style.White; k++ {
		sin, cos := math.Sincos(math.Pi / 4 * float64(k))
		s.FillText(rim, at.Add(vg.Point{X: layout.HaloWidth * vg.Length(cos), Y: layout.HaloWidth * vg.Length(sin)}), text)
	}
	s.FillText(sty, at, text)
}

func (s *canvas) draw(l chart.Layer, c color.NRGBA) {
	switch l := l.(type) {
	case *chart.Line:
		s.line(l, c)
	case *chart.Points:
		s.points(l.Shape, c, cmp.Or(l.Width, layout.PointRadius), l.X, l.Y)
	case *chart.Band:
		s.band(l, c)
	case *chart.Bars:
		s.bars(l, c)
	case *chart.Rule:
		s.rule(l, c)
	case *chart.Segments:
		s.segments(l, c)
	case *chart.Polygon:
		s.polygon(l, c)
	case *chart.Text:
		s.labels(l, c)
	default:
		panic(fmt.Sprintf("static: a layer of type %T has no case in draw", l))
	}
}

// sample draws a layer into its entry of the legend. Labels are not drawn: they stand beside the marks whose name they have.
func (s *canvas) sample(l chart.Layer, c color.NRGBA) {
	left, right := vg.Point{X: s.Min.X, Y: s.Center().Y}, vg.Point{X: s.Max.X, Y: s.Center().Y}
	through := func(sty draw.LineStyle) { s.StrokeLines(sty, []vg.Point{left, right}) }
	switch l := l.(type) {
	case *chart.Line:
		through(stroke(&l.Look, c, layout.LineWidth))
		if l.Markers {
			s.point(chart.Circle, c, layout.MarkerRadius, s.Center())
		}
	case *chart.Points:
		s.point(l.Shape, c, min(cmp.Or(l.Width, layout.PointRadius), layout.SampleRadius), s.Center())
	case *chart.Band, *chart.Bars:
		s.FillPolygon(c, s.swatch())
	case *chart.Rule:
		through(stroke(&l.Look, c, layout.RuleWidth))
	case *chart.Segments:
		if l.Arrow {
			s.arrow(c, cmp.Or(l.Width, layout.RuleWidth), left, right)
		} else {
			through(stroke(&l.Look, c, layout.RuleWidth))
		}
	case *chart.Polygon:
		box := s.swatch()
		if l.Fill >= 0 {
			s.FillPolygon(style.Fade(c, cmp.Or(l.Fill, layout.FillOpacity)), box)
		}
		s.StrokeLines(stroke(&l.Look, c, layout.Outline), append(box, box[0]))
	}
}

// stroke is the style of the lines of a layer, of a width in points where it has none of its own.
func stroke(l *chart.Look, c color.NRGBA, width float64) draw.LineStyle {
	return lineStyle(c, cmp.Or(l.Width, width), l.Dash)
}

// swatch is the shape of an entry for an area.
func (s *canvas) swatch() []vg.Point {
	x0, x1, m := s.Min.X+2, s.Max.X-2, s.Center().Y
	return []vg.Point{{X: x0, Y: m - 4}, {X: x1, Y: m - 4}, {X: x1, Y: m + 4}, {X: x0, Y: m + 4}}
}

func (s *canvas) line(l *chart.Line, c color.NRGBA) {
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

func (s *canvas) band(l *chart.Band, c color.NRGBA) {
	low, high := s.chart.Limits(l)
	keep := layout.ThinBand(low, high, s.resolved())
	x := layout.Pick(l.X, keep)
	lower, upper := s.joined(x, layout.Pick(low, keep), l.Step), s.joined(x, layout.Pick(high, keep), l.Step)
	for i := range lower {
		slices.Reverse(upper[i])
		s.fill(c, append(lower[i], upper[i]...))
	}
}

func (s *canvas) segments(l *chart.Segments, c color.NRGBA) {
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

func (s *canvas) polygon(l *chart.Polygon, c color.NRGBA) {
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

func (s *canvas) labels(l *chart.Text, c color.NRGBA) {
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

func (s *canvas) bars(l *chart.Bars, c color.NRGBA) {
	left, right, bottom, top := s.chart.Extents(l)
	if l.Horizontal {
		left, right, bottom, top = bottom, top, left, right
	}
	for i := range left {
		from, okFrom := s.at(left[i], bottom[i])
		to, okTo := s.at(right[i], top[i])
		if okFrom && okTo {
			s.fill(c, []vg.Point{from, {X: from.X, Y: to.Y}, to, {X: to.X, Y: from.Y}})
		}
	}
	s.labels(s.chart.BarEnds(l), style.White)
}

func (s *canvas) rule(l *chart.Rule, c color.NRGBA) {
	x, y := [2]float64{s.x.Min, s.x.Max}, [2]float64{l.Value, l.Value}
	if l.Vertical {
		x, y = [2]float64{l.Value, l.Value}, [2]float64{s.y.Min, s.y.Max}
	}
	from, ok := s.at(x[0], y[0])
	if to, _ := s.at(x[1], y[1]); ok && !math.IsInf(l.Value, 0) {
		s.stroke(stroke(&l.Look, c, layout.RuleWidth), []vg.Point{from, to})
	}
	s.labels(s.chart.RuleLabel(l), c)
}
