// Package schema validates specifications against the JSON schema of Vega-Lite, for tests.
//
// The schema is that of release 5.18.1 without its descriptions; strip.py writes it from the
// package of that release.
package schema

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Version is the release of Vega-Lite whose schema is used.
const Version = "5.18.1"

//go:embed vega-lite-5.18.1.json.gz
var compressed []byte

// load unpacks the schema once.
var load = sync.OnceValues(func() (map[string]any, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	var root map[string]any
	return root, json.NewDecoder(reader).Decode(&root)
})

// Validate reports the first place at which a specification breaks the schema; nil means that
// it is a Vega-Lite specification. Where several forms are allowed and none fits, the error is
// that of the form that fits longest.
func Validate(specification []byte) error {
	root, err := load()
	if err != nil {
		return fmt.Errorf("schema: reading the schema of Vega-Lite: %w", err)
	}
	var value any
	if err := json.Unmarshal(specification, &value); err != nil {
		return fmt.Errorf("schema: the specification is not valid JSON: %w", err)
	}
	definitions, _ := root["definitions"].(map[string]any)
	v := validator{definitions: definitions}
	if f := v.check(root, value, nil); f != nil {
		return fmt.Errorf("schema: at /%s: %s", strings.Join(f.path, "/"), f.problem)
	}
	return nil
}

// failure is a broken rule and the path to the value that breaks it.
type failure struct {
	path    []string
	problem string
	fit     int // of the value to the form that fails: twice the depth, more or less by rule
}

type validator struct{ definitions map[string]any }

func fail(path []string, format string, values ...any) *failure {
	return &failure{path: append([]string{}, path...), problem: fmt.Sprintf(format, values...), fit: 2*len(path) + 1}
}

// worse lowers the fit: a value of another kind, or one that names another form, such as
// another type of mark, says less about what was meant.
func (f *failure) worse(by int) *failure {
	f.fit -= by
	return f
}

// check validates a value against a schema. Of draft 7 it knows what the schema of Vega-Lite
// uses; formats, and lengths other than those of arrays, are not checked.
func (v *validator) check(schema map[string]any, value any, path []string) *failure {
	if reference, ok := schema["$ref"].(string); ok {
		name, err := url.PathUnescape(strings.TrimPrefix(reference, "#/definitions/"))
		target, ok := v.definitions[name].(map[string]any)
		if err != nil || !ok {
			return fail(path, "the schema has no definition %q", reference)
		}
		if f := v.check(target, value, path); f != nil {
			return f
		}
	}
	if f := v.anyOf(schema, value, path); f != nil {
		return f
	}
	if kinds, ok := schema["type"]; ok && !hasKind(kinds, value) {
		return fail(path, "%s is not of type %v", short(value), kinds).worse(1)
	}
	if constant, ok := schema["const"]; ok && !reflect.DeepEqual(constant, value) {
		return fail(path, "%s is not %v", short(value), constant).worse(3)
	}
	if list, ok := schema["enum"].([]any); ok && !contains(list, value) {
		return fail(path, "%s is not one of %v", short(value), list).worse(3)
	}
	switch value := value.(type) {
	case float64:
		return v.number(schema, value, path)
	case []any:
		return v.array(schema, value, path)
	case map[string]any:
		return v.object(schema, value, path)
	}
	return nil
}

func (v *validator) anyOf(schema map[string]any, value any, path []string) *failure {
	forms, ok := schema["anyOf"].([]any)
	if !ok {
		return nil
	}
	var deepest *failure
	for _, form := range forms {
		f := v.check(form.(map[string]any), value, path)
		if f == nil {
			return nil
		}
		if deepest == nil || f.fit > deepest.fit {
			deepest = f
		}
	}
	return deepest
}

func (v *validator) number(schema map[string]any, value float64, path []string) *failure {
	if low, ok := schema["minimum"].(float64); ok && value < low {
		return fail(path, "%g is below %g", value, low)
	}
	if high, ok := schema["maximum"].(float64); ok && value > high {
		return fail(path, "%g is above %g", value, high)
	}
	return nil
}

func (v *validator) array(schema map[string]any, value []any, path []string) *failure {
	if least, ok := schema["minItems"].(float64); ok && float64(len(value)) < least {
		return fail(path, "%d items, at least %g are wanted", len(value), least)
	}
	if most, ok := schema["maxItems"].(float64); ok && float64(len(value)) > most {
		return fail(path, "%d items, at most %g are allowed", len(value), most)
	}
	for i, item := range value {
		rule, ok := schema["items"].(map[string]any)
		if tuple, isTuple := schema["items"].([]any); isTuple && i < len(tuple) {
			rule, ok = tuple[i].(map[string]any)
		}
		if !ok {
			continue
		}
		if f := v.check(rule, item, append(path, fmt.Sprint(i))); f != nil {
			return f
		}
	}
	return nil
}

func (v *validator) object(schema map[string]any, value map[string]any, path []string) *failure {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := value[name.(string)]; !ok {
			return fail(path, "property %v is missing", name)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		entry := value[name]
		rule, ok := properties[name].(map[string]any)
		if !ok {
			switch more := schema["additionalProperties"].(type) {
			case bool:
				if !more {
					return fail(path, "property %q is unknown", name)
				}
			case map[string]any:
				rule, ok = more, true
			}
		}
		if !ok {
			continue
		}
		if f := v.check(rule, entry, append(path, name)); f != nil {
			return f
		}
	}
	return nil
}

func hasKind(kinds, value any) bool {
	if list, ok := kinds.([]any); ok {
		for _, kind := range list {
			if hasKind(kind, value) {
				return true
			}
		}
		return false
	}
	switch value := value.(type) {
	case nil:
		return kinds == "null"
	case bool:
		return kinds == "boolean"
	case string:
		return kinds == "string"
	case float64:
		return kinds == "number" || (kinds == "integer" && value == math.Trunc(value))
	case []any:
		return kinds == "array"
	}
	return kinds == "object"
}

func contains(list []any, value any) bool {
	for _, entry := range list {
		if reflect.DeepEqual(entry, value) {
			return true
		}
	}
	return false
}

// longest is the number of bytes of a value in a message.
const longest = 60

func short(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	if len(data) > longest {
		return string(data[:longest]) + "…"
	}
	return string(data)
}
