package robust

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
)

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

// compactMultipliers reads those of the compact program: the duals of the rows that define a direction are a point of the set times its
// multiplier. Each point is named by an index.
func (p *Problem) compactMultipliers(duals []float64, radius float64, name func(u []float64) (atom int)) multipliers {
	set, row := p.set.(convex.Compact), p.region.Rows()
	found := multipliers{Rows: duals[:row]}
	for _, exposure := range p.exposures() {
		end, of := row+set.Dim()+set.SupportRows(), robustMultiplier{exposure, sparsero.NullAtom, radius}
		weight := radius
		if exposure != objectiveExposure {
			of.Value = -duals[end]
			weight *= of.Value
			end++
		}
		u := make([]float64, set.Dim())
		for k := range u {
			u[k] = -duals[row+k] / weight
		}
		if weight > 0 && !slices.ContainsFunc(u, func(v float64) bool { return math.IsNaN(v - v) }) {
			of.Atom = name(u)
		}
		if of.Value > 0 && (of.Atom != sparsero.NullAtom || exposure != objectiveExposure) {
			found.Robust = append(found.Robust, of)
		}
		row = end
	}
	return found
}
