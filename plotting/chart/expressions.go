package chart

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/sparsero/directions/plotting/vega"
)

var (
	literal    = regexp.MustCompile(`'[^']*'|"(?:[^"\\]|\\.)*"`)
	identifier = regexp.MustCompile(`(datum\.)?\b([A-Za-z_]\w*)\b(\()?`)
	constants  = []string{"PI", "E", "LN2", "LN10", "true", "false", "null", "width", "height", "datum"}
)

// checkTransform reports expressions that name a field which neither the rows nor an earlier
// transform provide, or something that is no slider. Vega-Lite draws such charts without a word,
// with marks missing.
func (l *Look) checkTransform(sliders []Slider) error {
	fields, names := slices.Clone(reserved), slices.Clone(constants)
	for _, c := range l.Columns {
		fields = append(fields, fieldName(c.Name))
	}
	for _, s := range sliders {
		names = append(names, s.Name)
	}
	for _, t := range l.Transform {
		for _, key := range []string{"calculate", "filter"} {
			text, _ := t[key].(string)
			for _, m := range identifier.FindAllStringSubmatch(literal.ReplaceAllString(text, " "), -1) {
				switch isField, name, isFunction := m[1] != "", m[2], m[3] != ""; {
				case isField && !slices.Contains(fields, name):
					return fmt.Errorf("transform %q names the field %q; the rows have %q", text, name, fields)
				case !isField && !isFunction && !slices.Contains(names, name):
					return fmt.Errorf("transform %q names %q, which is no slider of the chart; write datum.%[2]s for a field", text, name)
				}
			}
		}
		made := []vega.Object{t}
		for _, key := range []string{"aggregate", "joinaggregate", "window"} {
			operations, _ := t[key].([]vega.Object)
			made = append(made, operations...)
		}
		if len(made) == 1 && t["calculate"] == nil && t["filter"] == nil {
			return nil // another transform, which may make any field
		}
		for _, o := range made {
			if as, ok := o["as"].(string); ok {
				fields = append(fields, as)
			}
		}
	}
	return nil
}
