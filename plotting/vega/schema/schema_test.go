package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/vega/schema"
)

// A property that Vega-Lite does not know would be passed over without a word.
func ExampleValidate() {
	err := schema.Validate([]byte(`{"data": {"values": [{"x": 1}]}, "mark": {"type": "point", "colour": "red"}, "encoding": {"x": {"field": "x", "type": "quantitative"}}}`))
	fmt.Println(strings.Contains(err.Error(), "at '/mark': additional properties 'colour' not allowed"))
	// Output:
	// true
}

func TestValidate(t *testing.T) {
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
		err := schema.Validate([]byte(test.spec))
		if (test.want == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
