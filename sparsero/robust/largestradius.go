package robust

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/solver"
)

const (
	// radiusAccuracy is the relative accuracy of the largest feasible radius.
	radiusAccuracy = 1e-6
	// radiusProbe is the relative growth at which a radius is tested for being the
	// largest; it must move a row by more than the solver's feasibility tolerance.
	radiusProbe = 1e-5
	// radiusRounds bounds the climb, which converges superlinearly.
	radiusRounds = 100
)

// largestRadius maximises the radius at which the constraints can be satisfied,
//
//	max_{x in X} min_k (limit_k - ⟨a_k, x⟩) / M_S(q_k(x)),
//
// by Dinkelbach's method: the x with the most slack at a radius allows a larger one.
// Where the slack is stuck at zero for a reason that the radius does not touch, the
// climb ends too early; a probe notices that and bisection finishes.
func (x *examination) largestRadius(ctx context.Context, scale float64) (float64, error) {
	if len(x.problem.constraints) == 0 {
		return math.Inf(1), nil
	}
	harmless, err := x.solve(ctx, x.harmless())
	switch {
	case err != nil:
		return 0, err
	case harmless.X != nil:
		x.harmlessPoint = harmless.X
		return math.Inf(1), nil
	}
	demands := x.demands()
	if possible, err := x.feasible(ctx, demands, 0); err != nil || !possible {
		return math.NaN(), err
	}
	reached, err := x.climb(ctx)
	if err != nil {
		return 0, err
	}
	if scale == 0 {
		scale = 1
	}
	low, high := reached, reached+radiusProbe*math.Max(reached, scale)
	for { // a finite end exists, because no point is harmless
		possible, err := x.feasible(ctx, demands, high)
		if err != nil {
			return 0, err
		}
		if !possible {
			break
		}
		low, high = high, 2*high
	}
	if low == reached {
		return reached, nil
	}
	return x.bisect(ctx, low, high)
}

// climb is Dinkelbach's iteration from radius 0, which is feasible.
func (x *examination) climb(ctx context.Context) (float64, error) {
	radius := 0.0
	for range radiusRounds {
		slackest, err := x.solve(ctx, x.slackest(x.demands(), radius))
		if errors.Is(err, solver.ErrNumericalTrouble) {
			break // the probe that follows the climb makes up for it
		}
		if err != nil {
			return 0, err
		}
		allowed := x.allowedRadius(slackest.X[:x.problem.region.Columns()])
		if allowed <= radius*(1+radiusAccuracy/10) {
			break
		}
		radius = allowed
	}
	return radius, nil
}

// bisect narrows a feasible and an infeasible radius.
func (x *examination) bisect(ctx context.Context, low, high float64) (float64, error) {
	demands := x.demands()
	for high-low > radiusAccuracy*high {
		middle := (low + high) / 2
		possible, err := x.feasible(ctx, demands, middle)
		if err != nil {
			return 0, err
		}
		if possible {
			low = middle
		} else {
			high = middle
		}
	}
	return low, nil
}

// harmless is the model of points that satisfy the constraints at every radius:
// nominally feasible, and no atom of S does harm.
func (x *examination) harmless() *solver.Model {
	model := feasibilityModel(x.problem.region)
	for k := range x.problem.constraints {
		model.AddRow(x.problem.nominalRow(k))
		for _, i := range x.indices {
			pulled := x.problem.pulls[k+1].back(x.problem.dictionary.RawRowView(i))
			columns, values := sparse(pulled.coefficients)
			model.AddRow(solver.Row{Lower: -infinity, Upper: -pulled.constant, Columns: columns, Values: values})
		}
	}
	return model
}

// slackest maximises the least slack of some rows over X, relative to the terms of each and
// capped at 1; without rows it asks for any point of X.
func (x *examination) slackest(rows []cut, radius float64) *solver.Model {
	model := feasibilityModel(x.problem.region)
	if len(rows) == 0 {
		return model
	}
	model.SetSense(solver.Maximize)
	slack := model.AddColumn(solver.Column{Name: "least slack", Lower: -infinity, Upper: 1, Cost: 1})
	for _, c := range rows {
		row := x.row(c, radius)
		size := x.problem.constraintReach(c.exposure, radius)
		if size == 0 {
			size = 1 // a row without terms
		}
		row.Columns, row.Values = append(row.Columns, slack), append(row.Values, size)
		model.AddRow(row)
	}
	return model
}

// allowedRadius is the largest radius at which a point satisfies every constraint.
func (x *examination) allowedRadius(point []float64) float64 {
	allowed := math.Inf(1)
	for k := range x.problem.constraints {
		c := &x.problem.constraints[k]
		direction, worst := c.Map.Apply(point), 0.0
		for _, i := range x.indices {
			worst = math.Max(worst, floats.Dot(x.problem.dictionary.RawRowView(i), direction))
		}
		if worst > 0 {
			allowed = math.Min(allowed, (c.Limit-c.nominal(point))/worst)
		}
	}
	return allowed
}
