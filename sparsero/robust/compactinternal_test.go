package robust

import (
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
)

// TestCompactProgramOfABudget has no more than the dual form that one writes by hand where the columns are exposed as they are and at
// least 0: p rows of sides and one of the total for the objective and for each constraint, and the columns t, λ and μ.
func TestCompactProgramOfABudget(t *testing.T) {
	const p = 7
	region, widths := solver.NewModel("box"), make([]float64, p)
	for k := range widths {
		widths[k] = float64(k + 1)
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	}
	set, err := convex.NewBudget(widths, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, free := range []bool{false, true} {
		rows, columns := 2*(p+1)+1, p+2*(p+2)
		if free {
			region.SetColumnBounds(0, solver.AtMost(1))
			rows += 2 // the other side of one column, twice
		}
		problem, err := NewConvex(set, region, sparsero.Identity(p), Constraint{Map: sparsero.Identity(p), Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if c := problem.parts.compact(1); c.Rows() != rows || c.Columns() != columns {
			t.Errorf("free column %v: %d rows and %d columns; want %d and %d", free, c.Rows(), c.Columns(), rows, columns)
		}
	}
}
