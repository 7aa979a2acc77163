package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// DualSimplex is a pure-Go backend for linear programs that are solved many
// times with small changes, above all with rows added: the dual simplex method
// with bound flipping on a dense tableau, followed by the primal method where
// costs changed. It needs no cgo. Integer columns and quadratic objectives give
// an error matching ErrUnsupported.
//
// A solve starts from the last basis whatever has changed, and one iteration
// costs O(rows*columns). On dense rows, as robust models have them, it is many
// times faster than codes for sparse programs. Models of more than 2^21
// rows*columns go to Rescue at once.
//
// No claim is taken on trust. Optima are refined against the rows and must meet
// the conditions of CheckOptimality; Infeasible needs a combination of the rows
// that no point within the bounds satisfies (Farkas' lemma). What fails the
// check is solved again by Rescue.
//
// Sources: Koberstein 2005 (bound flipping, cost shifting); Harris 1973.
type DualSimplex struct {
	// Rescue solves what the method gives up; nil means Exact for small models and
	// InteriorPoint for larger ones.
	Rescue Backend
}

const dualSimplexName = "dual simplex (pure Go)"

// tableauLimit is the number of rows*columns up to which a dense tableau pays.
const tableauLimit = 1 << 21

// String returns the name of the backend.
func (DualSimplex) String() string { return dualSimplexName }

// Open validates and copies the model. It returns an error matching
// ErrUnsupported for integer columns and quadratic objectives.
func (b DualSimplex) Open(m *Model, o *Options) (Session, error) {
	if err := errors.Join(m.Validate(), o.Validate()); err != nil {
		return nil, err
	}
	for j, c := range m.columns {
		if c.Integer {
			return nil, &UnsupportedError{Backend: "solver.DualSimplex", Feature: fmt.Sprintf("an integer variable (%s)", m.ColumnName(j)), Remedy: highsRemedy}
		}
	}
	if m.IsQuadratic() {
		return nil, &UnsupportedError{Backend: "solver.DualSimplex", Feature: "a quadratic objective", Remedy: "use solver.PureGo or solver.InteriorPoint, or " + highsRemedy}
	}
	rescue := b.Rescue
	if rescue == nil {
		rescue = fromScratch{}
	}
	return &dualSimplexSession{draft: draft{model: m.Clone()}, options: o.Filled(), rescue: rescue}, nil
}

// fromScratch stands for the other pure-Go backends, chosen by kind and size.
type fromScratch struct{}

// Open chooses between Exact and InteriorPoint.
func (fromScratch) Open(m *Model, o *Options) (Session, error) {
	if m != nil && !m.IsQuadratic() && exactSize(m) {
		return Exact{}.Open(m, o)
	}
	return InteriorPoint{}.Open(m, o)
}

func tableauSize(m *Model) int { return len(m.columns) * max(1, len(m.rows)) }

// dualSimplexSession keeps the model and the tableau of its last basis.
type dualSimplexSession struct {
	draft
	options   Options
	rescue    Backend
	tableau   *denseTableau // nil before the first solve
	successor Session       // of the rescue, once the method has given up
}

// Solve starts from the last basis.
func (s *dualSimplexSession) Solve(ctx context.Context) (*Result, error) {
	if s.closed {
		return nil, ErrClosed
	}
	if s.successor != nil {
		return s.successor.Solve(ctx)
	}
	start := time.Now()
	run := newRun(ctx, &s.options)
	defer run.release()
	result := newResult(s.model, dualSimplexName)
	switch s.solve(run, result) {
	case seemsUnbounded:
		result.Status = InfeasibleOrUnbounded
	case givenUp:
		return s.giveUp(ctx)
	}
	result.Iterations = run.iterations
	result.Elapsed = time.Since(start)
	return result, nil
}

// rebuilds is how often the tableau is computed from the rows when an answer
// fails its check, the first use included.
const rebuilds = 3

// verdict says what became of a solve.
type verdict int

const (
	settled        verdict = iota // the result is verified, or a limit stopped the solve
	seemsUnbounded                // not verified
	givenUp                       // for the rescue from now on
)

// solve fills in the result unless the rescue has to.
func (s *dualSimplexSession) solve(run *run, result *Result) verdict {
	if reason := s.model.Contradiction(); reason != "" {
		result.Status, result.Detail = Infeasible, reason
		return settled
	}
	if tableauSize(s.model) > tableauLimit {
		return givenUp
	}
	problem := newLinear(s.model)
	for attempt := 0; attempt < rebuilds && !run.exhausted(); attempt++ {
		if s.tableau == nil || attempt > 0 && !s.tableau.rebuild(problem) {
			s.tableau = newDenseTableau(s.model)
		}
		s.tableau.synchronise(problem)
		switch s.tableau.optimise(run) {
		case solved:
			if answer, verified := s.tableau.answer(run, problem); verified {
				if s.model.sense == Maximize {
					negate(answer.rowDuals)
					negate(answer.columnDuals)
				}
				result.setOptimum(s.model, answer.x, answer.rowDuals, answer.columnDuals)
				return settled
			}
		case noOptimum:
			if s.tableau.infeasibleRow < 0 {
				return seemsUnbounded
			}
			if s.tableau.provesInfeasible(problem, run.tolerances.feasibility) {
				result.Status, result.Detail = Infeasible, "no point within the bounds satisfies some combination of the rows"
				result.Farkas = s.tableau.rowCombination()
				for i := range result.Farkas {
					result.Farkas[i] *= s.tableau.rowScale[i]
				}
				return settled
			}
		}
	}
	if run.exhausted() {
		result.Status, result.Cause = Limit, run.cause()
		return settled
	}
	return givenUp
}

// giveUp hands the model to the rescue, for this solve and all later ones.
func (s *dualSimplexSession) giveUp(ctx context.Context) (*Result, error) {
	o := s.options
	o.Backend = nil
	successor, err := s.rescue.Open(s.model, &o)
	if err != nil {
		return nil, err
	}
	s.successor, s.tableau = successor, nil
	return successor.Solve(ctx)
}

// passOn repeats a change in the session of the rescue.
func (s *dualSimplexSession) passOn(err error, change func(Session) error) error {
	if err != nil || s.successor == nil {
		return err
	}
	return change(s.successor)
}

// AddRow checks and appends a row.
func (s *dualSimplexSession) AddRow(r Row) (int, error) {
	index, err := s.draft.AddRow(r)
	return index, s.passOn(err, func(next Session) error { _, err := next.AddRow(r); return err })
}

// SetCost checks and replaces a cost.
func (s *dualSimplexSession) SetCost(column int, cost float64) error {
	return s.passOn(s.draft.SetCost(column, cost), func(next Session) error { return next.SetCost(column, cost) })
}

// SetOffset checks and replaces the constant term.
func (s *dualSimplexSession) SetOffset(offset float64) error {
	return s.passOn(s.draft.SetOffset(offset), func(next Session) error { return next.SetOffset(offset) })
}

// SetRowBounds checks and replaces row bounds.
func (s *dualSimplexSession) SetRowBounds(row int, lower, upper float64) error {
	return s.passOn(s.draft.SetRowBounds(row, lower, upper), func(next Session) error { return next.SetRowBounds(row, lower, upper) })
}

// SetColumnBounds checks and replaces column bounds.
func (s *dualSimplexSession) SetColumnBounds(column int, lower, upper float64) error {
	return s.passOn(s.draft.SetColumnBounds(column, lower, upper), func(next Session) error { return next.SetColumnBounds(column, lower, upper) })
}

// Close drops the model.
func (s *dualSimplexSession) Close() error {
	return errors.Join(s.passOn(nil, Session.Close), s.draft.Close())
}

// infinite reports whether a bound is none.
func infinite(bound float64) bool { return math.IsInf(bound, 0) }
