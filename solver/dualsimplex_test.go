package solver_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// TestDualSimplexAgainstSimplex: both pure-Go methods give the same status and
// optimum, and only models without a bound need the rescue.
func TestDualSimplexAgainstSimplex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		ours, theirs := solveWith(t, m, solver.DualSimplex), solveWith(t, m, solver.Exact)
		if ours.Status != theirs.Status {
			t.Fatalf("dual simplex: %v\nsimplex: %v", ours, theirs)
		}
		if ours.Status != solver.Unbounded && !strings.Contains(ours.Solver, "dual") {
			t.Fatalf("needed the rescue: %v", ours)
		}
		if ours.Status != solver.Optimal {
			return
		}
		if math.Abs(ours.Objective-theirs.Objective) > 1e-7*(1+math.Abs(theirs.Objective)) {
			t.Fatalf("dual simplex %v, simplex %v", ours.Objective, theirs.Objective)
		}
		checkOptimum(t, m, ours, 1e-7)
	})
}

// TestDualSimplexShapes: no rescue is needed on larger models, well and badly
// scaled, and the objective is that of an independent method.
func TestDualSimplexShapes(t *testing.T) {
	for _, s := range []shape{
		{Columns: 60, Rows: 200, Density: 1, Bounds: "box", Scale: 1},
		{Columns: 30, Rows: 400, Density: 1, Bounds: "free", Scale: 1},
		{Columns: 90, Rows: 40, Density: 0.3, Bounds: "nonnegative", Equations: 20, Scale: 1},
		{Columns: 80, Rows: 60, Density: 0.2, Bounds: "free", Equations: 25, Scale: 1},
		{Columns: 20, Rows: 60, Density: 1, Bounds: "box", Equations: 3, Scale: 1000},
		{Columns: 60, Rows: 20, Density: 0.5, Bounds: "nonnegative", Equations: 10, Scale: 1000},
	} {
		for seed := range uint64(3) {
			m := gaussian(s, seed)
			ours, theirs := solveWith(t, m, solver.DualSimplex), solveWith(t, m, solver.InteriorPoint)
			if ours.Check() != nil || !strings.Contains(ours.Solver, "dual") {
				t.Fatalf("%+v: %v", s, ours)
			}
			if theirs.Check() == nil && math.Abs(ours.Objective-theirs.Objective) > 1e-6*(1+math.Abs(theirs.Objective)) {
				t.Errorf("%+v: %v, interior point %v", s, ours, theirs)
			}
		}
	}
}

// TestDualSimplexDegenerate: examples on which textbook rules cycle (Beale 1955;
// Chvátal 1983, page 31), a transport problem, and the cube of Klee and Minty.
func TestDualSimplexDegenerate(t *testing.T) {
	beale := nonnegative(-0.75, 150, -0.02, 6)
	atMost(beale, 0, 0.25, -60, -1.0/25, 9)
	atMost(beale, 0, 0.5, -90, -1.0/50, 3)
	atMost(beale, 1, 0, 0, 1, 0)
	chvatal := nonnegative(-10, 57, 9, 24)
	atMost(chvatal, 0, 0.5, -5.5, -2.5, 9)
	atMost(chvatal, 0, 0.5, -1.5, -0.5, 1)
	atMost(chvatal, 1, 1, 0, 0, 0)
	assignment := solver.NewModel("assignment")
	const size = 12
	for i := range size {
		for j := range size {
			assignment.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: float64((i*j + i + 2*j) % 5)})
		}
	}
	for i := range size {
		row, column := solver.Row{Bounds: solver.Equal(1)}, solver.Row{Bounds: solver.Equal(1)}
		for j := range size {
			row.Columns, row.Values = append(row.Columns, i*size+j), append(row.Values, 1)
			column.Columns, column.Values = append(column.Columns, j*size+i), append(column.Values, 1)
		}
		assignment.AddRow(row)
		assignment.AddRow(column)
	}
	kleeMinty := nonnegative(-100, -10, -1)
	atMost(kleeMinty, 1, 1, 0, 0)
	atMost(kleeMinty, 100, 20, 1, 0)
	atMost(kleeMinty, 10000, 200, 20, 1)
	for name, test := range map[string]struct {
		model *solver.Model
		want  float64
	}{
		"Beale": {beale, -0.05}, "Chvátal": {chvatal, -1}, "Klee and Minty": {kleeMinty, -10000},
		"assignment": {assignment, solveWith(t, assignment, solver.Exact).Objective},
	} {
		got := solveWith(t, test.model, solver.DualSimplex)
		if got.Check() != nil || math.Abs(got.Objective-test.want) > 1e-8*(1+math.Abs(test.want)) || !strings.Contains(got.Solver, "dual") {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// nonnegative is a model of columns x >= 0.
func nonnegative(costs ...float64) *solver.Model {
	m := solver.NewModel("nonnegative")
	for _, c := range costs {
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: c})
	}
	return m
}

// atMost adds the dense row values'x <= upper.
func atMost(m *solver.Model, upper float64, values ...float64) {
	r := solver.Row{Bounds: solver.AtMost(upper), Values: values}
	for j := range values {
		r.Columns = append(r.Columns, j)
	}
	m.AddRow(r)
}

// TestDualSimplexSession: a session follows changes, passes them on to the rescue
// when it has given up, and repeats its answers to the last bit.
func TestDualSimplexSession(t *testing.T) {
	var answers [2]*solver.Result
	for k := range answers {
		cuts := drawnCuts(40, 200, 3)
		m := worstCase(40, cuts[:100])
		session, err := solver.Open(m, &solver.Options{Backend: solver.DualSimplex})
		if err != nil {
			t.Fatal(err)
		}
		first, err := session.Solve(context.Background())
		if err != nil || first.Check() != nil {
			t.Fatal(first, err)
		}
		for _, row := range cuts[100:] {
			m.AddRow(row)
		}
		if answers[k], err = session.Solve(context.Background()); err != nil || answers[k].Check() != nil {
			t.Fatal(answers[k], err)
		}
		cold := solveWith(t, worstCase(40, cuts), solver.DualSimplex)
		if math.Abs(answers[k].Objective-cold.Objective) > 1e-9*(1+math.Abs(cold.Objective)) || answers[k].Iterations >= cold.Iterations {
			t.Errorf("warm %v\ncold %v", answers[k], cold)
		}
		again, err := session.Solve(context.Background())
		if err != nil || again.Iterations != 0 || again.Objective != answers[k].Objective {
			t.Errorf("again: %v, %v; want the same without an iteration", again, err)
		}
	}
	if !reflect.DeepEqual(answers[0].X, answers[1].X) || !reflect.DeepEqual(answers[0].RowDuals, answers[1].RowDuals) {
		t.Error("two runs differ")
	}
}

// TestOutgrownTableau: a model that becomes too large for a tableau goes to the default backend,
// with all later changes.
func TestOutgrownTableau(t *testing.T) {
	m := solver.NewModel("large")
	const n = 3000
	for range n {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 1})
	}
	rescue := &recorder{}
	defer solver.SetDefault(solver.SetDefault(rescue))
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for j := range 800 {
		m.AddRow(solver.Row{Bounds: solver.AtLeast(0.5), Columns: []int{j}, Values: []float64{1}})
	}
	if res, err := session.Solve(context.Background()); err != nil || res.Solver != "recorder" {
		t.Fatalf("%v, %v", res, err)
	}
	m.AddRow(solver.Row{Bounds: solver.Between(0, 1), Columns: []int{0}, Values: []float64{1}})
	m.SetCost(1, 2)
	m.SetOffset(3)
	m.SetRowBounds(0, solver.Between(0, 1))
	m.SetColumnBounds(2, solver.Between(0, 3))
	if res, err := session.Solve(context.Background()); err != nil || res.Solver != "recorder" {
		t.Fatalf("%v, %v", res, err)
	}
	if rescue.model.Rows() != 801 || rescue.model.Column(1).Cost != 2*rescue.model.Column(0).Cost || rescue.model.Row(0).Upper() != 2*rescue.model.Row(1).Lower() ||
		rescue.model.Column(2).Upper() != 3*rescue.model.Column(1).Upper() {
		t.Errorf("the rescue sees %v, %+v, %+v", rescue.model, rescue.model.Column(2), rescue.model.Row(0))
	}
}

// TestSecondBackendThatRefuses: its error is that of the solve.
func TestSecondBackendThatRefuses(t *testing.T) {
	defer solver.SetDefault(solver.SetDefault(refusing{}))
	m := solver.NewModel("large")
	for range 3000 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	}
	session, err := solver.Open(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 800 {
		m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0}, Values: []float64{1}})
	}
	for range 2 {
		if res, err := session.Solve(context.Background()); !errors.Is(err, solver.ErrUnsupported) {
			t.Errorf("%v, %v", res, err)
		}
	}
}

type refusing struct{}

func (refusing) Open(*solver.Model, *solver.Options) (solver.Engine, error) {
	return nil, solver.ErrUnsupported
}

// recorder is a backend and an engine that keeps what it is given.
type recorder struct{ model *solver.Model }

func (r *recorder) Open(m *solver.Model, _ *solver.Options) (solver.Engine, error) {
	r.model = m
	return r, nil
}

func (r *recorder) Solve(context.Context) (*solver.Result, error) {
	return &solver.Result{Solver: "recorder"}, nil
}

// TestSmallTermsCount: an optimum is refined until what small costs can still gain is next to
// nothing beside the large ones.
func TestSmallTermsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := solver.NewModel("ratio")
		width := math.Pow(10, rapid.Float64Range(4, 7).Draw(t, "width"))
		m.AddColumn(solver.Column{Bounds: solver.Between(0, width), Cost: -1})
		m.AddRow(solver.Row{Bounds: solver.AtMost(3), Columns: []int{0}, Values: []float64{1e-10}})
		for range rapid.IntRange(1, 4).Draw(t, "small columns") {
			j := m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: rapid.Float64Range(-9, 1).Draw(t, "cost")})
			m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, j}, Values: []float64{1e-10, 1}})
		}
		r, exactly := solveWith(t, m, solver.DualSimplex), solveWith(t, m, solver.Exact)
		if r.Gap > 1e-9 || math.Abs(r.Objective-exactly.Objective) > 1e-9*width {
			t.Fatalf("got %v, gap %g; exactly %v", r, r.Gap, exactly)
		}
	})
}

// TestDualSimplexLimits: a cancelled context and an iteration limit end a solve
// with their cause.
func TestDualSimplexLimits(t *testing.T) {
	m := worstCase(40, drawnCuts(40, 200, 3))
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := solver.Solve(cancelled, m, &solver.Options{Backend: solver.DualSimplex})
	if err != nil || res.Status != solver.Limit || !errors.Is(res.Check(), context.Canceled) {
		t.Errorf("cancelled: %v, %v", res, err)
	}
	res, err = solver.Solve(context.Background(), m, &solver.Options{Backend: solver.DualSimplex, IterationLimit: 3})
	if err != nil || res.Status != solver.Limit || !errors.Is(res.Cause, solver.ErrLimit) {
		t.Errorf("limited: %v, %v", res, err)
	}
}

// TestDualSimplexRefusals: integer and quadratic models are typed errors.
func TestDualSimplexRefusals(t *testing.T) {
	integer, quadratic := twoColumns(), twoColumns()
	integer.SetInteger(0, true)
	quadratic.AddQuadratic(0, 0, 1)
	for _, m := range []*solver.Model{integer, quadratic} {
		if _, err := (solver.DualSimplex).Open(m, nil); !errors.Is(err, solver.ErrUnsupported) {
			t.Errorf("%v: %v", m, err)
		}
	}
}

// TestOpen: linear models go to the dual simplex method, others and explicit
// wishes to the default.
func TestOpen(t *testing.T) {
	quadratic := twoColumns()
	quadratic.AddQuadratic(0, 0, 1)
	for _, test := range []struct {
		model  *solver.Model
		option *solver.Options
		want   string
	}{
		{twoColumns(), nil, "dual simplex"},
		{twoColumns(), &solver.Options{Backend: solver.Exact}, "exact"},
		{quadratic, nil, "interior point"},
	} {
		session, err := solver.Open(test.model, test.option)
		if err != nil {
			t.Fatal(err)
		}
		res, err := session.Solve(context.Background())
		if err != nil || !strings.Contains(res.Solver, test.want) {
			t.Errorf("%v, %v; want %s", res, err, test.want)
		}
	}
	if _, err := solver.Open(nil, nil); err == nil {
		t.Error("no error for a nil model")
	}
}

// TestFarkasProofOnNarrowMisses: models that are infeasible by a little more than
// the tolerance are, and by a little less are not.
func TestFarkasProofOnNarrowMisses(t *testing.T) {
	for miss, want := range map[float64]solver.Status{1e-4: solver.Infeasible, 1e-6: solver.Infeasible, 1e-12: solver.Optimal} {
		m := twoColumns()
		m.SetColumnBounds(0, solver.Between(0, 1))
		m.SetColumnBounds(1, solver.Between(0, 1))
		m.AddRow(solver.Row{Bounds: solver.AtLeast(1.5 + miss), Columns: []int{0, 1}, Values: []float64{1, 1}})
		m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, 1.0 / 3}})
		m.AddRow(solver.Row{Bounds: solver.AtMost(0.75), Columns: []int{1}, Values: []float64{1}})
		if got := solveWith(t, m, solver.DualSimplex); got.Status != want {
			t.Errorf("miss %g: %v, want %v", miss, got, want)
		}
	}
}
