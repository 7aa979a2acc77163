package attack

import (
	"context"
	"sync/atomic"
)

// fuse is a context that ends when it has been asked some times whether it has: a cancel at a moment that does not depend
// on the clock.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newFuse(parent context.Context, questions int) *fuse {
	f := &fuse{}
	f.Context, f.cancel = context.WithCancel(parent)
	f.left.Store(int64(questions))
	return f
}

func (f *fuse) Err() error {
	if f.left.Add(-1) < 0 {
		f.cancel()
	}
	return f.Context.Err()
}

// cancelledChecks are the parts whose work may be cut short with a result.
var cancelledChecks = []func(*judge){
	checkSolve, checkSolveFull, checkDesign, checkUniform, checkSolvers, checkSelection, checkExplainFull,
}

// checkCancelled lets one of the parts run with a context that ends midway. Whatever is said then must hold.
func checkCancelled(j *judge) {
	number := len(j.problem.Atoms) + 3*len(j.problem.Columns) + 5*len(j.problem.Rows) + 7*len(j.problem.Probes) + 11*j.problem.dimension()
	whole := *j.library
	defer func() { j.library, j.prefix = &whole, "" }()
	part := whole
	end := newFuse(whole.context, number*number%47)
	defer end.cancel()
	part.context = end
	j.library, j.prefix = &part, "cancelled: "
	cancelledChecks[number%len(cancelledChecks)](j)
}
