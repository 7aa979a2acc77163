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
		`{"columns": [{"name": "a", "ub": 0}]}`:                           {`"ub"`, `"upper"`},
		`{"columns": [{"name": "a", "obj": 0}]}`:                          {`"obj"`, `"cost"`},
		`{"columns": [{"name": "a", "Type": "int"}]}`:                     {"columns[0].Type", `"integer"`},
		`{"columns": [], "constraints": []}`:                              {`"constraints"`, `"rows"`},
		`{"columns": [{}], "rows": [{"columns": [0], "values": [null]}]}`: {"null", "lower"},
		`{"columns": [{"cost": 1, "cost": 2}]}`:                           {"columns[0].cost", "twice"},
		`{"columns": [{"cost": null}]}`:                                   {"columns[0].cost", "null"},
		`{"columns": [], "rows": [], "rows": []}`:                         {"rows", "twice"},
		`{"columns": [{"coſt": 1}]}`:                                      {"coſt", `"cost"`}, // which decoders take for an s
		`{"columns": [{"upper": "3"}]}`:                                   {"columns.upper is a string", "a number"},
		`{"columns": [{}], "rows": [{"columns": ["x"]}]}`:                 {"rows.columns is a string", "whole number"},
		`[]`:                             {"it is an array", "an object"},
		`{"columns": []} {}`:             {"top-level", "value"},
		`{"variables": []}`:              {`"variables"`, `"columns"`},
		`{"columns": [], "row": []}`:     {`"row"`, `"rows"`},
		`{"columns": [], "weather": []}`: {`"weather"`, "columns"},
	} {
		if err := json.Unmarshal([]byte(text), new(solver.Model)); err == nil || !strings.Contains(err.Error(), want[0]) || !strings.Contains(err.Error(), want[1]) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
}
