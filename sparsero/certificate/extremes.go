package certificate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"gonum.org/v1/gonum/floats"
)

// extremes maximises changing linear objectives over one polyhedron; each solve
// starts from the basis of the one before.
type extremes struct {
	model   *solver.Model
	session *solver.Session
}

func newExtremes(model *solver.Model, o *solver.Options) (*extremes, error) {
	session, err := solver.Open(model, o)
	if err != nil {
		return nil, fmt.Errorf("certificate: region: %w", err)
	}
	return &extremes{model, session}, nil
}

// maximise solves for new costs of the first columns. Its result has a point or the context was cancelled; everything else is an error.
func (e *extremes) maximise(ctx context.Context, costs []float64, what string) (*solver.Result, error) {
	for j, cost := range costs {
		e.model.SetCost(j, cost)
	}
	result, err := e.session.Solve(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("certificate: maximum of %s: %w", what, err)
	case result.X != nil || ctx.Err() != nil:
		return result, nil
	case result.Status == solver.Infeasible:
		return nil, errEmptyRegion
	case result.Status == solver.Unbounded:
		return nil, fmt.Errorf("certificate: region X is unbounded in %s, but certificates need a compact X; give it finite bounds: %w", what, solver.ErrUnbounded)
	}
	return nil, fmt.Errorf("certificate: maximum of %s: %w", what, result.Check())
}

// extent returns proven bounds on the minimum and the maximum for new costs.
func (e *extremes) extent(ctx context.Context, costs []float64, what string) (lower, upper float64, err error) {
	if upper, err = e.maximum(ctx, costs, what); err != nil {
		return 0, 0, err
	}
	floats.Scale(-1, costs)
	lower, err = e.maximum(ctx, costs, what)
	return -lower, upper, err
}

// maximum returns a proven upper bound on the maximum for new costs.
func (e *extremes) maximum(ctx context.Context, costs []float64, what string) (float64, error) {
	result, err := e.maximise(ctx, costs, what)
	switch {
	case err != nil:
		return 0, err
	case ctx.Err() != nil:
		return 0, fmt.Errorf("certificate: range of %s: %w", what, ctx.Err())
	case math.IsInf(result.Upper.Float(), 0):
		return 0, errors.Join(fmt.Errorf("certificate: the multipliers of the solver do not prove a range of %s; give the column finite bounds", what), result.Check())
	}
	return result.Upper.Float(), nil
}
