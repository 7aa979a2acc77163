package plotting_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/live"
)

// view is a part of a specification with layers; a specification is one, or has several.
type view struct {
	Layer []struct {
		Mark      any
		Encoding  map[string]any
		Transform []map[string]any
		Params    []struct{ Name string }
		Data      struct{ Values []map[string]any }
	}
}

// checkReferences reports references in a layered specification, or in a concatenation of such, that lead
// nowhere: an encoding or an expression that names a field which neither the rows nor a
// transform provide, an expression that names an unknown parameter or function. Vega-Lite draws such
// charts without a word, with marks missing. It returns all of them as one error, and nil for a sound
// specification.
func checkReferences(specification []byte) error {
	var spec struct {
		view
		Concat []view
		Params []struct{ Name string }
	}
	if err := json.Unmarshal(specification, &spec); err != nil {
		return fmt.Errorf("vega: the specification is not valid JSON: %w", err)
	}
	views := append([]view{spec.view}, spec.Concat...)
	c := checker{params: map[string]bool{"width": true, "height": true}}
	for _, p := range spec.Params {
		c.params[p.Name] = true
	}
	layers := 0
	for _, v := range views {
		layers += len(v.Layer)
		for _, l := range v.Layer {
			for _, p := range l.Params {
				if c.params[p.Name] {
					c.report("parameter %q is defined twice", p.Name)
				}
				c.params[p.Name] = true
			}
		}
	}
	if layers == 0 {
		return errors.New("vega: the specification has no layers")
	}
	for _, v := range views {
		c.view(v)
	}
	return errors.Join(c.problems...)
}

func (c *checker) view(v view) {
	for i, l := range v.Layer {
		c.layer, c.fields = i, map[string]bool{}
		if l.Mark == nil || len(l.Data.Values) == 0 {
			c.report("there is no mark, or there are no rows")
		}
		for _, row := range l.Data.Values {
			for k := range row {
				c.fields[k] = true
			}
		}
		for _, t := range l.Transform {
			c.transform(t)
		}
		c.expressions(l.Mark)
		c.encoding(l.Encoding)
	}
}

// checker gathers problems of one specification; fields are those of the current layer.
type checker struct {
	params, fields map[string]bool
	layer          int
	problems       []error
}

func (c *checker) report(format string, values ...any) {
	c.problems = append(c.problems, fmt.Errorf("vega: layer %d: "+format, append([]any{c.layer}, values...)...))
}

func (c *checker) field(name any) {
	if s, ok := name.(string); ok && !c.fields[s] {
		c.report("field %q is neither in the rows nor made by a transform", s)
	}
}

// transform checks what a transform reads and notes what it makes.
func (c *checker) transform(t map[string]any) {
	for _, key := range []string{"calculate", "filter"} {
		if e, ok := t[key].(string); ok {
			c.expression(e)
		}
	}
	_, replaces := t["aggregate"]
	made := map[string]bool{}
	for _, key := range []string{"aggregate", "joinaggregate", "window"} {
		operations, _ := t[key].([]any)
		for _, o := range operations {
			operation, _ := o.(map[string]any)
			c.field(operation["field"])
			if as, ok := operation["as"].(string); ok {
				made[as] = true
			}
		}
	}
	sorts, _ := t["sort"].([]any)
	for _, s := range sorts {
		by, _ := s.(map[string]any)
		c.field(by["field"])
	}
	if as, ok := t["as"].(string); ok {
		made[as] = true
	}
	if replaces {
		c.fields = map[string]bool{}
	}
	for name := range made {
		c.fields[name] = true
	}
}

// encoding checks the fields of all channels.
func (c *checker) encoding(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			c.encoding(e)
		}
	case map[string]any:
		for key, e := range v {
			switch key {
			case "field":
				c.field(e)
			case "param":
				if name, ok := e.(string); ok && !c.params[name] {
					c.report("parameter %q is not defined", name)
				}
			case "scale", "axis", "legend":
			default:
				c.encoding(e)
			}
		}
	}
}

// expressions checks the expressions in the properties of a mark.
func (c *checker) expressions(mark any) {
	properties, _ := mark.(map[string]any)
	for _, v := range properties {
		if e, ok := v.(map[string]any); ok {
			if text, ok := e["expr"].(string); ok {
				c.expression(text)
			}
		}
	}
}

var (
	literal    = regexp.MustCompile(`'[^']*'|"(?:[^"\\]|\\.)*"|\b[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?`)
	identifier = regexp.MustCompile(`(datum\.)?([A-Za-z_][A-Za-z0-9_]*)(\()?`)
	functions  = []string{"sin", "cos", "atan2", "ceil", "floor", "round", "min", "max", "abs", "sqrt", "log", "pow", "format", "isValid"}
	constants  = []string{"PI", "LN10", "true", "false", "null"}
)

// expression checks the names in an expression.
func (c *checker) expression(text string) {
	for _, m := range identifier.FindAllStringSubmatch(literal.ReplaceAllString(text, " "), -1) {
		name, isField, isFunction := m[2], m[1] != "", m[3] != ""
		switch {
		case isField:
			c.field(name)
		case isFunction && !slices.Contains(functions, name):
			c.report("function %q in %q is unknown", name, text)
		case !isFunction && !c.params[name] && !slices.Contains(constants, name):
			c.report("%q in %q is not a parameter", name, text)
		}
	}
}

func TestReferencesThatLeadNowhere(t *testing.T) {
	layer := func(body string) string {
		return `{"params":[{"name":"budget"}],"layer":[{"mark":"point","data":{"values":[{"x":1,"y":2}]},` + body + `}]}`
	}
	for _, test := range []struct{ name, spec, want string }{
		{"right", layer(`"transform":[{"calculate":"datum.x*budget+cos(PI)","as":"z"},{"filter":"datum.z>1e3&&datum.z!='x y'"}],"encoding":{"x":{"field":"z"}}`), ""},
		{"right aggregate", layer(`"transform":[{"aggregate":[{"op":"max","field":"x","as":"top"}]}],"encoding":{"x":{"field":"top"}}`), ""},
		{"unknown field", layer(`"encoding":{"x":{"field":"z"}}`), `field "z"`},
		{"field lost by an aggregate", layer(`"transform":[{"aggregate":[{"op":"max","field":"x","as":"top"}]}],"encoding":{"x":{"field":"x"}}`), `field "x"`},
		{"unknown field in a sort", layer(`"transform":[{"window":[{"op":"rank","as":"r"}],"sort":[{"field":"w"}]}],"encoding":{}`), `field "w"`},
		{"unknown field in an expression", layer(`"transform":[{"filter":"datum.w>0"}],"encoding":{}`), `field "w"`},
		{"unknown parameter", layer(`"transform":[{"filter":"datum.x>bugdet"}],"encoding":{}`), `"bugdet"`},
		{"unknown function", layer(`"transform":[{"filter":"sine(datum.x)>0"}],"encoding":{}`), `function "sine"`},
		{"unknown selection", layer(`"encoding":{"opacity":{"condition":{"param":"pick","value":1}}}`), `parameter "pick"`},
		{"a concatenation", `{"concat":[{"layer":[{"mark":"point","data":{"values":[{"x":1}]},"encoding":{"x":{"field":"y"}}}]}]}`, `field "y"`},
		{"a parameter of two layers", `{"concat":[{"layer":[{"params":[{"name":"p"}]}]},{"layer":[{"params":[{"name":"p"}]}]}]}`, `"p" is defined twice`},
		{"no layers", `{}`, "no layers"},
		{"no JSON", `{`, "not valid JSON"},
		{"no rows", `{"layer":[{"mark":"point","data":{"values":[]},"encoding":{}}]}`, "no rows"},
		{"unknown name in a mark", `{"layer":[{"mark":{"type":"text","x":{"expr":"widht+1"}},"data":{"values":[{"x":1}]},"encoding":{}}]}`, `"widht"`},
	} {
		err := checkReferences([]byte(test.spec))
		if (test.want == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// TestEveryLayer: specifications of each kind of layer are sound, on every kind of axis and in a grid.
func TestEveryLayer(t *testing.T) {
	x, y, z := []float64{1, 2, 3}, []float64{2, 1, 4}, []float64{3, 3, 5}
	named := func(name string) chart.Look { return chart.Look{Name: name} }
	texts := []string{"u", "v_{1}", "w"}
	layers := []chart.Layer{
		&chart.Line{Look: chart.Look{Name: "line", Dash: []float64{3, 1}}, X: x, Y: y, Step: true, Markers: true},
		&chart.Line{Look: chart.Look{Columns: []chart.Column{{Name: "a.b[c]", Text: texts}}}, X: z, Y: x},
		&chart.Points{Look: named("points"), X: x, Y: z, Shape: chart.Star},
		&chart.Band{Look: named("line"), X: x, Low: y, High: z},
		&chart.Bars{Look: named("bars"), At: x, To: []float64{1, 2, math.Inf(1)}},
		&chart.Bars{At: x, To: z, Horizontal: true},
		&chart.Rule{Look: named("rule"), Value: 2, Vertical: true, Label: "two"},
		&chart.Rule{Value: math.Inf(1), Label: "far"},
		&chart.Segments{Look: named("arrows"), X: x, Y: y, X2: y, Y2: z, Arrow: true},
		&chart.Polygon{Look: named("shape"), X: x, Y: y},
		&chart.Text{X: x, Y: y, Labels: texts, Dx: 3},
		&chart.Text{X: x, Y: y, Labels: texts, Panel: 1},
	}
	for _, scale := range []chart.Scale{0, chart.Log, chart.Time} {
		c := &chart.Chart{Title: "T_{1}", Subtitle: "sub", Layers: layers, X: chart.Axis{Label: "x [m]", Scale: scale}, Y: chart.Axis{Categories: texts},
			Sliders: []chart.Slider{{Name: "p", Max: 1, Step: 0.1}}}
		data, _, err := live.Specification(c)
		if err := errors.Join(err, checkReferences(data), validate(data)); err != nil {
			t.Errorf("scale %d: %v", scale, err)
		}
	}
}
