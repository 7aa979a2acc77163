package selection_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/selection"
)

func TestExactIntegerNeedsIntegers(t *testing.T) {
	in := randomInstance(t, 6, 3, 4, 1)
	policy := selection.ExactInteger{Solver: &solver.Options{Backend: solver.Exact{}}}
	_, err := policy.Select(context.Background(), in.coverage, 2)
	if !errors.Is(err, solver.ErrUnsupported) {
		t.Errorf("error %v, want solver.ErrUnsupported", err)
	}
	wantError(t, err, "solver/highs")
	_, err = policy.Select(context.Background(), in.coverage, 0)
	wantError(t, err, "budget 0 is below 1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := policy.Select(ctx, in.coverage, 2)
	if err != nil || !s.Partial || s.Len() != 0 {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}
