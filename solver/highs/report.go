//go:build cgo

package highs

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
)

// reportOptimal verifies and fills in an optimum.
func (s *engine) reportOptimal(out outcome, result *solver.Result) bool {
	if out.x == nil {
		result.Status, result.Detail = solver.NumericalTrouble, "HiGHS reported an optimum without a feasible point"
		return false
	}
	s.setPoint(out, result)
	if !s.model.IsInteger() {
		result.RowDuals, result.ColumnDuals = s.duals(out)
	}
	if problem := s.defect(result); problem != "" {
		s.settle(result, solver.NumericalTrouble)
		result.Detail = problem
		return false
	}
	result.Status, result.Detail = solver.Optimal, ""
	return true
}

// reportLimit fills in a stopped solve, with the incumbent if it is feasible.
func (s *engine) reportLimit(out outcome, result *solver.Result, cause error) {
	result.Status, result.Cause = solver.Limit, cause
	if out.x == nil {
		return
	}
	s.setPoint(out, result)
	if worst, _ := s.model.Violation(result.X); worst > s.pointTolerance(result.X) {
		result.X, result.Objective = nil, math.NaN()
		return
	}
	result.Status = solver.FeasibleLimit
}

// setPoint fills in the point and its objective.
func (s *engine) setPoint(out outcome, result *solver.Result) {
	result.X, result.Objective = out.x, s.model.Objective(out.x)
}

// duals translates the duals into the rows and the sense of the model.
func (s *engine) duals(out outcome) (rows, columns []float64) {
	if out.rowDuals == nil || out.columnDuals == nil {
		return nil, nil
	}
	rows, columns = make([]float64, s.model.Rows()), make([]float64, s.model.Columns())
	for i, row := range s.mirror.rowOf {
		if row >= 0 {
			rows[i] = s.sign() * out.rowDuals[row]
		}
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
	// loosestTolerance is the smallest limit in use for linear programs.
	loosestTolerance = 1e-5
	// quadraticTolerance is the limit for quadratic ones, where the interior point method
	// takes over from points that are less accurate.
	quadraticTolerance = 1e-8
)

// limits are the relative errors at which an optimum is not believed.
func (s *engine) limits() (feasibility, optimality float64) {
	if s.model.IsQuadratic() && !s.lenient {
		return quadraticTolerance, quadraticTolerance
	}
	return math.Max(loosestTolerance, toleranceFactor*s.options.FeasibilityTolerance),
		math.Max(loosestTolerance, toleranceFactor*s.options.OptimalityTolerance)
}

// pointTolerance is the violation at which a point does not count as feasible.
func (s *engine) pointTolerance(x []float64) float64 {
	scale := 1.0
	for _, v := range x {
		scale = math.Max(scale, math.Abs(v))
	}
	feasibility, _ := s.limits()
	return feasibility * scale
}

// defect checks a claimed optimum against the model itself and describes what
// is wrong with it, or returns "".
func (s *engine) defect(r *solver.Result) string {
	if !s.model.IsInteger() {
		feasibility, optimality := s.limits()
		if err := s.model.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, feasibility, optimality); err != nil {
			return "the optimum of HiGHS failed the check: " + err.Error()
		}
		return ""
	}
	if worst, where := s.model.Violation(r.X); worst > s.pointTolerance(r.X) {
		return fmt.Sprintf("the optimum of HiGHS breaks %s by %.3g", where, worst)
	}
	return ""
}
