package chart

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

func (l *Bars) live(s *spec, c color.NRGBA) []vega.Object {
	half := cmp.Or(l.Thickness, barRoom) / 2
	axis, r := &s.p.Y, s.p.y
	if l.Horizontal {
		axis, r = &s.p.X, s.p.x
	}
	n, start := len(l.At), 0.0
	if axis.Scale == Log {
		start = r.min
	}
	from := slices.Repeat([]float64{start}, n)
	low, high, to := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, at := range l.At {
		low[i], high[i], to[i] = at-half, at+half, l.To[i]
		if math.IsInf(to[i], 1) {
			to[i] = r.max
		}
	}
	look := l.Look
	look.Columns = append([]Column{l.valueColumn(s)}, l.Columns...)
	shown := *l
	shown.Look = look
	fields := []field{{"low", nil, low}, {"high", nil, high}, {"from", axis, from}, {"to", axis, to}}
	across, along := "x", "y"
	if l.Horizontal {
		across, along = "y", "x"
	}
	encoding := vega.Object{
		across: s.channel(!l.Horizontal, "low"), across + "2": vega.Object{"field": "high"},
		along: s.channel(l.Horizontal, "from"), along + "2": vega.Object{"field": "to"},
	}
	rows := s.rows(&look, nil, nil, fields...)
	out := []vega.Object{s.encode(&shown, vega.Object{"type": "rect"}, encoding, rows, ink(&look, c))}
	return append(out, l.infinities(s, axis, r)...)
}

// infinities writes an arrow and ∞ into the ends of infinite bars.
func (l *Bars) infinities(s *spec, axis *Axis, r span) []vega.Object {
	var at, end []float64
	for i, v := range l.To {
		if math.IsInf(v, 1) {
			at, end = append(at, l.At[i]), append(end, r.max)
		}
	}
	if at == nil {
		return nil
	}
	along, across := "y", "x"
	mark := vega.Object{"type": "text", "text": "∞ ↑", "align": "center", "baseline": "top", "dy": 4}
	if l.Horizontal {
		along, across = "x", "y"
		mark = vega.Object{"type": "text", "text": "∞ →", "align": "right", "baseline": "middle", "dx": -4}
	}
	look := Look{NoTooltip: true}
	rows := s.rows(&look, nil, nil, field{across, nil, at}, field{along, axis, end})
	return []vega.Object{s.encode(&Text{Look: look}, mark, s.xy(), rows, vega.Object{"color": "white", "fontWeight": "bold"})}
}

// valueColumn is the text of the tooltip of a bar, infinite values included.
func (l *Bars) valueColumn(s *spec) Column {
	position, title := s.p.X, style.Unicode(s.p.Y.Label)
	if l.Horizontal {
		position, title = s.p.Y, style.Unicode(s.p.X.Label)
	}
	if title == "" {
		title = "value"
	}
	texts := make([]string, len(l.To))
	for i, v := range l.To {
		texts[i] = number(v)
		if name := category(&position, l.At[i]); name != "" {
			texts[i] = name + ": " + texts[i]
		}
	}
	return Column{Name: "value", Title: title, Text: texts}
}

func (l *Rule) live(s *spec, c color.NRGBA) []vega.Object {
	name, r, axis := "y", s.p.y, &s.p.Y
	if l.Vertical {
		name, r, axis = "x", s.p.x, &s.p.X
	}
	value, width := min(max(l.Value, r.min), r.max), ruleWidth
	label := style.Unicode(l.Label)
	if math.IsInf(l.Value, 0) { // an arrow in the label stands for the line
		label, width = cmp.Or(label, "∞")+" →", 0
	} else {
		value = l.Value
	}
	rows := s.rows(&l.Look, nil, []string{label}, field{name, axis, []float64{value}})
	mark := l.stroke(vega.Object{"type": "rule"}, ruleWidth)
	if width == 0 {
		mark["strokeWidth"] = 0
	}
	out := []vega.Object{s.encode(l, mark, vega.Object{name: s.channel(l.Vertical, name)}, rows, ink(&l.Look, c))}
	if label != "" {
		out = append(out, l.liveLabel(s, c, name, rows)...)
	}
	return out
}

func (l *Rule) liveLabel(s *spec, c color.NRGBA, name string, rows []vega.Object) []vega.Object {
	mark := vega.Object{"type": "text"}
	if math.IsInf(l.Value, 0) { // the arrow of an infinite rule, at the end of its axis
		mark["align"], mark["baseline"], mark["dy"], mark["x"] = "right", "bottom", -3, s.width
		if l.Vertical {
			delete(mark, "x")
			mark["dx"], mark["y"] = -5, s.height
		}
	} else {
		l.spotMark(s, mark, s.p.spots[l])
	}
	encoding := vega.Object{name: s.channel(l.Vertical, name), "text": vega.Object{"field": "label", "type": "nominal"}}
	look := Look{NoTooltip: true, Transform: l.Transform}
	return s.haloed(&Text{Look: look}, mark, encoding, rows, vega.Object{"color": style.Hex(c)})
}

// spotMark anchors the label of a rule at its spot.
func (l *Rule) spotMark(s *spec, mark vega.Object, at spot) {
	alignX := map[int]string{-1: "right", 0: "center", 1: "left"}
	alignY := map[int]string{-1: "top", 0: "middle", 1: "bottom"}
	const inset = 3
	if l.Vertical {
		mark["align"], mark["dx"] = alignX[at.side], 5*at.side
		mark["baseline"], mark["dy"] = alignY[at.align], -inset*at.align
		mark["y"] = s.height * (1 - at.along)
		return
	}
	mark["align"], mark["dx"] = alignX[at.align], inset*at.align
	mark["baseline"], mark["dy"] = alignY[at.side], -inset*at.side
	mark["x"] = s.width * at.along
}
