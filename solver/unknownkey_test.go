package solver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// TestUnknownKeys wants the name of an unknown key and of the one that was meant.
func TestUnknownKeys(t *testing.T) {
	for text, want := range map[string]string{
		`{"columns": [{"name": "a", "lb": 0}]}`:       `"lb"; write "lower"`,
		`{"columns": [{"name": "a", "ub": 0}]}`:       `"ub"; write "upper"`,
		`{"columns": [{"name": "a", "obj": 0}]}`:      `"obj"; write "cost"`,
		`{"columns": [{"name": "a", "Type": "int"}]}`: `"Type"; write "integer"`,
		`{"columns": [], "constraints": []}`:          `"constraints"; write "rows"`,
		`{"variables": []}`:                           `"variables"; write "columns"`,
		`{"columns": [], "row": []}`:                  `"row"; write "rows"`,
		`{"columns": [], "weather": []}`:              `"weather"; the keys are columns, cost, `,
	} {
		if err := json.Unmarshal([]byte(text), new(solver.Model)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %s", text, err, want)
		}
	}
}
