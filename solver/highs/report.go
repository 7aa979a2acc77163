//go:build cgo

package highs

// #include "bridge.h"
import "C"

import (
	"cmp"
	"context"
	"math"

	"github.com/sparsero/directions/solver"
)

// unknown is a result in which nothing is known yet but its status and what stopped it.
func unknown(status solver.Status, cause error) *solver.Result {
	return &solver.Result{Status: status, Cause: cause, Objective: math.NaN(), Gap: math.Inf(1), Solver: solverName()}
}

// status is what the last run claims, and the cause where a limit ended it.
func (n *native) status() (solver.Status, error) {
	switch C.Highs_getModelStatus(n.handle) {
	case C.kHighsModelStatusOptimal:
		return solver.Optimal, nil
	case C.kHighsModelStatusInfeasible:
		return solver.Infeasible, nil
	case C.kHighsModelStatusUnbounded, C.kHighsModelStatusUnboundedOrInfeasible:
		return solver.InfeasibleOrUnbounded, nil
	case C.kHighsModelStatusTimeLimit, C.kHighsModelStatusInterrupt:
		return solver.Limit, context.DeadlineExceeded
	case C.kHighsModelStatusIterationLimit, C.kHighsModelStatusSolutionLimit,
		C.kHighsModelStatusObjectiveBound, C.kHighsModelStatusObjectiveTarget:
		return solver.Limit, solver.ErrLimit
	}
	return solver.NumericalTrouble, nil
}

// point reads the primal solution also where the binding refuses to, and nil
// where HiGHS itself does not call it feasible.
func (n *native) point() []float64 {
	if n.info("primal_solution_status") != int(C.kHighsSolutionStatusFeasible) {
		return nil
	}
	point := make([]float64, int(C.Highs_getNumCol(n.handle)))
	if C.Highs_getSolution(n.handle, (*C.double)(&point[0]), nil, nil, nil) != 0 {
		return nil
	}
	return point
}

// verified leaves of the result of a run what can be relied on, and tells whether it is a verified one, so that no
// other attempt is worth while. Optima of integer models are not verified here.
func (s *engine) verified(r *solver.Result) bool {
	defect := ""
	switch {
	case r.Status == solver.NumericalTrouble:
		defect = cmp.Or(r.Detail, "HiGHS ended without a status")
	case r.Status == solver.Optimal && r.X == nil:
		defect = "HiGHS reported an optimum without a feasible point"
	case r.Status == solver.Optimal && !s.model.IsInteger():
		if r.RowDuals != nil {
			r.RowDuals = r.RowDuals[:s.model.Rows()] // HiGHS has one row more
		}
		if err := s.model.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, limit(s.options.FeasibilityTolerance), limit(s.options.OptimalityTolerance)); err != nil {
			defect = "the optimum of HiGHS failed the check: " + err.Error()
		}
	case r.Status == solver.Limit && r.X != nil:
		r.Status = solver.FeasibleLimit
	}
	if defect != "" {
		r.Status, r.Detail = solver.NumericalTrouble, defect
	}
	if r.Status != solver.Optimal || s.model.IsInteger() {
		r.RowDuals, r.ColumnDuals = nil, nil
	}
	if r.Status == solver.Optimal || r.Status == solver.FeasibleLimit {
		r.Objective = s.model.Objective(r.X)
	} else {
		r.X = nil
	}
	return defect == ""
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
