package robust

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/floats"
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

// The multipliers of a compact program name, for the objective and for each constraint, the point of the set that does the
// optimum most harm.
func TestMultipliersNameTheWorstPoint(t *testing.T) {
	set, err := convex.NewBudget([]float64{1, 2, 3}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []float64{1, 3, 5} {
		region := solver.NewModel("box")
		for k := range 3 {
			region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: []float64{-9, 4, -1}[k]})
		}
		problem, err := NewConvex(set, region, sparsero.Identity(3), Constraint{Map: sparsero.Identity(3), Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		c := problem.parts.compact(1)
		r, err := solver.Solve(t.Context(), c.Model, nil)
		if err != nil || r.X == nil {
			t.Fatalf("%v, %v", r, err)
		}
		var points [][]float64
		c.multipliers(problem.parts, r.RowDuals, 1, func(u []float64) int { points = append(points, slices.Clone(u)); return 0 })
		x := r.X[:3]
		support := set.Support(x)
		for _, u := range points {
			if harm := floats.Dot(u, x); math.Abs(harm-support) > 1e-6 {
				t.Errorf("limit %v: %v does %v the harm %v, the worst is %v", limit, u, x, harm, support)
			}
		}
		if len(points) == 0 || len(points) == 2 && support < limit-1e-6 {
			t.Errorf("limit %v: %d points", limit, len(points))
		}
	}
}
