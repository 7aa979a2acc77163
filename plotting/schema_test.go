package plotting_test

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The schema of Vega-Lite is that of release 5.18.1 without its descriptions; testdata/vega-lite/strip.py
// writes it from the package of that release.
//
//go:embed testdata/vega-lite/vega-lite-5.18.1.json.gz
var compressed []byte

// compiled is the schema, read once.
var compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
	reader, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	root, err := jsonschema.UnmarshalJSON(reader)
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("vega-lite.json", root); err != nil {
		return nil, err
	}
	return compiler.Compile("vega-lite.json")
})

// validate reports where a specification breaks the schema; nil means that it is a Vega-Lite
// specification.
func validate(specification []byte) error {
	schema, err := compiled()
	if err != nil {
		return fmt.Errorf("schema: reading the schema of Vega-Lite: %w", err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(specification))
	if err != nil {
		return fmt.Errorf("schema: the specification is not valid JSON: %w", err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	return nil
}

func TestSchemaRules(t *testing.T) {
	layer := func(mark, encoding string) string {
		return `{"layer":[{"data":{"values":[{"x":1,"y":2}]},"mark":` + mark + `,"encoding":` + encoding + `}]}`
	}
	for _, test := range []struct{ name, spec, want string }{
		{"a sound one", layer(`"point"`, `{"x":{"field":"x","type":"quantitative"}}`), ""},
		{"null where it is allowed", layer(`{"type":"point","tooltip":null}`, `{"x":{"field":"x","type":"quantitative","axis":null}}`), ""},
		{"unknown mark", layer(`"pont"`, `{}`), "at '/layer/0/mark': value must be one of"},
		{"unknown channel", layer(`"point"`, `{"xx":{"field":"x"}}`), "additional properties 'xx' not allowed"},
		{"wrong type", layer(`{"type":"line","strokeWidth":"2"}`, `{}`), "at '/layer/0/mark/strokeWidth': got string, want number"},
		{"opacity above 1", layer(`{"type":"line","opacity":2}`, `{}`), "maximum: got 2, want 1"},
		{"no mark", `{"data":{"values":[]}}`, "missing propert"},
		{"no JSON", `{`, "not valid JSON"},
	} {
		err := validate([]byte(test.spec))
		if (test.want == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
