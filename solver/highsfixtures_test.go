//go:build cgo

package solver_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// TestMain keeps pure Go the default, as in programs that do not import solver/highs.
func TestMain(m *testing.M) {
	solver.SetDefault(nil)
	os.Exit(m.Run())
}

// useHighs makes HiGHS the default for one test.
func useHighs(t testing.TB) {
	solver.SetDefault(highs.Backend{})
	t.Cleanup(func() { solver.SetDefault(nil) })
}

// oneRow is min x+y, x+y >= 2, 0 <= x, y <= 10: optimum 2.
func oneRow() *solver.Model {
	m := solver.NewModel("one row")
	for range 2 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: 1})
	}
	m.AddRow(solver.Row{Bounds: solver.AtLeast(2), Columns: []int{0, 1}, Values: []float64{1, 1}})
	return m
}

// oneRowRaw is the same model for the binding.
func oneRowRaw() *binding.Model {
	m := &binding.Model{
		ColCosts: []float64{1, 1}, ColLower: []float64{0, 0}, ColUpper: []float64{10, 10},
	}
	m.AddDenseRow(2, []float64{1, 1}, inf)
	return m
}

func solve(t testing.TB, m *solver.Model, o *solver.Options) *solver.Result {
	t.Helper()
	res, err := solver.Solve(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func mustBeOptimal(t testing.TB, m *solver.Model, objective float64) *solver.Result {
	t.Helper()
	res := solve(t, m, nil)
	if err := res.Check(); err != nil {
		t.Fatal(err)
	}
	if math.Abs(res.Objective-objective) > 1e-7*(1+math.Abs(objective)) {
		t.Fatalf("objective %v, want %v", res.Objective, objective)
	}
	return res
}

// safeRawSolve calls the binding the unshielded way, except that the model
// stays alive and a panic becomes an error.
func safeRawSolve(m *binding.Model) (solution *binding.RawSolution, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = errors.New("panic")
		}
	}()
	raw, err := m.ToRawModel()
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(raw)
	if err := raw.SetBoolOption("output_flag", false); err != nil {
		return nil, err
	}
	if err := raw.SetIntOption("threads", 1); err != nil {
		return nil, err
	}
	return raw.Solve()
}

// hardKnapsack has many feasible points and an optimum that takes long to
// prove: equal-looking items in several knapsacks.
func hardKnapsack(items, sacks int) *solver.Model {
	r := rand.New(rand.NewPCG(1, 2))
	m := solver.NewModel("knapsacks")
	m.SetMaximize(true)
	for range items {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 1000 + float64(r.IntN(40)), Integer: true})
	}
	for range sacks {
		row, total := solver.Row{}, 0.0
		for j := range items {
			w := 1000 + float64(r.IntN(40))
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, w)
			total += w
		}
		row.Bounds = solver.AtMost(total / 2)
		m.AddRow(row)
	}
	return m
}

// rawOf translates a model for the binding.
func rawOf(m *solver.Model) *binding.Model {
	raw := &binding.Model{Maximize: m.Maximizes(), Offset: m.Offset()}
	for j := range m.Columns() {
		c := m.Column(j)
		raw.ColCosts = append(raw.ColCosts, c.Cost)
		raw.ColLower, raw.ColUpper = append(raw.ColLower, c.Lower()), append(raw.ColUpper, c.Upper())
		kind := binding.ContinuousType
		if c.Integer {
			kind = binding.IntegerType
		}
		raw.VarTypes = append(raw.VarTypes, kind)
	}
	for i := range m.Rows() {
		row := m.Row(i)
		dense := make([]float64, m.Columns())
		for k, j := range row.Columns {
			dense[j] = row.Values[k]
		}
		raw.AddDenseRow(row.Lower(), dense, row.Upper())
	}
	return raw
}
