package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/sparsero/directions/solver/internal/dualsimplex"
	"github.com/sparsero/directions/solver/internal/interior"
	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
	"gonum.org/v1/gonum/floats"
)

// Backend opens engines on models, for several goroutines at once too.
type Backend interface {
	// Open returns an engine for a valid model, or an error for one that the backend does
	// not support, or for options that are nil. In the options of a session every default stands in the place of a zero.
	Open(m *Model, o *Options) (Engine, error)
}

// Engine solves one model. Sessions hold one: they validate, scale and prove, so that an
// engine sees numbers near 1 and no contradictions, and its claims are checked.
type Engine interface {
	// Solve solves the model given to Open as it now stands: since the last call, costs and bounds may have changed and
	// rows may have been appended, and nothing else. A cancelled context or an expired deadline ends it early with
	// status Limit or FeasibleLimit, not with an error.
	Solve(ctx context.Context) (*Result, error)
}

// DualSimplex is a pure-Go backend for linear programs that are solved many times with small changes, above all with rows
// added: the dual simplex method with bound flipping on a dense tableau, followed by the primal method where costs changed.
// It needs no cgo. Integer columns and quadratic objectives give an error matching ErrUnsupported.
//
// A solve starts from the last basis whatever has changed, and one iteration costs O(rows*columns). On dense rows, as robust
// models have them, it is many times faster than codes for sparse programs. Models of more than 2^21 rows*columns end as
// numerical trouble.
//
// Optima are refined against the rows and must meet the conditions of CheckOptimality. What fails the check ends as
// numerical trouble too; a session then goes on with another backend, see Open.
//
// Sources: Koberstein 2005 (bound flipping, cost shifting); Harris 1973.
var DualSimplex Backend = &method{"solver.DualSimplex", "dual simplex (pure Go)", false, func(m *Model, o *Options) solve {
	tableau, tolerances := &dualsimplex.Method{}, o.tolerances()
	return func(spent *program.Budget, r *Result) {
		if !fitsTableau(m) {
			r.Status, r.Detail = NumericalTrouble, "the model is too large for a dense tableau"
			return
		}
		plain := m.Program()
		r.take(m, tableau.Solve(plain, spent, tolerances, func(y []float64) []float64 { return proof.Infeasible(plain, y) }))
	}
}}

func fitsTableau(m *Model) bool { return tableauSize(m) <= dualsimplex.Limit }

func tableauSize(m *Model) int { return len(m.columns) * max(1, len(m.rows)) }

// PureGo is the default backend of programs that do not import solver/highs: it opens linear programs with DualSimplex
// unless they are too large for a dense tableau, and all others with InteriorPoint. Integer columns give an error matching
// ErrUnsupported.
var PureGo Backend = pureGo{}

type pureGo struct{}

// String returns the name of the backend.
func (pureGo) String() string { return "pure Go" }

// Open chooses the backend by the kind and size of the model.
func (pureGo) Open(m *Model, o *Options) (Engine, error) {
	if m != nil && !m.isQuadratic() && fitsTableau(m) {
		return DualSimplex.Open(m, o)
	}
	return InteriorPoint.Open(m, o)
}

// InteriorPoint is a pure-Go backend for convex quadratic programs (linear ones included): Mehrotra's predictor-corrector
// method, then a step to the optimum on the active set that it suggests. It needs no cgo. Integer columns give an error
// matching ErrUnsupported.
//
// One iteration costs O(rows*columns^2 + columns^3) for dense rows, and 10 to 30 iterations are usual; up to about 500
// columns solve within seconds. Sessions keep no warm start. Optima are verified by the conditions of CheckOptimality;
// models without an optimum end as numerical trouble, of which Open finds the reason.
//
// Source: Mehrotra 1992; for the convex quadratic form Gertz and Wright 2003.
var InteriorPoint Backend = &method{"solver.InteriorPoint", "interior point (pure Go)", true, func(m *Model, o *Options) solve {
	tolerances := o.tolerances()
	return func(spent *program.Budget, r *Result) { r.take(m, interior.Solve(m.Program(), spent, tolerances)) }
}}

// method is a backend of this module.
type method struct {
	identifier, name string
	quadratics       bool // whether it takes a quadratic objective
	open             func(m *Model, o *Options) solve
}

// String returns the name of the backend.
func (b *method) String() string { return b.name }

// Open returns an error matching ErrUnsupported for integer columns, and for quadratic objectives that the method does not take.
func (b *method) Open(m *Model, o *Options) (Engine, error) {
	if err := m.checkSupported(b.identifier, b.quadratics, o); err != nil {
		return nil, err
	}
	return &engine{model: m, limit: o.IterationLimit, name: b.name, solve: b.open(m, o)}, nil
}

// highsRemedy is the next step where a pure-Go backend cannot go on.
const highsRemedy = "import github.com/sparsero/directions/solver/highs and build with cgo (CGO_ENABLED=1 and a C++ compiler); it needs HiGHS (make setup in the project's folder; make -s env there tells Go where it is)"

// checkSupported returns the error of a pure-Go backend for a malformed model, integer columns,
// a quadratic objective unless the backend takes one, and missing options.
func (m *Model) checkSupported(backend string, quadratics bool, o *Options) error {
	if err := m.Validate(); err != nil {
		return err
	}
	for j, c := range m.columns {
		if c.Integer {
			return unsupported{backend, fmt.Sprintf("an integer variable (%s)", m.ColumnName(j)), highsRemedy}
		}
	}
	if m.isQuadratic() && !quadratics {
		return unsupported{backend, "a quadratic objective", "use solver.InteriorPoint"}
	}
	if o == nil {
		return errors.New("solver: the options of a backend are nil; give all that count, tolerances included, or use solver.Open, which fills in defaults")
	}
	return nil
}

// unsupported is an error of ErrUnsupported that says which feature of a model a backend cannot handle, and the next step.
type unsupported struct{ backend, feature, next string }

// Error returns backend, feature and next step in one sentence.
func (e unsupported) Error() string {
	return fmt.Sprintf("solver: %s cannot solve a model with %s; %s", e.backend, e.feature, e.next)
}

// Unwrap returns the sentinel.
func (e unsupported) Unwrap() error { return ErrUnsupported }

var registered atomic.Pointer[Backend]

// SetDefault makes b the backend of Open and Solve where Options name none, and returns the
// one before. Importing solver/highs calls it. A nil b restores PureGo.
func SetDefault(b Backend) Backend {
	before := defaultBackend()
	registered.Store(&b)
	return before
}

func defaultBackend() Backend {
	if b := registered.Load(); b != nil && *b != nil {
		return *b
	}
	return PureGo
}

// engine runs a method of this module on a model.
type engine struct {
	model *Model
	limit int // of iterations, 0 for none
	name  string
	solve solve
}

type solve func(*program.Budget, *Result)

// Solve fills in a result within the limits of the options.
func (e *engine) Solve(ctx context.Context) (*Result, error) {
	spent := &program.Budget{Context: ctx, Most: e.limit}
	result := newResult(e.model, e.name)
	e.solve(spent, result)
	result.Iterations += spent.Iterations
	if result.Status == Limit {
		result.Cause = cmp.Or(ctx.Err(), ErrLimit)
	}
	return result, nil
}

// take fills in what a method found, duals in the model's sense.
func (r *Result) take(m *Model, a program.Answer) {
	switch a.Outcome {
	case program.Optimal:
		floats.Scale(m.sign(), a.RowDuals)
		floats.Scale(m.sign(), a.ColumnDuals)
		r.Status, r.X, r.RowDuals, r.ColumnDuals = Optimal, a.X, a.RowDuals, a.ColumnDuals
		r.Objective = m.Objective(a.X)
	case program.Infeasible:
		r.Status, r.Farkas = Infeasible, a.Farkas
		r.Detail = "no point within the bounds satisfies some combination of the rows"
	case program.NoOptimum:
		r.Status = InfeasibleOrUnbounded
	case program.Stopped:
		r.Status = Limit
	case program.Failed:
		r.Status = NumericalTrouble
	}
}
