package integer

import (
	"context"
	"errors"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/robust"
)

// optimizer solves the robust program of one instance.
type optimizer interface {
	// solve returns the optimum for the atoms at a radius, nil if there is none.
	solve(ctx context.Context, atoms []int, radius float64) (*Decision, error)
}

// newOptimizer returns the optimizer of the configured method.
func newOptimizer(i *datasets.IntegerInstance, method Method, radii []float64) (optimizer, error) {
	if method != MILP {
		e, err := NewEnumeration(i, &EnumerationOptions{Radii: radii})
		if err == nil {
			return enumerated{e}, nil
		}
		if method == Enumerate || !errors.Is(err, ErrTooLarge) {
			return nil, err
		}
	}
	p, err := Problem(i)
	if err != nil {
		return nil, err
	}
	return programmed{p}, nil
}

type enumerated struct{ *Enumeration }

func (e enumerated) solve(ctx context.Context, atoms []int, radius float64) (*Decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d, err := e.Solve(atoms, radius)
	if errors.Is(err, solver.ErrInfeasible) {
		return nil, nil
	}
	return d, err
}

type programmed struct{ *robust.Problem }

func (p programmed) solve(ctx context.Context, atoms []int, radius float64) (*Decision, error) {
	// A negative gap asks for a proof without gap: costs are continuous, and
	// the second-best decision may be very close.
	solution, err := p.Solve(ctx, atoms, radius, &robust.Options{Solver: &solver.Options{RelativeGap: -1}})
	if errors.Is(err, solver.ErrInfeasible) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if solution.Partial {
		return nil, errors.Join(ctx.Err(), solution.Result.Check())
	}
	d := &Decision{Value: solution.Value}
	for j, v := range solution.X {
		if v > 0.5 {
			d.Items = append(d.Items, j)
		}
	}
	return d, nil
}
