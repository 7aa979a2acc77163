package solver

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// Default tolerances and gaps, used where an Options field is 0.
const (
	// DefaultFeasibilityTolerance is how much a bound or row may be violated.
	DefaultFeasibilityTolerance = 1e-7
	// DefaultOptimalityTolerance is how much a dual bound may be violated.
	DefaultOptimalityTolerance = 1e-7
	// DefaultRelativeGap is the gap at which an integer model counts as solved.
	DefaultRelativeGap = 1e-6
)

// What can stop a solve besides the context; found in Result.Cause.
var (
	// ErrTimeLimit: Options.TimeLimit passed.
	ErrTimeLimit = errors.New("solver: time limit passed")
	// ErrIterationLimit: Options.IterationLimit or NodeLimit was reached.
	ErrIterationLimit = errors.New("solver: iteration or node limit reached")
	// ErrUnproven: the backend calls its answer optimal, but Bound, which is proven
	// apart from the backend, is farther away than the tolerance or the requested gap.
	ErrUnproven = errors.New("solver: the optimum is not proven")
)

// Options adjusts a session. The zero value works; nil means the zero value.
type Options struct {
	// TimeLimit bounds the wall time of each single solve; 0 means none. The
	// deadline of the context counts too, whichever is earlier.
	TimeLimit time.Duration
	// RelativeGap is the gap, relative to the size of the objective's terms, at which an
	// integer model counts as optimal, in [0, 1); 0 means DefaultRelativeGap (1e-6), a
	// negative value asks for a proof without gap.
	RelativeGap float64
	// FeasibilityTolerance and OptimalityTolerance are tolerances in (0, 0.01],
	// meant for a model that is scaled until its numbers are near 1; 0 means 1e-7 each.
	FeasibilityTolerance, OptimalityTolerance float64
	// IterationLimit bounds the simplex iterations and NodeLimit the
	// branch-and-bound nodes of each solve; 0 means none.
	IterationLimit, NodeLimit int
	// Threads is the number of threads a solve may use; 0 means 1, which makes
	// solves reproducible and lets callers run many models side by side.
	Threads int
	// Seed starts the solver's pseudo-random numbers, 0 or more; the same seed
	// gives the same result.
	Seed int
	// Backend overrides the default backend; nil means Default().
	Backend Backend
}

// Validate returns an error naming the first field outside its range.
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	bad := func(field string, value any, next string) error {
		return fmt.Errorf("solver: option %s is %v; %s", field, value, next)
	}
	switch {
	case o.TimeLimit < 0:
		return bad("TimeLimit", o.TimeLimit, "use 0 for no limit")
	case math.IsNaN(o.RelativeGap) || o.RelativeGap >= 1:
		return bad("RelativeGap", o.RelativeGap, "use a value below 1")
	case !inTolerance(o.FeasibilityTolerance):
		return bad("FeasibilityTolerance", o.FeasibilityTolerance, "use a value in (0, 0.01] or 0 for the default")
	case !inTolerance(o.OptimalityTolerance):
		return bad("OptimalityTolerance", o.OptimalityTolerance, "use a value in (0, 0.01] or 0 for the default")
	case o.IterationLimit < 0:
		return bad("IterationLimit", o.IterationLimit, "use 0 for no limit")
	case o.NodeLimit < 0:
		return bad("NodeLimit", o.NodeLimit, "use 0 for no limit")
	case o.Threads < 0:
		return bad("Threads", o.Threads, "use 0 for one thread")
	case o.Seed < 0 || o.Seed > math.MaxInt32:
		return bad("Seed", o.Seed, "use a value from 0 to 2147483647")
	}
	return nil
}

func inTolerance(v float64) bool { return v == 0 || (v >= 1e-10 && v <= 1e-2) }

// Filled returns a copy of the options with every default put in place of a
// zero, for backends.
func (o *Options) Filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.RelativeGap == 0 {
		f.RelativeGap = DefaultRelativeGap
	}
	f.RelativeGap = math.Max(0, f.RelativeGap)
	if f.FeasibilityTolerance == 0 {
		f.FeasibilityTolerance = DefaultFeasibilityTolerance
	}
	if f.OptimalityTolerance == 0 {
		f.OptimalityTolerance = DefaultOptimalityTolerance
	}
	if f.Threads == 0 {
		f.Threads = 1
	}
	return f
}

// Backend opens sessions on models. Implementations must copy what they need:
// later changes of the model do not reach the session.
type Backend interface {
	// Open validates model and options and returns a session, or an error for
	// a malformed or unsupported model.
	Open(m *Model, o *Options) (Session, error)
}

// Session is a model inside a solver. It can be changed between solves, and
// each solve starts from what the one before has learned (for linear programs,
// from its basis). A session belongs to one goroutine at a time; different
// sessions may run side by side.
type Session interface {
	// AddRow appends a row and returns its index.
	AddRow(r Row) (int, error)
	// SetCost replaces the linear objective coefficient of a column.
	SetCost(column int, cost float64) error
	// SetOffset replaces the constant term of the objective.
	SetOffset(offset float64) error
	// SetRowBounds replaces the bounds of a row; (-Inf, +Inf) switches it off.
	SetRowBounds(row int, lower, upper float64) error
	// SetColumnBounds replaces the bounds of a column.
	SetColumnBounds(column int, lower, upper float64) error
	// Solve solves the model as it now stands. A cancelled context or an
	// expired deadline ends it early with status Limit or FeasibleLimit, not
	// with an error.
	Solve(ctx context.Context) (*Result, error)
	// Close releases the solver's memory. Further calls return ErrClosed;
	// closing twice is harmless.
	Close() error
}

var defaultBackend = struct {
	sync.RWMutex
	backend Backend
}{backend: PureGo{}}

// SetDefault makes b the backend of Open and Solve where Options name none.
// Importing solver/highs calls it. A nil b restores PureGo.
func SetDefault(b Backend) {
	if b == nil {
		b = PureGo{}
	}
	defaultBackend.Lock()
	defer defaultBackend.Unlock()
	defaultBackend.backend = b
}

// Default returns the backend that Open and Solve use where Options name none.
func Default() Backend {
	defaultBackend.RLock()
	defer defaultBackend.RUnlock()
	return defaultBackend.backend
}

// PureGo is the default backend of programs that do not import solver/highs: it
// opens linear programs with DualSimplex unless they are too large for a dense
// tableau, and all others with InteriorPoint. Integer columns give an error
// matching ErrUnsupported.
type PureGo struct{}

// String returns the name of the backend.
func (PureGo) String() string { return "pure Go" }

// Open chooses the backend by the kind and size of the model.
func (PureGo) Open(m *Model, o *Options) (Session, error) {
	if m != nil && !m.IsQuadratic() && tableauSize(m) <= tableauLimit {
		return DualSimplex{}.Open(m, o)
	}
	return fromScratch{}.Open(m, o)
}

// Solve opens a session, solves once and closes it. Infeasible, unbounded and
// stopped models are no errors but results with a status; Result.Check turns
// them into errors.
func Solve(ctx context.Context, m *Model, o *Options) (*Result, error) {
	session, err := Open(m, o)
	if err != nil {
		return nil, err
	}
	result, err := session.Solve(ctx)
	return result, errors.Join(err, session.Close())
}
