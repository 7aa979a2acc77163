package designfile

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/lifted"
)

var regen = flag.Bool("regen", false, "write design.schema.json anew")

// TestFilesOfVersion2 stay valid and are written as they are: testdata/version2 was written when the version was introduced.
func TestFilesOfVersion2(t *testing.T) {
	paths, err := filepath.Glob("testdata/version2/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checked, err := Verify(bytes.NewReader(data), nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if again, err := encode(&checked.file); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s is written differently now, %v:\n%s", path, err, again)
		}
		content := checked.Content()
		var written bytes.Buffer
		if err := content.Write(&written); err != nil || !bytes.Equal(written.Bytes(), data) {
			t.Errorf("%s gets other claims now, %v:\n%s", path, err, written.Bytes())
		}
	}
}

// TestPointsOfASetAreInItsFile, however many they are, as nobody has a file of them.
func TestPointsOfASetAreInItsFile(t *testing.T) {
	points := make([][]float64, lifted.MostEmbedded/2+1)
	for i := range points {
		points[i] = []float64{0, 1}
	}
	upper := 1.0
	content := Content{
		Problem: lifted.Problem{
			Dictionary: lifted.Dictionary{Atoms: len(points), Dimension: 2, Values: points}, Set: &lifted.Set{}, Radius: 1,
			Model:     lifted.Model{Columns: []lifted.Column{{Name: "x", Upper: &upper}}},
			Objective: &lifted.Map{Matrix: []lifted.Entries{{Columns: []int{0}, Values: []float64{3}}, {Columns: []int{0}, Values: []float64{4}}}},
		},
		Decision: lifted.Decision{X: []float64{1}, Atoms: []int{7}},
	}
	var written bytes.Buffer
	if err := content.Write(&written); err != nil {
		t.Fatal(err)
	}
	checked, err := Verify(&written, nil)
	if err != nil {
		t.Fatal(err)
	}
	if claims := checked.Claims(); claims.Full.Float() != 5 || claims.Restricted.Float() != 4 { // the root of 9 + 16 is exact
		t.Errorf("%+v", claims)
	}
}

// TestSchemaIsThatOfTheTypes: design.schema.json says of each key what the types say; go test -run Schema -regen writes it.
func TestSchemaIsThatOfTheTypes(t *testing.T) {
	schema := schemaOf(reflect.TypeFor[file]())
	schema["$schema"], schema["title"] = "https://json-schema.org/draft/2020-12/schema", "sparsero design file, version 2"
	schema["description"] = "FORMAT.md says what the keys mean. A schema cannot say that sizes fit together, nor that the claims are true."
	properties := schema["properties"].(map[string]any)
	properties["format"], properties["version"] = map[string]any{"const": formatName}, map[string]any{"const": formatVersion}
	text, err := json.MarshalIndent(schema, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(collapsed(text), '\n')
	if *regen {
		if err := os.WriteFile("design.schema.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if stored, err := os.ReadFile("design.schema.json"); err != nil || !bytes.Equal(stored, text) {
		t.Errorf("design.schema.json is not that of the types, %v; write it with -regen", err)
	}
}

var (
	innermost = regexp.MustCompile(`[{\[][^{}\[\]]*[}\]]`)
	breaks    = regexp.MustCompile(`\n *`)
)

// collapsed writes what is short on one line.
func collapsed(text []byte) []byte {
	stand := strings.NewReplacer("{", "\x01", "}", "\x02", "[", "\x03", "]", "\x04")
	for range 6 {
		text = innermost.ReplaceAllFunc(text, func(part []byte) []byte {
			if line := breaks.ReplaceAll(part, []byte(" ")); len(line) <= 120 {
				return []byte(stand.Replace(string(line)))
			}
			return part
		})
	}
	return []byte(strings.NewReplacer("\x01", "{", "\x02", "}", "\x03", "[", "\x04", "]").Replace(string(text)))
}

// schemaOf is the JSON schema of a type as this package writes it.
func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Pointer:
		return orNull(schemaOf(t.Elem()))
	case reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Slice:
		return orNull(map[string]any{"type": "array", "items": schemaOf(t.Elem())})
	}
	if t == reflect.TypeFor[lifted.Number]() {
		return map[string]any{"anyOf": []any{map[string]any{"type": "number"}, map[string]any{"type": "string", "pattern": "^-?[0-9a-f]+$"}}}
	}
	properties, required := map[string]any{}, []string{}
	for k := range t.NumField() {
		properties[keyOf(t, k)] = schemaOf(t.Field(k).Type)
		if !optional(t, k) {
			required = append(required, keyOf(t, k))
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// orNull is a schema whose values may be null.
func orNull(schema map[string]any) map[string]any {
	if kind, simple := schema["type"].(string); simple {
		schema = maps.Clone(schema)
		schema["type"] = []any{kind, "null"}
		return schema
	}
	return map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}}
}
