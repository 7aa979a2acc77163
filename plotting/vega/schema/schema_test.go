package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sparsero/directions/plotting/vega/schema"
)

// A property that Vega-Lite does not know would be passed over without a word.
func ExampleValidate() {
	fmt.Println(schema.Validate([]byte(`{"data": {"values": [{"x": 1}]}, "mark": {"type": "point", "colour": "red"}, "encoding": {"x": {"field": "x", "type": "quantitative"}}}`)))
	// Output:
	// schema: at /mark: property "colour" is unknown
}

func TestValidate(t *testing.T) {
	layer := func(mark, encoding string) string {
		return `{"layer":[{"data":{"values":[{"x":1,"y":2}]},"mark":` + mark + `,"encoding":` + encoding + `}]}`
	}
	for _, test := range []struct{ name, spec, want string }{
		{"a sound one", layer(`"point"`, `{"x":{"field":"x","type":"quantitative"}}`), ""},
		{"null where it is allowed", layer(`{"type":"point","tooltip":null}`, `{"x":{"field":"x","type":"quantitative","axis":null}}`), ""},
		{"unknown mark", layer(`"pont"`, `{}`), `"pont" is not`},
		{"unknown channel", layer(`"point"`, `{"xx":{"field":"x"}}`), `property "xx" is unknown`},
		{"wrong type", layer(`{"type":"line","strokeWidth":"2"}`, `{}`), `"2" is not of type`},
		{"opacity above 1", layer(`{"type":"line","opacity":2}`, `{}`), "2 is above 1"},
		{"no mark", `{"data":{"values":[]}}`, "is missing"},
		{"no JSON", `{`, "not valid JSON"},
	} {
		err := schema.Validate([]byte(test.spec))
		if (test.want == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
