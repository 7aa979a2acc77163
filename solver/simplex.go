package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Simplex is the pure-Go backend for linear programs, built on gonum's
// optimize/convex/lp. It needs no cgo. Integer columns and quadratic objectives
// give an error matching ErrUnsupported.
//
// It is meant for small models: gonum's simplex factorises a dense basis in
// every iteration, whose order is the number of columns, or the number of rows
// when there are many more columns than rows. Up to about fifty columns (with
// thousands of rows) solve within a second; use solver/highs or InteriorPoint
// beyond.
//
// No claim rests on gonum alone. Before Optimal is reported, primal
// feasibility, dual feasibility and strong duality are checked on the original
// model; Infeasible rests on a verified optimum of the elastic model, and
// Unbounded on a feasible point together with an improving ray. What cannot be
// verified is NumericalTrouble.
type Simplex struct{}

// simplexName is how results of the pure-Go backend name their solver.
const simplexName = "gonum simplex (pure Go)"

// String returns the name of the backend.
func (Simplex) String() string { return simplexName }

// Open validates and copies the model. It returns an error matching
// ErrUnsupported for integer columns and quadratic objectives.
func (Simplex) Open(m *Model, o *Options) (Session, error) {
	if err := errors.Join(m.Validate(), o.Validate()); err != nil {
		return nil, err
	}
	for j, c := range m.columns {
		if c.Integer {
			return nil, &UnsupportedError{Backend: "solver.Simplex", Feature: fmt.Sprintf("an integer variable (%s)", m.ColumnName(j)), Remedy: highsRemedy}
		}
	}
	if m.IsQuadratic() {
		return nil, &UnsupportedError{Backend: "solver.Simplex", Feature: "a quadratic objective", Remedy: "use solver.PureGo or solver.InteriorPoint, or " + highsRemedy}
	}
	return &simplexSession{draft: draft{model: m.Clone()}, options: o.Filled()}, nil
}

// simplexSession keeps the model and the basis of its last optimum.
type simplexSession struct {
	draft
	options Options
	warm    []columnKey
}

// Solve starts from the basis of the last optimum where it still is feasible.
func (s *simplexSession) Solve(ctx context.Context) (*Result, error) {
	if s.closed {
		return nil, ErrClosed
	}
	start := time.Now()
	run := newRun(ctx, &s.options)
	defer run.release()
	result := newResult(s.model, simplexName)
	s.solve(run, result)
	result.Iterations = run.iterations
	result.Elapsed = time.Since(start)
	return result, nil
}

// solve finds the status and, where there is one, the verified optimum.
func (s *simplexSession) solve(run *run, result *Result) {
	if reason := s.model.Contradiction(); reason != "" {
		result.Status, result.Detail = Infeasible, reason
		return
	}
	problem := newLinear(s.model)
	answer := problem.solve(run, s.warm)
	if answer.outcome == solved {
		s.warm = answer.basis
		s.report(answer, result)
		return
	}
	if answer.outcome == stopped {
		result.Status, result.Cause = Limit, run.cause()
		return
	}
	s.diagnose(run, problem, answer, result)
	if result.Status == NumericalTrouble {
		s.rescue(run, result)
	}
}

// rescue asks the interior point method where gonum's simplex gave up.
func (s *simplexSession) rescue(run *run, result *Result) {
	if point, verified := newInteriorProgram(s.model).optimum(run, &s.options); verified {
		result.Solver, result.Detail = simplexName+", then "+interiorName, ""
		result.setOptimum(s.model, point.x, point.rowDuals, point.columnDuals)
	}
}

// report fills in an optimum.
func (s *simplexSession) report(answer answer, result *Result) {
	if s.model.sense == Maximize {
		negate(answer.rowDuals)
		negate(answer.columnDuals)
	}
	result.setOptimum(s.model, answer.x, answer.rowDuals, answer.columnDuals)
}

// diagnose tells infeasible from unbounded from trouble, each by linear
// programs that have an optimum which can be verified.
func (s *simplexSession) diagnose(run *run, problem *linear, first answer, result *Result) {
	trouble := func(what string, outcome outcome) {
		if outcome == stopped {
			result.Status, result.Cause = Limit, run.cause()
			return
		}
		result.Status, result.Detail = NumericalTrouble, what
	}
	elastic := problem.elastic()
	relaxed := elastic.solve(run, nil)
	if relaxed.outcome != solved {
		trouble("neither the model nor its elastic form gave a verified optimum", relaxed.outcome)
		return
	}
	if excess := relaxed.x[len(relaxed.x)-1]; excess > s.options.FeasibilityTolerance {
		result.Status = Infeasible
		result.Detail = fmt.Sprintf("some row must be violated by %.3g", excess)
		return
	}
	if first.outcome != noOptimum {
		trouble("the model is feasible but its optimum could not be verified", first.outcome)
		return
	}
	ray := problem.recession().solve(run, nil)
	switch {
	case ray.outcome != solved:
		trouble("the improving rays of the model could not be found", ray.outcome)
	case isRay(ray.x, ray.objective, s.options.OptimalityTolerance*math.Max(1, maxAbs(problem.cost))):
		result.Status = Unbounded
	default:
		trouble("the simplex method found no optimum although the model is feasible and bounded", noOptimum)
	}
}

func negate(v []float64) {
	for i := range v {
		v[i] = -v[i]
	}
}

func maxAbs(v []float64) float64 {
	largest := 0.0
	for _, value := range v {
		largest = math.Max(largest, math.Abs(value))
	}
	return largest
}
