package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// radiusSteps bounds the radii that are tried: after so many doublings, larger by 1e30, the nominal parts have no say, and
// harm that is still none to float64 is none at any radius; after so many halvings what is left is 0.
const radiusSteps = 100

// swallowed is the size of a nominal part relative to the uncertain one of a row from which on downwards rounding takes too much
// of it.
const swallowed = 0x1p-44

// undecidedRadii bounds the radii about which the solver may be undecided before the search ends.
const undecidedRadii = 4

func undecided(err error) bool {
	return errors.Is(err, solver.ErrNumericalTrouble) || errors.Is(err, solver.ErrLimit) || errors.Is(err, solver.ErrUnproven)
}

// largestRadius bisects for the largest radius at which the constraints can be satisfied,
//
//	max_{x in X} min_k (limit_k - ⟨a_k, x⟩) / M_S(q_k(x)),
//
// between two ends: a point shows that the lower one is attained, and the bound of the solver that no point attains the upper
// one. Each solve yields the point with the most slack at a radius, which may allow a larger one. The error tells why the ends
// are far apart.
func (x *feasibility) largestRadius(ctx context.Context, asked float64, feasible bool) (attained proof.Lower, unattained proof.Upper, err error) {
	everything := proof.AtLeast(math.Inf(1))
	if len(x.problem.constraints) == 0 {
		return everything, unattained, nil
	}
	harmless, _, err := x.attained(ctx, everything.Float())
	switch {
	case harmless:
		return everything, unattained, nil
	case err != nil && (ctx.Err() != nil || !undecided(err)): // a finite end says that there is harm, too
		return attained, unattained, err
	}
	if feasible {
		lower, upper, err := x.bisect(ctx, asked, asked)
		return proof.AtLeast(lower), proof.AtMost(upper), err
	}
	possible, doubt := x.feasible(ctx, 0)
	switch {
	case doubt != nil && (ctx.Err() != nil || !undecided(doubt)):
		return attained, proof.AtMost(asked), doubt
	case doubt == nil && !possible:
		return attained, proof.AtMost(0), nil
	}
	lower, upper, err := x.bisect(ctx, 0, asked)
	if doubt != nil && lower == 0 { // no radius was attained
		return attained, proof.AtMost(math.Min(upper, asked)), doubt
	}
	return proof.AtLeast(lower), proof.AtMost(upper), err
}

// bisect searches between a radius that is attained and those above it, from the one that was asked for.
func (x *feasibility) bisect(ctx context.Context, proven, asked float64) (_, upper float64, err error) {
	lower, upper := proven, math.Inf(1)
	first, last, clear := x.naturalRadii()
	trial, probed, doubts := cmp.Or(asked, first), false, 0
	for range radiusSteps {
		attained, allowed, err := x.attained(ctx, trial)
		switch {
		case err == nil && ctx.Err() != nil: // work that was cut short may have missed a harmless point
			err = fmt.Errorf("robust: largest radius: %w", ctx.Err())
		case err == nil && !attained && trial > clear:
			err = fmt.Errorf("robust: largest radius: at %.3g the rows have lost the nominal parts in float64: %w", trial, solver.ErrUnproven)
		}
		if err != nil && x.withSlack(trial, nil).Validate() != nil { // in which the radius has become too large a number
			return proven, upper, fmt.Errorf("robust: largest radius: %w: %w", solver.ErrUnproven, err)
		}
		if err != nil {
			if doubts++; ctx.Err() != nil || !undecided(err) || doubts > undecidedRadii {
				return proven, upper, err
			}
			trial = halfway(lower, trial)
			continue
		}
		if attained {
			lower = math.Max(lower, trial)
		} else {
			upper = math.Min(upper, trial)
		}
		probed = allowed > proven && !probed
		proven = math.Max(proven, allowed)
		lower = math.Max(lower, proven)
		switch {
		case lower >= upper*(1-radiusAccuracy):
			return proven, upper, nil
		case probed: // the point may be the best there is
			trial = (1 + radiusAccuracy) * proven
		default:
			if trial = halfway(lower, upper); math.IsInf(upper, 1) {
				trial = math.Max(trial, last) // lest the steps end before the smallest atom counts
			}
		}
	}
	if math.IsInf(upper, 1) {
		return upper, upper, nil
	}
	return proven, upper, nil
}

// halfway is a radius between two, in the sense of their ratio where that is large; twice the lower one where the upper one
// is infinite.
func halfway(lower, upper float64) float64 {
	switch {
	case math.IsInf(upper, 1):
		return 2 * lower
	case lower > 0 && lower < upper/4:
		return math.Sqrt(lower) * math.Sqrt(upper)
	}
	return lower + (upper-lower)/2
}

// attained reports whether some x in X satisfies the demands at a radius, and the largest radius that the point with
// the most slack allows.
func (x *feasibility) attained(ctx context.Context, radius float64) (attained bool, allowed float64, err error) {
	result, err := x.slackest(ctx, radius)
	if err != nil {
		return false, 0, err
	}
	if result.X == nil {
		return false, 0, nil
	}
	for _, point := range x.problem.points(result.X[:x.problem.region.Columns()]) {
		allowed = math.Max(allowed, x.allowedRadius(point))
	}
	if x.keeps(result) {
		return true, allowed, nil
	}
	return false, allowed, decided(result)
}

// naturalRadii are the largest radii at which the largest atom of a constraint, and the smallest that is not 0, has terms of
// the size of its nominal part, 1 where none has both: radii in the units of the data. Beyond clear all rows of
// some constraint have lost their nominal part in float64.
func (x *feasibility) naturalRadii() (first, last, clear float64) {
	clear = math.Inf(1)
	for k := range x.problem.constraints {
		largest, smallest := 0.0, math.Inf(1)
		for _, i := range x.indices {
			if reach := x.problem.rowReach(x.row(cut{k, i}, math.Inf(1))); reach > 0 {
				largest, smallest = math.Max(largest, reach), math.Min(smallest, reach)
			}
		}
		if nominal := x.problem.rowReach(x.row(cut{k, sparsero.NullAtom}, 0)); largest > 0 {
			first, last = math.Max(first, nominal/largest), math.Max(last, nominal/smallest)
			if nominal > 0 {
				clear = math.Min(clear, nominal/smallest/swallowed)
			}
		}
	}
	if first == 0 || math.IsInf(first, 1) {
		first = 1
	}
	if math.IsInf(last, 1) {
		last = first
	}
	return first, last, clear
}

// allowedRadius is the largest radius at which a point satisfies every constraint, rounded down, 0 if it breaks one
// without uncertainty.
func (x *feasibility) allowedRadius(point []float64) float64 {
	allowed := math.Inf(1)
	for k := range x.problem.constraints {
		if x.at(k, point).missed(sparsero.NullAtom, 0) > slackTolerance {
			return 0
		}
		if worst := x.harmUpper(k, point); worst > 0 {
			nominal, _ := x.problem.nominal(k, point)
			room := math.Max(0, directed.SumLower(x.problem.constraints[k].Limit, -nominal.Upper()))
			allowed = math.Min(allowed, -directed.QuotientUpper(-room, worst))
		}
	}
	return allowed
}

// harmUpper is M_S(q(x)) of the atoms in question, for the full model of all, rounded up.
func (x *feasibility) harmUpper(exposure int, point []float64) (upper float64) {
	if x.full {
		upper, _ = x.problem.uncertainUpper(1, exposure, point)
		return upper
	}
	at := x.problem.at(exposure, point)
	for _, i := range x.indices {
		_, harm := at.harm(x.problem.dictionary.row(exposure, i))
		upper = math.Max(upper, harm)
	}
	return upper
}
