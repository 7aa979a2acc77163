package solver

import (
	"context"
	"sync/atomic"
)

// run is the budget of one call of Solve: what may stop it, and how many
// iterations it has spent.
type run struct {
	ctx        context.Context
	cancel     context.CancelFunc
	parent     context.Context
	stop       atomic.Bool
	unhook     func() bool
	iterations int
	limit      int // iteration limit, 0 for none
	seed       uint64
	tolerances tolerances
}

// tolerances are the user's, absolute.
type tolerances struct{ feasibility, optimality float64 }

func newRun(parent context.Context, o *Options) *run {
	r := &run{
		ctx: parent, parent: parent, cancel: func() {}, limit: o.IterationLimit, seed: uint64(o.Seed),
		tolerances: tolerances{o.FeasibilityTolerance, o.OptimalityTolerance},
	}
	if o.TimeLimit > 0 {
		r.ctx, r.cancel = context.WithTimeoutCause(parent, o.TimeLimit, ErrTimeLimit)
	}
	r.stop.Store(r.ctx.Err() != nil)
	r.unhook = context.AfterFunc(r.ctx, func() { r.stop.Store(true) })
	return r
}

func (r *run) release() {
	r.unhook()
	r.cancel()
}

// exhausted reports whether the run has to end.
func (r *run) exhausted() bool {
	return r.stop.Load() || (r.limit > 0 && r.iterations >= r.limit)
}

// cause says what ended the run.
func (r *run) cause() error {
	if r.ctx.Err() == nil {
		return ErrIterationLimit
	}
	if err := r.parent.Err(); err != nil {
		return err
	}
	return context.Cause(r.ctx)
}
