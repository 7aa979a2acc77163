package robust

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/floats"
)

// mostCompactRows bounds the rows by which a set enters a program in one piece; beyond, cutting planes need fewer.
const mostCompactRows = 20_000

// compactProgram is the full model over a set that enters by rows of its own,
//
//	min b(x) + r t   over x in X,  s = q(x),  t >= h(s),
//	    s_k = q_k(x),  h_k >= h(s_k),  ⟨a_k, x⟩ + r h_k <= limit_k   for each robust constraint k,
//
// with h the support function. Every coefficient is a number of the problem as it stands, so that a bound that is proven for this
// program holds for the problem.
type compactProgram struct {
	*solver.Model
	supports []compactSupport // in the order of Problem.exposures
}

// compactSupport is where a compact program says what an exposure may cost: the rows of t >= h(s), and of which coordinate k of s a
// column is. The row after them is that of the constraint.
type compactSupport struct {
	first, end int
	coordinate map[int]int
}

// compact is nil for a set that has no such rows, and for one of too many.
func (p *Problem) compact(radius float64) *compactProgram {
	set, compact := p.set.(convex.Compact)
	if !compact || len(p.exposures())*(set.SupportRows()+set.Dim()) > mostCompactRows {
		return nil
	}
	whole := &compactProgram{Model: p.region.Clone()}
	if p.q.Matrix != nil {
		whole.addSupport(set, p.q, radius)
	}
	for _, c := range p.constraints {
		columns, values := sparse(c.Nominal)
		columns, values = append(columns, whole.addSupport(set, c.Map, 0)), append(values, radius)
		whole.AddRow(solver.Row{Name: c.Name, Bounds: solver.AtMost(c.Limit), Columns: columns, Values: values})
	}
	return whole
}

// addSupport adds a column that is at least h(q(x)), which it returns.
func (c *compactProgram) addSupport(set convex.Compact, q sparsero.AffineMap, cost float64) (column int) {
	column = c.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: cost})
	s, coordinate := make([]int, set.Dim()), make(map[int]int, set.Dim())
	for k := range s {
		s[k] = c.addExposed(q, k, coordinate)
		coordinate[s[k]] = k
	}
	first := c.Rows()
	set.AddSupport(c.Model, column, s)
	c.supports = append(c.supports, compactSupport{first, c.Rows(), coordinate})
	return column
}

// addExposed returns a column that is q_k(x): that of x_j itself where q_k(x) = x_j and x_j is not taken, otherwise a new one with
// its defining row.
func (c *compactProgram) addExposed(q sparsero.AffineMap, k int, taken map[int]int) (column int) {
	row := solver.Row{Bounds: solver.Equal(0)}
	row.Columns, row.Values = sparse(q.Matrix.RawRowView(k))
	constant := len(q.Constant) > 0 && q.Constant[k] != 0
	if len(row.Columns) == 1 && row.Values[0] == 1 && !constant {
		if _, twice := taken[row.Columns[0]]; !twice {
			return row.Columns[0]
		}
	}
	if constant {
		row.Bounds = solver.Equal(-q.Constant[k])
	}
	column = c.AddColumn(solver.Column{Bounds: solver.Between(math.Inf(-1), math.Inf(1))})
	row.Columns, row.Values = append(row.Columns, column), append(row.Values, -1)
	c.AddRow(row)
	return column
}

// multipliers reads those of the problem: what the rows of a support function charge for s is a point of the set times
// its multiplier. Each point is named by an index.
func (c *compactProgram) multipliers(p *Problem, duals []float64, radius float64, name func(u []float64) (atom int)) multipliers {
	found := multipliers{Rows: duals[:p.region.Rows()]}
	for i, exposure := range p.exposures() {
		support, of := c.supports[i], robustMultiplier{exposure, sparsero.NullAtom, radius}
		weight := radius
		if exposure != objectiveExposure {
			of.Value = -duals[support.end]
			weight *= of.Value
		}
		u := c.charged(support, duals)
		floats.Scale(-1/weight, u)
		if weight > 0 && !slices.ContainsFunc(u, func(v float64) bool { return math.IsNaN(v - v) }) {
			of.Atom = name(u)
		}
		if of.Value > 0 && (of.Atom != sparsero.NullAtom || exposure != objectiveExposure) {
			found.Robust = append(found.Robust, of)
		}
	}
	return found
}

// charged is the sum over the rows i of t >= h(s) of the multiplier of i times its coefficients of s.
func (c *compactProgram) charged(support compactSupport, duals []float64) []float64 {
	sum := make([]float64, len(support.coordinate))
	for i := support.first; i < support.end; i++ {
		columns, values := c.RowTerms(i)
		for m, column := range columns {
			if k, exposed := support.coordinate[column]; exposed {
				sum[k] += duals[i] * values[m]
			}
		}
	}
	return sum
}
