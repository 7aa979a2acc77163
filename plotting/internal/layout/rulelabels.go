package layout

import (
	"cmp"
	"math"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"gonum.org/v1/gonum/spatial/r2"
)

// spot is where the label of a rule stands: along the rule as a fraction of the data area, and on which side of it.
type spot struct {
	// along is the fraction at which the label is anchored; it extends from there to higher
	// fractions (align 1), to lower ones (-1), or to both sides (0).
	along float64
	align int
	// side is 1 above a horizontal or right of a vertical rule, and -1 on the other side.
	side int
}

// spots are the places along a rule in the order in which they are tried; the one with least data in the way is taken.
var spots = []spot{{1, -1, 1}, {1, -1, -1}, {0, 1, 1}, {0, 1, -1}, {0.7, 0, 1}, {0.7, 0, -1}, {0.3, 0, 1}, {0.3, 0, -1}}

// Height of a label and its distance from its rule, in pixels.
const (
	labelHeight = 15.0
	labelInset  = 2
)

// RuleLabel is the label of a rule, where the data leave room. Of a rule at infinity it is all that is
// drawn: an arrow with the label, in the middle of that edge.
func (f *Chart) RuleLabel(l *chart.Rule) *chart.Text {
	text := &chart.Text{Look: chart.Look{NoTooltip: true, Transform: l.Transform}, Labels: []string{l.Label}}
	at, value := f.spots[l], l.Value
	if math.IsInf(value, 0) {
		at, value = f.edge(l, text)
	}
	text.X, text.Y = []float64{f.Axis(!l.Vertical).valueAt(at.along)}, []float64{value}
	text.Align, text.Dx, text.Dy = at.align, float64(labelInset*at.align), float64(at.side)*(labelHeight/2+labelInset)
	if l.Vertical {
		text.X, text.Y = text.Y, text.X
		text.Align, text.Dx, text.Dy = at.side, float64(2*labelInset*at.side), float64(at.align)*(labelHeight/2+labelInset)
	}
	return text
}

// edge is where a rule at infinity has its arrow, which it adds to the label.
func (f *Chart) edge(l *chart.Rule, text *chart.Text) (at spot, value float64) {
	axis, arrows := f.Axis(l.Vertical), [2]string{"▼", "▲"}
	if l.Vertical {
		arrows = [2]string{"◄──", "──►"}
	}
	name := cmp.Or(l.Label, "∞")
	if math.IsInf(l.Value, -1) {
		text.Labels[0] = arrows[0] + " " + name
		return spot{along: 0.5, side: 1}, axis.Min
	}
	text.Labels[0] = name + " " + arrows[1]
	return spot{along: 0.5, side: -1}, axis.Max
}

// placeRuleLabels chooses the place of the label of each rule, in turn, where it covers least of the data and of the
// labels before.
func (f *Chart) placeRuleLabels() {
	f.spots = map[*chart.Rule]spot{}
	var lines [][]r2.Vec
	var points []r2.Vec
	var taken []r2.Box
	for _, l := range f.layers {
		rule, ok := l.Layer.(*chart.Rule)
		if !ok || rule.Label == "" || math.IsInf(rule.Value, 0) {
			continue
		}
		if lines == nil && points == nil {
			lines, points = f.drawn()
		}
		best, least := spot{}, math.MaxInt
		for _, at := range spots {
			f.spots[rule] = at
			if covered := f.covered(f.labelBox(rule), lines, points, taken); covered < least {
				best, least = at, covered
			}
		}
		f.spots[rule] = best
		taken = append(taken, f.labelBox(rule))
	}
}

// drawn are the lines, with the limits of bands, and the points in pixels of the data area.
func (f *Chart) drawn() (lines [][]r2.Vec, points []r2.Vec) {
	add := func(x, y []float64, step bool) {
		keep := ThinLine(y, 2*int(f.Area.X))
		for _, line := range f.Joined(Pick(x, keep), Pick(y, keep), step) {
			for i, p := range line {
				line[i] = f.pixel(p.X, p.Y)
			}
			lines = append(lines, line)
		}
	}
	for _, l := range f.layers {
		switch l := l.Layer.(type) {
		case *chart.Line:
			add(l.X, l.Y, l.Step)
		case *chart.Band:
			add(l.X, l.Low, l.Step)
			add(l.X, l.High, l.Step)
		case *chart.Points:
			for i := range l.X {
				if f.X.Has(l.X[i]) && f.Y.Has(l.Y[i]) {
					points = append(points, f.pixel(l.X[i], l.Y[i]))
				}
			}
		}
	}
	return lines, points
}

func (f *Chart) pixel(x, y float64) r2.Vec {
	return r2.Vec{X: f.X.Fraction(x) * f.Area.X, Y: f.Y.Fraction(y) * f.Area.Y}
}

func (f *Chart) labelBox(l *chart.Rule) r2.Box {
	text := f.RuleLabel(l)
	at := r2.Add(f.pixel(text.X[0], text.Y[0]), r2.Vec{X: text.Dx, Y: text.Dy})
	width := LabelSize * 96 / 72 * label.Width(label.OneLine(text.Labels[0]))
	left := width * float64(1-text.Align) / 2
	return r2.Box{Min: r2.Vec{X: at.X - left, Y: at.Y - labelHeight/2}, Max: r2.Vec{X: at.X - left + width, Y: at.Y + labelHeight/2}}
}

// covered counts the points, the pieces of lines and the labels in the room of a label; outside of the data area it is more
// than any data have.
func (f *Chart) covered(room r2.Box, lines [][]r2.Vec, points []r2.Vec, taken []r2.Box) (count int) {
	if area := (r2.Box{Max: f.Area}); !area.Contains(room.Min) || !area.Contains(room.Max) {
		return math.MaxInt - 1
	}
	for _, other := range taken {
		if room.Min.X < other.Max.X && other.Min.X < room.Max.X && room.Min.Y < other.Max.Y && other.Min.Y < room.Max.Y {
			count++
		}
	}
	for _, line := range lines {
		count += pieces(line, room)
	}
	for _, at := range points {
		if room.Contains(at) {
			count++
		}
	}
	return count
}

// pieces counts the parts of a line in a box: how often it enters, or begins there.
func pieces(line []r2.Vec, b r2.Box) (count int) {
	inside := false
	for i := 1; i < len(line); i++ {
		crossed := crosses(line[i-1], line[i], b)
		if crossed && !inside {
			count++
		}
		inside = crossed && b.Contains(line[i])
	}
	return count
}

// crosses tells whether a straight line has a part in a box: whether the parts of it between the sides overlap.
func crosses(from, to r2.Vec, b r2.Box) bool {
	left, right := (b.Min.X-from.X)/(to.X-from.X), (b.Max.X-from.X)/(to.X-from.X)
	below, above := (b.Min.Y-from.Y)/(to.Y-from.Y), (b.Max.Y-from.Y)/(to.Y-from.Y)
	first := max(0, min(left, right), min(below, above))
	last := min(1, max(left, right), max(below, above))
	return first < last
}
