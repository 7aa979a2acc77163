package vega

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -2.5: "-2.5", 1577836800000: "1577836800000", 1e20: "1e+20", 1.0 / 3: "0.3333333", math.Inf(1): "null", math.Inf(-1): "null",
	} {
		if data, err := json.Marshal(Number(v)); err != nil || string(data) != want {
			t.Errorf("%g is written %s (%v), want %s", v, data, err, want)
		}
	}
	if data, err := json.Marshal(Number(math.NaN())); err != nil || string(data) != "null" {
		t.Errorf("NaN is written %s (%v)", data, err)
	}
}

// TestNumbersReadBack: what is written is valid JSON within 7 significant digits.
func TestNumbersReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Filter(func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }).Draw(t, "v")
		data, err := json.Marshal(Number(v))
		if err != nil {
			t.Fatal(err)
		}
		back, err := strconv.ParseFloat(string(data), 64)
		if err != nil || math.Abs(back-v) > 1e-6*math.Abs(v) {
			t.Fatalf("%g is written %s", v, data)
		}
	})
}

// TestQuoteIsOneLiteral: no text can end the literal or open an HTML element.
func TestQuoteIsOneLiteral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		quoted := Quote(text)
		var back string
		if err := json.Unmarshal([]byte(quoted), &back); err != nil || strings.ToValidUTF8(text, "\uFFFD") != back {
			t.Fatalf("%q becomes %s, which reads %q (%v)", text, quoted, back, err)
		}
		if strings.ContainsAny(quoted, "<>&") {
			t.Fatalf("%s holds characters of HTML", quoted)
		}
	})
}

func TestCheckFindsWhatIsMissing(t *testing.T) {
	layer := func(body string) string {
		return `{"params":[{"name":"budget"}],"datasets":{"d":[{"x":1}]},"layer":[{"mark":"point","data":{"values":[{"x":1,"y":2}]},` + body + `}]}`
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
		{"unknown data", `{"layer":[{"mark":"point","data":{"name":"e"},"encoding":{}}]}`, `data set "e"`},
		{"a concatenation", `{"concat":[{"layer":[{"mark":"point","data":{"values":[{"x":1}]},"encoding":{"x":{"field":"y"}}}]}]}`, `field "y"`},
		{"a parameter of two layers", `{"concat":[{"layer":[{"params":[{"name":"p"}]}]},{"layer":[{"params":[{"name":"p"}]}]}]}`, `"p" is defined twice`},
		{"no layers", `{}`, "no layers"},
		{"no JSON", `{`, "not valid JSON"},
		{"no rows", `{"layer":[{"mark":"point","data":{"values":[]},"encoding":{}}]}`, "no rows"},
		{"unknown name in a mark", `{"layer":[{"mark":{"type":"text","x":{"expr":"widht+1"}},"data":{"values":[{"x":1}]},"encoding":{}}]}`, `"widht"`},
	} {
		err := Check([]byte(test.spec))
		if (test.want == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
