package solver

import (
	"cmp"
	"context"
	"math"

	"github.com/sparsero/directions/solver/proof"
)

// judgeInteger proves a bound for an integer model, whatever the backend says of one: by
// branch and bound over linear programs, each node closed by multipliers.
func (s *Session) judgeInteger(ctx context.Context, r *Result) error {
	r.Gap = math.Inf(1)
	if s.model.isQuadratic() || r.Status == NumericalTrouble {
		return nil
	}
	if r.Status == Unbounded || r.Status == InfeasibleOrUnbounded {
		return s.judgeUnbounded(ctx, r)
	}
	if r.X != nil && !s.model.satisfied(r.X) { // integral only up to a tolerance that breaks a row
		r.Status, r.Detail, r.Cause = NumericalTrouble, "the point of the backend breaks a row once its integers are whole", nil
		r.X, r.Objective = nil, math.NaN()
	}
	if r.X != nil && !s.model.whole(r.X) { // a loose tolerance, or work that was cut short
		r.Status, r.Detail = Limit, "the point of the backend is not whole"
		r.Cause = cmp.Or(ctx.Err(), r.Cause, ErrUnproven)
		r.X, r.Objective = nil, math.NaN()
	}
	search, err := s.newSearch(r.X)
	if err != nil {
		return err
	}
	nodes := min(proofNodes, max(1, int(proofWork/float64(tableauSize(s.model)))))
	if s.options.NodeLimit > 0 {
		nodes = min(nodes, s.options.NodeLimit)
	}
	if ctx.Err() != nil { // the root alone says a lot, and takes little time
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), rootGrace)
		defer cancel()
		nodes = 1
	}
	bound := search.Bound(ctx, nodes)
	if r.Status == Infeasible && search.Incumbent == nil && s.model.hasObjective() && !math.IsInf(bound.Float(), 1) {
		// Nodes whose costs have no minimum are not branched on.
		point, err := s.anyPoint(ctx)
		if err != nil {
			return err
		}
		if point.Status == Infeasible {
			bound = proof.AtLeast(math.Inf(1))
		}
	}
	s.conclude(r, search.Incumbent, bound)
	return nil
}

// judgeUnbounded decides between unbounded and infeasible: an integer program, whose numbers are rational, is unbounded
// exactly when it has a point and its relaxation has an improving ray (Meyer 1974).
func (s *Session) judgeUnbounded(ctx context.Context, r *Result) error {
	if !s.model.hasObjective() { // 0 is bounded
		r.Status, r.Detail = NumericalTrouble, "the backend says "+r.Status.String()+" of a model without costs"
		return nil
	}
	point, err := s.anyPoint(ctx)
	if err != nil {
		return err
	}
	switch {
	case point.Status == Infeasible:
		r.Status, r.Detail = Infeasible, ""
	case point.Status.hasPoint() && s.proveUnbounded(ctx, r, s.model.withIntegersAt(point.X)):
	case ctx.Err() != nil:
		r.Status, r.Cause = Limit, ctx.Err()
	default:
		r.Status, r.Detail = NumericalTrouble, "the backend says "+r.Status.String()+", which could not be proven"
	}
	return nil
}

// anyPoint solves the model without its objective.
func (s *Session) anyPoint(ctx context.Context) (*Result, error) {
	options := s.options
	options.Backend = s.backend
	return Solve(ctx, s.model.WithoutObjective(), &options)
}

// conclude writes what was proven into the result.
func (s *Session) conclude(r *Result, incumbent []float64, bound proof.Lower) {
	if incumbent != nil && !r.Status.hasPoint() {
		r.Cause, r.Detail = ErrUnproven, ""
		if r.Status == Infeasible || r.Status == InfeasibleOrUnbounded {
			r.Detail = "the backend says " + r.Status.String() + ", but there is a point"
		}
		r.Status = FeasibleLimit
	}
	switch {
	case r.Status.hasPoint():
		r.X, r.Objective = incumbent, s.model.Objective(incumbent)
		r.setBound(s.model, bound)
		r.Gap = s.gap(r, 0)
		if r.Status == FeasibleLimit && r.Gap <= s.integerGap() {
			r.Status, r.Cause = Optimal, nil
		}
	case math.IsInf(bound.Float(), 1):
		r.Status, r.Cause = Infeasible, nil
	case r.Status == Infeasible:
		r.Status, r.Detail = NumericalTrouble, "the backend says infeasible, which could not be proven"
	default:
		r.setBound(s.model, bound)
	}
}

// newSearch returns a branch and bound that starts from a point, nil for none, and relaxes in a session of its own.
func (s *Session) newSearch(x []float64) (*proof.Search, error) {
	relaxed, err := Open(s.model.relaxed(), nil)
	if err != nil {
		return nil, err
	}
	relaxed.judging = false
	search := &proof.Search{
		Program: s.model.Program(), Slack: max(nodeGap, s.options.RelativeGap), Whole: integralityTolerance,
		Feasibility: feasibilityTolerance, Incumbent: x,
	}
	for j, c := range s.model.columns {
		if c.Integer {
			search.Integers = append(search.Integers, j)
		}
	}
	search.Relax = func(ctx context.Context, lower, upper []float64) ([]float64, proof.Lower) {
		for k, j := range search.Integers {
			if bounds := Between(lower[k], upper[k]); relaxed.model.columns[j].Bounds != bounds {
				relaxed.model.SetColumnBounds(j, bounds)
			}
		}
		r, err := relaxed.Solve(ctx)
		switch {
		case err != nil:
			return nil, proof.Lower{}
		case r.Status == Infeasible:
			return nil, proof.AtLeast(math.Inf(1))
		}
		return r.X, r.minimised(s.model)
	}
	return search, nil
}

// integerGap is the gap up to which an integer model counts as solved.
func (s *Session) integerGap() float64 { return math.Max(nodeGap, s.options.filled().RelativeGap) }
