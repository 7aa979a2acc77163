package chart

import (
	"cmp"
	"image/color"
	"math"

	"github.com/sparsero/directions/plotting/style"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
		infinite := math.IsInf(to, 1)
		if infinite {
			to = axis.Max
		}
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
		if !ok {
			continue
		}
		s.fill(c, shape)
		if infinite {
			tip := vg.Point{X: (shape[1].X + shape[2].X) / 2, Y: (shape[1].Y + shape[2].Y) / 2}
			s.infinity(tip, l.Horizontal)
		}
	}
}

// infinity draws a white arrow at the end of a bar that leaves the data area, with the sign
// ∞ beside it.
func (s *canvas) infinity(tip vg.Point, horizontal bool) {
	const length, gap = 3 * arrowHead, 3
	if horizontal {
		tip.X -= gap
		s.arrow(style.White, ruleWidth+0.4, vg.Point{X: tip.X - length, Y: tip.Y}, tip)
		s.FillText(style.LabelText(style.White, draw.XRight, draw.YCenter), vg.Point{X: tip.X - length - gap, Y: tip.Y}, "∞")
		return
	}
	tip.Y -= gap
	s.arrow(style.White, ruleWidth+0.4, vg.Point{X: tip.X, Y: tip.Y - length}, tip)
	s.FillText(style.LabelText(style.White, draw.XCenter, draw.YTop), vg.Point{X: tip.X, Y: tip.Y - length - gap}, "∞")
}

func (l *Rule) draw(s *canvas, c color.NRGBA) {
	axis, at := &s.plot.Y, s.Y
	if l.Vertical {
		axis, at = &s.plot.X, s.X
	}
	value, infinite := l.Value, math.IsInf(l.Value, 0)
	switch {
	case math.IsInf(value, 1):
		value = axis.Max
	case math.IsInf(value, -1):
		value = axis.Min
	}
	place, ok := place(value, axis, at)
	if !ok {
		return
	}
	if infinite {
		l.drawInfinite(s, c, place)
		return
	}
	sty := l.line(c, ruleWidth)
	if l.Vertical {
		s.stroke(sty, []vg.Point{{X: place, Y: s.Min.Y}, {X: place, Y: s.Max.Y}})
	} else {
		s.stroke(sty, []vg.Point{{X: s.Min.X, Y: place}, {X: s.Max.X, Y: place}})
	}
	l.drawLabel(s, c, place)
}

// drawInfinite draws the arrow of a rule at infinity, in the middle of its edge.
func (l *Rule) drawInfinite(s *canvas, c color.NRGBA, edge vg.Length) {
	sign := vg.Length(1)
	if math.IsInf(l.Value, -1) {
		sign = -1
	}
	label := "∞"
	if l.Label != "" {
		label = l.Label
	}
	if l.Vertical {
		y := s.Y(0.5)
		s.arrow(c, ruleWidth+0.6, vg.Point{X: edge - sign*6*arrowHead, Y: y}, vg.Point{X: edge, Y: y})
		align := draw.XRight
		if sign < 0 {
			align = draw.XLeft
		}
		s.FillText(style.LabelText(c, align, draw.YBottom), vg.Point{X: edge, Y: y + 4}, label)
		return
	}
	x := s.X(0.5)
	s.arrow(c, ruleWidth+0.6, vg.Point{X: x, Y: edge - sign*6*arrowHead}, vg.Point{X: x, Y: edge})
	s.FillText(style.LabelText(c, draw.XLeft, draw.YCenter), vg.Point{X: x + 5, Y: edge - sign*3*arrowHead}, label)
}

// drawLabel writes the label of a rule where the data leave room.
func (l *Rule) drawLabel(s *canvas, c color.NRGBA, at vg.Length) {
	if l.Label == "" {
		return
	}
	spot := s.chart.spots[l]
	const inset = 2
	alignX := map[int]draw.XAlignment{-1: draw.XRight, 0: draw.XCenter, 1: draw.XLeft}
	alignY := map[int]draw.YAlignment{-1: draw.YTop, 0: draw.YCenter, 1: draw.YBottom}
	if l.Vertical {
		sty := style.LabelText(c, alignX[spot.side], alignY[spot.align])
		y := s.Min.Y + vg.Length(spot.along)*(s.Max.Y-s.Min.Y) + vg.Length(inset*spot.align)
		s.haloed(sty, vg.Point{X: at + vg.Length(4*spot.side), Y: y}, l.Label)
		return
	}
	sty := style.LabelText(c, alignX[spot.align], alignY[spot.side])
	x := s.Min.X + vg.Length(spot.along)*(s.Max.X-s.Min.X) + vg.Length(inset*spot.align)
	s.haloed(sty, vg.Point{X: x, Y: at + vg.Length(inset*spot.side)}, l.Label)
}
