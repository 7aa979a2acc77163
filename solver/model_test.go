package solver_test

import (
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
)

var inf = math.Inf(1)

// TestRowNormalForm: entries are sorted, summed and zeros dropped, and the
// caller's slices stay the caller's.
func TestRowNormalForm(t *testing.T) {
	m := twoColumns()
	columns, values := []int{1, 0, 1, 0}, []float64{2, 1, 3, -1}
	m.AddRow(solver.Row{Name: "r", Group: "g", Bounds: solver.Between(1, 2), Columns: columns, Values: values})
	columns[0], values[0] = 0, 99
	want := solver.Row{Name: "r", Group: "g", Bounds: solver.Between(1, 2), Columns: []int{1}, Values: []float64{5}}
	if got := m.Row(0); !reflect.DeepEqual(got, want) {
		t.Errorf("row %+v, want %+v", got, want)
	}
	got := m.Row(0)
	got.Values[0] = 7
	if _, values := m.RowTerms(0); values[0] != 5 {
		t.Error("Row gives access to the model's memory")
	}
}

// TestCloneIsIndependent: changes of a clone do not reach the original.
func TestCloneIsIndependent(t *testing.T) {
	m := twoColumns()
	m.AddQuadratic(0, 0, 1)
	m.AddRow(solver.Row{Bounds: solver.Between(0, 1), Columns: []int{0}, Values: []float64{1}})
	before := m.String()
	c := m.Clone()
	c.AddQuadratic(0, 0, 1)
	c.AddQuadratic(0, 1, 1)
	c.SetCost(0, 9)
	c.SetRowBounds(0, solver.Between(0, 9))
	c.SetColumnBounds(0, solver.Between(-9, 9))
	c.SetInteger(1, true)
	c.AddRow(solver.Row{})
	c.AddColumn(solver.Column{Name: "z"})
	if m.String() != before || m.Column(0).Cost != 1 || m.Column(0).Bounds != solver.Between(0, 1) || m.RowBounds(0) != solver.Between(0, 1) || m.IsInteger() {
		t.Errorf("clone changed the original: %v", m)
	}
	if terms := m.Quadratic(); len(terms) != 1 || terms[0] != (solver.Term{I: 0, J: 0, Value: 1}) {
		t.Errorf("quadratic terms %v", terms)
	}
}

// TestEvaluation checks objective, activity and violation by hand.
func TestEvaluation(t *testing.T) {
	m := solver.NewModel("by hand")
	m.SetOffset(10)
	m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1), Cost: 2})
	m.AddColumn(solver.Column{Name: "y", Bounds: solver.AtMost(3), Cost: -1, Integer: true})
	m.AddQuadratic(1, 0, 3)
	m.AddQuadratic(0, 0, 4)
	m.AddRow(solver.Row{Name: "r", Group: "g", Bounds: solver.Equal(2), Columns: []int{0, 1}, Values: []float64{1, 1}})
	x := []float64{0.5, 2}
	if got := m.Objective(x); got != 10+1-2+3*0.5*2+4*0.25 {
		t.Errorf("objective %v", got)
	}
	if got := m.Activity(0, x); got != 2.5 {
		t.Errorf("activity %v", got)
	}
	for _, test := range []struct {
		x     []float64
		worst float64
		where string
	}{
		{[]float64{0, 2}, 0, ""},
		{x, 0.5, "g/r = 2.5, outside [2, 2]"},
		{[]float64{-1, 3}, 1, "x = -1"},
		{[]float64{0.75, 1.25}, 0.25, "y = 1.25"},
		{[]float64{0, math.NaN()}, inf, "y is NaN"},
		{[]float64{0}, inf, "1 entries but the model has 2"},
	} {
		worst, where := m.Violation(test.x)
		if worst != test.worst || !strings.Contains(where, test.where) || (test.where == "") != (where == "") {
			t.Errorf("violation of %v: %v, %q", test.x, worst, where)
		}
	}
}

// TestDualConvention: in both senses and in every pure-Go backend the duals are
// the derivatives of the reported objective, checked by solving again with moved
// bounds.
func TestDualConvention(t *testing.T) {
	build := func(maximize bool, saw, lathe, floor float64) *solver.Model {
		sign := 1.0
		if !maximize {
			sign = -1
		}
		m := solver.NewModel("factory")
		m.SetMaximize(maximize)
		m.SetOffset(5)
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 3 * sign})
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 5 * sign})
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(floor), Cost: -2 * sign})
		m.AddRow(solver.Row{Bounds: solver.AtMost(saw), Columns: []int{0, 1}, Values: []float64{3, 2}})
		m.AddRow(solver.Row{Bounds: solver.AtLeast(-lathe), Columns: []int{1}, Values: []float64{-2}})
		return m
	}
	for _, b := range []solver.Backend{solver.Exact, solver.InteriorPoint} {
		for _, maximize := range []bool{false, true} {
			base := solveWith(t, build(maximize, 18, 12, 1), b)
			value := func(saw, lathe, floor float64) float64 {
				return solveWith(t, build(maximize, saw, lathe, floor), b).Objective - base.Objective
			}
			got := []float64{base.RowDuals[0], base.RowDuals[1], base.ColumnDuals[2]}
			// The lathe's active bound is its lower bound -12.
			want := []float64{value(19, 12, 1), value(18, 11, 1), value(18, 12, 2)}
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-7 {
					t.Errorf("%v, maximize %v: duals %v, differences %v", b, maximize, got, want)
				}
			}
		}
	}
}

// TestLimitErrorsNameTheLimit: the next step is about what stopped the solve.
func TestLimitErrorsNameTheLimit(t *testing.T) {
	for cause, text := range map[error]string{
		context.Canceled:         "a context that is not cancelled",
		context.DeadlineExceeded: "a later deadline",
		solver.ErrLimit:          "Options.NodeLimit",
	} {
		for _, status := range []solver.Status{solver.Limit, solver.FeasibleLimit} {
			err := (&solver.Result{Status: status, Cause: cause}).Check()
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v, %v: %v", status, cause, err)
			}
		}
	}
}

// TestResultInOneLine: a summary says what there is to say and no more.
func TestResultInOneLine(t *testing.T) {
	for want, r := range map[string]solver.Result{
		"unknown, 0 iterations, 0s":                                                     {},
		"optimal, objective 0.5, 3 iterations, 20µs":                                    {Status: solver.Optimal, Objective: 0.5, Gap: 0.9e-12, Iterations: 3, Elapsed: 17 * time.Microsecond},
		"optimal, objective 2 (bound none, gap +Inf), 0 iterations, 2 nodes, 0s, S [M]": {Status: solver.Optimal, Objective: 2, Gap: math.Inf(1), Nodes: 2, Solver: "S", Model: "M"},
		"optimal, objective 2 (bound 3, gap 1), 0 iterations, 1 nodes, 0s":              {Status: solver.Optimal, Objective: 2, Gap: 1, Upper: proof.AtMost(3), Nodes: 1},
		"limit reached with a feasible point, objective 2 (bound -3, gap 1.1e-12) (so), stopped by: solver: limit reached, 0 iterations, 0s": {
			Status: solver.FeasibleLimit, Objective: 2, Gap: 1.1e-12, Lower: proof.AtLeast(-3), Detail: "so", Cause: solver.ErrLimit,
		},
		"optimal, objective 2, 0 iterations, 0s": {Status: solver.Optimal, Objective: 2, Cause: solver.ErrUnproven},
	} {
		if got := r.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestStatusErrors: every status but Optimal is an error with its sentinel, the
// summary and a next step.
func TestStatusErrors(t *testing.T) {
	sentinels := []error{solver.ErrInfeasible, solver.ErrUnbounded, solver.ErrLimit, solver.ErrNumericalTrouble}
	for _, test := range []struct {
		status solver.Status
		want   error
		text   string
	}{
		{solver.Infeasible, solver.ErrInfeasible, "solver.Explain"},
		{solver.Unbounded, solver.ErrUnbounded, "bounds"},
		{solver.InfeasibleOrUnbounded, nil, "costs 0"},
		{solver.FeasibleLimit, solver.ErrLimit, "point"},
		{solver.Limit, solver.ErrLimit, "deadline"},
		{solver.NumericalTrouble, solver.ErrNumericalTrouble, "rescale"},
		{solver.Status(0), nil, "solve"},
	} {
		res := &solver.Result{Status: test.status, Detail: "a detail", Elapsed: time.Second, Solver: "S", Model: "M"}
		err := res.Check()
		if err == nil {
			t.Errorf("%v is no error", test.status)
			continue
		}
		for _, sentinel := range sentinels {
			if errors.Is(err, sentinel) != (sentinel == test.want) {
				t.Errorf("%v: errors.Is(%v) is wrong", test.status, sentinel)
			}
		}
		for _, text := range []string{test.status.String(), "a detail", "1s", "S", "M", test.text} {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%v: %q is missing in %q", test.status, text, err)
			}
		}
	}
	if (&solver.Result{Status: solver.Optimal}).Check() != nil {
		t.Error("Optimal is an error")
	}
	var none *solver.Result
	if none.Check() == nil {
		t.Error("a nil result passes Check")
	}
}

// TestDefaultBackend: SetDefault and Options.Backend choose the backend.
func TestDefaultBackend(t *testing.T) {
	defer solver.SetDefault(solver.SetDefault(solver.InteriorPoint))
	quadratic := twoColumns()
	quadratic.AddQuadratic(0, 0, 1)
	if res := solveWith(t, quadratic, nil); !strings.Contains(res.Solver, "interior") {
		t.Errorf("default not used: %v", res)
	}
	if res := solveWith(t, twoColumns(), solver.Exact); !strings.Contains(res.Solver, "simplex") {
		t.Errorf("option not used: %v", res)
	}
	solver.SetDefault(nil)
	if before := solver.SetDefault(nil); before != solver.PureGo {
		t.Errorf("default %v", before)
	}
}

// TestExactDeadline: exact arithmetic stops in the middle of its pivots.
func TestExactDeadline(t *testing.T) {
	m := gaussian(shape{Columns: 100, Rows: 200, Density: 1, Bounds: "box", Scale: 1}, 1)
	start := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	res, err := solver.Solve(ctx, m, &solver.Options{Backend: solver.Exact})
	if err != nil || res.Status != solver.Limit || res.X != nil || !errors.Is(res.Check(), context.DeadlineExceeded) {
		t.Errorf("got %v, %v", res, err)
	}
	if elapsed := time.Since(start); elapsed > time.Minute {
		t.Errorf("stopped after %v", elapsed)
	}
}

// TestNoOptimum tells the kinds of models apart.
func TestNoOptimum(t *testing.T) {
	build := func(lower, slope float64) *solver.Model {
		m := solver.NewModel("diagnose")
		m.AddColumn(solver.Column{Cost: slope})
		m.AddColumn(solver.Column{Cost: -slope})
		m.AddQuadratic(0, 0, 1)
		m.AddQuadratic(1, 1, 1)
		m.AddQuadratic(0, 1, 2) // (x + y)^2, flat along (1, -1)
		m.AddRow(solver.Row{Bounds: solver.Between(lower, 1), Columns: []int{0, 1}, Values: []float64{1, 1}})
		m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{0, 1}, Values: []float64{1, 1}})
		return m
	}
	for _, test := range []struct {
		m    *solver.Model
		want solver.Status
	}{{build(0.5, 0), solver.Infeasible}, {build(2, 0), solver.Infeasible}, {build(-1, 1), solver.Unbounded}, {build(-1, 0), solver.Optimal}} {
		if r := solveWith(t, test.m, solver.InteriorPoint); r.Status != test.want {
			t.Errorf("want %v, got %v", test.want, r)
		}
	}
}

// TestWholeBoundsEnterRounded: bounds of an integer column are whole numbers in the model, in its JSON and in MPS, whichever
// way they entered; 4.35*100 is 434.99999999999994. Bounds that hold no whole number stay, so that the error can name them.
func TestWholeBoundsEnterRounded(t *testing.T) {
	cents := 4.35 * 100.0
	m := solver.NewModel("cents")
	m.AddColumn(solver.Column{Bounds: solver.Between(-0.5, cents), Integer: true, Cost: -9})
	m.AddColumn(solver.Column{Bounds: solver.Between(0.5, cents)})
	m.SetInteger(1, true)
	m.AddColumn(solver.Column{Integer: true})
	m.SetColumnBounds(2, solver.Between(0.5, cents))
	for j, lower := range []float64{0, 1, 1} {
		if got := m.Column(j).Bounds; got != solver.Between(lower, 435) || math.Signbit(got.Lower()) {
			t.Errorf("column %d has bounds [%v, %v]", j, got.Lower(), got.Upper())
		}
	}
	m.SetColumnBounds(2, solver.Between(0.25, 0.75))
	if got := m.Column(2).Bounds; got != solver.Between(0.25, 0.75) {
		t.Errorf("bounds without a whole number become [%v, %v]", got.Lower(), got.Upper())
	}
	if m.WriteMPS(io.Discard) == nil {
		t.Error("bounds without a whole number were written")
	}
}

// TestRowsHaveTheirIndices, those that are refused too, so that later ones have theirs.
func TestRowsHaveTheirIndices(t *testing.T) {
	m := twoColumns()
	for want, row := range []solver.Row{{Columns: []int{0}, Values: []float64{1}}, {Columns: []int{7}, Values: []float64{1}}, {}} {
		if index := m.AddRow(row); index != want || m.Rows() != want+1 {
			t.Errorf("row %d of %d has the index %d", want, m.Rows(), index)
		}
	}
}

// TestSessionsNoticeModelsThatAreNone any more, by what was read in their place or added.
func TestSessionsNoticeModelsThatAreNone(t *testing.T) {
	m := solver.NewModel("one")
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(1), Cost: 1})
	session, err := solver.Open(m, &solver.Options{Backend: solver.PureGo})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := session.Solve(t.Context()); err != nil || r.Objective != 1 {
		t.Fatal(r, err)
	}
	if err := m.UnmarshalJSON([]byte(`{"name": "none"}`)); err == nil || !strings.Contains(err.Error(), "no columns") {
		t.Errorf("a model without columns is read: %v", err)
	}
	if r, err := session.Solve(t.Context()); err == nil {
		t.Errorf("a model without columns is solved: %v", r)
	}
	m = twoColumns()
	if session, err = solver.Open(m, &solver.Options{Backend: claims{status: solver.Limit}}); err != nil { // which looks at no model
		t.Fatal(err)
	}
	m.AddColumn(solver.Column{Name: m.Column(0).Name})
	if r, err := session.Solve(t.Context()); err == nil {
		t.Errorf("a model with two columns of one name is solved: %v", r)
	}
}

// Of many mistakes the first ten are told, and how many more there are.
func TestManyMistakesAreCounted(t *testing.T) {
	for extra, want := range map[int]string{0: "", 1: "and 1 more mistakes", 4: "and 4 more mistakes"} {
		m := twoColumns()
		for range 10 + extra {
			m.AddQuadratic(0, 9, 1)
		}
		lines := strings.Split(m.Validate().Error(), "\n")
		if told := 10 + min(extra, 1); len(lines) != told || extra > 0 && lines[10] != "solver: "+want {
			t.Errorf("%d mistakes beyond ten: %q", extra, lines)
		}
	}
}

// Without its objective a model asks for a point alone: nothing of costs, products, constant and sense is left, and the
// model itself keeps them.
func TestWithoutObjectiveNothingIsLeft(t *testing.T) {
	m := twoColumns()
	m.SetMaximize(true)
	m.SetOffset(7)
	m.SetCost(1, 3)
	m.AddQuadratic(0, 0, -1)
	plain := m.WithoutObjective()
	if !strings.Contains(plain.String(), "min") || plain.Offset() != 0 || plain.Column(1).Cost != 0 || len(plain.Quadratic()) != 0 || plain.Validate() != nil {
		t.Errorf("of the objective is left: %v, constant %v, cost %v, products %v", plain, plain.Offset(), plain.Column(1).Cost, plain.Quadratic())
	}
	if !strings.Contains(m.String(), "max") || m.Offset() != 7 || m.Column(1).Cost != 3 || len(m.Quadratic()) != 1 {
		t.Errorf("the model changed: %v", m)
	}
}

// A column is called by its name or its number.
func TestNamesOfColumns(t *testing.T) {
	m := solver.NewModel("named")
	m.AddColumn(solver.Column{Name: "first"})
	m.AddColumn(solver.Column{})
	if m.ColumnName(0) != "first" || m.ColumnName(1) != "column 1" {
		t.Errorf("%q, %q", m.ColumnName(0), m.ColumnName(1))
	}
}

// Every coefficient of a row has to be a number of at most MaxCoefficient in size.
func TestCoefficientsOfARow(t *testing.T) {
	for _, test := range []struct {
		values []float64
		good   bool
	}{
		{[]float64{1, solver.MaxCoefficient}, true}, {[]float64{-solver.MaxCoefficient, 1}, true}, {[]float64{1, math.NaN()}, false},
		{[]float64{solver.MaxCoefficient, math.Inf(1)}, false}, {[]float64{1, 2 * solver.MaxCoefficient}, false}, {[]float64{math.NaN(), 1}, false},
	} {
		m := twoColumns()
		m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: test.values})
		if err := m.Validate(); (err == nil) != test.good {
			t.Errorf("coefficients %v: %v", test.values, err)
		}
	}
}

// A column or row that a model does not have is told in a sentence.
func TestColumnsAndRowsThatAreNot(t *testing.T) {
	m := twoColumns()
	for name, call := range map[string]func(){
		"Column": func() { m.Column(2) }, "before": func() { m.Column(-1) }, "ColumnName": func() { m.ColumnName(2) },
		"Row": func() { m.Row(0) }, "RowBounds": func() { m.RowBounds(-1) }, "Objective": func() { m.Objective([]float64{1}) },
	} {
		func() {
			defer func() {
				if said, _ := recover().(string); !strings.HasPrefix(said, "solver: ") {
					t.Errorf("%s: %q", name, said)
				}
			}()
			call()
		}()
	}
}

// Products that cancel leave no term, and a model without terms is linear.
func TestProductsThatCancelLeaveNoTerm(t *testing.T) {
	m := twoColumns()
	m.AddQuadratic(0, 1, 2)
	m.AddQuadratic(0, 0, 1)
	m.AddQuadratic(1, 0, -2)
	if terms := m.Quadratic(); !reflect.DeepEqual(terms, []solver.Term{{I: 0, J: 0, Value: 1}}) {
		t.Errorf("terms %v", terms)
	}
	if m.AddQuadratic(0, 0, -1); len(m.Quadratic()) != 0 || !strings.Contains(m.String(), " 0 quadratic terms") {
		t.Errorf("terms %v of %v", m.Quadratic(), m)
	}
}

// A model says its size and kind in a line.
func TestModelsSayTheirSize(t *testing.T) {
	m := twoColumns()
	m.SetInteger(1, true)
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, 2}})
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{1}, Values: []float64{2}})
	m.AddQuadratic(0, 0, 1)
	if want := ": minimize, 2 columns (1 integer), 2 rows, 3 coefficients, 1 quadratic terms"; !strings.HasSuffix(m.String(), want) {
		t.Errorf("%q does not end with %q", m, want)
	}
}
