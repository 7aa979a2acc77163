package solver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// TestUnknownKeys wants the name of an unknown key and of the one that was meant, and refuses null where a number stands.
func TestUnknownKeys(t *testing.T) {
	for text, want := range map[string][2]string{ // the key and the one that was meant, or a key that there is
		`{"columns": [{"name": "a", "lb": 0}]}`:                           {`"lb"`, `"lower"`},
		`{"columns": [], "maximize": true}`:                               {`"maximize"`, "signs of the costs"},
		`{"columns": [{"name": "a", "ub": 0}]}`:                           {`"ub"`, `"upper"`},
		`{"columns": [{"name": "a", "obj": 0}]}`:                          {`"obj"`, `"cost"`},
		`{"columns": [{"name": "a", "Type": "int"}]}`:                     {"columns[0].Type", `"integer"`},
		`{"columns": [], "constraints": []}`:                              {`"constraints"`, `"rows"`},
		`{"columns": [{}], "rows": [{"columns": [0], "values": [null]}]}`: {"null", "lower"},
		`{"columns": [{"cost": 1, "cost": 2}]}`:                           {"columns[0].cost", "twice"},
		`{"columns": [{"cost": null}]}`:                                   {"columns[0].cost", "null"},
		`{"columns": [{}, {}, {"cost": null}]}`:                           {"columns[2].cost", "null"},
		`{"columns": [], "rows": [], "rows": []}`:                         {"rows", "twice"},
		`{"columns": [{"coſt": 1}]}`:                                      {"coſt", `"cost"`}, // which decoders take for an s
		`{"columns": [{"upper": "3"}]}`:                                   {"columns.upper is a string", "a number"},
		`{"columns": [{}], "rows": [{"columns": ["x"]}]}`:                 {"rows.columns is a string", "whole number"},
		`{"columns": [{"cost": 1e400}]}`:                                  {"columns.cost is a number 1e400", "float64"},
		`{"columns": [{"cost": -1E-400}]}`:                                {"columns[0].cost is -1E-400", "other units"},
		`[]`:                                                              {"it is an array", "an object"},
		`{"columns": []} {}`:                                              {"top-level", "value"},
		`{"variables": []}`:                                               {`"variables"`, `"columns"`},
		`{"columns": [], "row": []}`:                                      {`"row"`, `"rows"`},
		`{"columns": [], "weather": []}`:                                  {`"weather"`, "columns"},
	} {
		if err := json.Unmarshal([]byte(text), new(solver.Model)); err == nil || !strings.Contains(err.Error(), want[0]) || !strings.Contains(err.Error(), want[1]) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
}

// TestPlaceOfBrokenJSON: lines and columns of characters count from 1, and words about Infinity and per cent stand where these are.
func TestPlaceOfBrokenJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{\"name\": \"Ö\",\n \"é\": 1,\n}": "line 3, column 1",
		"{\"é\": ]":                        "line 1, column 7",
		"{\"columns\": [":                  "line 1, column 13",
		"":                                 "value of JSON",
		"{\"columns\": [\n{\"upper\": Infinity}]}":    "line 2, column 11: invalid character 'I' looking for beginning of value; there is no Infinity",
		"{\"columns\": [\r\n{\"lower\": -Infinity}]}": "line 2, column 12: invalid character 'I' in numeric literal; there is no Infinity",
		"{\"columns\": [{\"cost\": NaN}]}":            "there is no Infinity",
		"{\"name\": 1%}":                              "0.01",
		"{\"name\": \"Infinity\"} {}":                 "after top-level value",
	} {
		err := solver.ReadJSON([]byte(text), new(solver.Model))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %s", text, err, want)
		}
		if asks := strings.Contains(want, "Infinity"); err != nil && strings.Contains(err.Error(), "there is no Infinity") != asks {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestReadJSONOfAnyType: types that hold themselves, tags with options, other kinds of numbers, null and nothing to read into.
func TestReadJSONOfAnyType(t *testing.T) {
	type tree struct {
		Size     int64            `json:"size,omitempty"`
		Named    map[string]int32 `json:"named,omitempty"`
		Children []*tree          `json:"children"`
		Hidden   int              `json:"-"`
	}
	read := new(tree)
	if err := solver.ReadJSON([]byte(`{"children": [{"size": 3, "named": {"Any": 1}}]}`), read); err != nil || read.Children[0].Size != 3 || read.Children[0].Named["Any"] != 1 {
		t.Errorf("%+v, error %v", read, err)
	}
	if err := solver.ReadJSON([]byte(`{"named": {"Any": 0e-400, "1e-400": 5E-324, "0": -0.0}}`), new(struct {
		Named map[string]float64 `json:"named"`
	})); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{`{"size": "3"}`: "size is a string; give what a int64 holds", `null`: "it is null", `{"sise": 3}`: `"size"`, `{"weather": 3}`: "the keys are children, named, size"} {
		if err := solver.ReadJSON([]byte(text), new(tree)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
	if err := solver.ReadJSON([]byte(`{}`), nil); err == nil {
		t.Error("nothing to read into, and no error")
	}
}
