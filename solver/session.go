package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sparsero/directions/solver/internal/program"
)

// Session is a model inside a solver. It can be changed between solves, and
// DualSimplex starts each from the basis of the one before. A session belongs to one goroutine at a time; different
// sessions may run side by side.
type Session struct {
	model   *Model // in units of the user
	scaled  *Model // in units of the backend
	scaling *scaling
	options Options
	backend Backend
	next    Backend // takes over, for good, where backend has no answer; nil for none
	engine  Engine  // nil once closed
	judging bool    // doubts are settled, in exact arithmetic if the model is small
}

// Open starts a session on a copy of m. Linear programs that fit a dense tableau go to
// DualSimplex, quadratic ones to InteriorPoint, others to the default backend, unless the
// options name a backend. Behind DualSimplex stands another one, to which the session turns
// when it has no answer: the default one, or InteriorPoint. The backend gets the model in units of its own, powers of two that bring its numbers near 1
// (tolerances are meant there), and what it answers is proven on the model itself: see
// Result.Bound, Result.Farkas and Result.Ray. It returns an error for a malformed model,
// options out of range and models the backend cannot solve (ErrUnsupported). Close the
// session.
func Open(m *Model, o *Options) (*Session, error) {
	if err := errors.Join(m.Validate(), o.Validate()); err != nil {
		return nil, err
	}
	s := &Session{model: m.Clone(), judging: true}
	if o != nil {
		s.options = *o // not filled: that is for the backends, and once
	}
	s.backend, s.next = chooseBackends(m, s.options.Backend)
	s.options.Backend = nil
	if err := s.open(largestCounts); err != nil {
		return nil, err
	}
	return s, nil
}

// chooseBackends returns the backend for a model and the one behind it, if there is one.
func chooseBackends(m *Model, wanted Backend) (first, next Backend) {
	switch wanted.(type) {
	case nil:
	case DualSimplex, PureGo:
		return wanted, InteriorPoint{}
	default:
		return wanted, nil
	}
	switch {
	case m.IsQuadratic() && !m.IsInteger():
		return InteriorPoint{}, nil
	case m.IsInteger() || !fitsTableau(m):
		return Default(), nil
	case Default() == Backend(PureGo{}):
		return DualSimplex{}, InteriorPoint{}
	}
	return DualSimplex{}, Default()
}

// open starts the backend on the scaled model, in the place of an engine that runs.
func (s *Session) open(trusted int) error {
	if err := s.Close(); err != nil {
		return err
	}
	s.scaling = newScaling(s.model, trusted)
	s.scaled = s.scaling.scaled(s.model)
	engine, err := s.backend.Open(s.scaled, &s.options)
	if err != nil {
		return err
	}
	s.engine = engine
	return nil
}

// change changes the model of an open session, unless that is a mistake; the scaled one follows in
// Solve.
func (s *Session) change(of func(m *Model)) error {
	if s.engine == nil {
		return ErrClosed
	}
	of(s.model)
	err := errors.Join(s.model.mistakes...)
	s.model.mistakes = nil // Open has found none
	return err
}

// AddRow appends a row and returns its index.
func (s *Session) AddRow(r Row) (int, error) {
	if err := s.change(func(m *Model) { m.note(m.addRow(r)) }); err != nil {
		return -1, err
	}
	return len(s.model.rows) - 1, nil
}

// SetCost replaces the linear objective coefficient of a column.
func (s *Session) SetCost(column int, cost float64) error {
	return s.change(func(m *Model) { m.SetCost(column, cost) })
}

// SetOffset replaces the constant term of the objective, which the backend does not see.
func (s *Session) SetOffset(offset float64) error {
	return s.change(func(m *Model) { m.SetOffset(offset) })
}

// SetRowBounds replaces the bounds of a row; Bounds{} switches it off.
func (s *Session) SetRowBounds(row int, b Bounds) error {
	return s.change(func(m *Model) { m.SetRowBounds(row, b) })
}

// SetColumnBounds replaces the bounds of a column.
func (s *Session) SetColumnBounds(column int, b Bounds) error {
	return s.change(func(m *Model) { m.SetColumnBounds(column, b) })
}

// Close releases the solver's memory. Further calls return ErrClosed; closing twice is
// harmless.
func (s *Session) Close() error {
	if s.engine == nil {
		return nil
	}
	engine := s.engine
	s.engine = nil
	return engine.Close()
}

// Solve solves the model as it now stands, and proves what it says. Where that fails it tries
// again in other units of the backend. A cancelled context or an expired deadline ends it
// early with status Limit or FeasibleLimit, not with an error.
func (s *Session) Solve(ctx context.Context) (*Result, error) {
	if s.engine == nil {
		return nil, ErrClosed
	}
	start := time.Now()
	if _, reason := s.model.contradiction(); reason != "" {
		result := newResult(s.model, fmt.Sprint(s.backend))
		result.Status, result.Detail = Infeasible, reason
		return result, nil
	}
	result, err := s.attempt(ctx)
	if err == nil && result.Status == NumericalTrouble && s.scaling.trusted != allCount && s.judging && !s.model.IsInteger() {
		if err = s.open(allCount); err == nil {
			result, err = s.attempt(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	result.Elapsed = time.Since(start)
	return result, nil
}

// attempt solves the model in the units of the present scaling.
func (s *Session) attempt(ctx context.Context) (*Result, error) {
	if err := s.refresh(); err != nil {
		return nil, err
	}
	result, err := s.engine.Solve(ctx)
	if err == nil && result.Status == NumericalTrouble && s.next != nil {
		s.backend, s.next = s.next, nil
		if err = s.open(s.scaling.trusted); err == nil {
			result, err = s.engine.Solve(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	s.translate(result, s.scaling)
	return result, s.judge(ctx, result)
}

// refresh brings the model of the backend, in units that fit the present bounds and costs, up
// to date.
func (s *Session) refresh() error {
	if changed := s.scaling.update(s.model); changed && s.model.IsQuadratic() { // the Hessian cannot be replaced
		return s.open(s.scaling.trusted)
	}
	s.scaling.follow(s.scaled, s.model)
	return nil
}

// translate brings a result from other units into those of the model.
func (s *Session) translate(r *Result, units *scaling) {
	r.Model = s.model.String()
	negligible := negligibleValue * program.MaxAbs(r.X)
	for j, x := range r.X {
		if math.Abs(x) < negligible && !r.proven {
			r.X[j] = 0
		}
	}
	units.point(r.X)
	units.point(r.Ray)
	units.rowDuals(r.RowDuals)
	units.rowDuals(r.Farkas)
	units.columnDuals(r.ColumnDuals)
	if r.proven {
		r.Bound = math.Ldexp(r.Bound, -units.objective)
	}
	r.proven = r.proven && !units.lossy && !math.IsInf(r.Bound, 0)
	if r.X != nil {
		s.model.settle(r.X)
		r.Objective = s.model.Objective(r.X)
	}
}

// negligibleValue is the size of a scaled value, relative to the largest one, that is taken
// for a rounding error of 0; it is far below the tolerances.
const negligibleValue = 1e-11

// whole tells whether all integer columns of a point that was settled have whole values.
func (m *Model) whole(x []float64) bool {
	for j, c := range m.columns {
		if c.Integer && x[j] != math.Round(x[j]) {
			return false
		}
	}
	return true
}

// settle moves a point that is within the tolerances to the bounds of its columns, and
// integer columns to whole numbers where that is next to nothing.
func (m *Model) settle(x []float64) {
	for j, c := range m.columns {
		if c.Integer && math.Abs(x[j]-math.Round(x[j])) <= integralityTolerance {
			x[j] = math.Round(x[j])
		}
		lower, upper := c.tightBounds()                   // whole numbers stay whole
		x[j] = math.Max(lower, math.Min(upper, x[j])) + 0 // no negative zeros
	}
}
