package solver_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
)

// saying is a backend that gives a point of a status with multipliers 0.
type saying struct {
	status solver.Status
	x      []float64
	model  *solver.Model
}

func (s saying) Open(m *solver.Model, _ *solver.Options) (solver.Engine, error) {
	s.model = m
	return s, nil
}

func (s saying) Solve(context.Context) (*solver.Result, error) {
	return &solver.Result{
		Status: s.status, X: append([]float64(nil), s.x...), RowDuals: make([]float64, s.model.Rows()), ColumnDuals: make([]float64, s.model.Columns()),
	}, nil
}

// TestPointsOfBackendsAreChecked: a point that breaks a row, or is none, is no part of a result, whatever gap its
// multipliers leave.
func TestPointsOfBackendsAreChecked(t *testing.T) {
	square := solver.NewModel("square above 1")
	square.AddColumn(solver.Column{})
	square.AddQuadratic(0, 0, 1)
	square.AddRow(solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0}, Values: []float64{1}})
	const size = 60
	sums := solver.NewModel("sums above 1")
	row := solver.Row{Bounds: solver.AtLeast(1)}
	for j := range size {
		sums.AddColumn(solver.Column{Bounds: solver.Between(0, 10)})
		row.Columns, row.Values = append(row.Columns, j), append(row.Values, 1)
	}
	for range size {
		sums.AddRow(row)
	}
	noNumber, inside := make([]float64, size), make([]float64, size)
	noNumber[0], inside[0] = math.NaN(), 1
	for _, test := range []struct {
		name  string
		model *solver.Model
		x     []float64
		kept  bool
	}{
		{"outside a quadratic model", square, []float64{0}, false},
		{"outside a large linear model", sums, make([]float64, size), false},
		{"not a number", sums, noNumber, false},
		{"inside by all but a rounding error", sums, append([]float64{1 - 1e-9}, inside[1:]...), true},
		{"inside", sums, inside, true},
	} {
		for _, status := range []solver.Status{solver.Optimal, solver.FeasibleLimit} {
			r := solveWith(t, test.model, saying{status: status, x: test.x})
			if (r.X != nil) != test.kept || r.X != nil != test.kept || test.kept && r.Status != status {
				t.Errorf("%s, told %v: %v with X %v", test.name, status, r, r.X)
			}
		}
	}
}

// TestPointsAreFinite: what is beyond float64 is numerical trouble, not an infinite optimum, and no bound is +Inf.
func TestPointsAreFinite(t *testing.T) {
	for _, cost := range []float64{0, 1} {
		steps := solver.NewModel("two steps to 2^1200")
		steps.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
		steps.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: cost})
		steps.AddRow(solver.Row{Bounds: solver.AtLeast(huge), Columns: []int{0}, Values: []float64{tiny}})
		steps.AddRow(solver.Row{Bounds: solver.AtLeast(0), Columns: []int{0, 1}, Values: []float64{-huge, tiny}})
		price := solver.NewModel("a price of 2^1200")
		price.AddColumn(solver.Column{Cost: huge * huge})
		price.AddRow(solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0}, Values: []float64{tiny * tiny}})
		for _, m := range []*solver.Model{steps, price} {
			for _, backend := range []solver.Backend{nil, solver.DualSimplex, solver.InteriorPoint, solver.Exact} {
				r := solveWith(t, m, backend)
				if r.Status != solver.NumericalTrouble || r.X != nil || r.RowDuals != nil || !math.IsNaN(r.Objective) || math.IsInf(provenOf(r), 1) {
					t.Errorf("%s, cost %v, %v: %v, bound %v, X %v", m.Name(), cost, backend, r, provenOf(r), r.X)
				}
			}
		}
	}
}

// TestMultipliersMayOverflow: where a multiplier has no float64, exact arithmetic decides.
func TestMultipliersMayOverflow(t *testing.T) {
	m := solver.NewModel("multipliers of 2^600 and 2^1200")
	m.AddColumn(solver.Column{Cost: huge})
	m.AddColumn(solver.Column{})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(1), Columns: []int{0, 1}, Values: []float64{tiny, huge}})
	m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{1}, Values: []float64{tiny}})
	for _, backend := range []solver.Backend{nil, solver.DualSimplex, solver.InteriorPoint, solver.Exact} {
		r := solveWith(t, m, backend)
		if checkAgainstTruth(t, m, r); r.Status != solver.Optimal || r.Objective != 0x1p600 || !(provenOf(r) >= 0x1p600*(1-1e-12)) {
			t.Errorf("%v: %v", backend, r)
		}
	}
}

// TestViolationWhereTermsOverflow: terms beyond float64 cancel or break the row, as they do in rational numbers.
func TestViolationWhereTermsOverflow(t *testing.T) {
	m := solver.NewModel("far terms")
	m.AddColumn(solver.Column{})
	m.AddColumn(solver.Column{})
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{0x1p700, -0x1p700}})
	for _, test := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{0x1p500, 0x1p499}, math.MaxFloat64},
		{[]float64{0x1p500, 0x1p500}, 0},
		{[]float64{0x1p499, 0x1p500}, 0},
		{[]float64{math.Inf(1), 0}, math.Inf(1)},
		{[]float64{math.Inf(1), math.Inf(1)}, math.Inf(1)},
	} {
		if worst, where := m.Violation(test.x); worst != test.want || (where == "") != (test.want == 0) {
			t.Errorf("at %v: %v, %q; want %v", test.x, worst, where, test.want)
		}
	}
	free := solver.NewModel("no rows")
	free.AddColumn(solver.Column{})
	if worst, where := free.Violation([]float64{math.Inf(1)}); !math.IsInf(worst, 1) || where == "" {
		t.Errorf("an infinite entry: %v, %q", worst, where)
	}
}
