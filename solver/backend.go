package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/sparsero/directions/solver/internal/budget"
	"github.com/sparsero/directions/solver/internal/program"
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
	ErrTimeLimit = budget.ErrTimeLimit
	// ErrIterationLimit: Options.IterationLimit or NodeLimit was reached.
	ErrIterationLimit = budget.ErrIterationLimit
	// ErrUnproven: the backend calls its answer optimal, but Bound, which is proven
	// apart from the backend, is farther away than the tolerance or the requested gap.
	ErrUnproven = errors.New("solver: the optimum is not proven")
)

// Options adjusts a session. The zero value works; nil means the zero value. They are only
// read, so that several goroutines may share them.
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
	f.RelativeGap = math.Max(0, cmp.Or(f.RelativeGap, DefaultRelativeGap))
	f.FeasibilityTolerance = cmp.Or(f.FeasibilityTolerance, DefaultFeasibilityTolerance)
	f.OptimalityTolerance = cmp.Or(f.OptimalityTolerance, DefaultOptimalityTolerance)
	return f
}

// tolerances are those of the options, which are filled.
func (o *Options) tolerances() program.Tolerances {
	return program.Tolerances{Feasibility: o.FeasibilityTolerance, Optimality: o.OptimalityTolerance}
}

// budget is what the options leave one solve. Release it.
func (o *Options) budget(ctx context.Context) *budget.Budget {
	return budget.New(ctx, o.TimeLimit, o.IterationLimit)
}

// Backend opens engines on models, for several goroutines at once too.
type Backend interface {
	// Open returns an engine for a valid model, or an error for one that the backend does
	// not support.
	Open(m *Model, o *Options) (Engine, error)
}

// Engine solves one model. Sessions hold one: they validate, scale and prove, so that an
// engine sees numbers near 1 and no contradictions, and its claims are checked.
type Engine interface {
	// Solve solves the model given to Open as it now stands: since the last call, costs and
	// bounds may have changed and rows may have been appended, and nothing else. A
	// cancelled context or an expired deadline ends it early with status Limit or
	// FeasibleLimit, not with an error.
	Solve(ctx context.Context) (*Result, error)
	// Close releases what the engine holds.
	Close() error
}

var defaultBackend atomic.Pointer[Backend]

// SetDefault makes b the backend of Open and Solve where Options name none.
// Importing solver/highs calls it. A nil b restores PureGo.
func SetDefault(b Backend) { defaultBackend.Store(&b) }

// Default returns the backend that Open and Solve use where Options name none.
func Default() Backend {
	if b := defaultBackend.Load(); b != nil && *b != nil {
		return *b
	}
	return PureGo{}
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
