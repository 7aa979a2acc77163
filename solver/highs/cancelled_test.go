package highs_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// fuse is a context that ends when it has been asked some times whether it has.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	left   int
}

func (f *fuse) Err() error {
	if f.left--; f.left < 0 {
		f.cancel()
	}
	return f.Context.Err()
}

// With a loose tolerance HiGHS takes 1.41/1.42 for whole. What is returned is whole, even if
// the context ends before another point is found.
func TestPointsOfIntegerModelsAreWhole(t *testing.T) {
	m := solver.NewModel("whole")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 4), Integer: true})
	m.AddRow(solver.Row{Bounds: solver.Between(1.41, 2.26), Columns: []int{0}, Values: []float64{1.42}})
	for questions := range 40 {
		inner, cancel := context.WithCancel(context.Background())
		ctx := &fuse{Context: inner, cancel: cancel, left: questions}
		r, err := solver.Solve(ctx, m, &solver.Options{Backend: highs.Backend{}, FeasibilityTolerance: 0.01, OptimalityTolerance: 0.01})
		if err == nil && r.X != nil && r.X[0] != math.Round(r.X[0]) {
			t.Errorf("context that ends after %d questions: x = %v, %v", questions, r.X, r)
		}
		cancel()
	}
}
