package chart

import (
	"math"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// spot is where the label of a rule stands: along the rule as a fraction of the data area, and
// on which side of it.
type spot struct {
	// along is the fraction at which the label is anchored; it extends from there to higher
	// fractions (align 1), to lower ones (-1), or to both sides (0).
	along float64
	align int
	// side is 1 above a horizontal or right of a vertical rule, and -1 on the other side.
	side int
}

// spots are the places along a rule in the order in which they are tried; the one with least data
// in the way is taken.
var spots = []spot{{1, -1, 1}, {1, -1, -1}, {0, 1, 1}, {0, 1, -1}, {0.7, 0, 1}, {0.7, 0, -1}, {0.3, 0, 1}, {0.3, 0, -1}}

// Height of a label and its distance from its rule, in pixels.
const (
	labelHeight = 15.0
	labelInset  = 2
)

// labelSpots chooses the place of the label of each rule, in turn, where it covers least of the data and of the labels before.
func (f *prepared) labelSpots() {
	f.spots = map[Layer]spot{}
	s := f.sheet()
	var taken []vg.Rectangle
	for _, l := range f.Layers {
		rule, ok := l.(*Rule)
		if !ok || rule.Label == "" || math.IsInf(rule.Value, 0) {
			continue
		}
		best, least := spot{}, math.MaxInt
		for _, at := range spots {
			f.spots[l] = at
			if covered := s.covered(s.box(rule.note(f)), taken); covered < least {
				best, least = at, covered
			}
		}
		f.spots[l] = best
		taken = append(taken, s.box(rule.note(f)))
	}
}

// sheet is a data area to measure on, which nobody sees.
func (f *prepared) sheet() *canvas {
	width, height := (&spec{p: f}).size()
	area := vg.Rectangle{Max: vg.Point{X: pixelLength(width), Y: pixelLength(height)}}
	return &canvas{Canvas: draw.Canvas{Rectangle: area}, plot: f.area(), chart: f}
}

func pixelLength(pixels float64) vg.Length { return vg.Length(pixels) * style.Pixel }

// covered counts the points, the pieces of lines and the labels in the room of a label; outside of the data area it is more
// than any data have.
func (s *canvas) covered(room vg.Rectangle, taken []vg.Rectangle) (count int) {
	if !s.Contains(room.Min) || !s.Contains(room.Max) {
		return math.MaxInt - 1
	}
	for _, other := range taken {
		if room.Min.X < other.Max.X && other.Min.X < room.Max.X && room.Min.Y < other.Max.Y && other.Min.Y < room.Max.Y {
			count++
		}
	}
	pieces := draw.Canvas{Rectangle: room}
	for _, l := range s.chart.Layers {
		switch l := l.(type) {
		case *Line:
			count += len(pieces.ClipLinesXY(s.runs(l.X, l.Y, l.Step)...))
		case *Band:
			count += len(pieces.ClipLinesXY(s.runs(l.X, l.High, l.Step)...)) + len(pieces.ClipLinesXY(s.runs(l.X, l.Low, l.Step)...))
		case *Points:
			for i := range l.X {
				if at, ok := s.at(l.X[i], l.Y[i]); ok && pieces.Contains(at) {
					count++
				}
			}
		}
	}
	return count
}

// box is the room of a label on the canvas.
func (s *canvas) box(label *Text) vg.Rectangle {
	at, _ := s.at(label.X[0], label.Y[0])
	sty, at := label.style(style.Black), label.moved(at)
	width := sty.Width(oneLine(label.Labels[0]))
	low := at.Add(vg.Point{X: width * vg.Length(sty.XAlign), Y: -pixelLength(labelHeight / 2)})
	return vg.Rectangle{Min: low, Max: low.Add(vg.Point{X: width, Y: pixelLength(labelHeight)})}
}

// valueAt is the value at a fraction of an axis.
func (a *settled) valueAt(f float64) float64 {
	if a.Reverse {
		f = 1 - f
	}
	if a.Scale == Log {
		return a.min * math.Pow(a.max/a.min, f)
	}
	return a.min + f*(a.max-a.min)
}
