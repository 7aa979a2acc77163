// Package budget says when a solve has to end.
package budget

import (
	"context"
	"sync/atomic"
	"time"
)

// Budget is what one solve may spend: a context, which may end early, and iterations.
type Budget struct {
	// Context ends with the one it was made from, or when the time limit passes.
	Context context.Context
	// Iterations counts what has been spent.
	Iterations int

	parent     context.Context
	cancel     context.CancelFunc
	unhook     func() bool
	stop       atomic.Bool
	limit      int
	limitCause error
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
	b := &Budget{Context: parent, parent: parent, cancel: func() {}, limit: l.Iterations, limitCause: l.IterationCause}
	if l.Time > 0 {
		b.Context, b.cancel = context.WithTimeoutCause(parent, l.Time, l.TimeCause)
	}
	b.stop.Store(b.Context.Err() != nil)
	b.unhook = context.AfterFunc(b.Context, func() { b.stop.Store(true) })
	return b
}

// Release frees the timer.
func (b *Budget) Release() {
	b.unhook()
	b.cancel()
}

// Exhausted reports whether the solve has to end.
func (b *Budget) Exhausted() bool {
	return b.stop.Load() || (b.limit > 0 && b.Iterations >= b.limit)
}

// Cause says what ended the solve.
func (b *Budget) Cause() error {
	if b.Context.Err() == nil {
		return b.limitCause
	}
	if err := b.parent.Err(); err != nil {
		return err
	}
	return context.Cause(b.Context)
}
