package solver_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
)

var nan = math.NaN()

// twoColumns is a model with two good columns, x and y.
func twoColumns() *solver.Model {
	m := solver.NewModel("two columns")
	m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1), Cost: 1})
	m.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(0, 1), Cost: 1})
	return m
}

// TestBadModels: every mistake is an error from Validate, Open and Solve that
// names the argument, the value and the next step.
func TestBadModels(t *testing.T) {
	for _, test := range []struct {
		name  string
		build func(m *solver.Model)
		want  []string // what the error must say
	}{
		{"NaN lower bound", func(m *solver.Model) { m.AddColumn(solver.Column{Name: "z", Bounds: solver.Between(nan, 0)}) }, []string{"column 2 (z)", "NaN", "math.Inf"}},
		{"NaN upper bound", func(m *solver.Model) { m.AddColumn(solver.Column{Bounds: solver.Between(0, nan)}) }, []string{"column 2", "NaN"}},
		{"lower bound +Inf", func(m *solver.Model) { m.AddColumn(solver.Column{Bounds: solver.Equal(inf)}) }, []string{"lower bound +Inf", "math.Inf(-1)"}},
		{"upper bound -Inf", func(m *solver.Model) { m.AddColumn(solver.Column{Bounds: solver.Equal(-inf)}) }, []string{"upper bound -Inf"}},
		{"bound like infinity", func(m *solver.Model) { m.AddColumn(solver.Column{Bounds: solver.Between(0, 1e300)}) }, []string{"1e+300", "math.Inf"}},
		{"NaN cost", func(m *solver.Model) { m.AddColumn(solver.Column{Name: "z", Cost: nan}) }, []string{"cost of column 2 (z)", "NaN"}},
		{"infinite cost", func(m *solver.Model) { m.AddColumn(solver.Column{Cost: inf}) }, []string{"cost", "+Inf"}},
		{"huge cost", func(m *solver.Model) { m.AddColumn(solver.Column{Cost: 1e260}) }, []string{"1e+260"}},
		{"set NaN cost", func(m *solver.Model) { m.SetCost(1, nan) }, []string{"cost of y", "NaN"}},
		{"set cost out of range", func(m *solver.Model) { m.SetCost(2, 1) }, []string{"column 2", "2 columns"}},
		{"NaN offset", func(m *solver.Model) { m.SetOffset(nan) }, []string{"offset", "NaN"}},
		{"row lengths", func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{0, 1}, Values: []float64{1}}) }, []string{"row 0", "2 columns", "1 values"}},
		{"row column too large", func(m *solver.Model) {
			m.AddRow(solver.Row{Name: "r", Columns: []int{2}, Values: []float64{1}})
		}, []string{"row 0 (r)", "column 2", "2 columns"}},
		{"row column negative", func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{-1}, Values: []float64{1}}) }, []string{"column -1"}},
		{"NaN coefficient", func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{0}, Values: []float64{nan}}) }, []string{"row 0", "coefficient of column 0", "NaN"}},
		{"infinite coefficient", func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{1}, Values: []float64{-inf}}) }, []string{"coefficient of column 1", "-Inf"}},
		{"huge coefficient", func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{1}, Values: []float64{2e260}}) }, []string{"2e+260"}},
		{"NaN row bound", func(m *solver.Model) { m.AddRow(solver.Row{Bounds: solver.Between(0, nan)}) }, []string{"row 0", "NaN"}},
		{"row lower bound +Inf", func(m *solver.Model) { m.AddRow(solver.Row{Bounds: solver.Equal(inf)}) }, []string{"row 0", "lower bound +Inf"}},
		{"set row bounds out of range", func(m *solver.Model) { m.SetRowBounds(0, solver.Between(0, 1)) }, []string{"row 0", "0 rows"}},
		{"set column bounds NaN", func(m *solver.Model) { m.SetColumnBounds(0, solver.Between(nan, 1)) }, []string{"x", "NaN"}},
		{"quadratic out of range", func(m *solver.Model) { m.AddQuadratic(0, 5, 1) }, []string{"(0, 5)", "column 5", "2 columns"}},
		{"NaN quadratic", func(m *solver.Model) { m.AddQuadratic(0, 1, nan) }, []string{"quadratic term (0, 1)", "NaN"}},
		{"saddle", func(m *solver.Model) { m.AddQuadratic(0, 1, 1) }, []string{"not convex", "-1"}},
		{"convex maximisation", func(m *solver.Model) { m.SetMaximize(true); m.AddQuadratic(0, 0, 1) }, []string{"not concave", "eigenvalue 2"}},
		{"same name twice", func(m *solver.Model) { m.AddColumn(solver.Column{Name: "x"}) }, []string{"columns 0 and 2", `"x"`}},
	} {
		m := twoColumns()
		test.build(m)
		_, openErr := solver.Open(m, nil)
		_, solveErr := solver.Solve(context.Background(), m, nil)
		_, backendErr := solver.InteriorPoint.Open(m, nil)
		for _, err := range []error{m.Validate(), openErr, solveErr, backendErr} {
			if err == nil {
				t.Errorf("%s: no error", test.name)
				continue
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "solver: ") {
					t.Errorf("%s: %q is missing in %q", test.name, want, err)
				}
			}
		}
	}
}

func TestNoModel(t *testing.T) {
	if _, err := solver.Open(nil, nil); err == nil || !strings.Contains(err.Error(), "NewModel") {
		t.Errorf("nil model: %v", err)
	}
	if _, err := solver.Open(solver.NewModel("empty"), nil); err == nil || !strings.Contains(err.Error(), "AddColumn") {
		t.Errorf("empty model: %v", err)
	}
	m := twoColumns()
	for range 10 { // as many as are spelled out
		m.SetCost(9, 1)
	}
	if err := m.Validate(); err == nil || strings.Contains(err.Error(), "more") {
		t.Errorf("ten mistakes: %v", err)
	}
	for range 20 {
		m.SetCost(9, 1)
	}
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "20") {
		t.Errorf("many mistakes: %v", err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, test := range []struct {
		options solver.Options
		want    string
	}{
		{solver.Options{RelativeGap: nan}, "RelativeGap"},
		{solver.Options{RelativeGap: 1}, "RelativeGap"},
		{solver.Options{FeasibilityTolerance: nan}, "FeasibilityTolerance"},
		{solver.Options{FeasibilityTolerance: -1}, "FeasibilityTolerance"},
		{solver.Options{OptimalityTolerance: 1}, "OptimalityTolerance"},
		{solver.Options{IterationLimit: -1}, "IterationLimit"},
		{solver.Options{NodeLimit: -1}, "NodeLimit"},
		{solver.Options{Seed: -1}, "Seed"},
	} {
		if _, err := solver.Open(twoColumns(), &test.options); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test.options, err)
		}
	}
}

// TestSessionRefusals: a mistake in a model is the error of every solve from then on, never the answer of a weaker model.
func TestSessionRefusals(t *testing.T) {
	for name, mistake := range map[string]func(*solver.Model){
		"row":            func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{3}, Values: []float64{1}}) },
		"coefficient":    func(m *solver.Model) { m.AddRow(solver.Row{Columns: []int{0}, Values: []float64{nan}}) },
		"cost":           func(m *solver.Model) { m.SetCost(0, nan) },
		"offset":         func(m *solver.Model) { m.SetOffset(inf) },
		"row bounds":     func(m *solver.Model) { m.SetRowBounds(0, solver.Between(0, 1)) },
		"column bounds":  func(m *solver.Model) { m.SetColumnBounds(0, solver.Between(0, nan)) },
		"integrality":    func(m *solver.Model) { m.SetInteger(2, true) },
		"column":         func(m *solver.Model) { m.AddColumn(solver.Column{Cost: nan}) },
		"squares":        func(m *solver.Model) { m.AddQuadratic(0, 5, 1) },
		"curvature":      func(m *solver.Model) { m.AddQuadratic(0, 0, -1) },
		"repeated names": func(m *solver.Model) { m.AddColumn(solver.Column{Name: "x"}) },
	} {
		m := twoColumns()
		session, err := solver.Open(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		mistake(m)
		for range 2 {
			if res, err := session.Solve(context.Background()); res != nil || err == nil || !strings.HasPrefix(err.Error(), "solver: ") {
				t.Errorf("%s: %v, %v", name, res, err)
			}
		}
	}
}

// TestSessionsStartAnew: a session follows changes of sense, columns, squares and integrality, a model that was read, and
// a choice of backends that they bring with them.
func TestSessionsStartAnew(t *testing.T) {
	m := solver.NewModel("changing")
	x := m.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Cost: 1})
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, step := range []struct {
		change    func()
		objective float64
		solver    string
	}{
		{func() {}, 0, "dual simplex"},
		{func() { m.SetMaximize(true) }, 3, "dual simplex"},
		{func() { m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 2}) }, 5, "dual simplex"},
		{func() { m.AddQuadratic(x, x, -1) }, 2.25, "interior point"},
		{func() {
			if err := json.Unmarshal([]byte(`{"name":"read","sense":"minimize","columns":[{"lower":2,"upper":7,"cost":1},{"lower":1,"upper":7,"cost":1}]}`), m); err != nil {
				t.Fatal(err)
			}
		}, 3, "dual simplex"},
	} {
		step.change()
		res, err := session.Solve(context.Background())
		if err != nil || res.Check() != nil || math.Abs(res.Objective-step.objective) > 1e-8 || !strings.Contains(res.Solver, step.solver) {
			t.Errorf("step %d: %v, %v", k, res, err)
		}
	}
	defer solver.SetDefault(solver.SetDefault(solver.PureGo))
	m.SetInteger(x, true)
	if res, err := session.Solve(context.Background()); !errors.Is(err, solver.ErrUnsupported) {
		t.Errorf("integers: %v, %v", res, err)
	}
	m.SetInteger(x, false)
	if res, err := session.Solve(context.Background()); err != nil || res.Objective != 3 {
		t.Errorf("integers no longer: %v, %v", res, err)
	}
}

// TestSimplexRefusals: what the pure-Go backend cannot do is a typed error that
// names the feature and the way out.
func TestSimplexRefusals(t *testing.T) {
	integer := twoColumns()
	integer.AddColumn(solver.Column{Name: "open", Bounds: solver.Between(0, 1), Integer: true})
	quadratic := twoColumns()
	quadratic.AddQuadratic(0, 0, 1)
	for _, refused := range []struct {
		feature, remedy string
		model           *solver.Model
	}{
		{"integer variable (open)", "solver/highs", integer},
		{"quadratic objective", "solver.InteriorPoint", quadratic},
	} {
		feature := refused.feature
		_, err := solver.Solve(context.Background(), refused.model, &solver.Options{Backend: solver.Exact})
		if !errors.Is(err, solver.ErrUnsupported) {
			t.Errorf("%s: %v", feature, err)
			continue
		}
		if !strings.Contains(err.Error(), feature) || !strings.Contains(err.Error(), refused.remedy) {
			t.Errorf("%s: %v", feature, err)
		}
	}
}
