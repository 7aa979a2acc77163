package chart

import (
	"cmp"
	"image/color"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/sparsero/directions/plotting/style"
	"github.com/sparsero/directions/plotting/vega"
	"gonum.org/v1/plot/vg"
)

// length counts characters where lines of text are wrapped without a font.
type length = vg.Length

// pixels turns points into CSS pixels.
func pixels(points float64) float64 { return math.Round(points*96/72*100) / 100 }

func pixelList(points []float64) []float64 {
	out := make([]float64, len(points))
	for i, v := range points {
		out[i] = pixels(v)
	}
	return out
}

// field is one coordinate of the rows of a layer.
type field struct {
	name   string
	axis   *Axis
	values []float64
}

// rows writes the rows of a layer: coordinates, labels, and the further columns.
func (s *spec) rows(look *Look, keep []int, labels []string, fields ...field) []vega.Object {
	n := len(fields[0].values)
	if keep != nil {
		n = len(keep)
	}
	out := make([]vega.Object, n)
	for k := range out {
		i := k
		if keep != nil {
			i = keep[k]
		}
		row := vega.Object{}
		for _, f := range fields {
			row[f.name] = coordinate(f.axis, f.values[i])
			if f.axis != nil && len(f.axis.Categories) > 0 && len(f.name) == 1 {
				row[f.name+"name"] = category(f.axis, f.values[i])
			}
		}
		if labels != nil {
			row["label"] = style.Unicode(oneLine(labels[i]))
		}
		for _, c := range look.Columns {
			if c.Numbers != nil {
				row[fieldName(c.Name)] = vega.Number(c.Numbers[i])
			} else {
				row[fieldName(c.Name)] = c.Text[i]
			}
		}
		out[k] = row
	}
	return out
}

// notInField are characters with a meaning in the field names of Vega-Lite.
var notInField = regexp.MustCompile(`[.\[\]\\"']`)

// fieldName makes a field name from a title.
func fieldName(title string) string { return notInField.ReplaceAllString(title, " ") }

// coordinate writes a value in the unit of its axis; what the axis cannot show is missing.
func coordinate(a *Axis, v float64) vega.Number {
	switch {
	case a == nil:
		return vega.Number(v)
	case a.Scale == Time:
		return vega.Number(v * 1000)
	case a.Scale == Log && v <= 0:
		return vega.Number(math.NaN())
	}
	return vega.Number(v)
}

func category(a *Axis, v float64) string {
	if i := int(math.Round(v)); i >= 0 && i < len(a.Categories) {
		return oneLine(a.Categories[i])
	}
	return ""
}

func (s *spec) x(name string, values []float64) field { return field{name, &s.p.X, values} }
func (s *spec) y(name string, values []float64) field { return field{name, &s.p.Y, values} }

// ink is the colour of a mark. Layers with a name take their colour from the series instead.
func ink(look *Look, c color.NRGBA) vega.Object {
	out := vega.Object{}
	if opacity := style.Opacity(c); opacity < 1 {
		out["opacity"] = opacity
	}
	if look.Name == "" {
		out["color"] = style.Hex(c)
	}
	return out
}

func (s *spec) xy() vega.Object {
	return vega.Object{"x": s.channel(true, "x"), "y": s.channel(false, "y")}
}

func (l *Look) stroke(mark vega.Object, width float64) vega.Object {
	mark["strokeWidth"] = pixels(cmp.Or(l.Width, width))
	if l.Dash != nil {
		mark["strokeDash"] = pixelList(l.Dash)
	}
	return mark
}

// order keeps rows in their order where Vega-Lite would sort them by x.
func order(n int) (field, vega.Object) {
	index := make([]float64, n)
	for i := range index {
		index[i] = float64(i)
	}
	return field{"order", nil, index}, vega.Object{"field": "order", "type": "quantitative"}
}

func (l *Line) live(s *spec, c color.NRGBA) []vega.Object {
	fields := []field{s.x("x", l.X), s.y("y", l.Y)}
	encoding := s.xy()
	if !slices.IsSorted(l.X) {
		f, channel := order(len(l.X))
		fields, encoding["order"] = append(fields, f), channel
	}
	mark := l.stroke(vega.Object{"type": "line"}, lineWidth)
	if l.Step {
		mark["interpolate"] = "step-after"
	}
	rows := s.rows(&l.Look, thinRows(l.Y, s.rowCap), nil, fields...)
	out := []vega.Object{s.encode(quiet(&l.Look), mark, encoding, rows, ink(&l.Look, c))}
	if !l.NoTooltip {
		out = append(out, l.hover(s, c, pick(rows, evenRows(len(rows), mostHoverPoints))))
	}
	return out
}

// hover draws the points of a line, which carry its tooltips; without markers they are there
// but cannot be seen.
func (l *Line) hover(s *spec, c color.NRGBA, rows []vega.Object) vega.Object {
	opacity := 0.0
	if l.Markers {
		opacity = style.Opacity(c)
	}
	mark := vega.Object{"type": "point", "filled": true, "shape": "circle", "size": square(pointRadius - 0.6), "opacity": opacity}
	encoding := s.xy()
	out := s.encode(&l.Look, mark, encoding, rows, nil)
	delete(encoding, "color") // the legend is that of the line
	mark["color"] = style.Hex(c)
	return out
}

// mostHoverPoints is the number of rows of a line that have a tooltip; of longer lines rows at
// even distances have one.
const mostHoverPoints = 500

// square returns the area in pixels of a point of the given radius in points.
func square(radius float64) float64 { return math.Round(math.Pi * pixels(radius) * pixels(radius)) }

func (l *Points) live(s *spec, c color.NRGBA) []vega.Object {
	keep := evenRows(len(l.X), s.rowCap)
	rows := s.rows(&l.Look, keep, nil, s.x("x", l.X), s.y("y", l.Y))
	radius := cmp.Or(l.Width, pointRadius)
	if l.Shape == Diamond {
		radius *= 1.25 // as in the static picture
	}
	mark := vega.Object{"type": "point", "shape": shapes[l.Shape], "size": square(radius), "filled": true}
	return []vega.Object{s.encode(&l.Look, mark, s.xy(), rows, ink(&l.Look, c))}
}

func (l *Band) live(s *spec, c color.NRGBA) []vega.Object {
	encoding := vega.Object{"x": s.channel(true, "x"), "y": s.channel(false, "y"), "y2": vega.Object{"field": "y2"}}
	mark := vega.Object{"type": "area"}
	if l.Step {
		mark["interpolate"] = "step-after"
	}
	low, high := l.limits(&s.p.Y)
	rows := s.rows(&l.Look, thinBand(low, high, s.rowCap), nil, s.x("x", l.X), s.y("y", low), s.y("y2", high))
	return []vega.Object{s.encode(&l.Look, mark, encoding, rows, ink(&l.Look, c))}
}

func (l *Segments) live(s *spec, c color.NRGBA) []vega.Object {
	encoding := s.xy()
	encoding["x2"], encoding["y2"] = vega.Object{"field": "x2"}, vega.Object{"field": "y2"}
	keep := evenRows(len(l.X), s.rowCap)
	rows := s.rows(&l.Look, keep, nil, s.x("x", l.X), s.y("y", l.Y), s.x("x2", l.X2), s.y("y2", l.Y2))
	mark := l.stroke(vega.Object{"type": "rule"}, ruleWidth)
	out := []vega.Object{s.encode(&l.Look, mark, encoding, rows, ink(&l.Look, c))}
	if !l.Arrow {
		return out
	}
	head := quiet(&l.Look)
	head.Transform = slices.Concat(l.Transform, []vega.Object{{"calculate": "atan2(datum.x2-datum.x,datum.y2-datum.y)*180/PI", "as": "turn"}})
	encoding = vega.Object{"x": s.channel(true, "x2"), "y": s.channel(false, "y2"), "angle": vega.Object{"field": "turn", "type": "quantitative", "scale": nil}}
	mark = vega.Object{"type": "point", "shape": "M0,0L0.5,1.2L-0.5,1.2Z", "size": 150, "filled": true}
	return append(out, s.encode(head, mark, encoding, rows, ink(head, c)))
}

func (l *Polygon) live(s *spec, c color.NRGBA) []vega.Object {
	f, channel := order(len(l.X))
	encoding := s.xy()
	encoding["order"] = channel
	rows := s.rows(&l.Look, evenRows(len(l.X), s.rowCap), nil, s.x("x", l.X), s.y("y", l.Y), f)
	mark := l.stroke(vega.Object{"type": "line", "interpolate": "linear-closed", "strokeOpacity": style.Opacity(c)}, outline)
	if l.Fill >= 0 {
		mark["fill"], mark["fillOpacity"] = style.Hex(c), cmp.Or(l.Fill, fillOpacity)
	}
	return []vega.Object{s.encode(quiet(&l.Look), mark, encoding, rows, ink(&l.Look, style.Fade(c, 1)))}
}

func (l *Text) live(s *spec, c color.NRGBA) []vega.Object {
	encoding := s.xy()
	encoding["text"] = vega.Object{"field": "label", "type": "nominal"}
	align := map[int]string{-1: "right", 0: "center", 1: "left"}[max(-1, min(1, l.Align))]
	mark := vega.Object{"type": "text", "align": align, "baseline": "middle", "dx": l.Dx, "dy": -l.Dy}
	keep := evenRows(len(l.X), s.rowCap)
	rows := s.rows(&l.Look, keep, l.Labels, s.x("x", l.X), s.y("y", l.Y))
	if l.Panel == 0 {
		return s.haloed(quiet(&l.Look), mark, encoding, rows, ink(&l.Look, c))
	}
	delete(encoding, "x")
	delete(encoding, "y")
	top := panelGap + panelLine*(l.Panel+len(s.p.names(StaticOnly)))
	mark = vega.Object{"type": "text", "align": "left", "baseline": "middle", "y": top, "x": s.width + panelInset}
	out := s.encode(quiet(&l.Look), mark, encoding, rows, ink(&l.Look, c))
	mark["clip"] = false
	return []vega.Object{out}
}

// haloed is a label over its white rim, which white ones need not have.
func (s *spec) haloed(look *Look, mark, encoding vega.Object, rows []vega.Object, color vega.Object) []vega.Object {
	if color["color"] == style.Hex(style.White) {
		return []vega.Object{s.encode(look, mark, encoding, rows, color)}
	}
	rim := vega.Object{"color": "white", "stroke": "white", "strokeWidth": pixels(2 * haloWidth)}
	under := &Look{NoTooltip: true, Transform: look.Transform}
	return []vega.Object{
		s.encode(under, maps.Clone(mark), maps.Clone(encoding), rows, rim),
		s.encode(look, mark, encoding, rows, color),
	}
}

// Lengths in CSS pixels of the column of values below the legend.
const (
	panelGap   = 14
	panelInset = 18 // from the data area
	panelLine  = 19
)

// shapes are the forms of points, in the names or paths of Vega.
var shapes = map[Shape]string{
	Circle: "circle", Diamond: "diamond",
	Ring: "M1,0A1,1,0,1,1,-1,0A1,1,0,1,1,1,0ZM0.6,0A0.6,0.6,0,1,0,-0.6,0A0.6,0.6,0,1,0,0.6,0Z",
	Star: "M0,-1.5L0.36,-0.5L1.43,-0.46L0.59,0.19L0.88,1.21L0,0.62L-0.88,1.21L-0.59,0.19L-1.43,-0.46L-0.36,-0.5Z",
}
