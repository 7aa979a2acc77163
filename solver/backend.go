package solver

import (
	"context"
	"errors"
	"sync/atomic"
)

// What can stop a solve besides the context; found in Result.Cause.
var (
	// ErrIterationLimit: Options.IterationLimit or NodeLimit was reached.
	ErrIterationLimit = errors.New("solver: iteration or node limit reached")
	// ErrUnproven: the backend calls its answer optimal, but Bound, which is proven
	// apart from the backend, is farther away than the tolerance or the requested gap. A
	// continuous model is FeasibleLimit then; an integer one stays Optimal, because the
	// proof of larger ones takes more nodes than it is given, and so does a continuous one
	// without any bound, if no ray speaks against it.
	ErrUnproven = errors.New("solver: the optimum is not proven")
)

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

// Solve opens a session and solves once. Infeasible, unbounded and
// stopped models are no errors but results with a status; Result.Check turns
// them into errors.
func Solve(ctx context.Context, m *Model, o *Options) (*Result, error) {
	session, err := Open(m, o)
	if err != nil {
		return nil, err
	}
	return session.Solve(ctx)
}
