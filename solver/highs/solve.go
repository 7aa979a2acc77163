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
	"github.com/sparsero/directions/solver/internal/budget"
)

// interruptGrace is how long Solve waits for HiGHS to notice an interrupt
// before it leaves the run behind. HiGHS notices within milliseconds in the
// simplex method and in branch and bound, but not in presolve.
const interruptGrace = time.Second

// outcome is what one run of HiGHS gave, in HiGHS's own rows and minimising.
type outcome struct {
	status                solver.Status
	cause                 error     // of a limit
	x                     []float64 // nil when there is no feasible point
	rowDuals, columnDuals []float64 // nil when there are none
	iterations, nodes     int
	err                   error // a failure of the library, not a status
}

// Solve hands the model over and runs HiGHS.
func (s *engine) Solve(ctx context.Context) (*solver.Result, error) {
	spent := budget.New(ctx, s.options.TimeLimit, 0)
	defer spent.Release()
	result, _ := s.answer(outcome{status: solver.Limit})
	iterations, nodes := 0, 0
	for _, attempt := range attempts {
		if spent.Context.Err() != nil {
			break
		}
		out, err := s.run(spent.Context, attempt)
		if err != nil {
			return nil, err
		}
		iterations, nodes = iterations+out.iterations, nodes+out.nodes
		var verified bool
		result, verified = s.answer(out)
		// A claim of presolve alone that there is no optimum is not believed.
		if verified && (out.iterations > 0 || out.nodes > 0 || result.Status.HasPoint() || !attempt.presolve) {
			break
		}
	}
	result.Iterations, result.Nodes = iterations, nodes
	if (result.Status == solver.Limit || result.Status == solver.FeasibleLimit) && spent.Context.Err() != nil {
		result.Cause = spent.Cause()
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

// run solves once on a worker and waits for it, for the context, and then for
// interruptGrace.
func (s *engine) run(ctx context.Context, a attempt) (outcome, error) {
	n, err := s.build(a)
	if err != nil {
		return outcome{}, err
	}
	seconds := math.Inf(1)
	if deadline, ok := ctx.Deadline(); ok {
		seconds = math.Max(0, time.Until(deadline).Seconds())
	}
	if err := n.raw.SetFloat64Option("time_limit", seconds); err != nil {
		n.free()
		return outcome{}, err
	}
	done := make(chan outcome, 1)
	integer := s.model.IsInteger()
	go func() { done <- n.run(integer) }()
	select {
	case out := <-done:
		n.free()
		if out.cause == solver.ErrTimeLimit {
			<-ctx.Done() // the clock of HiGHS can be a moment ahead of the context's timer
		}
		return out, nil
	case <-ctx.Done():
	}
	n.interrupt()
	grace := time.NewTimer(interruptGrace)
	defer grace.Stop()
	select {
	case out := <-done:
		n.free()
		return out, nil
	case <-grace.C: // the run is left behind
		go func() {
			<-done
			n.free()
		}()
		return outcome{status: solver.Limit, cause: solver.ErrTimeLimit}, nil
	}
}

// run runs HiGHS in the calling goroutine and reads what it found.
func (n *native) run(integer bool) outcome {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	solution, err := n.raw.Solve()
	var call binding.CallStatus
	if status, _ := n.status(); status == solver.NumericalTrouble && errors.As(err, &call) && !call.IsWarning() {
		forgetThreads() // HiGHS keeps the number of threads of the first solve here
		solution, err = n.raw.Solve()
	}
	out := outcome{x: n.point()}
	out.status, out.cause = n.status()
	if err == nil {
		out.rowDuals, out.columnDuals = solution.RowDual, solution.ColumnDual
	} else if !errors.As(err, &call) || !call.IsWarning() {
		out.err = err
	}
	for _, name := range []string{"simplex_iteration_count", "ipm_iteration_count"} {
		out.iterations += max(0, n.intInfo(name)) // -1 where none were made
	}
	if integer {
		out.nodes = max(0, n.int64Info("mip_node_count"))
	}
	return out
}
