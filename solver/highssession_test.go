//go:build cgo

package solver_test

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"pgregory.net/rapid"
)

// TestSessionsFollowChanges: after any sequence of changes a session of any
// backend gives what a fresh solve of the changed model gives.
func TestSessionsFollowChanges(t *testing.T) {
	useHighs(t)
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		small := rapid.IntRange(-3, 3)
		var sessions []*solver.Session
		for _, b := range []solver.Backend{solver.Exact, solver.DualSimplex, highs.Backend{}} {
			session, err := solver.Open(m, &solver.Options{Backend: b})
			if err != nil {
				t.Fatal(err)
			}
			sessions = append(sessions, session)
		}
		inside := make([]float64, m.Columns())
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				change(t, m, inside, small)
			}
			want := solveWith(t, m, highs.Backend{})
			for _, session := range sessions {
				got, err := session.Solve(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if got.Status != want.Status || math.Abs(got.Objective-want.Objective) > 1e-6*(1+math.Abs(want.Objective)) {
					t.Fatalf("session: %v\nfresh: %v", got, want)
				}
				if got.Status == solver.Optimal {
					checkOptimum(t, m, got, 1e-6)
				}
			}
		}
	})
}

// change applies one random change to the model.
func change(t *rapid.T, m *solver.Model, inside []float64, small *rapid.Generator[int]) {
	kind := rapid.SampledFrom([]string{"row", "row", "cost", "offset", "row bounds", "column bounds"}).Draw(t, "change")
	column := rapid.IntRange(0, m.Columns()-1).Draw(t, "column")
	lower := float64(small.Draw(t, "lower"))
	upper := lower + float64(rapid.IntRange(-1, 4).Draw(t, "width"))
	switch kind {
	case "row":
		m.AddRow(drawnRow(t, m, inside, small))
	case "cost":
		m.SetCost(column, lower)
	case "offset":
		m.SetOffset(lower)
	case "column bounds":
		m.SetColumnBounds(column, solver.Between(lower, upper))
	case "row bounds":
		if m.Rows() == 0 {
			return
		}
		m.SetRowBounds(rapid.IntRange(0, m.Rows()-1).Draw(t, "which row"), solver.Between(lower, upper))
	}
}

// TestWarmStart: after rows are added, a session of the dual simplex method needs fewer
// iterations than a solve from scratch.
func TestWarmStart(t *testing.T) {
	useHighs(t)
	const columns, first, added = 30, 150, 10
	for _, b := range []solver.Backend{solver.DualSimplex} {
		cuts := drawnCuts(columns, first+added, 1)
		m := worstCase(columns, cuts[:first])
		session, err := solver.Open(m, &solver.Options{Backend: b})
		if err != nil {
			t.Fatal(err)
		}
		if res, err := session.Solve(context.Background()); err != nil || res.Check() != nil {
			t.Fatal(res, err)
		}
		for _, row := range cuts[first:] {
			m.AddRow(row)
		}
		warm, err := session.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		cold := solveWith(t, worstCase(columns, cuts), b)
		if warm.Check() != nil || math.Abs(warm.Objective-cold.Objective) > 1e-7 {
			t.Fatalf("warm %v\ncold %v", warm, cold)
		}
		t.Logf("%v: %d iterations warm, %d cold", b, warm.Iterations, cold.Iterations)
		if 2*warm.Iterations >= cold.Iterations {
			t.Errorf("%v: %d iterations warm, %d cold", b, warm.Iterations, cold.Iterations)
		}
	}
}

// TestCancellation: a cancelled context ends a long solve soon, with a status
// instead of an error, and the session can go on.
func TestCancellation(t *testing.T) {
	useHighs(t)
	m := hardKnapsack(80, 20)
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	start := time.Now()
	res, err := session.Solve(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if elapsed := time.Since(start); elapsed > patience {
		t.Errorf("returned after %v", elapsed)
	}
	if res.Status != solver.FeasibleLimit && res.Status != solver.Limit {
		t.Errorf("got %v", res)
	}
	if err := res.Check(); !errors.Is(err, context.Canceled) || !errors.Is(err, solver.ErrLimit) {
		t.Errorf("Check: %v", err)
	}
	if res, err := session.Solve(ctx); err != nil || res.Status != solver.Limit {
		t.Errorf("solve with a context that is done: %v, %v", res, err)
	}
	// Drop the hard part; the next solve must not remember the interrupt.
	for j := range 80 {
		m.SetColumnBounds(j, solver.Equal(0))
	}
	if res, err := session.Solve(context.Background()); err != nil || res.Status != solver.Optimal || res.Objective != 0 {
		t.Errorf("solve after a cancelled one: %v, %v", res, err)
	}
}

// TestCancellationOfLinearProgram: the simplex method is interrupted too.
func TestCancellationOfLinearProgram(t *testing.T) {
	useHighs(t)
	m := worstCase(400, drawnCuts(400, 1200, 1))
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	res, err := solver.Solve(ctx, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if elapsed := time.Since(start); elapsed > patience {
		t.Errorf("returned after %v", elapsed)
	}
	if res.X != nil && res.Status != solver.FeasibleLimit || !errors.Is(res.Check(), context.DeadlineExceeded) {
		t.Errorf("got %v", res)
	}
}

func TestDeadline(t *testing.T) {
	useHighs(t)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	res, err := solver.Solve(ctx, hardKnapsack(80, 20), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := res.Check(); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, solver.ErrLimit) {
		t.Errorf("Check: %v", err)
	}
}

func TestIterationAndNodeLimits(t *testing.T) {
	useHighs(t)
	res := solve(t, worstCase(30, drawnCuts(30, 150, 1)), &solver.Options{IterationLimit: 3})
	if res.X != nil || !errors.Is(res.Cause, solver.ErrLimit) {
		t.Errorf("iteration limit: %v", res)
	}
	res = solve(t, hardKnapsack(40, 10), &solver.Options{NodeLimit: 3})
	if !errors.Is(res.Cause, solver.ErrLimit) {
		t.Errorf("node limit: %v", res)
	}
}

// TestRelativeGap: a loose gap ends earlier and the result says how loose.
func TestRelativeGap(t *testing.T) {
	useHighs(t)
	res := solve(t, hardKnapsack(80, 20), &solver.Options{RelativeGap: 0.05})
	if res.Status != solver.Optimal || res.Gap > 0.05 || !(provenOf(res) >= res.Objective) {
		t.Errorf("gap 5%%: %v", res)
	}
}

// TestConcurrentSolves runs sessions side by side; go test -race watches.
func TestConcurrentSolves(t *testing.T) {
	useHighs(t)
	m := worstCase(20, drawnCuts(20, 60, 1))
	want := solve(t, m, nil).Objective
	var group sync.WaitGroup
	for worker := range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 10 {
				res, err := solver.Solve(context.Background(), m, nil)
				if err != nil || math.Abs(res.Objective-want) > 1e-7 {
					t.Errorf("worker %d: %v, %v", worker, res, err)
				}
			}
		}()
	}
	group.Wait()
}

// patience bounds the time to notice an interrupt on a machine that does other
// work at the same moment; the models that are interrupted take far longer.
const patience = time.Minute

// TestDeterminism: the same model, options and seed give the same bits.
func TestDeterminism(t *testing.T) {
	if testing.Short() {
		t.Skip("searches a tree twice")
	}
	useHighs(t)
	m := hardKnapsack(25, 5)
	first := solve(t, m, &solver.Options{Seed: 3})
	second := solve(t, m, &solver.Options{Seed: 3})
	for j := range first.X {
		if first.X[j] != second.X[j] || first.Nodes != second.Nodes || first.Iterations != second.Iterations {
			t.Fatalf("two runs differ: %v, %v", first, second)
		}
	}
}

// TestGoroutinesEnd: no goroutine is left behind by finished solves.
func TestGoroutinesEnd(t *testing.T) {
	useHighs(t)
	before := runtime.NumGoroutine()
	for range 50 {
		mustBeOptimal(t, oneRow(), 2)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}
