package live

import (
	"cmp"
	"image/color"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/layout"
	"github.com/sparsero/directions/plotting/style"
)

// object is a JSON object of a specification; its keys are written in alphabetical order, so
// that the same chart gives the same bytes.
type object = map[string]any

type spec struct {
	*layout.Chart
	rowCap int
	remark string
	legend []layout.Entry
	zoomed bool // the zoom selection is defined
}

// channel is the position along an axis, read from a field.
func (s *spec) channel(onX bool, field string) object {
	a := s.Axis(onX)
	scale := object{"domain": []number{position(a, a.Min), position(a, a.Max)}, "nice": false}
	kind := "quantitative"
	switch a.Scale {
	case chart.Log:
		scale["type"] = "log"
	case chart.Time:
		kind = "temporal"
		scale["type"] = "utc"
	default:
		scale["zero"] = false
	}
	if a.Reverse {
		scale["reverse"] = true
	}
	return object{"field": field, "type": kind, "scale": scale, "axis": guide(a)}
}

// position is a value in the unit of Vega-Lite's axis, milliseconds for time; what the axis cannot show is missing.
func position(a *layout.Axis, v float64) number {
	switch {
	case !a.Has(v):
		return number(math.NaN())
	case a.Scale == chart.Time:
		return number(v * 1000)
	}
	return number(v)
}

// guide is the line of an axis with its ticks.
func guide(a *layout.Axis) any {
	if a.Hidden {
		return nil
	}
	axis := object{"title": label.Unicode(a.Label)}
	format, expression := a.Format().Vega()
	if format != "" {
		axis["format"] = format
	}
	if expression != "" {
		axis["labelExpr"] = expression
	}
	// With no more ticks than decades only the powers of ten get a label and a grid line.
	if decades := math.Floor(math.Log10(a.Max / a.Min)); a.Scale == chart.Log && decades >= 2 {
		axis["tickCount"] = decades
	}
	if n := len(a.Categories); n > 0 {
		axis["values"], axis["grid"] = layout.EvenRows(n, n), false
	}
	return axis
}

// encode fills in what all layers have in common: axes, tooltip and zoom.
func (s *spec) encode(look *chart.Look, mark object, encoding object, rows []object, ink object) object {
	mark["clip"] = true
	maps.Copy(mark, ink)
	out := object{"mark": mark, "encoding": encoding, "data": object{"values": rows}}
	transform := append([]object{}, look.Transform...)
	if look.Name != "" {
		transform = append(transform, object{"calculate": label.Quote(seriesName(look.Name)), "as": "series"})
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

func quiet(l *chart.Look) *chart.Look {
	out := *l
	out.NoTooltip = true
	return &out
}

// zoom returns the parameter by which a reader zooms and moves; the first layer of a chart has it.
func (s *spec) zoom() []object {
	if s.zoomed || len(s.X.Categories) > 0 || len(s.Y.Categories) > 0 {
		return nil
	}
	s.zoomed = true
	return []object{{"name": "zoom", "bind": "scales", "select": object{
		"type": "interval", "zoom": "wheel![event.ctrlKey || event.metaKey]",
	}}}
}

func ink(c color.NRGBA) object { return object{"color": style.Hex(c), "opacity": opacity(c)} }

func opacity(c color.NRGBA) float64 { return math.Round(float64(c.A)/255*100) / 100 }

// tooltipFormat is how tooltips write numbers, in the words of d3: five digits.
const tooltipFormat = ".5~g"

// tooltip lists the coordinates under the labels of their axes, and the further columns.
func (s *spec) tooltip(look *chart.Look, encoding object) []object {
	var out []object
	if look.Name != "" {
		out = append(out, object{"field": "series", "type": "nominal", "title": "series"})
	}
	for _, name := range []string{"x", "y"} {
		if channel, ok := encoding[name].(object); ok && channel["field"] == name { // bars have a column in its place
			out = append(out, s.tooltipAxis(name))
		}
	}
	for _, c := range look.Columns {
		if c.Hidden {
			continue
		}
		field := object{"field": fieldName(c.Name), "title": label.Unicode(cmp.Or(c.Title, c.Name)), "type": "nominal"}
		if c.Numbers != nil {
			field["type"], field["format"] = "quantitative", tooltipFormat
		}
		out = append(out, field)
	}
	return out
}

func (s *spec) tooltipAxis(name string) object {
	a := s.Axis(name == "x")
	title := cmp.Or(label.Unicode(a.Label), name)
	if len(a.Categories) > 0 {
		return object{"field": name + "name", "type": "nominal", "title": title}
	}
	if a.Scale == chart.Time {
		return object{"field": name, "type": "temporal", "title": title, "format": "%Y-%m-%d", "formatType": "utc"}
	}
	return object{"field": name, "type": "quantitative", "title": title, "format": tooltipFormat}
}

// number is a value in a specification, written with 7 significant digits, enough for any
// screen; NaN and infinities become null, which Vega-Lite treats as missing.
type number float64

const numberDigits = 7

func (n number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(nil, v, 'f', 0, 64), nil
	}
	return strconv.AppendFloat(nil, v, 'g', numberDigits, 64), nil
}

// field is one coordinate of the rows of a layer; one without an axis is written as it is.
type field struct {
	name   string
	axis   *layout.Axis
	values []float64
}

func (s *spec) fields(l chart.Layer) (fields []field) {
	for _, list := range chart.Lists(l) {
		fields = append(fields, field{list.Name, s.Axis(list.OnX), list.Values})
	}
	return fields
}

// rows writes the given rows of a layer: coordinates, labels, and the further columns.
func (s *spec) rows(look *chart.Look, keep []int, labels []string, fields ...field) []object {
	out := make([]object, len(keep))
	for k, i := range keep {
		row := object{}
		for _, f := range fields {
			f.write(row, i)
		}
		if labels != nil {
			row["label"] = label.Unicode(label.OneLine(labels[i]))
		}
		for _, c := range look.Columns {
			if c.Numbers != nil {
				row[fieldName(c.Name)] = number(c.Numbers[i])
			} else {
				row[fieldName(c.Name)] = c.Text[i]
			}
		}
		out[k] = row
	}
	return out
}

// write writes value i into a row, and the name of its category for tooltips.
func (f field) write(row object, i int) {
	v := f.values[i]
	if f.axis == nil {
		row[f.name] = number(v)
		return
	}
	row[f.name] = position(f.axis, v)
	if len(f.axis.Categories) > 0 && len(f.name) == 1 {
		row[f.name+"name"] = category(f.axis, v)
	}
}

// fieldName makes a field name from a title, without the characters that have a meaning in those of Vega-Lite.
func fieldName(title string) string {
	return strings.NewReplacer(".", " ", "[", " ", "]", " ", `\`, " ", `"`, " ", "'", " ").Replace(title)
}

// category is the name at a position of an axis, empty where there is none.
func category(a *layout.Axis, v float64) string {
	if i := int(math.Round(v)); i >= 0 && i < len(a.Categories) {
		return label.OneLine(a.Categories[i])
	}
	return ""
}
