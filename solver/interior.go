package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// InteriorPoint is a pure-Go backend for convex quadratic programs (linear ones
// included): Mehrotra's predictor-corrector method on dense matrices, followed
// by a polishing step that solves for the guessed active set exactly. It needs
// no cgo; solver/highs falls back on it where the quadratic solver of HiGHS
// fails. Integer columns give an error matching ErrUnsupported.
//
// One iteration costs O(rows*columns^2 + columns^3), and 10 to 30 iterations
// are usual; up to about 500 columns solve within seconds. Sessions keep no
// warm start. Optima are verified by the conditions of CheckOptimality; models without
// an optimum end as numerical trouble, of which Open finds the reason.
//
// Source: Mehrotra 1992; for the convex quadratic form Gertz and Wright 2003.
type InteriorPoint struct{}

const interiorName = "interior point (pure Go)"

// String returns the name of the backend.
func (InteriorPoint) String() string { return interiorName }

// Open validates and copies the model. It returns an error matching
// ErrUnsupported for integer columns.
func (InteriorPoint) Open(m *Model, o *Options) (Session, error) {
	if err := errors.Join(m.Validate(), o.Validate()); err != nil {
		return nil, err
	}
	for j, c := range m.columns {
		if c.Integer {
			return nil, &UnsupportedError{Backend: "solver.InteriorPoint", Feature: fmt.Sprintf("an integer variable (%s)", m.ColumnName(j)), Remedy: highsRemedy}
		}
	}
	return &interiorSession{draft: draft{model: m.Clone()}, options: o.Filled()}, nil
}

type interiorSession struct {
	draft
	options Options
}

// Solve runs the method from scratch.
func (s *interiorSession) Solve(ctx context.Context) (*Result, error) {
	if s.closed {
		return nil, ErrClosed
	}
	start := time.Now()
	run := newRun(ctx, &s.options)
	defer run.release()
	result := newResult(s.model, interiorName)
	s.solve(run, result)
	result.Iterations = run.iterations
	result.Elapsed = time.Since(start)
	return result, nil
}

func (s *interiorSession) solve(run *run, result *Result) {
	if reason := s.model.Contradiction(); reason != "" {
		result.Status, result.Detail = Infeasible, reason
		return
	}
	if run.exhausted() {
		result.Status, result.Cause = Limit, run.cause()
		return
	}
	program := newInteriorProgram(s.model)
	point, verified := program.optimum(run, &s.options)
	switch {
	case verified:
		result.setOptimum(s.model, point.x, point.rowDuals, point.columnDuals)
	case run.exhausted():
		result.Status, result.Cause = Limit, run.cause()
	default: // the point may still be good enough, if its bound says so
		result.setOptimum(s.model, point.x, point.rowDuals, point.columnDuals)
		result.Status, result.Detail, result.Cause = FeasibleLimit, "the interior point method did not converge", ErrUnproven
	}
}

// elastic returns the model min t over (x, t), t >= 0, in which each finite side
// of a row may be violated by t times the row's largest coefficient, and for
// each row of m its rows there.
func (m *Model) elastic() (*Model, [][]rowSide) {
	e := NewModel(m.name + " (elastic)")
	for _, c := range m.columns {
		e.AddColumn(Column{Lower: c.Lower, Upper: c.Upper})
	}
	excess := e.AddColumn(Column{Name: "excess", Upper: math.Inf(1), Cost: 1})
	sides := make([][]rowSide, len(m.rows))
	for i, r := range m.rows {
		weight := maxAbs(r.values)
		if weight == 0 {
			continue
		}
		add := func(sign, lower, upper float64) {
			row := r.extended(excess, sign*weight, lower, upper)
			index := e.AddRow(Row{Lower: lower, Upper: upper, Columns: row.columns, Values: row.values})
			sides[i] = append(sides[i], rowSide{index, lower, upper})
		}
		if !math.IsInf(r.lower, -1) {
			add(1, r.lower, math.Inf(1))
		}
		if !math.IsInf(r.upper, 1) {
			add(-1, math.Inf(-1), r.upper)
		}
	}
	return e, sides
}

// rowSide is one side of a row as a row of its own.
type rowSide struct {
	index        int
	lower, upper float64
}

// recession returns the model of the steepest recession direction. The costs of
// a maximisation are negated.
func (m *Model) recession() *Model {
	p := newLinear(m).recession()
	q := NewModel(m.name + " (recession)")
	for j := range p.cost {
		q.AddColumn(Column{Lower: p.lower[j], Upper: p.upper[j], Cost: p.cost[j]})
	}
	for _, r := range p.rows {
		q.AddRow(Row{Lower: r.lower, Upper: r.upper, Columns: r.columns, Values: r.values})
	}
	hessian := make(map[int]*Row)
	add := func(i, j int, value float64) {
		if hessian[i] == nil {
			hessian[i] = &Row{}
		}
		hessian[i].Columns = append(hessian[i].Columns, j)
		hessian[i].Values = append(hessian[i].Values, value)
	}
	for _, t := range m.Quadratic() {
		add(t.I, t.J, t.Value)
		add(t.J, t.I, t.Value)
	}
	for j := range m.columns {
		if row := hessian[j]; row != nil {
			q.AddRow(*row)
		}
	}
	return q
}
