//go:build cgo

package highs

import (
	"math"

	"github.com/sparsero/directions/solver"
)

// answer is the result of a run, and whether it is a verified one, so that no other attempt is
// worth while. Optima of integer models are not verified here.
func (s *engine) answer(out outcome) (result *solver.Result, verified bool) {
	result = &solver.Result{
		Status: out.status, Cause: out.cause, Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1),
		Solver: solverName(), Model: s.model.String(),
	}
	trouble := func(detail string) (*solver.Result, bool) {
		result.Status, result.Detail, result.RowDuals, result.ColumnDuals = solver.NumericalTrouble, detail, nil, nil
		return result, false
	}
	switch {
	case out.status == solver.NumericalTrouble && out.err != nil:
		return trouble(out.err.Error())
	case out.status == solver.NumericalTrouble:
		return trouble("HiGHS ended without a status")
	case out.status == solver.Optimal && out.x == nil:
		return trouble("HiGHS reported an optimum without a feasible point")
	case out.status == solver.Optimal && !s.model.IsInteger():
		result.RowDuals, result.ColumnDuals = s.duals(out)
		if err := s.model.CheckOptimality(out.x, result.RowDuals, result.ColumnDuals, limit(s.options.FeasibilityTolerance), limit(s.options.OptimalityTolerance)); err != nil {
			return trouble("the optimum of HiGHS failed the check: " + err.Error())
		}
	case out.status == solver.Limit && out.x != nil:
		result.Status = solver.FeasibleLimit
	}
	if result.Status.HasPoint() {
		result.X, result.Objective = out.x, s.model.Objective(out.x)
	}
	return result, true
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
