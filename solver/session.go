package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
)

// Session is a model and an engine that solves it. The model stays the caller's, whose changes between solves the
// session follows; after new costs, bounds and rows DualSimplex starts from the basis of the solve before, everything
// else starts anew. A session belongs to one goroutine at a time; different sessions may run side by side, on one model
// too while nothing changes it.
type Session struct {
	model    *Model // in units of the user
	revision int    // of the model that the engine was opened on
	scaled   *Model // in units of the backend
	scaling  *scaling
	options  Options
	backend  Backend
	next     Backend // takes over, for good, where backend has no answer; nil for none
	engine   Engine  // nil where the backend refused the model
	judging  bool    // doubts are settled, in exact arithmetic if the model is small
}

// Open starts a session on m. Linear programs that fit a dense tableau go to DualSimplex, quadratic ones to InteriorPoint,
// others to the default backend, unless the options name a backend. Behind DualSimplex stands another one, to which the
// session turns when it has no answer: the default one, or InteriorPoint. The backend gets the model in units of its own,
// powers of two that bring its numbers near 1 (tolerances are meant there), and what it answers is proven on the model
// itself: see Result.Lower, Result.Farkas and Result.Ray. It returns an error for a malformed model, options out of range
// and models the backend cannot solve (ErrUnsupported).
func Open(m *Model, o *Options) (*Session, error) {
	if err := errors.Join(m.Validate(), o.validate()); err != nil {
		return nil, err
	}
	s := &Session{model: m, judging: true}
	if o != nil {
		s.options = *o // not filled: that is for the backends, and once
	}
	if err := s.start(); err != nil {
		return nil, err
	}
	return s, nil
}

// start opens the backend for a valid model.
func (s *Session) start() error {
	s.backend, s.next = chooseBackends(s.model, s.options.Backend)
	s.revision = s.model.revision
	return s.open(largestCounts)
}

// chooseBackends returns the backend for a model and the one behind it, if there is one.
func chooseBackends(m *Model, wanted Backend) (first, next Backend) {
	switch wanted {
	case nil:
	case DualSimplex, PureGo:
		return wanted, InteriorPoint
	default:
		return wanted, nil
	}
	switch {
	case m.isQuadratic() && !m.IsInteger():
		return InteriorPoint, nil
	case m.IsInteger() || !fitsTableau(m):
		return defaultBackend(), nil
	case defaultBackend() == PureGo:
		return DualSimplex, InteriorPoint
	}
	return DualSimplex, defaultBackend()
}

// open starts the backend on the scaled model, in the place of an engine that runs.
func (s *Session) open(trusted int) (err error) {
	s.scaling = newScaling(s.model, trusted)
	s.scaled = s.scaling.scaled(s.model)
	if s.scaling.lossy && s.model.isQuadratic() { // a Hessian that loses entries may be convex no longer
		s.scaling = unscaled(s.model)
		s.scaling.trusted = trusted
		s.scaled = s.scaling.scaled(s.model)
	}
	filled := s.options.filled()
	s.engine, err = s.backend.Open(s.scaled, &filled)
	return err
}

// renew starts the session anew where the model has changed in what an engine does not follow. It is an error if the
// model is malformed by now.
func (s *Session) renew() error {
	if s.engine != nil && s.revision == s.model.revision {
		return errors.Join(s.model.mistakes...)
	}
	if err := s.model.Validate(); err != nil {
		return err
	}
	return s.start()
}

// Solve solves the model as it now stands, and proves what it says. Where that fails it tries again in other units of the
// backend. A cancelled context or an expired deadline ends it early with status Limit or FeasibleLimit, not with an error.
// It returns the errors of Open for what the model has become.
func (s *Session) Solve(ctx context.Context) (*Result, error) {
	ctx = program.Context(ctx)
	if err := s.renew(); err != nil {
		return nil, err
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
	result.proven = result.proven && s.backend == Exact // by no other engine
	s.translate(result, s.scaling)
	err = s.judge(ctx, result)
	result.dropOverflow()
	return result, err
}

// refresh brings the model of the backend, in units that fit the present bounds and costs, up to date.
func (s *Session) refresh() error {
	if changed := s.scaling.update(s.model); changed && s.model.isQuadratic() { // the Hessian cannot be replaced
		return s.open(s.scaling.trusted)
	}
	s.scaling.follow(s.scaled, s.model)
	return nil
}

// translate brings a result from other units into those of the model.
func (s *Session) translate(r *Result, units *scaling) {
	r.Model = s.model.String()
	negligible := negligibleValue * math.Max(leastPoint, program.MaxAbs(r.X))
	for j, x := range r.X {
		lower, upper := units.columnBounds(j, &s.model.columns[j])
		if math.Abs(x) < negligible && x != lower && x != upper && !r.proven {
			r.X[j] = 0
		}
	}
	units.point(r.X)
	units.ray(r.Ray)
	units.rowDuals(r.RowDuals)
	units.rowDuals(r.Farkas)
	units.columnDuals(r.ColumnDuals)
	r.setBound(s.model, proof.AtLeast(-directed.ScaleUpper(-r.minimised(s.model).Float(), -units.objective)))
	r.proven = r.proven && !units.lossy && (r.Status != Optimal || !math.IsInf(r.minimised(s.model).Float(), 0))
	if r.X != nil {
		s.model.settle(r.X)
		r.Objective = s.model.Objective(r.X)
	}
}

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
		x[j] = math.Max(c.Lower(), math.Min(c.Upper(), x[j])) + 0 // no negative zeros
	}
}

// Solve opens a session and solves once. Infeasible, unbounded and stopped models are no errors but results with a status;
// Result.Check turns them into errors.
func Solve(ctx context.Context, m *Model, o *Options) (*Result, error) {
	session, err := Open(m, o)
	if err != nil {
		return nil, err
	}
	return session.Solve(ctx)
}
