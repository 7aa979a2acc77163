package chart

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Default sizes in points.
const (
	lineWidth   = 1.8
	ruleWidth   = 1.3
	outline     = 1.2
	pointRadius = 3.2
	arrowHead   = 6.5
	barRoom     = 0.7
	fillOpacity = 0.15
)

func (l *Look) line(c color.NRGBA, width float64) draw.LineStyle {
	return style.Line(c, cmp.Or(l.Width, width), l.Dash)
}

func (l *Line) draw(s *canvas, c color.NRGBA) {
	sty := l.line(c, lineWidth)
	for _, run := range s.runs(l.X, l.Y, l.Step) {
		if len(run) == 1 && !l.Markers {
			s.mark(Circle, c, cmp.Or(l.Width, lineWidth), run[0])
			continue
		}
		s.stroke(sty, run)
	}
	if l.Markers {
		s.marks(Circle, c, pointRadius-0.6, l.X, l.Y)
	}
}

// runs returns the uninterrupted parts of a line in canvas coordinates, thinned to what the
// canvas can resolve.
func (s *canvas) runs(x, y []float64, step bool) [][]vg.Point {
	keep := thinRows(y, s.resolved())
	return s.joined(pick(x, keep), pick(y, keep), step)
}

// resolved is the number of points of a line that the canvas can resolve, two in each column of pixels.
func (s *canvas) resolved() int { return 2 * int((s.Max.X-s.Min.X)/style.Pixel) }

// joined returns the uninterrupted parts of a line in canvas coordinates.
func (s *canvas) joined(x, y []float64, step bool) [][]vg.Point {
	var runs [][]vg.Point
	var run []vg.Point
	for i := range x {
		at, ok := s.at(x[i], y[i])
		if !ok {
			if run != nil {
				runs, run = append(runs, run), nil
			}
			continue
		}
		if step && len(run) > 0 {
			run = append(run, vg.Point{X: at.X, Y: run[len(run)-1].Y})
		}
		run = append(run, at)
	}
	if run != nil {
		runs = append(runs, run)
	}
	return runs
}

func (l *Points) draw(s *canvas, c color.NRGBA) {
	s.marks(l.Shape, c, cmp.Or(l.Width, pointRadius), l.X, l.Y)
}

// crowd is the number of points above which points that fall on the same spot are drawn
// once; a spot is spotSize wide.
const (
	crowd    = 20000
	spotSize = 2 * style.Pixel
)

// marks draws a mark at each point that lies in the data area.
func (s *canvas) marks(shape Shape, c color.NRGBA, radius float64, x, y []float64) {
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
		s.mark(shape, c, radius, at)
	}
}

func (s *canvas) mark(shape Shape, c color.NRGBA, radius float64, at vg.Point) {
	r := vg.Length(radius)
	switch shape {
	case Diamond:
		s.FillPolygon(c, around(at, slices.Repeat([]vg.Length{1.25 * r}, 4)))
	case Star:
		s.FillPolygon(c, around(at, slices.Repeat([]vg.Length{1.5 * r, 0.62 * r}, 5)))
	default:
		var path vg.Path
		path.Move(vg.Point{X: at.X + r, Y: at.Y})
		path.Arc(at, r, 0, 2*math.Pi)
		path.Close()
		if shape == Circle {
			s.SetColor(c)
			s.Fill(path)
			return
		}
		s.SetColor(color.White)
		s.Fill(path)
		s.SetLineStyle(style.Line(c, outline+0.2, nil))
		s.Stroke(path)
	}
}

// around returns points at the given distances in equal angles, the first one above.
func around(at vg.Point, distances []vg.Length) []vg.Point {
	out := make([]vg.Point, len(distances))
	for i, d := range distances {
		sin, cos := math.Sincos(math.Pi/2 + 2*math.Pi*float64(i)/float64(len(distances)))
		out[i] = vg.Point{X: at.X + d*vg.Length(cos), Y: at.Y + d*vg.Length(sin)}
	}
	return out
}

func (l *Band) draw(s *canvas, c color.NRGBA) {
	low, high := l.limits(&s.chart.Y)
	keep := thinBand(low, high, s.resolved())
	x := pick(l.X, keep)
	lower, upper := s.joined(x, pick(low, keep), l.Step), s.joined(x, pick(high, keep), l.Step)
	for i := range lower {
		slices.Reverse(upper[i])
		s.fill(c, append(lower[i], upper[i]...))
	}
}

// limits are the ends of a band, both missing where the axis cannot show one of them.
func (l *Band) limits(y *Axis) (low, high []float64) {
	low, high = slices.Clone(l.Low), slices.Clone(l.High)
	for i := range low {
		if math.IsNaN(float64(coordinate(y, low[i]) + coordinate(y, high[i]))) {
			low[i], high[i] = math.NaN(), math.NaN()
		}
	}
	return low, high
}

// arrow draws a line with a filled head at its second end.
func (s *canvas) arrow(c color.NRGBA, width float64, from, to vg.Point) {
	dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	ux, uy := dx/length, dy/length
	head := min(arrowHead, length*0.6)
	neck := vg.Point{X: to.X - vg.Length(head*ux), Y: to.Y - vg.Length(head*uy)}
	s.StrokeLine2(style.Line(c, width, nil), from.X, from.Y, neck.X, neck.Y)
	side := vg.Length(head * 0.42)
	s.FillPolygon(c, []vg.Point{to, {X: neck.X - side*vg.Length(uy), Y: neck.Y + side*vg.Length(ux)}, {X: neck.X + side*vg.Length(uy), Y: neck.Y - side*vg.Length(ux)}})
}

func (l *Segments) draw(s *canvas, c color.NRGBA) {
	sty := l.line(c, ruleWidth)
	for i := range l.X {
		from, okFrom := s.at(l.X[i], l.Y[i])
		to, okTo := s.at(l.X2[i], l.Y2[i])
		switch {
		case !okFrom || !okTo:
		case l.Arrow && s.Contains(to):
			s.arrow(c, cmp.Or(l.Width, ruleWidth), from, to)
		default:
			s.stroke(sty, []vg.Point{from, to})
		}
	}
}

func (l *Polygon) draw(s *canvas, c color.NRGBA) {
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
		s.fill(style.Fade(c, cmp.Or(l.Fill, fillOpacity)), shape)
	}
	s.stroke(l.line(c, outline), append(shape, shape[0]))
}

func (l *Text) style(c color.NRGBA) draw.TextStyle {
	sty := style.LabelText(c, draw.XCenter, draw.YCenter)
	switch {
	case l.Align < 0:
		sty.XAlign = draw.XRight
	case l.Align > 0:
		sty.XAlign = draw.XLeft
	}
	return sty
}

// moved is the place of a label at a point.
func (l *Text) moved(at vg.Point) vg.Point {
	return at.Add(vg.Point{X: vg.Length(l.Dx) * style.Pixel, Y: vg.Length(l.Dy) * style.Pixel})
}

func (l *Text) draw(s *canvas, c color.NRGBA) {
	sty := l.style(c)
	for i := range l.X {
		at, ok := s.at(l.X[i], l.Y[i])
		if !ok || !s.Contains(at) {
			continue
		}
		s.haloed(sty, l.moved(at), oneLine(l.Labels[i]))
	}
}

// haloWidth is the width in points of the white rim that keeps a label apart from lines.
const haloWidth = 1.2

// haloed writes a label with a white rim, unless it is white itself.
func (s *canvas) haloed(sty draw.TextStyle, at vg.Point, text string) {
	rim := sty
	rim.Color = color.White
	for k := 0; k < 8 && sty.Color != style.White; k++ {
		sin, cos := math.Sincos(math.Pi / 4 * float64(k))
		s.FillText(rim, at.Add(vg.Point{X: haloWidth * vg.Length(cos), Y: haloWidth * vg.Length(sin)}), text)
	}
	s.FillText(sty, at, text)
}
