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
	value := s.p.along(l.Horizontal)
	n, start := len(l.At), 0.0
	if value.Scale == Log {
		start = value.min
	}
	from := slices.Repeat([]float64{start}, n)
	low, high, to := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, at := range l.At {
		low[i], high[i], to[i] = at-half, at+half, l.To[i]
		if math.IsInf(to[i], 1) {
			to[i] = value.max
		}
	}
	look := l.Look
	look.Columns = append([]Column{l.valueColumn(s)}, l.Columns...)
	fields := []field{{"low", nil, low}, {"high", nil, high}, {"from", &value.Axis, from}, {"to", &value.Axis, to}}
	across, along := "x", "y"
	if l.Horizontal {
		across, along = "y", "x"
	}
	encoding := vega.Object{
		across: s.channel(!l.Horizontal, "low"), across + "2": vega.Object{"field": "high"},
		along: s.channel(l.Horizontal, "from"), along + "2": vega.Object{"field": "to"},
	}
	rows := s.rows(&look, nil, nil, fields...)
	out := []vega.Object{s.encode(&look, vega.Object{"type": "rect"}, encoding, rows, ink(&look, c))}
	if ends := l.infinite(s.p); len(ends.X) > 0 {
		out = append(out, ends.live(s, style.White)...)
	}
	return out
}

// valueColumn is the text of the tooltip of a bar, infinite values included.
func (l *Bars) valueColumn(s *spec) Column {
	position, value := s.p.along(!l.Horizontal), s.p.along(l.Horizontal)
	texts := make([]string, len(l.To))
	for i, v := range l.To {
		texts[i] = style.Number(v)
		if name := category(&position.Axis, l.At[i]); name != "" {
			texts[i] = name + ": " + texts[i]
		}
	}
	return Column{Name: "value", Title: cmp.Or(style.Unicode(value.Label), "value"), Text: texts}
}

func (l *Rule) live(s *spec, c color.NRGBA) []vega.Object {
	var out []vega.Object
	if !math.IsInf(l.Value, 0) {
		name := l.lists()[0].name
		rows := s.rows(&l.Look, nil, []string{style.Unicode(l.Label)}, field{name, &s.p.along(l.Vertical).Axis, []float64{l.Value}})
		mark := l.stroke(vega.Object{"type": "rule"}, ruleWidth)
		out = append(out, s.encode(&l.Look, mark, vega.Object{name: s.channel(l.Vertical, name)}, rows, ink(&l.Look, c)))
	}
	if note := l.note(s.p); note.Labels[0] != "" {
		out = append(out, note.live(s, c)...)
	}
	return out
}
