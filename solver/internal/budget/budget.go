// Package budget says when a solve has to end.
package budget

import (
	"context"
	"errors"
	"time"
)

// What Cause returns where it is not the context that ended a solve.
var (
	ErrTimeLimit      = errors.New("solver: time limit passed")
	ErrIterationLimit = errors.New("solver: iteration or node limit reached")
)

// Budget is what one solve may spend: a context, which may end early, and iterations.
type Budget struct {
	// Context ends with the one it was made from, or when the time limit passes.
	Context context.Context
	// Release frees the timer.
	Release context.CancelFunc
	// Iterations counts what has been spent.
	Iterations int

	parent context.Context
	most   int // iterations
}

// New starts a budget of some time and iterations; 0 means no limit. Release it.
func New(parent context.Context, limit time.Duration, iterations int) *Budget {
	b := &Budget{Context: parent, Release: func() {}, parent: parent, most: iterations}
	if limit > 0 {
		b.Context, b.Release = context.WithTimeoutCause(parent, limit, ErrTimeLimit)
	}
	return b
}

// Exhausted reports whether the solve has to end.
func (b *Budget) Exhausted() bool {
	return b.Context.Err() != nil || b.most > 0 && b.Iterations >= b.most
}

// Cause says what ended the solve.
func (b *Budget) Cause() error {
	if b.Context.Err() == nil {
		return ErrIterationLimit
	}
	if err := b.parent.Err(); err != nil {
		return err
	}
	return context.Cause(b.Context)
}
