package solver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// TestJSONRefusesNamesThatItCannotHold: bytes that are no UTF-8 would come back as others.
func TestJSONRefusesNamesThatItCannotHold(t *testing.T) {
	const bad = "a\xff"
	for _, test := range []struct{ want, model, column, row, group string }{
		{want: "", model: "ä", column: "ö", row: "ü", group: "ß"},
		{want: "model", model: bad},
		{want: "column 0", column: bad},
		{want: "row 0", row: bad},
		{want: "row 0", group: bad},
	} {
		m := solver.NewModel(test.model)
		m.AddColumn(solver.Column{Name: test.column})
		m.AddRow(solver.Row{Name: test.row, Group: test.group, Columns: []int{0}, Values: []float64{1}})
		data, err := json.Marshal(m)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %s, error %v", test, data, err)
		}
	}
}
