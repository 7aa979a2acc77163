//go:build cgo

package highs_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"pgregory.net/rapid"
)

// drawnModel is a linear or integer program in small whole numbers; integer columns lie in [-2,3].
func drawnModel(t *rapid.T) *solver.Model {
	m := solver.NewModel("drawn")
	m.SetMaximize(rapid.Bool().Draw(t, "maximise"))
	m.SetOffset(float64(rapid.IntRange(-3, 3).Draw(t, "offset")))
	whole, number := rapid.Bool().Draw(t, "integers"), rapid.Map(rapid.IntRange(-4, 4), func(k int) float64 { return float64(k) })
	n := rapid.IntRange(1, 3).Draw(t, "columns")
	columns := []int{0, 1, 2}[:n]
	for range n {
		bounds := solver.Between(-2, 3)
		if !whole {
			bounds = rapid.SampledFrom([]solver.Bounds{bounds, bounds, {}, solver.AtLeast(0), solver.AtMost(1)}).Draw(t, "bounds")
		}
		m.AddColumn(solver.Column{Bounds: bounds, Cost: number.Draw(t, "cost"), Integer: whole})
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		side := number.Draw(t, "side")
		m.AddRow(solver.Row{
			Bounds:  rapid.SampledFrom([]solver.Bounds{solver.AtMost(side), solver.AtLeast(side), solver.Equal(side), solver.Between(side, side+2)}).Draw(t, "sides"),
			Columns: columns, Values: rapid.SliceOfN(number, n, n).Draw(t, "row"),
		})
	}
	return m
}

// bestOfLattice is the best value of the whole points of [-2,3]^n, NaN if none is feasible.
func bestOfLattice(m *solver.Model) float64 {
	best, x := math.NaN(), make([]float64, m.Columns())
	for code := range int(math.Pow(6, float64(len(x)))) {
		for j := range x {
			x[j] = float64(code%6) - 2
			code /= 6
		}
		if worst, _ := m.Violation(x); worst > 0 {
			continue
		}
		if value := m.Objective(x); !(value <= best) && m.Maximizes() || !(value >= best) && !m.Maximizes() {
			best = value
		}
	}
	return best
}

// TestEngineSolves: what the engine itself says, before anything is proven of it, is the optimum of pure Go or of an
// enumeration, with the duals of a linear program, and names what was run.
func TestEngineSolves(t *testing.T) {
	options := &solver.Options{FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7}
	rapid.Check(t, func(t *rapid.T) {
		m := drawnModel(t)
		engine, err := highs.Backend{}.Open(m, options)
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want := math.NaN()
		if m.IsInteger() {
			want = bestOfLattice(m)
		} else if pure, err := solver.Solve(context.Background(), m, &solver.Options{Backend: solver.PureGo}); err != nil {
			t.Fatal(err)
		} else if pure.Status == solver.Optimal {
			want = pure.Objective
		}
		if r.Model != m.String() || r.Solver == "" || r.Detail != "" || r.Cause != nil {
			t.Fatalf("%+v of %v", r, m)
		}
		if math.IsNaN(want) {
			if r.Status != solver.Infeasible && r.Status != solver.InfeasibleOrUnbounded || r.X != nil || r.RowDuals != nil {
				t.Fatalf("%+v, no optimum", r)
			}
			return
		}
		if worst, _ := m.Violation(r.X); r.Status != solver.Optimal || worst > 1e-6 || math.Abs(r.Objective-want) > 1e-6*(1+math.Abs(want)) {
			t.Fatalf("%+v, want %v", r, want)
		}
		if m.IsInteger() {
			if r.RowDuals != nil || r.ColumnDuals != nil {
				t.Fatalf("duals of an integer program: %+v", r)
			}
		} else if err := m.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, 1e-6, 1e-6); err != nil {
			t.Fatal(err)
		}
	})
}

// TestWorkIsCounted: iterations and nodes are those of the one run that a plain program takes, and a limit ends it there.
func TestWorkIsCounted(t *testing.T) {
	m := solver.NewModel("knapsacks")
	for j := range 20 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Cost: -float64(57 + j*j%31)})
	}
	for i := range 4 {
		row := solver.Row{Bounds: solver.AtMost(float64(641 + 20*i))}
		for j := range 20 {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, float64(53+(i+2)*j*j%43))
		}
		m.AddRow(row)
	}
	work := func(iterations, nodes int) *solver.Result {
		engine, err := highs.Backend{}.Open(m, &solver.Options{FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7, IterationLimit: iterations, NodeLimit: nodes})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	linear := work(0, 0)
	if linear.Status != solver.Optimal || linear.Iterations < 2 || linear.Nodes != 0 {
		t.Errorf("%v", linear)
	}
	if r := work(linear.Iterations-1, 0); r.Status != solver.Limit || r.Cause != solver.ErrLimit || r.Iterations != linear.Iterations-1 {
		t.Errorf("%v, with an iteration less than %v", r, linear)
	}
	for j := range 20 {
		m.SetInteger(j, true)
	}
	whole := work(0, 0)
	if whole.Status != solver.Optimal || whole.Nodes < 2 || whole.Iterations <= linear.Iterations {
		t.Errorf("%v", whole)
	}
	if r := work(0, whole.Nodes/2); r.Status != solver.FeasibleLimit || r.Cause != solver.ErrLimit || r.Nodes != whole.Nodes/2 || r.Objective != m.Objective(r.X) {
		t.Errorf("%v, with half the nodes of %v", r, whole)
	}
}
