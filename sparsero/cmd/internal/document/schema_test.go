package document

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

var regen = flag.Bool("regen", false, "write problem.schema.json anew")

const schemaFile = "../../sparsero/problem.schema.json"

type object = map[string]any

// schemas are those of types that read more than one kind of value.
var schemas = map[reflect.Type]object{
	reflect.TypeFor[table]():        {"$ref": "#/$defs/table"},
	reflect.TypeFor[norm]():         {"enum": []any{1, 2, nil}},
	reflect.TypeFor[labels]():       {"anyOf": []any{object{"type": "string"}, object{"type": "array", "items": object{"type": "string"}}}},
	reflect.TypeFor[number]():       {"type": "number"},
	reflect.TypeFor[solver.Model](): {"$ref": "#/$defs/model"},
	reflect.TypeFor[region]():       {"anyOf": []any{object{"type": "string"}, object{"$ref": "#/$defs/model"}}},
}

// schemaOf describes a type.
func schemaOf(t reflect.Type) object {
	if known, is := schemas[t]; is {
		return known
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		properties := object{}
		for k := range t.NumField() {
			if key := t.Field(k).Tag.Get("json"); key != "" && key != "-" {
				properties[key] = schemaOf(t.Field(k).Type)
			}
		}
		whole := object{"type": "object", "additionalProperties": false, "properties": properties}
		if t == reflect.TypeFor[dictionary]() {
			return object{"anyOf": []any{object{"$ref": "#/$defs/table"}, whole}}
		}
		return whole
	}
	return object{"type": map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Float64: "number"}[t.Kind()]}
}

// written writes an object with a line for each key, and those in it likewise down to some levels.
func written(t *testing.T, value any, levels int) []byte {
	parts, is := value.(object)
	if !is || levels == 0 {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		lines = append(lines, fmt.Sprintf("%q: %s", key, written(t, parts[key], levels-1)))
	}
	return []byte("{\n" + strings.Join(lines, ",\n") + "\n}")
}

// TestSchemaIsThatOfTheTypes: problem.schema.json says of each key what the types say; go test -run Schema -regen writes it.
func TestSchemaIsThatOfTheTypes(t *testing.T) {
	schema := schemaOf(reflect.TypeFor[Document]())
	schema["$schema"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", "a robust problem for sparsero design"
	schema["description"] = "PROBLEM.md says what the keys mean. A schema cannot say that sizes fit together."
	properties := schema["properties"].(object)
	properties["set"].(object)["minProperties"], properties["set"].(object)["maxProperties"] = 1, 1
	properties["demands"].(object)["properties"].(object)["budget"] = object{"type": "integer"}
	properties["constraints"].(object)["items"].(object)["required"] = []string{"map", "limit"}
	schema["required"] = []string{"model"}
	numbers, columns := object{"type": "array", "items": object{"type": "number"}}, object{"type": "array", "items": object{"type": "integer"}}
	side, closed := object{"type": []any{"number", "null"}}, func(properties object) object {
		return object{"type": "object", "additionalProperties": false, "properties": properties}
	}
	schema["$defs"] = object{
		"table": object{"anyOf": []any{object{"type": "string"}, object{"type": "array", "items": object{"anyOf": []any{numbers, closed(object{"columns": columns, "values": numbers})}}}}},
		"model": closed(object{
			"name": object{"type": "string"}, "sense": object{"const": "minimize"}, "offset": object{"type": "number"},
			"columns": object{"type": "array", "items": closed(object{"name": object{"type": "string"}, "lower": side, "upper": side, "cost": object{"type": "number"}, "integer": object{"type": "boolean"}})},
			"rows": object{"type": "array", "items": closed(object{"name": object{"type": "string"}, "group": object{"type": "string"}, "lower": side, "upper": side,
				"columns": columns, "values": numbers})},
			"quadratic": object{"type": "array", "items": numbers},
		}),
	}
	text := append(written(t, schema, 2), '\n')
	if *regen {
		if err := os.WriteFile(schemaFile, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if stored, err := os.ReadFile(schemaFile); err != nil || !bytes.Equal(stored, text) {
		t.Errorf("%s is not that of the types, %v; write it with -regen", schemaFile, err)
	}
}
