package solver

import "context"

// Backend opens engines on models, for several goroutines at once too.
type Backend interface {
	// Open returns an engine for a valid model, or an error for one that the backend does
	// not support, or for options that are nil. In the options of a session every default stands in the place of a zero.
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
