package live

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
)

func (s *spec) mark(l chart.Layer, c color.NRGBA) []object {
	switch l := l.(type) {
	case *chart.Line:
		return s.line(l, c)
	case *chart.Points:
		return s.points(l, c)
	case *chart.Band:
		return s.band(l, c)
	case *chart.Bars:
		return s.bars(l, c)
	case *chart.Rule:
		return s.rule(l, c)
	case *chart.Segments:
		return s.segments(l, c)
	case *chart.Polygon:
		return s.polygon(l, c)
	case *chart.Text:
		return s.text(l, c)
	}
	panic(fmt.Sprintf("live: a layer of type %T has no case in mark", l))
}

// pixels turns points into CSS pixels.
func pixels(points float64) float64 { return math.Round(points*96/72*100) / 100 }

// square returns the area in pixels of a point of the given radius in points.
func square(radius float64) float64 { return math.Round(math.Pi * pixels(radius) * pixels(radius)) }

// stroke gives a mark the lines of a layer, of a width in points where it has none of its own.
func stroke(l *chart.Look, mark object, width float64) object {
	mark["strokeWidth"] = pixels(cmp.Or(l.Width, width))
	if l.Dash != nil {
		mark["strokeDash"] = dashes(l.Dash)
	}
	return mark
}

func dashes(points []float64) []float64 {
	out := make([]float64, len(points))
	for i, v := range points {
		out[i] = pixels(v)
	}
	return out
}

// xy are the channels of a layer with a point in each row.
func (s *spec) xy() object {
	return object{"x": s.channel(true, "x"), "y": s.channel(false, "y")}
}

// order keeps rows in their order where Vega-Lite would sort them by x.
func order(n int) (field, object) {
	index := make([]float64, n)
	for i := range index {
		index[i] = float64(i)
	}
	return field{"order", nil, index}, object{"field": "order", "type": "quantitative"}
}

func (s *spec) line(l *chart.Line, c color.NRGBA) []object {
	fields, encoding := s.fields(l), s.xy()
	if !slices.IsSorted(l.X) {
		f, channel := order(len(l.X))
		fields, encoding["order"] = append(fields, f), channel
	}
	mark := stroke(&l.Look, object{"type": "line"}, layout.LineWidth)
	if l.Step {
		mark["interpolate"] = "step-after"
	}
	rows := s.rows(&l.Look, layout.ThinLine(l.Y, s.rowCap), nil, fields...)
	out := []object{s.encode(quiet(&l.Look), mark, encoding, rows, ink(c))}
	if !l.NoTooltip {
		out = append(out, s.hover(l, c, layout.Pick(rows, layout.EvenRows(len(rows), mostHoverPoints))))
	}
	return out
}

// mostHoverPoints is the number of rows of a line that have a tooltip; of longer lines rows at even distances have one.
const mostHoverPoints = 500

// hover draws the points of a line, which carry its tooltips; without markers they are there but cannot be seen.
func (s *spec) hover(l *chart.Line, c color.NRGBA, rows []object) object {
	seen := 0.0
	if l.Markers {
		seen = opacity(c)
	}
	mark := object{"type": "point", "filled": true, "shape": "circle", "size": square(layout.MarkerRadius)}
	return s.encode(&l.Look, mark, s.xy(), rows, object{"color": style.Hex(c), "opacity": seen})
}

// shapes are the forms of points, in the names or paths of Vega.
var shapes = map[chart.Shape]string{
	chart.Circle: "circle", chart.Diamond: "diamond",
	chart.Ring: "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0ZM0.6,0A0.6,0.6,0,1,0,-0.6,0A0.6,0.6,0,1,0,0.6,0Z",
	chart.Star: cornersPath(chart.Star, 1),
}

func (s *spec) points(l *chart.Points, c color.NRGBA) []object {
	rows := s.rows(&l.Look, layout.EvenRows(len(l.X), s.rowCap), nil, s.fields(l)...)
	radius := cmp.Or(l.Width, layout.PointRadius)
	if l.Shape == chart.Diamond {
		radius *= 1.25 // as in the static picture
	}
	mark := object{"type": "point", "shape": shapes[l.Shape], "size": square(radius), "filled": true}
	return []object{s.encode(&l.Look, mark, s.xy(), rows, ink(c))}
}

func (s *spec) band(l *chart.Band, c color.NRGBA) []object {
	encoding := s.xy()
	encoding["y2"] = object{"field": "y2"}
	mark := object{"type": "area"}
	if l.Step {
		mark["interpolate"] = "step-after"
	}
	low, high := s.Limits(l)
	rows := s.rows(&l.Look, layout.ThinBand(low, high, s.rowCap), nil, field{"x", &s.X, l.X}, field{"y", &s.Y, low}, field{"y2", &s.Y, high})
	return []object{s.encode(&l.Look, mark, encoding, rows, ink(c))}
}

func (s *spec) bars(l *chart.Bars, c color.NRGBA) []object {
	low, high, from, to := s.Extents(l)
	look, value := l.Look, s.Axis(l.Horizontal)
	look.Columns = append([]chart.Column{s.valueColumn(l)}, l.Columns...)
	across, along := "x", "y"
	if l.Horizontal {
		across, along = "y", "x"
	}
	encoding := object{
		across: s.channel(!l.Horizontal, "low"), across + "2": object{"field": "high"},
		along: s.channel(l.Horizontal, "from"), along + "2": object{"field": "to"},
	}
	rows := s.rows(&look, layout.EvenRows(len(low), len(low)), nil, field{"low", nil, low}, field{"high", nil, high}, field{"from", value, from}, field{"to", value, to})
	out := []object{s.encode(&look, object{"type": "rect"}, encoding, rows, ink(c))}
	if ends := s.BarEnds(l); len(ends.X) > 0 {
		out = append(out, s.text(ends, style.White)...)
	}
	return out
}

// valueColumn is the text of the tooltip of a bar, infinite values included.
func (s *spec) valueColumn(l *chart.Bars) chart.Column {
	position, value := s.Axis(!l.Horizontal), s.Axis(l.Horizontal)
	texts := make([]string, len(l.To))
	for i, v := range l.To {
		texts[i] = label.Number(v)
		if name := category(position, l.At[i]); name != "" {
			texts[i] = name + ": " + texts[i]
		}
	}
	return chart.Column{Name: "value", Title: cmp.Or(label.Unicode(value.Label), "value"), Text: texts}
}

func (s *spec) rule(l *chart.Rule, c color.NRGBA) []object {
	var out []object
	if !math.IsInf(l.Value, 0) {
		name := "y"
		if l.Vertical {
			name = "x"
		}
		rows := s.rows(&l.Look, []int{0}, []string{l.Label}, field{name, s.Axis(l.Vertical), []float64{l.Value}})
		mark := stroke(&l.Look, object{"type": "rule"}, layout.RuleWidth)
		out = append(out, s.encode(&l.Look, mark, object{name: s.channel(l.Vertical, name)}, rows, ink(c)))
	}
	if note := s.RuleLabel(l); note.Labels[0] != "" {
		out = append(out, s.text(note, c)...)
	}
	return out
}

func (s *spec) segments(l *chart.Segments, c color.NRGBA) []object {
	encoding := s.xy()
	encoding["x2"], encoding["y2"] = object{"field": "x2"}, object{"field": "y2"}
	rows := s.rows(&l.Look, layout.EvenRows(len(l.X), s.rowCap), nil, s.fields(l)...)
	mark := stroke(&l.Look, object{"type": "rule"}, layout.RuleWidth)
	out := []object{s.encode(&l.Look, mark, encoding, rows, ink(c))}
	if !l.Arrow {
		return out
	}
	head := quiet(&l.Look)
	head.Transform = slices.Concat(l.Transform, []object{{"calculate": "atan2(datum.x2-datum.x,datum.y2-datum.y)*180/PI", "as": "turn"}})
	encoding = object{"x": s.channel(true, "x2"), "y": s.channel(false, "y2"), "angle": object{"field": "turn", "type": "quantitative", "scale": nil}}
	mark = object{"type": "point", "shape": "M0,0L0.5,1.2L-0.5,1.2Z", "size": 150, "filled": true}
	return append(out, s.encode(head, mark, encoding, rows, ink(c)))
}

func (s *spec) polygon(l *chart.Polygon, c color.NRGBA) []object {
	f, channel := order(len(l.X))
	encoding := s.xy()
	encoding["order"] = channel
	rows := s.rows(&l.Look, layout.EvenRows(len(l.X), s.rowCap), nil, append(s.fields(l), f)...)
	mark := stroke(&l.Look, object{"type": "line", "interpolate": "linear-closed", "strokeOpacity": opacity(c)}, layout.Outline)
	if l.Fill >= 0 {
		mark["fill"], mark["fillOpacity"] = style.Hex(c), cmp.Or(l.Fill, layout.FillOpacity)
	}
	return []object{s.encode(quiet(&l.Look), mark, encoding, rows, ink(style.Fade(c, 1)))}
}

// Lengths in CSS pixels of the column of values below the legend.
const (
	panelGap   = 14
	panelInset = 18 // from the data area
	panelLine  = 19
)

func (s *spec) text(l *chart.Text, c color.NRGBA) []object {
	words := object{"field": "label", "type": "nominal"}
	rows := s.rows(&l.Look, layout.EvenRows(len(l.X), s.rowCap), l.Labels, s.fields(l)...)
	if l.Panel != 0 {
		top := panelGap + panelLine*(l.Panel+len(s.legend))
		mark := object{"type": "text", "align": "left", "baseline": "middle", "y": top, "x": s.Area.X + panelInset}
		out := s.encode(quiet(&l.Look), mark, object{"text": words}, rows, ink(c))
		mark["clip"] = false
		return []object{out}
	}
	encoding := s.xy()
	encoding["text"] = words
	align := map[int]string{-1: "right", 0: "center", 1: "left"}[max(-1, min(1, l.Align))]
	mark := object{"type": "text", "align": align, "baseline": "middle", "dx": l.Dx, "dy": -l.Dy}
	return s.haloed(quiet(&l.Look), mark, encoding, rows, ink(c))
}

// haloed is a label over its white rim, which white ones need not have.
func (s *spec) haloed(look *chart.Look, mark, encoding object, rows []object, color object) []object {
	if color["color"] == style.Hex(style.White) {
		return []object{s.encode(look, mark, encoding, rows, color)}
	}
	rim := object{"color": "white", "stroke": "white", "strokeWidth": pixels(2 * layout.HaloWidth)}
	under := &chart.Look{NoTooltip: true, Transform: look.Transform}
	return []object{
		s.encode(under, maps.Clone(mark), maps.Clone(encoding), rows, rim),
		s.encode(look, mark, encoding, rows, color),
	}
}
