package solver_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// families are programs of some sizes and kinds, in units in which their numbers are near 1.
var families = map[string]func(seed uint64) *solver.Model{
	"box":         gaussians(shape{Columns: 20, Rows: 60, Density: 1, Bounds: "box", Scale: 1}),
	"free":        gaussians(shape{Columns: 12, Rows: 80, Density: 1, Bounds: "free", Scale: 1}),
	"nonnegative": gaussians(shape{Columns: 40, Rows: 20, Density: 0.3, Bounds: "nonnegative", Equations: 8, Scale: 1}),
	"equations":   gaussians(shape{Columns: 30, Rows: 25, Density: 0.3, Bounds: "free", Equations: 10, Scale: 1}),
	"scaled":      gaussians(shape{Columns: 20, Rows: 30, Density: 1, Bounds: "box", Equations: 3, Scale: 10}),
	"squares":     func(seed uint64) *solver.Model { return lowRankQuadratic(20, 10, 5, seed) },
	"cuts":        func(seed uint64) *solver.Model { return worstCase(10, drawnCuts(10, 40, seed)) },
}

func gaussians(s shape) func(seed uint64) *solver.Model {
	return func(seed uint64) *solver.Model { return gaussian(s, seed) }
}

// engineOn opens a backend itself, which proves nothing and asks no other one.
func engineOn(t rapid.TB, b solver.Backend, m *solver.Model) func() *solver.Result {
	t.Helper()
	e, err := b.Open(m, &solver.Options{FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	return func() *solver.Result {
		t.Helper()
		r, err := e.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// TestWork: the methods take about as many iterations as they did, from scratch and after each kind of change, in sums over
// many programs, so that one more here and one less there does not matter. What they find they find to the last digits.
func TestWork(t *testing.T) {
	for name, usual := range map[string][5]int{ // of the dual simplex method after each change, of the interior point method
		"box": {1068, 66, 25, 217, 371}, "free": {640, 22, 0, 159, 288}, "nonnegative": {955, 236, 67, 152, 325},
		"equations": {680, 60, 34, 323, 186}, "scaled": {782, 107, 98, 218, 426}, "cuts": {525, 0, 3, 17, 1054}, "squares": {4: 760},
	} {
		var work [5]int
		for seed := range uint64(30) {
			m := families[name](seed)
			solve := func(k int, by func() *solver.Result) float64 {
				r := by()
				work[k] += r.Iterations
				if r.Status != solver.Optimal {
					return math.NaN()
				}
				if err := m.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, 1e-12, 1e-12); err != nil {
					t.Errorf("%s %d, %s: %v", name, seed, r.Solver, err)
				}
				return r.Objective
			}
			inside := solve(4, engineOn(t, solver.InteriorPoint, m))
			if len(m.Quadratic()) > 0 {
				continue
			}
			simplex := engineOn(t, solver.DualSimplex, m)
			for step := range 4 {
				changed(m, step)
				if value := solve(step, simplex); step == 0 && !(math.Abs(value-inside) <= 1e-11*(1+math.Abs(value))) {
					t.Errorf("%s %d: optimum %v, by the interior point method %v", name, seed, value, inside)
				}
			}
		}
		for k := range work {
			if work[k] > usual[k]+usual[k]/20+1 {
				t.Errorf("%s: step %d takes %d iterations, usually %d", name, k, work[k], usual[k])
			}
		}
	}
}

// changed changes costs, bounds or rows of a model, nothing in step 0.
func changed(m *solver.Model, step int) {
	switch step {
	case 1:
		for j := range m.Columns() {
			m.SetCost(j, m.Column(j).Cost*(1+0.3*float64(j%3)))
		}
	case 2:
		for j := range m.Columns() {
			c := m.Column(j)
			m.SetColumnBounds(j, solver.Between(c.Lower()-0.1*float64(j%2), c.Upper()+0.1*float64(j%3)))
		}
	case 3:
		for i := range m.Rows() / 2 {
			r := m.Row(i)
			r.Bounds = solver.Between(r.Lower()-0.1, r.Upper()+0.1)
			r.Values[0] *= 1.3
			m.AddRow(r)
		}
	}
}

// TestIterationLimitIsExact: with as many iterations as a solve takes it ends as it did, and with one less at the limit.
func TestIterationLimitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		free := engineOn(t, solver.DualSimplex, m)()
		if free.Iterations < 2 || free.Status == solver.NumericalTrouble { // a limit of 0 is none
			return
		}
		for less := range 2 {
			e, err := solver.DualSimplex.Open(m, &solver.Options{FeasibilityTolerance: 1e-7, OptimalityTolerance: 1e-7, IterationLimit: free.Iterations - less})
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Solve(context.Background())
			if limited := r.Status == solver.Limit; err != nil || r.Iterations != free.Iterations-less || limited && r.Cause != solver.ErrLimit || limited != (less == 1) {
				t.Fatalf("%v, %v with %d iterations less than %v", r, err, less, free)
			}
		}
	})
}
