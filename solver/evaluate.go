package solver

import (
	"fmt"
	"math"
)

// Objective returns the objective value at x (len Columns), offset included.
// It panics when x has another length.
func (m *Model) Objective(x []float64) float64 {
	mustCount("point", x, "columns", len(m.columns))
	value := m.offset
	for j, c := range m.columns {
		value += c.Cost * x[j]
	}
	for _, t := range m.Quadratic() {
		value += t.Value * x[t.I] * x[t.J]
	}
	return value
}

// mustCount panics when values, which errors call by the name given, are not as many as the
// columns or rows of the model.
func mustCount(name string, values []float64, of string, count int) {
	if len(values) != count {
		panic(fmt.Sprintf("solver: %s has %d entries but the model has %d %s", name, len(values), count, of))
	}
}

// Activity returns sum_j a_ij x_j of row i at x. It panics when i is out of range or x
// has another length than there are columns.
func (m *Model) Activity(i int, x []float64) float64 {
	mustCount("point", x, "columns", len(m.columns))
	sum := 0.0
	r := m.row(i)
	for k, column := range r.columns {
		sum += r.values[k] * x[column]
	}
	return sum
}

// Violation returns by how much x breaks the model at worst, in the units of
// the broken bound (for integer columns: the distance to the nearest whole
// number), and where. It is 0 and "" for a feasible point, and +Inf for a
// point of the wrong length or with a NaN.
func (m *Model) Violation(x []float64) (worst float64, where string) {
	if len(x) != len(m.columns) {
		return math.Inf(1), fmt.Sprintf("point has %d entries but the model has %d columns", len(x), len(m.columns))
	}
	for j, c := range m.columns {
		v := outside(x[j], c.Lower, c.Upper)
		if c.Integer {
			v = math.Max(v, math.Abs(x[j]-math.Round(x[j])))
		}
		if math.IsNaN(x[j]) {
			return math.Inf(1), m.ColumnName(j) + " is NaN"
		}
		if v > worst {
			worst, where = v, fmt.Sprintf("%s = %g", m.ColumnName(j), x[j])
		}
	}
	for i := range m.rows {
		activity := m.Activity(i, x)
		if v := outside(activity, m.rows[i].lower, m.rows[i].upper); v > worst {
			worst, where = v, fmt.Sprintf("%s = %g, outside [%g, %g]", m.RowName(i), activity, m.rows[i].lower, m.rows[i].upper)
		}
	}
	return worst, where
}

// outside returns the distance of v to the interval [lower, upper].
func outside(v, lower, upper float64) float64 {
	return math.Max(0, math.Max(lower-v, v-upper))
}

// KKT measures how far a primal-dual pair is from satisfying the
// Karush-Kuhn-Tucker conditions of a model without integer columns; all four
// are 0 at an exact optimum, and for a convex model the converse holds.
type KKT struct {
	// Primal is the worst violation of a bound or row.
	Primal float64
	// Stationarity is max_j |g_j - sum_i y_i a_ij - d_j|, with g the gradient
	// of the objective, y the row duals and d the column duals.
	Stationarity float64
	// DualSign is the largest multiplier with the sign of a bound that is
	// infinite: such a multiplier should be 0.
	DualSign float64
	// Complementarity is the largest product of a multiplier with the
	// distance to the bound its sign belongs to.
	Complementarity float64
	// DualityGap is |objective - dual objective|, the sum of those products.
	DualityGap float64
}

// KKT evaluates the optimality conditions at a point with row and column
// duals, in the sign convention of Result. It panics when a slice has not the
// model's length.
func (m *Model) KKT(x, rowDuals, columnDuals []float64) KKT {
	mustCount("point", x, "columns", len(m.columns))
	mustCount("rowDuals", rowDuals, "rows", len(m.rows))
	mustCount("columnDuals", columnDuals, "columns", len(m.columns))
	var k KKT
	k.Primal, _ = m.relaxed().Violation(x)
	residual := m.gradient(x)
	for j := range residual {
		residual[j] -= columnDuals[j]
	}
	for i := range m.rows {
		r := &m.rows[i]
		for e, column := range r.columns {
			residual[column] -= rowDuals[i] * r.values[e]
		}
		k.add(m.sense, rowDuals[i], m.Activity(i, x), r.lower, r.upper)
	}
	for j, c := range m.columns {
		k.Stationarity = math.Max(k.Stationarity, math.Abs(residual[j]))
		k.add(m.sense, columnDuals[j], x[j], c.Lower, c.Upper)
	}
	k.DualityGap = math.Abs(k.DualityGap)
	return k
}

// add accounts for one multiplier: in a minimisation a positive one belongs to
// the lower bound, a negative one to the upper.
func (k *KKT) add(sense Sense, dual, value, lower, upper float64) {
	if sense == Maximize {
		dual = -dual
	}
	bound := lower
	if dual < 0 {
		bound = upper
	}
	if dual == 0 {
		return
	}
	if math.IsInf(bound, 0) {
		k.DualSign = math.Max(k.DualSign, math.Abs(dual))
		return
	}
	product := dual * (value - bound)
	k.Complementarity = math.Max(k.Complementarity, math.Abs(product))
	k.DualityGap += product
}

// relaxed returns the model without integrality, sharing everything else.
func (m *Model) relaxed() *Model {
	if !m.IsInteger() {
		return m
	}
	c := m.Clone()
	for j := range c.columns {
		c.columns[j].Integer = false
	}
	return c
}
