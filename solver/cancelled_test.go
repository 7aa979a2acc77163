package solver_test

import (
	"context"
	"testing"

	"github.com/sparsero/directions/solver"
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

// The cost of -1e-9 makes the program unbounded, but is next to nothing for a method in
// floating point. Whenever the context ends, nothing is called optimal without proof.
func TestNoOptimumWithoutProofAfterACancel(t *testing.T) {
	m := solver.NewModel("unbounded by a hair")
	for _, cost := range []float64{-1e-9, 0, 3} {
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(2), Cost: cost})
	}
	for questions := range 40 {
		inner, cancel := context.WithCancel(context.Background())
		ctx := &fuse{Context: inner, cancel: cancel, left: questions}
		r, err := solver.Solve(ctx, m, &solver.Options{Backend: solver.DualSimplex})
		if err == nil && r.Status == solver.Optimal {
			t.Errorf("context that ends after %d questions: %v", questions, r)
		}
		cancel()
	}
}
