package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Open starts a session on a copy of m. Linear programs that fit a dense tableau go to
// DualSimplex, others to the default backend, unless the options name a backend. The
// backend gets the model in units of its own, powers of two that bring its numbers near 1
// (tolerances are meant there), and what it answers is proven on the model itself: see
// Result.Bound, Result.Farkas and Result.Ray. It returns an error for a malformed model,
// options out of range and models the backend cannot solve (ErrUnsupported). Close the
// session.
func Open(m *Model, o *Options) (Session, error) {
	if err := errors.Join(m.Validate(), o.Validate()); err != nil {
		return nil, err
	}
	options := o.Filled()
	backend := options.Backend
	if backend == nil {
		backend = chooseBackend(m)
	}
	options.Backend = nil
	if o != nil && o.FeasibilityTolerance == 0 || o == nil {
		options.FeasibilityTolerance = 0 // a backend may have a default of its own
	}
	s := &session{model: m.Clone(), options: options, backend: backend, judging: true}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// chooseBackend prefers the dual simplex method, with the default backend behind it.
func chooseBackend(m *Model) Backend {
	if m.IsQuadratic() || m.IsInteger() || tableauSize(m) > tableauLimit {
		return Default()
	}
	backend := DualSimplex{}
	if _, pure := Default().(PureGo); !pure {
		backend.Rescue = Default()
	}
	return backend
}

// session is a model in units of the user, with a session of a backend on the scaled
// model. What the backend answers is translated and judged.
type session struct {
	model   *Model
	options Options
	backend Backend
	scaling *scaling
	inner   Session
	closed  bool
	judging bool // doubts are settled, in exact arithmetic if the model is small
}

// open starts the backend on the scaled model.
func (s *session) open() error {
	s.scaling = newScaling(s.model)
	scaled := s.scaling.scaled(s.model)
	inner, err := s.backend.Open(scaled, &s.options)
	if err != nil {
		return err
	}
	s.inner = inner
	return nil
}

// AddRow checks and appends a row.
func (s *session) AddRow(r Row) (int, error) {
	if s.closed {
		return -1, ErrClosed
	}
	if err := s.model.CheckRow(r); err != nil {
		return -1, err
	}
	i := s.model.AddRow(r)
	row := &s.model.rows[i]
	s.scaling.row = append(s.scaling.row, s.scaling.rowExponent(row))
	scaled := s.scaling.scaledRow(i, row)
	scaled.lower, scaled.upper = withoutFar(scaled.lower, scaled.upper)
	_, err := s.inner.AddRow(Row{Name: r.Name, Group: r.Group, Lower: scaled.lower, Upper: scaled.upper, Columns: scaled.columns, Values: scaled.values})
	return i, err
}

// SetCost checks and replaces a cost.
func (s *session) SetCost(column int, cost float64) error {
	if s.closed {
		return ErrClosed
	}
	if err := s.model.CheckCost(column, cost); err != nil {
		return err
	}
	s.model.SetCost(column, cost)
	return s.inner.SetCost(column, s.scaling.cost(column, cost))
}

// SetOffset checks and replaces the constant term, which the backend does not see.
func (s *session) SetOffset(offset float64) error {
	if s.closed {
		return ErrClosed
	}
	if err := s.model.CheckOffset(offset); err != nil {
		return err
	}
	s.model.SetOffset(offset)
	return nil
}

// SetRowBounds checks and replaces row bounds.
func (s *session) SetRowBounds(row int, lower, upper float64) error {
	if s.closed {
		return ErrClosed
	}
	if err := s.model.CheckRowBounds(row, lower, upper); err != nil {
		return err
	}
	s.model.SetRowBounds(row, lower, upper)
	lower, upper = s.scaling.rowBounds(row, lower, upper)
	return s.inner.SetRowBounds(row, lower, upper)
}

// SetColumnBounds checks and replaces column bounds.
func (s *session) SetColumnBounds(column int, lower, upper float64) error {
	if s.closed {
		return ErrClosed
	}
	if err := s.model.CheckColumnBounds(column, lower, upper); err != nil {
		return err
	}
	s.model.SetColumnBounds(column, lower, upper)
	lower, upper = s.scaling.columnBounds(column, lower, upper)
	return s.inner.SetColumnBounds(column, lower, upper)
}

// Close releases the backend.
func (s *session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.inner.Close()
}

// Solve solves the model as it stands, and proves what it says.
func (s *session) Solve(ctx context.Context) (*Result, error) {
	if s.closed {
		return nil, ErrClosed
	}
	start := time.Now()
	if reason := s.model.Contradiction(); reason != "" {
		result := newResult(s.model, fmt.Sprint(s.backend))
		result.Status, result.Detail = Infeasible, reason
		return result, nil
	}
	if err := s.refresh(); err != nil {
		return nil, err
	}
	result, err := s.inner.Solve(ctx)
	if err != nil {
		return nil, err
	}
	s.translate(result)
	err = s.judge(ctx, result)
	result.Elapsed = time.Since(start)
	return result, err
}

// refresh moves the backend to the units that fit the present bounds and costs.
func (s *session) refresh() error {
	bounds, costs := s.scaling.update(s.model)
	if !bounds && !costs {
		return nil
	}
	if s.model.IsQuadratic() { // the Hessian cannot be replaced
		return errors.Join(s.inner.Close(), s.open())
	}
	for j, c := range s.model.columns {
		if costs {
			if err := s.inner.SetCost(j, s.scaling.cost(j, c.Cost)); err != nil {
				return err
			}
		}
		if bounds {
			lower, upper := s.scaling.columnBounds(j, c.Lower, c.Upper)
			if err := s.inner.SetColumnBounds(j, lower, upper); err != nil {
				return err
			}
		}
	}
	if !bounds {
		return nil
	}
	for i, r := range s.model.rows {
		lower, upper := s.scaling.rowBounds(i, r.lower, r.upper)
		if err := s.inner.SetRowBounds(i, lower, upper); err != nil {
			return err
		}
	}
	return nil
}

// translate brings a result of the backend into the units of the model.
func (s *session) translate(r *Result) {
	r.Model = s.model.String()
	negligible := negligibleValue * maxAbs(r.X)
	for j, x := range r.X {
		if math.Abs(x) < negligible && !r.proven {
			r.X[j] = 0
		}
	}
	s.scaling.point(r.X)
	s.scaling.point(r.Ray)
	s.scaling.rowDuals(r.RowDuals)
	s.scaling.rowDuals(r.Farkas)
	s.scaling.columnDuals(r.ColumnDuals)
	if r.proven {
		r.Bound = math.Ldexp(r.Bound, -s.scaling.objective)
	}
	if r.X != nil {
		s.model.settle(r.X)
		r.Objective = s.model.Objective(r.X)
	}
}

// negligibleValue is the size of a scaled value, relative to the largest one, that is taken
// for a rounding error of 0; it is far below the tolerances.
const negligibleValue = 1e-11

// settle moves a point that is within the tolerances to the bounds of its columns, and
// integer columns to whole numbers where that is next to nothing.
func (m *Model) settle(x []float64) {
	for j, c := range m.columns {
		if c.Integer && math.Abs(x[j]-math.Round(x[j])) <= integralityTolerance {
			x[j] = math.Round(x[j])
		}
		lower, upper := c.TightBounds()                   // whole numbers stay whole
		x[j] = math.Max(lower, math.Min(upper, x[j])) + 0 // no negative zeros
	}
}
