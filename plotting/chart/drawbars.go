package chart

import (
	"cmp"
	"image/color"
	"math"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
)

func (l *Bars) draw(s *canvas, c color.NRGBA) {
	half := cmp.Or(l.Thickness, barRoom) / 2
	axis, from := &s.plot.Y, 0.0
	if l.Horizontal {
		axis = &s.plot.X
	}
	if isLog(axis) {
		from = axis.Min
	}
	for i, to := range l.To {
		to = min(to, axis.Max)
		shape := make([]vg.Point, 4)
		ok := true
		for k, corner := range [][2]float64{{-half, from}, {-half, to}, {half, to}, {half, from}} {
			x, y := l.At[i]+corner[0], corner[1]
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
	l.infinite(s.chart).draw(s, style.White)
}

// infinite writes ∞ and an arrow into the ends of infinite bars.
func (l *Bars) infinite(p *prepared) *Text {
	text := &Text{Look: Look{NoTooltip: true, Only: l.Only}, Dy: -10}
	arrow, end := "∞ ▲", p.along(l.Horizontal).max
	if l.Horizontal {
		arrow = "∞ ──►"
		text.Align, text.Dx, text.Dy = -1, -4, 0
	}
	for i, v := range l.To {
		if math.IsInf(v, 1) {
			text.X, text.Y, text.Labels = append(text.X, l.At[i]), append(text.Y, end), append(text.Labels, arrow)
		}
	}
	if l.Horizontal {
		text.X, text.Y = text.Y, text.X
	}
	return text
}

func (l *Rule) draw(s *canvas, c color.NRGBA) {
	l.across(s, c)
	l.note(s.chart).draw(s, c)
}

// across draws the line of a rule.
func (l *Rule) across(s *canvas, c color.NRGBA) {
	axis, at := &s.plot.Y, s.Y
	if l.Vertical {
		axis, at = &s.plot.X, s.X
	}
	if place, ok := place(l.Value, axis, at); ok && !math.IsInf(l.Value, 0) {
		ends := []vg.Point{{X: s.Min.X, Y: place}, {X: s.Max.X, Y: place}}
		if l.Vertical {
			ends = []vg.Point{{X: place, Y: s.Min.Y}, {X: place, Y: s.Max.Y}}
		}
		s.stroke(l.line(c, ruleWidth), ends)
	}
}

// note is the label of a rule, where the data leave room. Of a rule at infinity it is all that is
// drawn: an arrow with the label, in the middle of that edge.
func (l *Rule) note(p *prepared) *Text {
	text := &Text{Look: Look{NoTooltip: true, Transform: l.Transform}, Labels: []string{l.Label}}
	at, value := p.spots[l], l.Value
	if math.IsInf(value, 0) {
		at, value = l.edge(p, text)
	}
	text.X, text.Y = []float64{p.along(!l.Vertical).valueAt(at.along)}, []float64{value}
	text.Align, text.Dx, text.Dy = at.align, float64(labelInset*at.align), float64(at.side)*(labelHeight/2+labelInset)
	if l.Vertical {
		text.X, text.Y = text.Y, text.X
		text.Align, text.Dx, text.Dy = at.side, float64(2*labelInset*at.side), float64(at.align)*(labelHeight/2+labelInset)
	}
	return text
}

// edge is where a rule at infinity has its arrow, which it adds to the label.
func (l *Rule) edge(p *prepared, text *Text) (at spot, value float64) {
	r, arrows := p.along(l.Vertical), [2]string{"▼", "▲"}
	if l.Vertical {
		arrows = [2]string{"◄──", "──►"}
	}
	label := cmp.Or(l.Label, "∞")
	if math.IsInf(l.Value, -1) {
		text.Labels[0] = arrows[0] + " " + label
		return spot{along: 0.5, side: 1}, r.min
	}
	text.Labels[0] = label + " " + arrows[1]
	return spot{along: 0.5, side: -1}, r.max
}
