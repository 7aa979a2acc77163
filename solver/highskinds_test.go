//go:build cgo

package solver_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"pgregory.net/rapid"
)

// bestByEnumeration returns the optimum of a pure integer program over its box,
// or false when no point of the box is feasible.
func bestByEnumeration(m *solver.Model) (best float64, found bool) {
	x := make([]float64, m.Columns())
	var visit func(j int)
	visit = func(j int) {
		if j == len(x) {
			if worst, _ := m.Violation(x); worst > 1e-9 {
				return
			}
			value := m.Objective(x)
			better := value < best
			if m.Maximizes() {
				better = value > best
			}
			if !found || better {
				best, found = value, true
			}
			return
		}
		c := m.Column(j)
		for v := math.Ceil(c.Lower()); v <= c.Upper(); v++ {
			x[j] = v
			visit(j + 1)
		}
	}
	visit(0)
	return best, found
}

// TestIntegerAgainstEnumeration: HiGHS finds the optimum that enumeration
// finds, at a whole point, with a bound on the right side.
func TestIntegerAgainstEnumeration(t *testing.T) {
	useHighs(t)
	counts := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := solver.NewModel("integer")
		small := rapid.IntRange(-4, 4)
		if rapid.Bool().Draw(t, "maximize") {
			m.SetMaximize(true)
		}
		m.SetOffset(float64(small.Draw(t, "offset")))
		inside := make([]float64, rapid.IntRange(1, 5).Draw(t, "columns"))
		for j := range inside {
			lower := small.Draw(t, "lower")
			width := rapid.IntRange(0, 4).Draw(t, "width")
			m.AddColumn(solver.Column{
				Bounds: solver.Between(float64(lower)-0.5*float64(rapid.IntRange(0, 1).Draw(t, "half")), float64(lower+width)),
				Cost:   float64(small.Draw(t, "cost")), Integer: true,
			})
			inside[j] = float64(lower)
		}
		for range rapid.IntRange(0, 5).Draw(t, "rows") {
			m.AddRow(drawnRow(t, m, inside, small))
		}
		res := solveWith(t, m, nil)
		counts[res.Status]++
		want, feasible := bestByEnumeration(m)
		if !feasible {
			if res.Status != solver.Infeasible {
				t.Fatalf("no feasible point, got %v", res)
			}
			return
		}
		if res.Status != solver.Optimal || math.Abs(res.Objective-want) > 1e-6 {
			t.Fatalf("want %v, got %v", want, res)
		}
		for j, v := range res.X {
			if v != math.Round(v) {
				t.Fatalf("column %d = %v", j, v)
			}
		}
		if res.RowDuals != nil || res.ColumnDuals != nil || res.Gap > 1e-6 || math.Abs(provenOf(res)-want) > 1e-5 {
			t.Fatalf("duals %v, bound %v, gap %v", res.RowDuals, provenOf(res), res.Gap)
		}
	})
	t.Log(counts)
}

func checkNear(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for k := range want {
		if len(got) != len(want) || math.Abs(got[k]-want[k]) > 1e-6 {
			t.Fatalf("%s %v, want %v", what, got, want)
		}
	}
}

// TestQuadraticRefusals: HiGHS is not given quadratic objectives; without a backend in the
// options those that are convex and without integer columns are solved.
func TestQuadraticRefusals(t *testing.T) {
	useHighs(t)
	for _, integer := range []bool{false, true} {
		m := solver.NewModel("square")
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: integer})
		m.AddQuadratic(0, 0, 1)
		if _, err := solver.Solve(context.Background(), m, &solver.Options{Backend: highs.Backend{}}); !errors.Is(err, solver.ErrUnsupported) {
			t.Errorf("integer %v: %v", integer, err)
		}
		if _, err := solver.Solve(context.Background(), m, nil); errors.Is(err, solver.ErrUnsupported) != integer {
			t.Errorf("integer %v, no backend: %v", integer, err)
		}
	}
}
