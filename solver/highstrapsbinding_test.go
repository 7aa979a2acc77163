//go:build cgo

package solver_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
)

// Each test below is about one trap of github.com/lanl/highs v1.0.0 or of the
// library. Where the unshielded call can be shown safely, the test shows that
// it still goes wrong: when that part fails after an upgrade, the shield may
// have become unnecessary.

const stressVariable = "SOLVER_HIGHS_STRESS"

// TestTrapUseAfterFree solves under a garbage collector that never rests, in a
// process of its own since the unshielded call can kill the process.
//
// Seen to fail without the shield: the same child with binding.Model.Solve,
//
//	for i in 1 2 3 4 5; do SOLVER_HIGHS_STRESS=unshielded go test -count=1 -run TestTrapUseAfterFree . ; done
//
// ends with "GetIntInfo failed with an error" or SIGSEGV in about every second run.
func TestTrapUseAfterFree(t *testing.T) {
	useHighs(t)
	switch os.Getenv(stressVariable) {
	case "shielded":
		stress(t, solveShielded)
		return
	case "unshielded":
		stress(t, solveUnshielded)
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestTrapUseAfterFree$")
	child.Env = append(os.Environ(), stressVariable+"=shielded", "GOGC=1")
	if output, err := child.CombinedOutput(); err != nil {
		t.Fatalf("solves under garbage collection: %v\n%s", err, output)
	}
}

// stress solves in four goroutines while a fifth collects garbage.
func stress(t *testing.T, solveOnce func() error) {
	done := make(chan struct{})
	failures := make(chan error, 4)
	go func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for range cap(failures) {
		go func() {
			var err error
			for start := time.Now(); err == nil && time.Since(start) < 2*time.Second; {
				err = solveOnce()
			}
			failures <- err
		}()
	}
	for range cap(failures) {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	close(done)
}

func solveShielded() error {
	res, err := solver.Solve(context.Background(), oneRow(), nil)
	if err != nil {
		return err
	}
	if math.Abs(res.Objective-2) > 1e-7 {
		return fmt.Errorf("wrong answer: %v", res)
	}
	return res.Check()
}

func solveUnshielded() error {
	solution, err := oneRowRaw().Solve()
	if err != nil {
		return err
	}
	if solution.Status != binding.Optimal || math.Abs(solution.Objective-2) > 1e-7 {
		return fmt.Errorf("wrong answer: %+v", solution)
	}
	return nil
}

// TestTrapExplicitRelease: solves leave no memory of C behind.
func TestTrapExplicitRelease(t *testing.T) {
	useHighs(t)
	for range 20 {
		session, err := solver.Open(oneRow(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.Solve(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.GC()
}

// TestTrapZeroRow: an all-zero row at the end makes the binding call an optimal
// model infeasible, one in the middle is an opaque error.
func TestTrapZeroRow(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.AddDenseRow(-1, []float64{0, 0}, 1)
	if solution, err := safeRawSolve(raw); err == nil && solution.Status == binding.Optimal && math.Abs(solution.Objective-2) < 1e-7 {
		t.Error("the binding now solves models with a trailing zero row")
	}
	m := oneRow()
	zero := m.AddRow(solver.Row{Name: "zero", Bounds: solver.Between(-1, 1)})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(3), Columns: []int{1}, Values: []float64{1}})
	m.AddRow(solver.Row{Bounds: solver.Equal(0), Columns: []int{0, 0}, Values: []float64{1, -1}})
	res := mustBeOptimal(t, m, 3)
	checkOptimum(t, m, res, 1e-7)
	if res.RowDuals[zero] != 0 || res.RowDuals[2] != 1 {
		t.Errorf("row duals %v, want the dual 1 on row 2", res.RowDuals)
	}
	onlyZero := solver.NewModel("nothing but a zero row")
	onlyZero.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: 1})
	onlyZero.AddRow(solver.Row{Bounds: solver.Between(-1, 1)})
	checkNear(t, "duals", mustBeOptimal(t, onlyZero, 1).RowDuals, []float64{0})
	m.SetRowBounds(zero, solver.Between(1, 2))
	if res := solve(t, m, nil); res.Status != solver.Infeasible || !strings.Contains(res.Detail, "zero") {
		t.Errorf("zero row with bounds [1, 2]: %v", res)
	}
}

// TestTrapNoRows: the binding panics without rows.
func TestTrapNoRows(t *testing.T) {
	useHighs(t)
	raw := &binding.Model{ColCosts: []float64{1}, ColLower: []float64{-2}, ColUpper: []float64{5}}
	if _, err := safeRawSolve(raw); err == nil {
		t.Error("the binding now solves models without rows")
	}
	m := solver.NewModel("box")
	m.AddColumn(solver.Column{Bounds: solver.Between(-2, 5), Cost: 1})
	m.AddColumn(solver.Column{Bounds: solver.Between(-2, 5), Cost: -3})
	res := mustBeOptimal(t, m, -17)
	checkOptimum(t, m, res, 1e-7)
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Solve(context.Background()); err != nil {
		t.Fatal(err)
	}
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{1}, Values: []float64{1}})
	after, err := session.Solve(context.Background())
	if err != nil || after.Objective != -5 || len(after.RowDuals) != 1 || after.RowDuals[0] != -3 {
		t.Errorf("row added to a model without rows: %v, %v", after, err)
	}
}

// TestTrapTimeLimit: the binding turns a time limit into an error with an empty
// solution.
func TestTrapTimeLimit(t *testing.T) {
	useHighs(t)
	m := hardKnapsack(80, 20)
	raw := rawOf(m)
	model, err := raw.ToRawModel()
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		model.SetBoolOption("output_flag", false), model.SetIntOption("threads", 1), model.SetFloat64Option("time_limit", 0.3),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	solution, err := model.Solve()
	runtime.KeepAlive(model)
	if err == nil || len(solution.ColumnPrimal) > 0 {
		t.Error("the binding now returns the incumbent at a time limit")
	}
	var res *solver.Result
	for limit := 300 * time.Millisecond; limit < 20*time.Second; limit *= 2 { // a busy machine needs longer
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		res, err = solver.Solve(ctx, m, nil)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if res.Status == solver.FeasibleLimit {
			break
		}
	}
	if res.Status != solver.FeasibleLimit || !errors.Is(res.Cause, context.DeadlineExceeded) {
		t.Fatalf("got %v", res)
	}
	if worst, where := m.Violation(res.X); worst > 1e-6 {
		t.Errorf("incumbent breaks %s by %g", where, worst)
	}
	if !(provenOf(res) >= res.Objective) || !(res.Gap > 0 && res.Gap < 1) {
		t.Errorf("objective %v, bound %v, gap %v of a maximisation", res.Objective, provenOf(res), res.Gap)
	}
	if err := res.Check(); !errors.Is(err, solver.ErrLimit) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Check: %v", err)
	}
}

// TestTrapNaN: the binding solves NaN to "optimal".
func TestTrapNaN(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.ColCosts[0] = math.NaN()
	if solution, err := safeRawSolve(raw); err != nil || solution.Status != binding.Optimal {
		t.Error("the binding now rejects NaN costs")
	}
	m := oneRow()
	m.SetCost(0, math.NaN())
	if _, err := solver.Solve(context.Background(), m, nil); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("NaN cost: %v", err)
	}
	m = oneRow()
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.AddRow(solver.Row{Bounds: solver.Between(0, 1), Columns: []int{0}, Values: []float64{math.NaN()}})
	if res, err := session.Solve(context.Background()); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("NaN coefficient in a session: %v, %v", res, err)
	}
}

// TestTrapDefaults: in the binding missing costs are 1 and missing lower bounds
// -Inf; in package solver the zero value means 0.
func TestTrapDefaults(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.ColCosts = nil
	if solution, err := safeRawSolve(raw); err != nil || solution.Objective != 2 {
		t.Errorf("the binding no longer takes missing costs for 1: %v, %v", solution, err)
	}
	raw = oneRowRaw()
	raw.ColLower = nil
	raw.ColCosts = []float64{1, 0}
	if solution, err := safeRawSolve(raw); err != nil || solution.Objective != -8 {
		t.Errorf("the binding no longer takes missing lower bounds for -Inf: %v, %v", solution, err)
	}
	m := solver.NewModel("zero values")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0, 1}, Values: []float64{1, 1}})
	if res := mustBeOptimal(t, m, 0); res.X[0] < 0 || res.X[1] < 0 {
		t.Errorf("point %v below 0", res.X)
	}
}

// TestTrapDuplicates: in the binding the last of repeated entries wins.
func TestTrapDuplicates(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.ConstMatrix = append(raw.ConstMatrix, binding.Nonzero{Row: 0, Col: 0, Val: 3})
	raw.ColCosts = []float64{1, 10}
	if solution, err := safeRawSolve(raw); err != nil || math.Abs(solution.Objective-2.0/3) > 1e-9 {
		t.Errorf("the binding no longer lets the last entry win: %v, %v", solution, err)
	}
	m := solver.NewModel("duplicates")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: 1})
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: 10})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(2), Columns: []int{0, 1, 0}, Values: []float64{1, 1, 3}})
	mustBeOptimal(t, m, 0.5)
}

// TestTrapCrossedBounds: in the binding lower > upper is an error.
func TestTrapCrossedBounds(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.ColLower[0], raw.ColUpper[0] = 3, 1
	if solution, err := safeRawSolve(raw); err == nil && solution.Status == binding.Infeasible {
		t.Error("the binding now calls crossed bounds infeasible")
	}
	m := oneRow()
	m.SetColumnBounds(0, solver.Between(3, 1))
	if res := solve(t, m, nil); res.Status != solver.Infeasible || res.X != nil {
		t.Errorf("crossed column bounds: %v", res)
	}
	m = oneRow()
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		lower, upper float64
		status       solver.Status
		objective    float64
	}{{2, inf, solver.Optimal, 2}, {4, 3, solver.Infeasible, math.NaN()}, {4, 5, solver.Optimal, 4}} {
		m.SetRowBounds(0, solver.Between(step.lower, step.upper))
		res, err := session.Solve(context.Background())
		if err != nil || res.Status != step.status || (step.status == solver.Optimal && res.Objective != step.objective) {
			t.Errorf("row bounds [%g, %g]: %v, %v", step.lower, step.upper, res, err)
		}
	}
}

// TestTrapZeroPoint: the binding returns the point 0 without an error for
// infeasible and unbounded models.
func TestTrapZeroPoint(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.RowLower[0] = 30
	if solution, err := safeRawSolve(raw); err != nil || len(solution.ColumnPrimal) == 0 {
		t.Error("the binding no longer returns a point for infeasible models")
	}
	m := oneRow()
	m.SetRowBounds(0, solver.AtLeast(30))
	res := solve(t, m, nil)
	if res.Status != solver.Infeasible || res.X != nil || !math.IsNaN(res.Objective) || !errors.Is(res.Check(), solver.ErrInfeasible) {
		t.Errorf("infeasible: %v, %v", res, res.X)
	}
	m = oneRow()
	m.SetColumnBounds(0, solver.Bounds{})
	m.SetRowBounds(0, solver.Bounds{})
	res = solve(t, m, nil)
	if res.Status != solver.Unbounded || res.X != nil || !errors.Is(res.Check(), solver.ErrUnbounded) {
		t.Errorf("unbounded: %v, %v", res, res.X)
	}
}
