//go:build cgo

package solver_test

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// The tests in this file are about traps of the HiGHS library itself.

// fixed reports that a trap is gone: an error with the version that the project
// builds, news with any other.
func fixed(t *testing.T, format string, arguments ...any) {
	t.Helper()
	if (highs.Backend{}).String() == "HiGHS 1.10.0" {
		t.Errorf(format, arguments...)
		return
	}
	t.Logf(format, arguments...)
}

// TestTrapTinyCoefficient: the binding refuses coefficients of at most 1e-9.
func TestTrapTinyCoefficient(t *testing.T) {
	useHighs(t)
	raw := oneRowRaw()
	raw.AddDenseRow(-inf, []float64{1, 1e-10}, 10)
	if _, err := safeRawSolve(raw); err == nil {
		t.Error("the binding now accepts tiny coefficients")
	}
	m := oneRow()
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, -1e-10}})
	mustBeOptimal(t, m, 2)
}

// TestTrapTinyRow: a row whose entries are all tiny is scaled, not lost.
func TestTrapTinyRow(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("tiny row")
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 1})
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 3})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(6e-10), Columns: []int{0, 1}, Values: []float64{1e-10, 2e-10}})
	res := mustBeOptimal(t, m, 6)
	if math.Abs(res.RowDuals[0]-1e10) > 1 {
		t.Errorf("dual %v, want 1e10", res.RowDuals[0])
	}
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bound := range []float64{6e-10, 9e-10} {
		m.SetRowBounds(0, solver.AtLeast(bound))
		res, err := session.Solve(context.Background())
		if err != nil || math.Abs(res.Objective-bound*1e10) > 1e-6 {
			t.Errorf("bound %g: %v, %v", bound, res, err)
		}
	}
}

// TestTrapUnboundedInteger: HiGHS calls unbounded integer programs "unbounded
// or infeasible"; a solve without costs decides.
func TestTrapUnboundedInteger(t *testing.T) {
	useHighs(t)
	build := func(upper float64) *solver.Model {
		m := solver.NewModel("integer ray")
		m.SetMaximize(true)
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 1, Integer: true})
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 1, Integer: true})
		m.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{0, 1}, Values: []float64{2, -2 * upper}})
		return m
	}
	// 2x - 2y = 1 has no whole solution.
	if res := solve(t, build(1), nil); res.Status != solver.Infeasible {
		t.Errorf("infeasible integer ray: %v", res)
	}
	unbounded := build(0.5) // 2x - y = 1
	if solution, err := safeRawSolve(rawOf(unbounded)); err != nil || solution.Status != binding.UnboundedOrInfeasible {
		fixed(t, "the library now settles unbounded integer programs: %v, %v", solution, err)
	}
	if res := solve(t, unbounded, nil); res.Status != solver.Unbounded || res.X != nil {
		t.Errorf("unbounded integer ray: %v", res)
	}
}

// TestTrapFractionalBound: the presolve of HiGHS 1.10.0 gives a wrong optimum
// when an integer column has a fractional bound (found by
// TestIntegerAgainstEnumeration).
func TestTrapFractionalBound(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("fractional bound")
	m.AddColumn(solver.Column{Bounds: solver.Between(-1.5, -1), Cost: 2, Integer: true})
	m.AddColumn(solver.Column{Bounds: solver.Between(3, 4), Cost: -4, Integer: true})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(-9), Columns: []int{0, 1}, Values: []float64{1, -2}})
	raw := rawOf(m)
	raw.ColLower[0] = -1.5 // a model has whole bounds of integer columns
	if solution, err := safeRawSolve(raw); err != nil || solution.Objective != -14 {
		fixed(t, "the library now presolves fractional bounds correctly: %v, %v", solution, err)
	}
	checkNear(t, "point", mustBeOptimal(t, m, -18).X, []float64{-1, 4})
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, lower := range []float64{-1, -1.25, -1.5} {
		m.SetColumnBounds(0, solver.Between(lower, -1))
		res, err := session.Solve(context.Background())
		if err != nil || res.Objective != -18 {
			t.Errorf("lower bound %v: %v, %v", lower, res, err)
		}
	}
}

// TestTrapParallelColumns: the presolve of HiGHS 1.10.0 merges parallel integer
// columns wrongly (found by TestIntegerAgainstEnumeration).
func TestTrapParallelColumns(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("parallel columns")
	for _, c := range []solver.Column{
		{Bounds: solver.Between(-3, 1), Cost: 1}, {Bounds: solver.Between(2, 3), Cost: -1}, {Bounds: solver.Between(4, 8), Cost: 1}, {Bounds: solver.Between(-1, 2), Cost: -2},
	} {
		c.Integer = true
		m.AddColumn(c)
	}
	m.AddRow(solver.Row{Bounds: solver.Between(-16, -12), Columns: []int{0, 2, 3}, Values: []float64{2, -3, -4}})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(-2), Columns: []int{1}, Values: []float64{-1}})
	if solution, err := safeRawSolve(rawOf(m)); err != nil || solution.Objective != 1 {
		fixed(t, "the library now presolves parallel integer columns correctly: %v, %v", solution, err)
	}
	want, _ := bestByEnumeration(m)
	mustBeOptimal(t, m, want)

	m = solver.NewModel("parallel columns, opaque error")
	for _, c := range []solver.Column{{Bounds: solver.Between(-4, -1), Cost: 2}, {Bounds: solver.Between(2, 3), Cost: 1}, {Bounds: solver.Between(2, 6), Cost: -2}} {
		c.Integer = true
		m.AddColumn(c)
	}
	m.AddRow(solver.Row{Bounds: solver.Between(4, 6), Columns: []int{1, 2}, Values: []float64{-2, 4}})
	if _, err := safeRawSolve(rawOf(m)); err == nil {
		fixed(t, "the library now solves parallel integer columns without an error")
	}
	mustBeOptimal(t, m, -11)
}

// TestTrapIntegerPresolve: more programs that the presolve of HiGHS 1.10.0 gets
// wrong, whatever single rule is switched off (found by
// TestMixedIntegerAgainstEnumeration).
func TestTrapIntegerPresolve(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("implied integer")
	for j, c := range []solver.Column{
		{Bounds: solver.Equal(0)}, {}, {Bounds: solver.Between(-3, -2), Cost: 3}, {Bounds: solver.Between(3, 4), Cost: -2},
		{Bounds: solver.Equal(-3), Cost: -1}, {Bounds: solver.Between(1, 3), Cost: 1}, {Bounds: solver.Between(-1, 1), Cost: 2},
	} {
		c.Integer = j == 0 || j == 2 || j == 3
		m.AddColumn(c)
	}
	m.SetOffset(-2)
	m.AddRow(solver.Row{Bounds: solver.Between(1, 3), Columns: []int{0, 1, 3, 5}, Values: []float64{-1, -2, -2, -2}})
	m.AddRow(solver.Row{Bounds: solver.AtMost(7), Columns: []int{0, 3, 5, 6}, Values: []float64{1, 2, 2, -2}})
	m.AddRow(solver.Row{Bounds: solver.Equal(-13), Columns: []int{2, 3, 6}, Values: []float64{1, -3, -2}})
	if solution, err := safeRawSolve(rawOf(m)); err != nil || solution.Objective != -8 {
		fixed(t, "the library now presolves this program correctly: %v, %v", solution, err)
	}
	want, _ := bestMixed(t, m)
	if want != -12 {
		t.Fatalf("enumeration gives %v, the hand computation -12", want)
	}
	mustBeOptimal(t, m, want)
}

// TestTrapAccumulatedTime: HiGHS counts time from the first solve of a model
// on; here every solve has its own limit.
func TestTrapAccumulatedTime(t *testing.T) {
	useHighs(t)
	const limit, total = time.Second, 1300 * time.Millisecond
	m := gaussian(shape{Columns: 60, Rows: 200, Density: 1, Bounds: "box", Scale: 1}, 1)
	raw, err := rawOf(m).ToRawModel()
	if err != nil {
		t.Fatal(err)
	}
	_, _, _ = raw.SetBoolOption("output_flag", false), raw.SetIntOption("threads", 1), raw.SetFloat64Option("time_limit", limit.Seconds())
	costs := make([]float64, m.Columns())
	var running time.Duration
	for round := 0; err == nil && running < total; round++ {
		for j := range costs {
			costs[j] = math.Sin(float64(round + j))
		}
		_ = raw.SetColumnCosts(costs)
		start := time.Now()
		_, err = raw.Solve()
		running += time.Since(start)
	}
	runtime.KeepAlive(raw)
	if err == nil {
		fixed(t, "the library now counts the time of each solve alone")
	}
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	var spent time.Duration
	for round := 0; spent < total; round++ {
		for j := range m.Columns() {
			m.SetCost(j, math.Sin(float64(round+j)))
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		res, err := session.Solve(ctx)
		cancel()
		if err != nil || res.Status != solver.Optimal {
			t.Fatalf("round %d after %v: %v, %v", round, spent, res, err)
		}
		spent += res.Elapsed
	}
}

// TestTrapVersion: the linked library is one of those the binding works with.
func TestTrapVersion(t *testing.T) {
	useHighs(t)
	if name := (highs.Backend{}).String(); !strings.HasPrefix(name, "HiGHS 1.10.") && !strings.HasPrefix(name, "HiGHS 1.11.") {
		t.Errorf("linked with %s; the binding needs 1.10 or 1.11", name)
	}
}

// TestTrapBigM: a switch that is open by 5e-8 counts as shut for HiGHS and yet lets 5 units
// pass. The answer with whole numbers is another one.
func TestTrapBigM(t *testing.T) {
	useHighs(t)
	for _, large := range []float64{1e4, 1e7, 1e8, 1e9} {
		m := solver.NewModel("big M")
		m.AddColumn(solver.Column{Name: "amount", Bounds: solver.Between(5, large)})
		m.AddColumn(solver.Column{Name: "open", Bounds: solver.Between(0, 1), Cost: 100, Integer: true})
		m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{0, 1}, Values: []float64{1, -large}})
		res := mustBeOptimal(t, m, 100)
		if res.X[1] != 1 || provenOf(res) < 100-1e-6 || provenOf(res) > 100 {
			t.Errorf("M = %g: %v at %v", large, res, res.X)
		}
	}
}
