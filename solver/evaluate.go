package solver

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/directed"
	"gonum.org/v1/gonum/floats"
)

// Objective returns the objective value at x (len Columns), offset included. It panics when x has another length.
func (m *Model) Objective(x []float64) float64 {
	m.mustFit(x)
	value := m.offset
	for j, c := range m.columns {
		value += c.Cost * x[j]
	}
	for _, t := range m.Quadratic() {
		value += t.Value * x[t.I] * x[t.J]
	}
	return value
}

// mustFit panics when a point has another length than there are columns.
func (m *Model) mustFit(x []float64) {
	if len(x) != len(m.columns) {
		panic(fmt.Sprintf("solver: point has %d entries but the model has %d columns", len(x), len(m.columns)))
	}
}

// Activity returns sum_j a_ij x_j of row i at x. It panics when i is out of range or x
// has another length than there are columns.
func (m *Model) Activity(i int, x []float64) float64 {
	m.mustFit(x)
	activity, _ := program.Activity(m.row(i), x)
	return activity
}

// Violation returns by how much x breaks the model at worst, in the units of the broken bound (for integer columns: the
// distance to the nearest whole number), and where. It is 0 and "" for a feasible point, and +Inf for a point of the wrong
// length or with a number that is not finite.
func (m *Model) Violation(x []float64) (worst float64, where string) {
	if len(x) != len(m.columns) {
		return math.Inf(1), fmt.Sprintf("point has %d entries but the model has %d columns", len(x), len(m.columns))
	}
	for j, c := range m.columns {
		v := program.Outside(x[j], c.Lower(), c.Upper())
		if c.Integer {
			v = math.Max(v, math.Abs(x[j]-math.Round(x[j])))
		}
		if notFinite(x[j]) {
			return math.Inf(1), fmt.Sprintf("%s is %v", m.ColumnName(j), x[j])
		}
		if v > worst {
			worst, where = v, fmt.Sprintf("%s = %g", m.ColumnName(j), x[j])
		}
	}
	for i := range m.rows {
		activity := m.Activity(i, x)
		if notFinite(activity) {
			activity = overflown(&m.rows[i], x)
		}
		v := program.Outside(activity, m.rows[i].Lower, m.rows[i].Upper)
		if v > worst {
			worst, where = v, fmt.Sprintf("%s = %g, outside [%g, %g]", m.rowName(i), activity, m.rows[i].Lower, m.rows[i].Upper)
		}
	}
	return worst, where
}

// overflown returns the activity of a row whose terms are beyond float64, rounded towards 0 where it is so too.
func overflown(r *program.Row, x []float64) float64 {
	const units = 800 // to which no activity can add up
	var sum directed.Sum
	for k, j := range r.Columns {
		sum.AddProduct(r.Values[k], math.Ldexp(x[j], -units))
	}
	return math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, math.Ldexp(sum.Value(), units)))
}

// CheckOptimality returns nil when a point and its duals (in the sign convention of Result) satisfy the optimality
// conditions of the model without its integrality, and otherwise an error matching ErrNumericalTrouble that names the
// condition missed most plainly. It judges relative errors:
//
//   - a bound or row may be missed by feasibility times the largest term of its
//     activity (at least 1, at most 1e6),
//   - stationarity of column j by optimality times its largest term (at least 1,
//     at most 1e6 times the largest entry of the gradient),
//   - the duality gap by 1e-6 times the sum of its terms' magnitudes, where
//     multipliers that are rounding errors by the measure above count as 0.
func (m *Model) CheckOptimality(x, rowDuals, columnDuals []float64, feasibility, optimality float64) error {
	if len(x) != len(m.columns) || len(columnDuals) != len(m.columns) || len(rowDuals) != len(m.rows) {
		return fmt.Errorf("solver: optimality check of %d values, %d row duals and %d column duals against %d columns and %d rows: %w",
			len(x), len(rowDuals), len(columnDuals), len(m.columns), len(m.rows), ErrNumericalTrouble)
	}
	rowDuals, columnDuals = slices.Clone(rowDuals), slices.Clone(columnDuals)
	floats.Scale(m.sign(), rowDuals)
	floats.Scale(m.sign(), columnDuals)
	defect := program.Defect(m.Program(), x, rowDuals, columnDuals, program.Tolerances{Feasibility: feasibility, Optimality: optimality})
	if defect == "" {
		return nil
	}
	return fmt.Errorf("solver: %s: %w", defect, ErrNumericalTrouble)
}

// hasObjective reports whether any term of the objective depends on the point.
func (m *Model) hasObjective() bool {
	return m.isQuadratic() || slices.ContainsFunc(m.columns, func(c Column) bool { return c.Cost != 0 })
}
