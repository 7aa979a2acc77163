package solver_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
)

// slightlyMore needs a little more than the first column can give.
func slightlyMore(little float64) *solver.Model {
	m := solver.NewModel("slightly more")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 1})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(1 + little), Columns: []int{0, 1}, Values: []float64{1, 1}})
	return m
}

// TestRowsAreNotMissed: what a row lacks is delivered when it is a hundred times the tolerance, though the cost speaks against
// it, by every method.
func TestRowsAreNotMissed(t *testing.T) {
	const little = 1e-5
	for _, backend := range []solver.Backend{solver.DualSimplex{}, solver.InteriorPoint{}, solver.PureGo{}} {
		r, err := solver.Solve(context.Background(), slightlyMore(little), &solver.Options{Backend: backend})
		if err != nil || r.Status != solver.Optimal || math.Abs(r.X[1]-little) > little/100 {
			t.Errorf("%T: %v, %v, x = %v; want x1 = %g", backend, r, err, r.X, little)
		}
	}
}

// TestSmallValuesStay: a value of a billionth beside 1 is no rounding error of 0.
func TestSmallValuesStay(t *testing.T) {
	told := liar{x: []float64{1, 1e-9}, rowDuals: []float64{1}, columnDuals: []float64{-1, 0}}
	r, err := solver.Solve(context.Background(), slightlyMore(1e-9), &solver.Options{Backend: told})
	if err != nil || r.X[1] == 0 {
		t.Errorf("%v, %v, x = %v", r, err, r.X)
	}
}
