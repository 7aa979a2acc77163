//go:build cgo

package highs

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
)

// reportOptimal verifies and fills in an optimum.
func (s *session) reportOptimal(out outcome, result *solver.Result) bool {
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
func (s *session) reportLimit(out outcome, result *solver.Result, cause error) {
	result.Status, result.Cause = solver.Limit, cause
	if out.x == nil {
		return
	}
	s.setPoint(out, result)
	if worst, _ := s.model.Violation(result.X); worst > s.pointTolerance(result.X) {
		result.X, result.Objective, result.Perturbation.Activity = nil, math.NaN(), 0
		return
	}
	result.Status = solver.FeasibleLimit
}

// setPoint fills in the point, with integer columns rounded where the rows
// allow it, its objective and the perturbation.
func (s *session) setPoint(out outcome, result *solver.Result) {
	for j := range out.x {
		out.x[j] += 0 // no negative zeros
	}
	result.X = out.x
	if s.model.IsInteger() {
		rounded := append([]float64(nil), out.x...)
		for j := range rounded {
			if s.model.Column(j).Integer {
				rounded[j] = math.Round(rounded[j]) + 0
			}
		}
		before, _ := s.model.Violation(out.x)
		after, _ := s.model.Violation(rounded)
		if after <= math.Max(before, s.options.FeasibilityTolerance) {
			result.X = rounded
		}
	}
	result.Objective = s.model.Objective(result.X)
	result.Perturbation = s.perturbation(result.X)
}

// perturbation sums up the dropped entries.
func (s *session) perturbation(x []float64) solver.Perturbation {
	p := solver.Perturbation{Coefficients: len(s.dropped)}
	change := make(map[int]float64)
	for _, d := range s.dropped {
		p.Largest = math.Max(p.Largest, math.Abs(d.value))
		change[d.row] += math.Abs(d.value * x[d.column])
		p.Activity = math.Max(p.Activity, change[d.row])
	}
	return p
}

// duals translates the duals into the user's rows, units and sense.
func (s *session) duals(out outcome) (rows, columns []float64) {
	if out.rowDuals == nil || out.columnDuals == nil {
		return nil, nil
	}
	rows, columns = make([]float64, s.model.Rows()), make([]float64, s.model.Columns())
	for i, row := range s.rowOf {
		if row >= 0 {
			rows[i] = s.sign() * out.rowDuals[row] * s.rowScale[i]
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
func (s *session) limits() (feasibility, optimality float64) {
	if s.model.IsQuadratic() && !s.lenient {
		return quadraticTolerance, quadraticTolerance
	}
	return math.Max(loosestTolerance, toleranceFactor*s.options.FeasibilityTolerance),
		math.Max(loosestTolerance, toleranceFactor*s.options.OptimalityTolerance)
}

// pointTolerance is the violation at which a point does not count as feasible.
func (s *session) pointTolerance(x []float64) float64 {
	scale := 1.0
	for _, v := range x {
		scale = math.Max(scale, math.Abs(v))
	}
	feasibility, _ := s.limits()
	return feasibility * scale
}

// defect checks a claimed optimum against the model itself and describes what
// is wrong with it, or returns "".
func (s *session) defect(r *solver.Result) string {
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
