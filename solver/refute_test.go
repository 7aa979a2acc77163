package solver_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

// TestUnboundedOptimumIsRefuted: an optimum that a backend claims without multipliers, of a model too large for exact
// arithmetic, falls where a ray improves the objective for ever, and stands where none does.
func TestUnboundedOptimumIsRefuted(t *testing.T) {
	const columns, rows = 60, 40
	for cost, want := range map[float64]solver.Status{-1: solver.Unbounded, 1: solver.Optimal} {
		m := solver.NewModel("ray along the ones")
		row := solver.Row{Bounds: solver.Equal(0)}
		for j := range columns {
			m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: cost})
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, float64(1-2*(j%2)))
		}
		for range rows {
			m.AddRow(row)
		}
		claim := claims{status: solver.Optimal, x: make([]float64, columns)}
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: claim})
		if err != nil || r.Status != want {
			t.Fatalf("cost %v: %v, %v; want %v", cost, r, err, want)
		}
		if want == solver.Optimal && r.Cause != solver.ErrUnproven {
			t.Errorf("cause %v of an optimum without a bound", r.Cause)
		}
		if want == solver.Unbounded && (len(r.Ray) != columns || r.X != nil || !math.IsNaN(r.Objective)) {
			t.Errorf("ray %v, x %v, objective %v", r.Ray, r.X, r.Objective)
		}
	}
}

// TestUnprovenPointHasNoMultipliers: a point that is far from the optimum keeps its gap and
// loses the multipliers that do not prove it.
func TestUnprovenPointHasNoMultipliers(t *testing.T) {
	m := solver.NewModel("square")
	m.AddColumn(solver.Column{Bounds: solver.Between(1, 2)})
	m.AddQuadratic(0, 0, 1)
	r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: liar{x: []float64{2}, rowDuals: []float64{}, columnDuals: []float64{4}}})
	if err != nil || r.Status != solver.FeasibleLimit || r.Cause != solver.ErrUnproven || r.Objective != 4 || provenOf(r) > 1 {
		t.Fatalf("%v, %v", r, err)
	}
	if r.RowDuals != nil || r.ColumnDuals != nil {
		t.Errorf("multipliers %v, %v", r.RowDuals, r.ColumnDuals)
	}
	if text := r.Check().Error(); strings.Contains(text, "deadline") || !strings.Contains(text, "try another backend") {
		t.Errorf("the next step where nothing has ended: %s", text)
	}
}

// TestMultipliersThatCancelHideNothing: those of two rows that hold one column at 0 once made another one's distance a
// rounding error.
func TestMultipliersThatCancelHideNothing(t *testing.T) {
	m := solver.NewModel("squares")
	m.AddColumn(solver.Column{})
	m.AddColumn(solver.Column{Cost: -2})
	m.AddQuadratic(0, 0, 1)
	m.AddQuadratic(1, 1, 1)
	m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{0}, Values: []float64{1}})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(0), Columns: []int{0}, Values: []float64{1}})
	for y := 1.0; y < 1e9; y *= 4 {
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: liar{x: []float64{0, 0.6}, rowDuals: []float64{-y, y}, columnDuals: []float64{0, 0}}})
		if err != nil || r.Status != solver.FeasibleLimit || r.Gap < 0.01 {
			t.Errorf("multipliers of %v: %v, %v", y, r, err)
		}
	}
}

// liar calls whatever it is told optimal.
type liar struct{ x, rowDuals, columnDuals []float64 }

func (l liar) Open(*solver.Model, *solver.Options) (solver.Engine, error) { return l, nil }

func (l liar) Solve(context.Context) (*solver.Result, error) {
	return &solver.Result{Status: solver.Optimal, X: l.x, RowDuals: l.rowDuals, ColumnDuals: l.columnDuals}, nil
}

// TestFalseMultipliersAreDropped: what does not prove that a model is infeasible or unbounded is
// no part of the result.
func TestFalseMultipliersAreDropped(t *testing.T) {
	m := solver.NewModel("square")
	m.AddColumn(solver.Column{Bounds: solver.Between(1, 2)})
	m.AddRow(solver.Row{Bounds: solver.AtMost(3), Columns: []int{0}, Values: []float64{1}})
	m.AddQuadratic(0, 0, 1)
	for _, status := range []solver.Status{solver.Infeasible, solver.Unbounded} {
		told := solver.Result{Status: status, Farkas: []float64{-1}, Ray: []float64{1}}
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: teller{told}})
		if err != nil || r.Status != solver.NumericalTrouble || r.Farkas != nil || r.Ray != nil {
			t.Errorf("told %v: %v with %v, %v; %v", status, r, r.Farkas, r.Ray, err)
		}
	}
}

// TestFalseClaimsOfIntegerModels: that a model over a box is unbounded is not believed, and what is not known once the context
// has ended is no numerical trouble.
func TestFalseClaimsOfIntegerModels(t *testing.T) {
	whole, square := solver.NewModel("whole"), solver.NewModel("square")
	whole.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Cost: -1, Integer: true})
	square.AddColumn(solver.Column{Bounds: solver.Between(1, 2)})
	square.AddQuadratic(0, 0, 1)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range []*solver.Model{whole, square} {
		for _, status := range []solver.Status{solver.Unbounded, solver.InfeasibleOrUnbounded} {
			o := &solver.Options{Backend: teller{solver.Result{Status: status}}}
			if r, err := solver.Solve(t.Context(), m, o); err != nil || r.Status != solver.NumericalTrouble || !strings.Contains(r.Detail, "could not be proven") {
				t.Errorf("told that %s is %v: %v, %v", m, status, r, err)
			}
			if r, err := solver.Solve(stopped, m, o); err != nil || r.Status != solver.Limit || !errors.Is(r.Cause, context.Canceled) {
				t.Errorf("told that %s is %v, stopped: %v, %v", m, status, r, err)
			}
		}
	}
}

// teller gives one result.
type teller struct{ result solver.Result }

func (b teller) Open(*solver.Model, *solver.Options) (solver.Engine, error) { return b, nil }

func (b teller) Solve(context.Context) (*solver.Result, error) {
	r := b.result
	return &r, nil
}
