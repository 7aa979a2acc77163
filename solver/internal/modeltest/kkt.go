package modeltest

import (
	"math"

	"github.com/sparsero/directions/solver"
)

// KKT measures how far a primal-dual pair is from satisfying the
// Karush-Kuhn-Tucker conditions of a model without integer columns; all five
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

// Conditions evaluates the optimality conditions at a point with row and column
// duals, in the sign convention of solver.Result.
func Conditions(m *solver.Model, x, rowDuals, columnDuals []float64) KKT {
	var k KKT
	relaxed, residual := m.Clone(), make([]float64, len(x))
	for j := range x {
		relaxed.SetInteger(j, false)
		residual[j] += m.Column(j).Cost - columnDuals[j]
	}
	k.Primal, _ = relaxed.Violation(x)
	for _, q := range m.Quadratic() {
		residual[q.I] += q.Value * x[q.J]
		residual[q.J] += q.Value * x[q.I]
	}
	for i := range m.Rows() {
		r := m.Row(i)
		for e, column := range r.Columns {
			residual[column] -= rowDuals[i] * r.Values[e]
		}
		k.add(m.Sense(), rowDuals[i], m.Activity(i, x), r.Lower(), r.Upper())
	}
	for j := range x {
		c := m.Column(j)
		k.Stationarity = math.Max(k.Stationarity, math.Abs(residual[j]))
		k.add(m.Sense(), columnDuals[j], x[j], c.Lower(), c.Upper())
	}
	k.DualityGap = math.Abs(k.DualityGap)
	return k
}

// add accounts for one multiplier: in a minimisation a positive one belongs to
// the lower bound, a negative one to the upper.
func (k *KKT) add(sense solver.Sense, dual, value, lower, upper float64) {
	if sense == solver.Maximize {
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
