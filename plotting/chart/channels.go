package chart

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
)

// channel is the position along an axis, read from a field.
func (s *spec) channel(x bool, field string) vega.Object {
	a := s.p.along(x)
	scale := vega.Object{"domain": []vega.Number{vega.Number(a.min), vega.Number(a.max)}, "nice": false}
	kind := "quantitative"
	switch a.Scale {
	case Linear:
		scale["zero"] = false
	case Log:
		scale["type"] = "log"
	case Time:
		kind = "temporal"
		scale["type"] = "utc"
		scale["domain"] = []vega.Number{vega.Number(a.min * 1000), vega.Number(a.max * 1000)}
	}
	if a.Reverse {
		scale["reverse"] = true
	}
	return vega.Object{"field": field, "type": kind, "scale": scale, "axis": a.live()}
}

// live is the axis in the interactive rendering.
func (a *settled) live() any {
	if a.Hidden {
		return nil
	}
	axis := vega.Object{"title": style.Unicode(a.Label)}
	if a.Scale == Log {
		// With no more ticks than decades only the powers of ten get a label and a grid line.
		if decades := math.Floor(math.Log10(a.max / a.min)); decades >= 2 {
			axis["tickCount"] = decades
		}
		axis["format"] = "~r"
		if !style.PlainDecades(a.min, a.max) {
			axis["labelExpr"] = powerLabels(a.span)
		}
	}
	if a.whole {
		axis["format"] = "d" // Vega-Lite has no ticks between whole numbers then
	}
	if n := len(a.Categories); n > 0 {
		values, names := make([]int, n), make([]string, n)
		for i, name := range a.Categories {
			values[i], names[i] = i, oneLine(name)
		}
		list, err := json.Marshal(names)
		if err == nil {
			axis["values"], axis["labelExpr"], axis["grid"] = values, string(list)+"[datum.value]", false
		}
	}
	return axis
}

// zoomDecades is the number of decades beyond the range of an axis whose powers have labels, for
// readers who zoom out.
const zoomDecades = 6

// powerLabels is the expression that labels a logarithmic axis as the static picture does: 10⁻⁶,
// and 2·10⁻⁶ where the reader zoomed in.
func powerLabels(r span) string {
	first, last := int(math.Floor(math.Log10(r.min)))-zoomDecades, int(math.Ceil(math.Log10(r.max)))+zoomDecades
	names := make([]string, 0, last-first+1)
	for e := first; e <= last; e++ {
		names = append(names, vega.Quote(style.Unicode(fmt.Sprintf("10^{%d}", e))))
	}
	power := fmt.Sprintf("[%s][floor(log(datum.value)/LN10+1e-9)%+d]", strings.Join(names, ","), -first)
	return fmt.Sprintf("abs(log(datum.value)/LN10-round(log(datum.value)/LN10))<1e-6?%[1]s:format(datum.value/pow(10,floor(log(datum.value)/LN10+1e-9)),'~r')+'·'+%[1]s", power)
}

// encode fills in what all layers have in common: axes, colour by series, tooltip and zoom.
func (s *spec) encode(look *Look, mark vega.Object, encoding vega.Object, rows []vega.Object, ink vega.Object) vega.Object {
	mark["clip"] = true
	maps.Copy(mark, ink)
	out := vega.Object{"mark": mark, "encoding": encoding, "data": vega.Object{"values": rows}}
	transform := append([]vega.Object{}, look.Transform...)
	if look.Name != "" {
		transform = append(transform, vega.Object{"calculate": vega.Quote(seriesName(look.Name)), "as": "series"})
		encoding["color"] = s.series()
	}
	if len(transform) > 0 {
		out["transform"] = transform
	}
	if look.NoTooltip {
		mark["tooltip"] = nil
	} else if tooltip := s.tooltip(look, encoding); tooltip != nil {
		encoding["tooltip"] = tooltip
	}
	if params := s.zoom(); params != nil {
		out["params"] = params
	}
	return out
}

// quiet returns the look without tooltip.
func quiet(l *Look) *Look {
	out := *l
	out.NoTooltip = true
	return &out
}

// zoom returns the parameter by which a reader zooms and moves; the first layer of a chart has it.
func (s *spec) zoom() []vega.Object {
	if s.zoomed || len(s.p.X.Categories) > 0 || len(s.p.Y.Categories) > 0 {
		return nil
	}
	s.zoomed = true
	return []vega.Object{{"name": "zoom", "bind": "scales", "select": vega.Object{
		"type": "interval", "zoom": "wheel![event.ctrlKey || event.metaKey]",
	}}}
}

// seriesName is the name of a series in the legend and in tooltips.
func seriesName(name string) string { return style.Unicode(oneLine(name)) }

// series is the colour channel: the series in the order of the legend.
func (s *spec) series() vega.Object {
	names := s.p.names(StaticOnly)
	domain, colors := make([]string, len(names)), make([]string, len(names))
	for k, name := range names {
		domain[k] = seriesName(name)
		for i, l := range s.p.Layers {
			if look := l.look(); look.Name == name && look.Only != StaticOnly && count(l) > 0 {
				colors[k] = style.Hex(s.p.colors[i])
				if _, isBand := l.(*Band); !isBand {
					break
				}
			}
		}
	}
	return vega.Object{
		"field": "series", "type": "nominal", "scale": vega.Object{"domain": domain, "range": colors},
		"legend": vega.Object{"title": nil, "symbolOpacity": 1},
	}
}

// legend is a layer without marks that can be seen. Its dots are the symbols of the legend, which
// Vega-Lite would otherwise choose from whatever kind of mark comes first.
func (s *spec) legend() []vega.Object {
	names := s.p.names(StaticOnly)
	if len(names) == 0 {
		return nil
	}
	rows := make([]vega.Object, len(names))
	for i, name := range names {
		rows[i] = vega.Object{"series": seriesName(name)}
	}
	return []vega.Object{{
		"data":     vega.Object{"values": rows},
		"mark":     vega.Object{"type": "point", "filled": true, "opacity": 0, "size": 0, "tooltip": nil},
		"encoding": vega.Object{"color": s.series()},
	}}
}

// tooltip lists the coordinates under the labels of their axes, and the further columns.
func (s *spec) tooltip(look *Look, encoding vega.Object) []vega.Object {
	var out []vega.Object
	if look.Name != "" {
		out = append(out, vega.Object{"field": "series", "type": "nominal", "title": "series"})
	}
	for _, name := range []string{"x", "y"} {
		if channel, ok := encoding[name].(vega.Object); !ok || channel["field"] != name {
			continue // bars, whose value is a column
		}
		out = append(out, s.tooltipAxis(name))
	}
	for _, c := range look.Columns {
		if c.Hidden {
			continue
		}
		field := vega.Object{"field": fieldName(c.Name), "title": style.Unicode(cmp.Or(c.Title, c.Name)), "type": "nominal"}
		if c.Numbers != nil {
			field["type"], field["format"] = "quantitative", ".5~g"
		}
		out = append(out, field)
	}
	return out
}

func (s *spec) tooltipAxis(name string) vega.Object {
	a := s.p.along(name == "x")
	title := cmp.Or(style.Unicode(a.Label), name)
	if len(a.Categories) > 0 {
		return vega.Object{"field": name + "name", "type": "nominal", "title": title}
	}
	if a.Scale == Time {
		return vega.Object{"field": name, "type": "temporal", "title": title, "format": "%Y-%m-%d", "formatType": "utc"}
	}
	return vega.Object{"field": name, "type": "quantitative", "title": title, "format": ".5~g"}
}
