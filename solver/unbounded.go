package solver

import (
	"context"
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/solver/exact"
	"github.com/sparsero/directions/solver/internal/program"
)

// leastFall is how much a ray must improve the objective, relative to its terms: along the others a model is unbounded by
// rounding errors of its costs.
const leastFall = 1e-9

// proveUnbounded looks for a recession direction that improves the objective, exact to the last bit. With one there is no
// optimum; that a continuous model has a point is proven apart.
func (s *Session) proveUnbounded(ctx context.Context, r *Result, m *Model) bool {
	if !s.judging || !s.model.hasObjective() {
		return false
	}
	ray := s.provenRay(ctx)
	if ray == nil {
		return false
	}
	r.X, r.RowDuals, r.ColumnDuals = nil, nil, nil
	r.Objective, r.Bound, r.Gap = math.NaN(), math.NaN(), math.Inf(1)
	r.Status, r.Ray, r.Detail, r.Cause = Unbounded, ray, "", nil
	m = m.WithoutObjective()
	if point := s.assist(ctx, m); point == nil || s.provenPoint(ctx, m, point.X) == nil {
		r.Status, r.Detail = InfeasibleOrUnbounded, "a direction that improves the objective for ever is proven, a feasible point is not"
		r.Cause = ctx.Err()
	}
	return true
}

// provenRay returns a recession direction that improves the objective, rounded from one of which that is proven, or nil.
func (s *Session) provenRay(ctx context.Context) []float64 {
	m, units := s.losslessUnits()
	cone := m.Recession()
	steepest := s.assist(ctx, cone)
	if steepest == nil || !(steepest.Objective < -leastFall*cone.objectiveSize(steepest.X)) || steepest.Objective/2 == 0 {
		return nil
	}
	ray := s.provenPoint(ctx, cone.falling(steepest.Objective/2), steepest.X)
	if ray != nil {
		units.ray(ray)
	}
	return ray
}

// falling returns the model of the points at which the linear objective is at most a value.
func (m *Model) falling(most float64) *Model {
	f := m.WithoutObjective()
	row := Row{Bounds: AtMost(most)}
	for j, c := range m.columns {
		row.Columns, row.Values = append(row.Columns, j), append(row.Values, c.Cost)
	}
	f.AddRow(row)
	return f
}

// provenPoint returns a point that keeps to all bounds and rows of a continuous model without objective, rounded from one
// that does so to the last bit: any one if the model is small, otherwise one near x, which does so up to tolerances. It is
// nil where none is found.
func (s *Session) provenPoint(ctx context.Context, m *Model, x []float64) []float64 {
	if m.keeps(x) {
		return x
	}
	var point []*big.Rat
	whole := &m.program().Program
	if exactSize(m) {
		point = exact.Solve(ctx, whole).X
	} else {
		inner, _ := m.elastic(Between(-mostSlack, 0), true) // rounding errors do not lead out of a row from there
		if r := s.assist(ctx, inner); r != nil && m.keeps(r.X[:len(x)]) {
			return r.X[:len(x)]
		}
		point = m.pointNear(ctx, x)
	}
	if exact.CheckPoint(whole, point) != nil {
		return nil
	}
	return floats64(point)
}

// keeps tells whether a point keeps to all bounds and rows to the last bit.
func (m *Model) keeps(x []float64) bool {
	if slices.ContainsFunc(x, notFinite) {
		return false
	}
	p := m.program().Program
	p.Rows = slices.DeleteFunc(slices.Clone(p.Rows), func(r program.Row) bool { // those that need no fractions
		var sum directed.Sum
		for k, j := range r.Columns {
			sum.AddProduct(r.Values[k], x[j])
		}
		return sum.Lower() >= r.Lower && sum.Upper() <= r.Upper
	})
	return exact.CheckPoint(&p, rationals(x)) == nil
}

const (
	// mostSlack is far above rounding errors, and so small that rows seldom compete for it.
	mostSlack = 0x1p-10
	// repairArea is the number of columns times rows up to which a point is repaired, within about a tenth of a second.
	repairArea = 40_000
	// repairReach is how far the entries of a point may be moved, relative to their sizes, to make rows exact.
	repairReach = 0x1p-32
	// repairTight is how close an activity must be to a side, relative to its terms, for the row to take part: what
	// repairReach moves does not reach the others.
	repairTight = 0x1p-20
)

// pointNear returns a rational point that differs from x in the entries other than 0 alone, by little, and keeps to the rows
// that x is close to a side of. It is nil if there is none or the work is too much.
func (m *Model) pointNear(ctx context.Context, x []float64) []*big.Rat {
	near, position := &exact.Program{}, make(map[int]int)
	for j, v := range x {
		if v == 0 {
			continue
		}
		position[j] = len(near.Cost)
		reach := repairReach * math.Abs(v)
		near.Cost = append(near.Cost, 0)
		near.Lower = append(near.Lower, math.Max(m.columns[j].Lower(), v-reach))
		near.Upper = append(near.Upper, math.Min(m.columns[j].Upper(), v+reach))
	}
	for i := range m.rows {
		activity, size := program.Activity(&m.rows[i], x)
		side := repairTight * size
		if size == 0 || activity-side > m.rows[i].Lower && activity+side < m.rows[i].Upper {
			continue
		}
		row := exact.Row{Lower: m.rows[i].Lower, Upper: m.rows[i].Upper}
		for k, j := range m.rows[i].Columns {
			if at, inUse := position[j]; inUse {
				row.Columns, row.Values = append(row.Columns, at), append(row.Values, m.rows[i].Values[k])
			}
		}
		near.Rows = append(near.Rows, row)
	}
	if len(near.Cost)*(1+len(near.Rows)) > repairArea {
		return nil
	}
	answer := exact.Solve(ctx, near)
	if answer.Status != exact.Optimal {
		return nil
	}
	point := rationals(x)
	for j, at := range position {
		point[j] = answer.X[at]
	}
	return point
}
