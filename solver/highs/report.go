//go:build cgo

package highs

import (
	"math"

	"github.com/sparsero/directions/solver"
)

// reportOptimal fills in an optimum, verified unless the model is integer.
func (s *engine) reportOptimal(out outcome, result *solver.Result) bool {
	if out.x == nil {
		result.Status, result.Detail = solver.NumericalTrouble, "HiGHS reported an optimum without a feasible point"
		return false
	}
	if !s.model.IsInteger() {
		result.RowDuals, result.ColumnDuals = s.duals(out)
		if err := s.model.CheckOptimality(out.x, result.RowDuals, result.ColumnDuals, limit(s.options.FeasibilityTolerance), limit(s.options.OptimalityTolerance)); err != nil {
			s.settle(result, solver.NumericalTrouble)
			result.Detail = "the optimum of HiGHS failed the check: " + err.Error()
			return false
		}
	}
	result.X, result.Objective = out.x, s.model.Objective(out.x)
	result.Status, result.Detail = solver.Optimal, ""
	return true
}

// settle leaves nothing but a status without a point.
func (s *engine) settle(result *solver.Result, status solver.Status) {
	*result = solver.Result{
		Status: status, Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1),
		Iterations: result.Iterations, Nodes: result.Nodes, Solver: result.Solver, Model: result.Model,
	}
}

// reportLimit fills in a stopped solve, with the incumbent if there is one.
func (s *engine) reportLimit(out outcome, result *solver.Result) {
	result.Cause = out.cause
	if out.x != nil {
		result.Status, result.X, result.Objective = solver.FeasibleLimit, out.x, s.model.Objective(out.x)
	}
}

// duals translates the duals into the rows and the sense of the model.
func (s *engine) duals(out outcome) (rows, columns []float64) {
	if out.rowDuals == nil || out.columnDuals == nil {
		return nil, nil
	}
	rows, columns = make([]float64, s.model.Rows()), make([]float64, s.model.Columns())
	for i := range rows { // HiGHS has one row more
		rows[i] = s.sign() * out.rowDuals[i]
	}
	for j := range columns {
		columns[j] = s.sign() * out.columnDuals[j]
	}
	return rows, columns
}

// What an optimum of HiGHS may miss of the optimality conditions, relative to
// the tolerances it was asked for: HiGHS applies them to a scaled model.
const (
	// toleranceFactor is applied to the options' tolerances.
	toleranceFactor = 10
	// loosestTolerance is the smallest limit in use.
	loosestTolerance = 1e-5
)

// limit is the relative error at which an optimum is not believed.
func limit(tolerance float64) float64 {
	return math.Max(loosestTolerance, toleranceFactor*tolerance)
}
