package static

import (
	"image/color"
	"math"

	"github.com/sparsero/directions/plotting/chart"
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
	return vg.Point{X: along(&s.x, x, s.X), Y: along(&s.y, y, s.Y)}, true
}

// farOutside bounds coordinates in units of the data area, so that far values do not overflow while they are clipped.
const farOutside = 1e4

func along(a *axis, v float64, scale func(float64) vg.Length) vg.Length {
	return scale(min(max(a.Fraction(v), -farOutside), farOutside))
}

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
	dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	ux, uy := dx/length, dy/length
	head := min(arrowHead, length*0.6)
	neck := vg.Point{X: to.X - vg.Length(head*ux), Y: to.Y - vg.Length(head*uy)}
	s.StrokeLine2(lineStyle(c, width, nil), from.X, from.Y, neck.X, neck.Y)
	side := vg.Length(head * 0.42)
	s.FillPolygon(c, []vg.Point{to, {X: neck.X - side*vg.Length(uy), Y: neck.Y + side*vg.Length(ux)}, {X: neck.X + side*vg.Length(uy), Y: neck.Y - side*vg.Length(ux)}})
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
