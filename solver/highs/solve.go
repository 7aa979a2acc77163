//go:build cgo

package highs

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
)

// interruptGrace is how long Solve waits for HiGHS to notice an interrupt before it leaves the run behind. HiGHS
// notices within milliseconds in the simplex method and in branch and bound, but not in presolve.
const interruptGrace = time.Second

// Solve hands the model over and runs HiGHS.
func (s *engine) Solve(ctx context.Context) (*solver.Result, error) {
	result, iterations, nodes := unknown(solver.Limit, nil), 0, 0
	for _, attempt := range attempts {
		if ctx.Err() != nil {
			break
		}
		var err error
		if result, err = s.run(ctx, attempt); err != nil {
			return nil, err
		}
		iterations, nodes = iterations+result.Iterations, nodes+result.Nodes
		// A claim of presolve alone that there is no optimum is not believed.
		if s.verified(result) && (result.Iterations > 0 || result.Nodes > 0 || result.X != nil || !attempt.presolve) {
			break
		}
	}
	result.Model, result.Iterations, result.Nodes = s.model.String(), iterations, nodes
	if (result.Status == solver.Limit || result.Status == solver.FeasibleLimit) && ctx.Err() != nil {
		result.Cause = ctx.Err()
	}
	return result, nil
}

// attempt is a way to run HiGHS. Those behind the first are for runs that ended without a
// status or whose answer failed the checks.
type attempt struct {
	presolve bool // for linear programs
	strategy int  // simplex_strategy: 1 dual, 4 primal
}

var attempts = []attempt{{true, 1}, {false, 1}, {false, 4}}

// prepare sets the options of an attempt.
func (a attempt) prepare(raw *binding.RawModel, m *solver.Model) error {
	presolve := "off"
	if a.presolve && !m.IsInteger() {
		presolve = "choose"
	}
	if err := raw.SetStringOption("presolve", presolve); err != nil {
		return err
	}
	return raw.SetIntOption("simplex_strategy", a.strategy)
}

// run solves once on a worker and waits for it, for the context, and then for interruptGrace.
func (s *engine) run(ctx context.Context, a attempt) (*solver.Result, error) {
	n, err := s.build(a)
	if err != nil {
		return nil, err
	}
	seconds := math.Inf(1)
	if deadline, ok := ctx.Deadline(); ok {
		seconds = math.Max(0, time.Until(deadline).Seconds())
	}
	if err := n.raw.SetFloat64Option("time_limit", seconds); err != nil {
		n.free()
		return nil, err
	}
	done := make(chan *solver.Result, 1)
	integer := s.model.IsInteger()
	go func() { done <- n.run(integer) }()
	select {
	case result := <-done:
		n.free()
		if result.Cause == context.DeadlineExceeded {
			<-ctx.Done() // the clock of HiGHS can be a moment ahead of the context's timer
		}
		return result, nil
	case <-ctx.Done():
	}
	n.interrupt()
	grace := time.NewTimer(interruptGrace)
	defer grace.Stop()
	select {
	case result := <-done:
		n.free()
		return result, nil
	case <-grace.C: // the run is left behind
		go func() {
			<-done
			n.free()
		}()
		return unknown(solver.Limit, ctx.Err()), nil
	}
}

// run runs HiGHS in the calling goroutine and reads what it found, in HiGHS's own rows.
func (n *native) run(integer bool) *solver.Result {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	solution, err := n.raw.Solve()
	var call binding.CallStatus
	if status, _ := n.status(); status == solver.NumericalTrouble && errors.As(err, &call) && !call.IsWarning() {
		forgetThreads() // HiGHS keeps the number of threads of the first solve here
		solution, err = n.raw.Solve()
	}
	result := unknown(n.status())
	result.X = n.point()
	if err == nil {
		result.RowDuals, result.ColumnDuals = solution.RowDual, solution.ColumnDual
	} else if result.Status == solver.NumericalTrouble && (!errors.As(err, &call) || !call.IsWarning()) {
		result.Detail = err.Error()
	}
	for _, name := range []string{"simplex_iteration_count", "ipm_iteration_count"} {
		result.Iterations += max(0, n.info(name)) // -1 where none were made
	}
	if integer {
		result.Nodes = max(0, n.info("mip_node_count"))
	}
	return result
}
