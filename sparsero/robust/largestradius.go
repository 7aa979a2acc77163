package robust

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

const (
	// radiusAccuracy is the relative accuracy of the largest feasible radius.
	radiusAccuracy = 1e-6
	// radiusProbe is the relative growth at which a radius is tested for being the
	// largest; it must move a row by more than the solver's feasibility tolerance.
	radiusProbe = 1e-5
	// radiusRounds bounds the climb, which converges superlinearly.
	radiusRounds = 100
	// radiusDoublings bounds the search beyond the climb: at a radius larger by 1e18 the nominal parts have no say, and
	// harm that is still none to float64 is none at any radius.
	radiusDoublings = 60
	// coordinateNoise is the size, relative to the bounds of its column, below which a coordinate of a solver's point
	// may stand for 0.
	coordinateNoise = 0x1p-50
)

// largestRadius maximises the radius at which the constraints can be satisfied,
//
//	max_{x in X} min_k (limit_k - ⟨a_k, x⟩) / M_S(q_k(x)),
//
// by Dinkelbach's method: the x with the most slack at a radius allows a larger one.
// Where the slack is stuck at zero for a reason that the radius does not touch, the
// climb ends too early; a probe notices that, and steps that double and then halve finish.
func (x *examination) largestRadius(ctx context.Context, scale float64) (float64, error) {
	if len(x.problem.constraints) == 0 {
		return math.Inf(1), nil
	}
	if harmless, err := x.attained(ctx, math.Inf(1)); err != nil || harmless {
		return math.Inf(1), err
	}
	if possible, err := x.feasible(ctx, 0); err != nil || !possible {
		return math.NaN(), err
	}
	reached, err := x.climb(ctx)
	if err != nil {
		return 0, err
	}
	if scale == 0 {
		scale = x.naturalRadius()
	}
	low, step, growing, doublings := reached, radiusProbe*math.Max(reached, scale), true, 0
	for growing || step > radiusAccuracy*low { // it shrinks once, because no point is harmless
		possible, err := x.attained(ctx, low+step)
		switch {
		case err != nil:
			return 0, err
		case possible && ctx.Err() != nil: // work that was cut short may have missed a harmless point
			return 0, fmt.Errorf("robust: largest radius: %w", ctx.Err())
		case possible:
			low += step
		case low == reached:
			return reached, nil
		default:
			growing = false
		}
		if math.IsInf(low, 1) {
			return low, nil
		}
		if step /= 2; growing {
			step = low
			if doublings++; doublings > radiusDoublings {
				return math.Inf(1), nil
			}
		}
	}
	return low, nil
}

// attained reports whether some x in X satisfies the demands at a radius to a share of the terms that they have there.
// What columns may reach is no measure where the radius is in question: 1e-10 is little beside a bound of 1 and may be
// all that there is.
func (x *examination) attained(ctx context.Context, radius float64) (bool, error) {
	result, err := x.slackest(ctx, radius)
	if err != nil {
		return false, err
	}
	misses := func(c cut) bool {
		return x.missed(c, radius, result.X[:x.problem.region.Columns()]) > slackTolerance
	}
	if x.keeps(result) && !slices.ContainsFunc(x.demands(), misses) {
		return true, nil
	}
	return false, decided(result)
}

// missed is by how much a point misses a demand at a radius, or does harm for an infinite one, relative to the terms there.
func (x *examination) missed(c cut, radius float64, point []float64) float64 {
	constraint, point := &x.problem.constraints[c.exposure], x.problem.withoutNoise(point)
	sum, size := x.problem.nominal(c.exposure, point)
	missed, size := sum.Value()-constraint.Limit, size+math.Abs(constraint.Limit)
	if c.atom != sparsero.NullAtom {
		middle, _ := direction(constraint.Map, point)
		harm := floats.Dot(x.problem.dictionary.RawRowView(c.atom), middle)
		terms := x.problem.alignmentSize(termSizes(constraint.Map, point), c.atom)
		if math.IsInf(radius, 1) {
			missed, size = harm, terms
		} else {
			missed, size = missed+radius*harm, size+radius*terms
		}
	}
	if missed <= 0 {
		return 0
	}
	return missed / size
}

// withoutNoise is a point with 0 for the coordinates that a solver may have left beside 0. What their bounds keep from 0
// stays.
func (p *Problem) withoutNoise(point []float64) []float64 {
	clean := slices.Clone(point)
	for j, v := range point {
		bounds := p.region.Column(j).Bounds
		if bounds.Lower() > 0 || bounds.Upper() < 0 {
			continue
		}
		size := 0.0
		for _, bound := range [2]float64{bounds.Lower(), bounds.Upper()} {
			if !math.IsInf(bound, 0) {
				size = math.Max(size, math.Abs(bound))
			}
		}
		if size == 0 { // nothing else says what is small
			size = floats.Norm(point, math.Inf(1))
		}
		if math.Abs(v) <= coordinateNoise*size {
			clean[j] = 0
		}
	}
	return clean
}

// naturalRadius is the largest radius at which the uncertain part of a constraint has terms of the
// size of its nominal part, 1 where none has both: a radius in the units of the data.
func (x *examination) naturalRadius() float64 {
	radius := 0.0
	for k := range x.problem.constraints {
		uncertain := 0.0
		for _, i := range x.indices {
			uncertain = math.Max(uncertain, x.problem.rowReach(x.row(cut{k, i}, math.Inf(1))))
		}
		if uncertain > 0 {
			radius = math.Max(radius, x.problem.rowReach(x.row(cut{k, sparsero.NullAtom}, 0))/uncertain)
		}
	}
	if radius == 0 || math.IsInf(radius, 1) {
		return 1
	}
	return radius
}

// climb is Dinkelbach's iteration from radius 0, which is feasible. Where further atoms get rows it goes down to what
// they allow and on from there.
func (x *examination) climb(ctx context.Context) (float64, error) {
	radius := 0.0
	for round := 0; round < radiusRounds; {
		before := len(x.indices)
		slackest, err := x.slackest(ctx, radius)
		if err != nil {
			return 0, err
		}
		allowed := 0.0
		if slackest.X != nil {
			allowed = x.allowedRadius(slackest.X[:x.problem.region.Columns()])
		}
		if len(x.indices) == before {
			if allowed <= radius*(1+radiusAccuracy/10) {
				break // with radius, which a point before attains; the probe decides whether it is the largest
			}
			round++
		}
		radius = math.Max(0, allowed)
	}
	return radius, nil
}

// withSlack maximises the least slack of all demands at a radius over X, relative to the size of each row and capped at 1;
// without demands it asks for any point of X. An infinite radius asks for a point that satisfies the constraints at every
// radius: nominally feasible, and no atom does harm.
func (x *examination) withSlack(radius float64) *solver.Model {
	model, demands := x.problem.region.WithoutObjective(), x.demands()
	if len(demands) == 0 {
		return model
	}
	model.SetSense(solver.Maximize)
	slack := model.AddColumn(solver.Column{Name: "least slack", Bounds: solver.AtMost(1), Cost: 1})
	for _, c := range demands {
		row := x.row(c, radius)
		size := cmp.Or(x.problem.rowReach(row), 1) // 0 for a row without terms
		row.Columns, row.Values = append(row.Columns, slack), append(row.Values, size)
		model.AddRow(row)
	}
	return model
}

// allowedRadius is the largest radius at which a point satisfies every constraint, 0 if it breaks one without uncertainty.
func (x *examination) allowedRadius(point []float64) float64 {
	allowed := math.Inf(1)
	set, _ := sparsero.NewAtomicSet(x.problem.dictionary, x.indices, 1) // of atoms that were checked
	for k := range x.problem.constraints {
		c := &x.problem.constraints[k]
		if x.missed(cut{k, sparsero.NullAtom}, 0, point) > slackTolerance {
			return 0
		}
		if worst := set.Support(c.Map.Apply(point)); worst > 0 {
			nominal, _ := x.problem.nominal(k, point)
			allowed = math.Min(allowed, (c.Limit-nominal.Value())/worst)
		}
	}
	return allowed
}
