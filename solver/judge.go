package solver

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/solver/internal/program"
)

const (
	// provenGap is the gap, relative to the size of the terms, up to which an optimum of
	// a continuous model counts as proven; beyond, exact arithmetic is asked.
	provenGap = 1e-6
	// rootGrace is the time that a bound for an integer model may take after its context
	// has ended.
	rootGrace = time.Second
	// pointTolerance is how far a row may be missed, relative to its terms, by a point
	// that counts as feasible.
	pointTolerance = 1e-7
)

// judge proves what a backend says, or says what is proven instead.
func (s *Session) judge(ctx context.Context, r *Result) error {
	if r.Status == FeasibleLimit && !s.model.satisfied(r.X) {
		r.Status, r.X, r.Objective = Limit, nil, math.NaN()
	}
	if s.model.IsInteger() {
		err := s.judgeInteger(ctx, r)
		if r.Status == Optimal && !(r.Gap <= s.integerGap()) {
			r.Cause, r.Detail = ErrUnproven, "optimal is the word of the backend, the gap is what is proven"
		}
		return err
	}
	switch r.Status {
	case Optimal:
		s.proveOptimum(ctx, r)
	case Infeasible, Unbounded, InfeasibleOrUnbounded, NumericalTrouble: // trouble perhaps because there is no optimum
		s.proveNoOptimum(ctx, r)
	default: // a limit: what a backend calls a bound then is not proven
		r.Bound, r.Gap = math.NaN(), math.Inf(1)
	}
	return nil
}

// proveOptimum computes the bound of weak duality, and asks exact arithmetic where it
// leaves a gap.
func (s *Session) proveOptimum(ctx context.Context, r *Result) {
	size := 0.0
	if r.proven {
		r.Bound = s.model.withOffset(r.Bound)
	} else {
		r.Bound, size = s.model.dualBound(r.X, r.RowDuals)
	}
	r.Gap = s.gap(r.X, r.Objective, r.Bound, size)
	if r.Gap <= provenGap && s.model.satisfied(r.X) {
		return
	}
	if s.decideExactly(ctx, r) {
		return
	}
	if s.judging && !s.tolerates(r.X) {
		r.Status, r.Detail = NumericalTrouble, "the point of the backend breaks a row"
		r.X, r.RowDuals, r.ColumnDuals = nil, nil, nil
		r.Objective, r.Gap = math.NaN(), math.Inf(1)
		return
	}
	if r.Gap <= provenGap {
		return
	}
	if math.IsInf(r.Bound, 0) && ctx.Err() == nil {
		if !s.proveUnbounded(ctx, r, s.model) {
			r.Cause, r.Detail = ErrUnproven, "optimal is the word of the backend, no bound is proven"
		}
		return
	}
	r.Status, r.Cause = FeasibleLimit, cmp.Or(ctx.Err(), ErrUnproven)
	r.RowDuals, r.ColumnDuals = nil, nil
}

// dualBound proves a bound on the optimal value from multipliers in the sense of Result.
func (m *Model) dualBound(x, rowDuals []float64) (bound, size float64) {
	if rowDuals == nil {
		return m.sign() * math.Inf(-1), 0
	}
	y := rowDuals
	if m.sense == Maximize {
		y = append([]float64(nil), rowDuals...)
		floats.Scale(-1, y)
	}
	bound, size = newClaim(m, x).bound(y)
	bound = directed.SumLower(bound, -m.curvatureLoss(x))
	return m.sign() * bound, size
}

// withOffset adds the constant term to a bound, rounded outwards.
func (m *Model) withOffset(bound float64) float64 {
	return m.sign() * directed.SumLower(m.sign()*bound, m.sign()*m.offset)
}

// gap is the distance between objective and bound relative to the terms of the two, or,
// where that is but rounding errors of terms that the bounds of the columns allow, to those.
func (s *Session) gap(x []float64, objective, bound, size float64) float64 {
	if objective == bound {
		return 0
	}
	distance := math.Abs(objective - bound)
	size = math.Max(size, s.model.objectiveSize(x))
	if reach := s.objectiveReach(); distance <= gapNoise*reach {
		size = math.Max(size, reach)
	}
	if gap := distance / size; !math.IsNaN(gap) {
		return gap
	}
	return math.Inf(1)
}

// gapNoise is the distance between objective and bound, relative to the largest terms that
// the objective can have, that is taken for rounding errors.
const gapNoise = 1e-12

// farReach is the scaled size beyond which a bound says nothing about the sizes that a
// column takes.
const farReach = 0x1p20

// objectiveReach is the sum of the largest terms of the objective within the bounds of the
// columns, those without a bound that says something left out.
func (s *Session) objectiveReach() float64 {
	m := s.model
	reach := func(j int) float64 {
		lower, upper := s.scaling.columnBounds(j, &m.columns[j])
		if size := math.Max(math.Abs(lower), math.Abs(upper)); size <= farReach {
			return math.Ldexp(size, s.scaling.column[j]+s.scaling.common)
		}
		return 0
	}
	total := math.Abs(m.offset)
	for j, c := range m.columns {
		total += math.Abs(c.Cost) * reach(j)
	}
	for _, q := range m.Quadratic() {
		total += math.Abs(q.Value) * reach(q.I) * reach(q.J)
	}
	return total
}

// objectiveSize is the sum of the magnitudes of the terms of the objective.
func (m *Model) objectiveSize(x []float64) float64 {
	size := math.Abs(m.offset)
	for j, c := range m.columns {
		size += math.Abs(c.Cost * x[j])
	}
	for _, q := range m.Quadratic() {
		size += math.Abs(q.Value * x[q.I] * x[q.J])
	}
	return size
}

// decideExactly replaces a doubtful result by the exact one, if the model is small enough.
func (s *Session) decideExactly(ctx context.Context, r *Result) bool {
	if !s.judging || s.model.IsQuadratic() || !exactSize(s.model) && !s.isExact() || r.proven {
		return false
	}
	exactly := newResult(s.model, r.Solver+", then "+Exact{}.String())
	exactly.Iterations = r.Iterations
	m, units := s.losslessUnits()
	if !m.solveExactly(ctx, exactly) {
		return false
	}
	if s.translate(exactly, units); !exactly.proven {
		return false
	}
	*r = *exactly
	if r.Status == Optimal {
		r.Bound = s.model.withOffset(r.Bound)
		r.Gap = s.gap(r.X, r.Objective, r.Bound, 0)
	}
	return true
}

// losslessUnits returns the model in units of the backend, or in its own, in which exact arithmetic takes longer, where
// its numbers are beyond the others.
func (s *Session) losslessUnits() (*Model, *scaling) {
	if s.scaling.lossy {
		return s.model, unscaled(s.model)
	}
	return s.scaled, s.scaling
}

// proveNoOptimum asks for Farkas multipliers or for a ray.
func (s *Session) proveNoOptimum(ctx context.Context, r *Result) {
	if r.proven || s.model.provesInfeasible(r.Farkas) && r.Status == Infeasible {
		return
	}
	r.Farkas, r.Ray = nil, nil
	if s.decideExactly(ctx, r) {
		return
	}
	claimed, detail := r.Status, r.Detail
	if y := s.elasticDuals(ctx); s.model.provesInfeasible(y) {
		r.Status, r.Farkas = Infeasible, y
		return
	}
	if claimed != Infeasible && s.proveUnbounded(ctx, r, s.model) {
		return
	}
	if err := ctx.Err(); err != nil {
		r.Status, r.Cause = Limit, err
		return
	}
	if r.Status, r.Detail = NumericalTrouble, detail; claimed != NumericalTrouble {
		r.Detail = "the backend says " + claimed.String() + ", which could not be proven"
	}
	if claimed != Infeasible && detail == "" {
		r.Detail = strings.TrimPrefix(r.Detail+"; no direction was found that improves the objective and keeps to rows and squares to the last bit, "+
			"so if there should be an optimum, give finite bounds to the columns", "; ")
	}
}

// provesInfeasible checks Farkas multipliers of either sign.
func (m *Model) provesInfeasible(y []float64) bool {
	if y == nil {
		return false
	}
	for range 2 {
		if bound, _ := newZeroClaim(m).bound(y); bound > 0 {
			return true
		}
		floats.Scale(-1, y)
	}
	return false
}

// elasticDuals returns the multipliers of the elastic model, which are Farkas multipliers
// if there are any.
func (s *Session) elasticDuals(ctx context.Context) []float64 {
	elastic, sides := s.scaled.elastic(AtLeast(0), false)
	r := s.assist(ctx, elastic)
	if r == nil {
		return nil
	}
	y := make([]float64, len(s.model.rows))
	for i := range sides {
		for _, side := range sides[i] {
			y[i] += r.RowDuals[side]
		}
	}
	for i := range y {
		y[i] = math.Ldexp(y[i], s.scaling.row[i])
	}
	return y
}

// assist solves a program that has an optimum in scaled units, or returns nil.
func (s *Session) assist(ctx context.Context, m *Model) *Result {
	options := s.options
	options.Backend = nil
	r, err := Solve(ctx, m, &options)
	if err != nil || r.Status != Optimal {
		return nil
	}
	return r
}

// satisfied tells whether a point keeps to bounds and rows, up to rounding errors.
func (m *Model) satisfied(x []float64) bool { return m.within(x, pointTolerance, 0) }

// within tells whether a point keeps to bounds, and to rows up to a tolerance relative to the sizes of their terms, or to
// least where they are smaller. It is false where terms are beyond float64.
func (m *Model) within(x []float64, tolerance, least float64) bool {
	for j, c := range m.columns {
		if lower, upper := c.tightBounds(); !(x[j] >= lower && x[j] <= upper) {
			return false
		}
	}
	for i := range m.rows {
		r := &m.rows[i]
		activity, size := program.Activity(r, x)
		if !(program.Outside(activity, r.Lower, r.Upper) <= tolerance*math.Max(size, least)) || math.IsInf(size, 1) {
			return false
		}
	}
	return true
}

// tolerates tells whether a point is within the tolerances that a backend works with, in its units.
func (s *Session) tolerates(x []float64) bool {
	if s.scaling.lossy {
		return s.model.satisfied(x)
	}
	scaled := slices.Clone(x)
	for j := range scaled {
		scaled[j] = math.Ldexp(x[j], -s.scaling.column[j]-s.scaling.common)
	}
	return s.scaled.within(scaled, math.Max(pointTolerance, s.options.FeasibilityTolerance), s.scaled.leastBound())
}

// leastBound is the size of the smallest finite bound of rows and columns other than 0, at most 1. Rounding errors of a
// point are at that size where bounds of 0 alone leave a row no size of its own.
func (m *Model) leastBound() float64 {
	least := 1.0
	see := func(b Bounds) {
		for _, bound := range [2]float64{b.Lower(), b.Upper()} {
			if scaledNumber(bound) {
				least = math.Min(least, math.Abs(bound))
			}
		}
	}
	for i := range m.rows {
		see(m.RowBounds(i))
	}
	for _, c := range m.columns {
		see(c.Bounds)
	}
	return least
}

// dropOverflow takes away a point that is beyond float64, or whose objective is.
func (r *Result) dropOverflow() {
	if !notFinite(r.Objective) && !slices.ContainsFunc(r.X, notFinite) {
		return
	}
	if r.Status.HasPoint() {
		r.Status, r.Detail, r.Cause = NumericalTrouble, "the point or its objective is beyond the largest float64", nil
	}
	r.X, r.RowDuals, r.ColumnDuals = nil, nil, nil
	r.Objective, r.Gap = math.NaN(), math.Inf(1)
}
