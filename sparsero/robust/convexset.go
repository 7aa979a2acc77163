package robust

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// NewConvex returns the robust program min b(x) + max_{u in r U} ⟨u, q(x)⟩ over X, constraints alike, for a convex set U in
// the place of atoms, which are points of U. The parts are checked as by [NewOracleProblem]; constraints share U and have no
// Dictionary. It is an error if the set is nil, of another dimension than the maps, or without a bound.
func NewConvex(set convex.Set, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*OracleProblem, error) {
	if input.Missing(set) || set.Dim() < 1 {
		return nil, errors.New("robust: the set is nil or of dimension 0; use one of package convex")
	}
	o, err := NewOracleProblem(context.Background(), convexOracle{set}, region, q, constraints...)
	if err == nil {
		o.parts.set = set
	}
	return o, err
}

// convexOracle answers with the worst case in each direction. No point is the last, so that what lies beyond is the support.
type convexOracle struct{ convex.Set }

// Worst implements [Oracle].
func (o convexOracle) Worst(ctx context.Context, directions *mat.Dense, count int) (atoms []Atom, beyond []float64, err error) {
	for k := range directions.RawMatrix().Rows {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		beyond = append(beyond, o.Support(directions.RawRowView(k)))
		if count > 0 {
			atoms = append(atoms, Atom{Values: o.WorstCase(directions.RawRowView(k))})
		}
	}
	return atoms, beyond, nil
}

// mostCompactRows bounds the rows by which a set enters a program in one piece; beyond, cutting planes need fewer.
const mostCompactRows = 20_000

// compact writes the problem over a set that enters by rows of its own as one program,
//
//	min b(x) + r t   over x in X,  s = q(x),  t >= h(s),
//	    s_k = q_k(x),  h_k >= h(s_k),  ⟨a_k, x⟩ + r h_k <= limit_k   for each robust constraint k,
//
// with h the support function. Every coefficient is a number of the problem as it stands, so that a bound that is proven for this
// program holds for the problem. It is nil for other sets, and for one of too many rows.
func (p *Problem) compact(radius float64) *solver.Model {
	set, compact := p.set.(convex.Compact)
	if !compact || len(p.exposures())*(set.SupportRows()+set.Dim()) > mostCompactRows {
		return nil
	}
	model := p.region.Clone()
	if p.q.Matrix != nil {
		addSupport(model, set, p.q, radius)
	}
	for _, c := range p.constraints {
		row := solver.Row{Name: c.Name, Bounds: solver.AtMost(c.Limit), Columns: []int{addSupport(model, set, c.Map, 0)}, Values: []float64{radius}}
		for j, v := range c.Nominal {
			if v != 0 {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, v)
			}
		}
		model.AddRow(row)
	}
	return model
}

// addSupport adds a column that is at least h(q(x)), which it returns.
func addSupport(model *solver.Model, set convex.Compact, q sparsero.AffineMap, cost float64) (column int) {
	column = model.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: cost})
	exposed := make([]int, set.Dim())
	for k := range exposed {
		exposed[k] = model.AddColumn(solver.Column{Bounds: solver.Between(math.Inf(-1), math.Inf(1))})
		row := solver.Row{Columns: []int{exposed[k]}, Values: []float64{-1}, Bounds: solver.Equal(0)}
		if len(q.Constant) > 0 {
			row.Bounds = solver.Equal(-q.Constant[k])
		}
		for j, v := range q.Matrix.RawRowView(k) {
			if v != 0 {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, v)
			}
		}
		model.AddRow(row)
	}
	set.AddSupport(model, column, exposed)
	return column
}
