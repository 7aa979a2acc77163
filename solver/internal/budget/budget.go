// Package budget says when a solve has to end.
package budget

import (
	"context"
	"time"
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
	limits Limits
}

// Limits bound a solve besides its context; 0 means none. The causes are what Cause returns
// once a limit is reached.
type Limits struct {
	Time                      time.Duration
	Iterations                int
	TimeCause, IterationCause error
}

// New starts a budget. Release it.
func New(parent context.Context, l Limits) *Budget {
	b := &Budget{Context: parent, Release: func() {}, parent: parent, limits: l}
	if l.Time > 0 {
		b.Context, b.Release = context.WithTimeoutCause(parent, l.Time, l.TimeCause)
	}
	return b
}

// Exhausted reports whether the solve has to end.
func (b *Budget) Exhausted() bool {
	return b.Context.Err() != nil || b.limits.Iterations > 0 && b.Iterations >= b.limits.Iterations
}

// Cause says what ended the solve.
func (b *Budget) Cause() error {
	if b.Context.Err() == nil {
		return b.limits.IterationCause
	}
	if err := b.parent.Err(); err != nil {
		return err
	}
	return context.Cause(b.Context)
}
