package solver

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
	"gonum.org/v1/gonum/floats"
)

// judge proves what a backend says, or says what is proven instead. What is proven has three answers each: proven, refuted,
// unknown, and unknown is never said to be one of the others.
//
//	backend says           what is proven                           what we say
//	Optimal                a bound at the objective                 Optimal
//	                       another answer in fractions              that answer
//	                       a bound farther away                     FeasibleLimit, ErrUnproven
//	                       no bound, no ray                         Optimal, ErrUnproven; FeasibleLimit once the context has ended
//	                       no bound, a ray (and a point)            InfeasibleOrUnbounded (Unbounded)
//	                       the point breaks a row                   NumericalTrouble
//	Infeasible             Farkas multipliers                       Infeasible
//	                       another answer in fractions              that answer
//	                       nothing                                  NumericalTrouble; Limit once the context has ended
//	Unbounded, either of   an answer in fractions                   that answer
//	the two, trouble       Farkas multipliers                       Infeasible
//	                       a ray (and a point)                      InfeasibleOrUnbounded (Unbounded)
//	                       nothing                                  NumericalTrouble; Limit once the context has ended
//	FeasibleLimit          a point                                  FeasibleLimit without a bound
//	                       the point breaks a row                   Limit
//	Limit                  nothing is asked                         Limit
//
// and of a model with integer columns, where a branch and bound proves a bound in any case:
//
//	Optimal                a bound within the gap                   Optimal
//	                       a bound farther away                     Optimal, ErrUnproven
//	                       the point breaks a row once whole        as at a limit, NumericalTrouble with a bound alone
//	Infeasible             every node is empty                      Infeasible
//	                       a whole point, a bound within the gap    Optimal
//	                       a whole point                            FeasibleLimit, ErrUnproven
//	                       neither                                  NumericalTrouble
//	Unbounded, either of   without objective there is no point      Infeasible
//	the two                a point, a ray (the point is proven)     InfeasibleOrUnbounded (Unbounded)
//	                       neither                                  NumericalTrouble; Limit once the context has ended
//	a limit                a point, a bound within the gap          Optimal
//	                       a point                                  FeasibleLimit with its bound
//	                       every node is empty                      Infeasible
//	                       a bound alone                            Limit with its bound
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
		r.Gap = math.Inf(1)
	}
	return nil
}

// proveOptimum computes the bound of weak duality, and asks exact arithmetic where it leaves a gap.
func (s *Session) proveOptimum(ctx context.Context, r *Result) {
	size := 0.0
	if r.proven {
		r.addOffset(s.model)
	} else {
		size = s.proveBound(r)
	}
	if !s.judging { // of a node of a tree the bound alone counts
		return
	}
	r.Gap = s.gap(r, size)
	if r.Gap <= provenGap && s.model.satisfied(r.X) {
		return
	}
	if s.decideExactly(ctx, r) {
		return
	}
	if !s.tolerates(r.X) {
		r.Status, r.Detail = NumericalTrouble, "the point of the backend breaks a row"
		r.X, r.RowDuals, r.ColumnDuals = nil, nil, nil
		r.Objective, r.Gap = math.NaN(), math.Inf(1)
		return
	}
	if r.Gap <= provenGap {
		return
	}
	if math.IsInf(r.minimised(s.model).Float(), 0) && ctx.Err() == nil {
		if !s.proveUnbounded(ctx, r, s.model) {
			r.Cause, r.Detail = ErrUnproven, "optimal is the word of the backend, no bound is proven"
		}
		return
	}
	r.Status, r.Cause = FeasibleLimit, cmp.Or(ctx.Err(), ErrUnproven)
	r.RowDuals, r.ColumnDuals = nil, nil
}

// proveBound proves a bound on the optimal value from the multipliers of a result, or without any where these leave a
// gap and that does not, as they are rounding errors where squares have no slope. It returns the size of its terms.
func (s *Session) proveBound(r *Result) (size float64) {
	p, y := s.model.Program(), slices.Clone(r.RowDuals)
	floats.Scale(s.model.sign(), y)
	bound, size := proof.DualBound(p, r.X, y)
	r.setBound(s.model, bound)
	if !s.model.isQuadratic() || s.gap(r, size) <= provenGap {
		return size
	}
	clear(y)
	bound, terms := proof.DualBound(p, r.X, y)
	without := *r
	without.setBound(s.model, bound)
	without.RowDuals, without.ColumnDuals = y, program.Gradient(p, r.X)
	floats.Scale(s.model.sign(), without.ColumnDuals)
	if s.gap(&without, terms) <= provenGap {
		*r, size = without, terms
	}
	return size
}

// gap is the distance between objective and bound relative to the terms of the two, or, where that is more than noise
// and but rounding errors of terms that the bounds of the columns allow, to those.
func (s *Session) gap(r *Result, size float64) float64 {
	distance := math.Abs(s.model.sign()*r.Objective - r.minimised(s.model).Float())
	if distance == 0 {
		return 0
	}
	_, terms := program.Objective(s.model.Program(), r.X)
	size = math.Max(size, terms)
	if distance > gapNoise*size {
		if reach := s.objectiveReach(r); distance <= gapNoise*reach {
			size = math.Max(size, reach)
		}
	}
	if gap := distance / size; !math.IsNaN(gap) {
		return gap
	}
	return math.Inf(1)
}

// objectiveReach is the sum of the largest terms of the objective within the bounds of the columns. One without a bound
// that says something reaches as far as its slope outweighs its square, where multipliers count up to what some cost
// asks of them; one without a square, or with a reduced cost, by which it rests on a bound, is left out.
func (s *Session) objectiveReach(r *Result) float64 {
	m := s.model
	terms, slopes, squares := m.slopes(r.RowDuals)
	reach := func(j int) float64 {
		unit := s.scaling.column[j] + s.scaling.common
		if r.ColumnDuals != nil && math.Abs(r.ColumnDuals[j]) > gapNoise*math.Max(terms[j], slopes[j]) {
			return 0
		}
		lower, upper := s.scaling.columnBounds(j, &m.columns[j])
		size := math.Max(math.Abs(lower), math.Abs(upper))
		if size > farReach {
			size = math.Ldexp(slopes[j]/(2*squares[j]), -unit)
		}
		if size <= farReach {
			return math.Ldexp(size, unit)
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

// slopes returns for each column the sizes of the terms of its reduced cost, added up, the largest of them, as far as a
// cost asks for its multiplier, and its square.
func (m *Model) slopes(multipliers []float64) (terms, slopes, squares []float64) {
	terms, slopes, squares = make([]float64, len(m.columns)), make([]float64, len(m.columns)), make([]float64, len(m.columns))
	for j, c := range m.columns {
		slopes[j] = math.Abs(c.Cost)
	}
	for i, y := range multipliers {
		row, asked := &m.rows[i], 0.0
		for k, j := range row.Columns {
			asked = math.Max(asked, math.Abs(m.columns[j].Cost/row.Values[k]))
		}
		for k, j := range row.Columns {
			terms[j] += math.Abs(y * row.Values[k])
			slopes[j] = math.Max(slopes[j], math.Min(math.Abs(y), asked)*math.Abs(row.Values[k]))
		}
	}
	for _, q := range m.Quadratic() {
		if q.I == q.J {
			squares[q.I] = math.Abs(q.Value)
		}
	}
	return terms, slopes, squares
}

// decideExactly replaces a doubtful result by the exact one, if the model is small enough.
func (s *Session) decideExactly(ctx context.Context, r *Result) bool {
	if !s.judging || s.model.isQuadratic() || !program.IsSmall(s.model.Program()) && s.backend != Exact || r.proven {
		return false
	}
	exactly := newResult(s.model, r.Solver+", then "+exactName)
	exactly.Iterations = r.Iterations
	m, units := s.losslessUnits()
	m.solveExactly(ctx, exactly)
	if s.translate(exactly, units); !exactly.proven {
		return false
	}
	*r = *exactly
	if r.Status == Optimal {
		r.addOffset(s.model)
		r.Gap = s.gap(r, 0)
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
	plain := s.model.Program()
	if r.proven {
		return
	}
	if r.Farkas = proof.Infeasible(plain, r.Farkas); r.Farkas != nil { // no other answer has any
		return
	}
	r.Ray = nil
	claimed, detail := r.Status, r.Detail
	if claimed != Infeasible && s.decideExactly(ctx, r) { // of an infeasible model the exact answer takes longer than multipliers
		return
	}
	if y := proof.Infeasible(plain, s.elasticDuals(ctx)); y != nil {
		r.Status, r.Farkas = Infeasible, y
		return
	}
	if claimed == Infeasible && s.decideExactly(ctx, r) {
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

// elasticDuals returns the multipliers of the elastic model, which are Farkas multipliers if there are any.
func (s *Session) elasticDuals(ctx context.Context) []float64 {
	elastic, sides := program.Elastic(s.scaled.Program(), 0, math.Inf(1), false)
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
func (s *Session) assist(ctx context.Context, p *program.Program) *Result {
	options := s.options
	options.Backend = nil
	r, err := Solve(ctx, fromProgram("assistance", p), &options)
	if err != nil || r.Status != Optimal {
		return nil
	}
	return r
}

// propose is assist for what is proven elsewhere.
func (s *Session) propose(ctx context.Context, p *program.Program) []float64 {
	if r := s.assist(ctx, p); r != nil {
		return r.X
	}
	return nil
}

// proveUnbounded looks for a recession direction that improves the objective, exact to the last bit. With one there is no
// optimum; that a continuous model has a point is proven apart.
func (s *Session) proveUnbounded(ctx context.Context, r *Result, m *Model) bool {
	if !s.judging || !s.model.hasObjective() {
		return false
	}
	scaled, units := s.losslessUnits()
	ray := proof.Ray(ctx, scaled.Program(), s.propose)
	if ray == nil {
		return false
	}
	units.ray(ray)
	r.X, r.RowDuals, r.ColumnDuals = nil, nil, nil
	r.Objective, r.Lower, r.Upper, r.Gap = math.NaN(), proof.Lower{}, proof.Upper{}, math.Inf(1)
	r.Status, r.Ray, r.Detail, r.Cause = Unbounded, ray, "", nil
	feasible := program.Feasibility(m.Program())
	if point := s.propose(ctx, feasible); point == nil || proof.Point(ctx, feasible, point, s.propose) == nil {
		r.Status, r.Detail = InfeasibleOrUnbounded, "a direction that improves the objective for ever is proven, a feasible point is not"
		r.Cause = ctx.Err()
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
	return program.Within(s.scaled.Program(), scaled, math.Max(feasibilityTolerance, s.options.FeasibilityTolerance), s.scaled.leastBound())
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
	if r.Status.hasPoint() {
		r.Status, r.Detail, r.Cause = NumericalTrouble, "the point or its objective is beyond the largest float64", nil
	}
	r.X, r.RowDuals, r.ColumnDuals = nil, nil, nil
	r.Objective, r.Gap = math.NaN(), math.Inf(1)
}
