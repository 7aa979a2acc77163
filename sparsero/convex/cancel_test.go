package convex_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
)

// A polyhedron whose context ends is no polyhedron without bounds: the error is that of the context, within a second.
func TestNewPolyhedronEndsWithItsContext(t *testing.T) {
	const p = 60
	model, values := solver.NewModel("box with cuts"), gaussian(3*p, p, 1)
	columns := make([]int, p)
	for j := range columns {
		columns[j] = model.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	}
	for i := range 3 * p {
		model.AddRow(solver.Row{Bounds: solver.AtMost(5), Columns: columns, Values: values.RawRowView(i)})
	}
	for _, limit := range []time.Duration{0, time.Millisecond, 7 * time.Millisecond, 40 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		start := time.Now()
		set, err := convex.NewPolyhedron(ctx, model, nil)
		if late := time.Since(start) - limit; late > time.Second || err != nil && !errors.Is(err, context.DeadlineExceeded) || (set == nil) != (err != nil) {
			t.Errorf("limit %v: %v late, %v, %v", limit, late, set, err)
		}
		cancel()
	}
}

// TestPolyhedraAtALimit: a limit of the solver ends the search for an inner point, as that for the box, with an error.
func TestPolyhedraAtALimit(t *testing.T) {
	model := solver.NewModel("two boxes")
	x, y := model.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)}), model.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	model.AddRow(solver.Row{Bounds: solver.Between(-1, 1.5), Columns: []int{x, y}, Values: []float64{2, 1}})
	model.AddRow(solver.Row{Bounds: solver.Between(-1.5, 1), Columns: []int{x, y}, Values: []float64{1, -3}})
	ended := false
	for limit := 1; limit < 20; limit++ {
		set, err := convex.NewPolyhedron(context.Background(), model, &solver.Options{IterationLimit: limit})
		if (set == nil) != (err != nil) {
			t.Fatalf("limit %d: %v, %v", limit, set, err)
		}
		ended = ended || err != nil
	}
	if !ended {
		t.Error("no limit ended the search")
	}
}
