package solver_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// claims is a backend for integer models that says what it is told to.
type claims struct {
	status solver.Status
	x      []float64
}

func (c claims) Open(*solver.Model, *solver.Options) (solver.Engine, error) { return c, nil }

func (c claims) Solve(context.Context) (*solver.Result, error) {
	return &solver.Result{Status: c.status, X: append([]float64(nil), c.x...), Objective: math.NaN(), Gap: math.Inf(1)}, nil
}

// drawInteger draws a small integer model over a box, and lists its points with their values.
func drawInteger(t *rapid.T) (m *solver.Model, points [][]float64, values []float64) {
	m = solver.NewModel("integer")
	if rapid.Bool().Draw(t, "maximise") {
		m.SetMaximize(true)
	}
	n := rapid.IntRange(1, 4).Draw(t, "columns")
	columns := make([]int, n)
	lower, upper := rapid.SampledFrom([]float64{-1, -0.5, 0, 1e-10}).Draw(t, "lower"), rapid.SampledFrom([]float64{2, 2.75, 3 - 1e-10}).Draw(t, "upper")
	for j := range columns {
		columns[j] = m.AddColumn(solver.Column{Bounds: solver.Between(lower, upper), Cost: float64(rapid.IntRange(-9, 9).Draw(t, "cost")), Integer: true})
	}
	m.SetOffset(float64(rapid.IntRange(-5, 5).Draw(t, "offset")))
	for range rapid.IntRange(1, 3).Draw(t, "rows") {
		coefficients := make([]float64, n)
		for j := range coefficients {
			coefficients[j] = float64(rapid.IntRange(-7, 7).Draw(t, "coefficient"))
		}
		from := float64(rapid.IntRange(-6, 6).Draw(t, "from"))
		m.AddRow(solver.Row{Bounds: solver.Between(from, from+float64(rapid.IntRange(0, 6).Draw(t, "width"))), Columns: columns, Values: coefficients})
	}
	first, last := math.Ceil(lower-1e-9), math.Floor(upper+1e-9)
	x := make([]float64, n)
	var list func(j int)
	list = func(j int) {
		if j < n {
			for x[j] = first; x[j] <= last; x[j]++ {
				list(j + 1)
			}
			return
		}
		for i := range m.Rows() {
			if limits := m.RowBounds(i); m.Activity(i, x) < limits.Lower() || m.Activity(i, x) > limits.Upper() {
				return
			}
		}
		points, values = append(points, append([]float64(nil), x...)), append(values, m.Objective(x))
	}
	list(0)
	return m, points, values
}

// best returns the optimum of the listed values, NaN if there are none.
func best(m *solver.Model, values []float64) float64 {
	optimum := math.NaN()
	for _, v := range values {
		if math.IsNaN(optimum) || (v < optimum) != m.Maximizes() {
			optimum = v
		}
	}
	return optimum
}

// TestIntegerClaimsAreProven: whatever a backend says of an integer model and whichever point
// it gives, the answer is the optimum by enumeration, or that there is none.
func TestIntegerClaimsAreProven(t *testing.T) {
	empty := 0
	rapid.Check(t, func(t *rapid.T) {
		m, points, values := drawInteger(t)
		backend := claims{status: rapid.SampledFrom([]solver.Status{solver.Infeasible, solver.Limit}).Draw(t, "status")}
		if len(points) > 0 && rapid.Bool().Draw(t, "gives a point") {
			backend = claims{
				status: rapid.SampledFrom([]solver.Status{solver.Optimal, solver.FeasibleLimit}).Draw(t, "status of the point"),
				x:      rapid.SampledFrom(points).Draw(t, "point"),
			}
		}
		r := solveWith(t, m, backend)
		if len(points) == 0 {
			if empty++; r.Status != solver.Infeasible || !math.IsInf(r.Gap, 1) {
				t.Fatalf("told %v of a model without a point: %v", backend.status, r)
			}
			return
		}
		optimum := best(m, values)
		if r.Status != solver.Optimal || r.Objective != optimum || m.Objective(r.X) != optimum || r.Gap > 1e-6 {
			t.Fatalf("told %v at %v, optimum %v: %v", backend.status, backend.x, optimum, r)
		}
		if violation, where := m.Violation(r.X); violation > 1e-9 {
			t.Fatalf("the point violates %s by %g", where, violation)
		}
		if difference := optimum - provenOf(r); difference != 0 && (difference < 0) != m.Maximizes() {
			t.Fatalf("bound %v is beyond the optimum %v", provenOf(r), optimum)
		}
	})
	if empty == 0 {
		t.Error("no model without a point was drawn")
	}
}

// boundless calls what has costs unbounded, and what has none infeasible.
type boundless struct{}

func (boundless) Open(m *solver.Model, _ *solver.Options) (solver.Engine, error) {
	if m.Column(0).Cost != 0 {
		return claims{status: solver.Unbounded}, nil
	}
	return claims{status: solver.Infeasible}, nil
}

// TestUnboundedIntegerModelsHaveAPoint: one without a point is infeasible, and one that is bounded is trouble.
func TestUnboundedIntegerModelsHaveAPoint(t *testing.T) {
	// The sides are those of x - y beside x + y = 1.
	for side, want := range map[float64]solver.Status{0: solver.Infeasible, 1: solver.NumericalTrouble} {
		m := oneHalf()
		m.SetCost(0, 1)
		m.SetRowBounds(1, solver.Equal(side))
		r := solveWith(t, m, boundless{})
		if r.Status != want || !math.IsInf(r.Gap, 1) || (r.Detail == "") != (want == solver.Infeasible) {
			t.Errorf("x - y = %g: %v, gap %v, %q", side, r, r.Gap, r.Detail)
		}
	}
}

// brittle makes a claim of the first model, and breaks at the next.
type brittle struct {
	claims
	opened int
}

func (b *brittle) Open(*solver.Model, *solver.Options) (solver.Engine, error) {
	if b.opened++; b.opened > 1 {
		return nil, errBroken
	}
	return b.claims, nil
}

// TestIntegerClaimsOfABrokenBackend: a point is asked of the backend that was chosen, and its error is the answer.
func TestIntegerClaimsOfABrokenBackend(t *testing.T) {
	for _, status := range []solver.Status{solver.Infeasible, solver.Unbounded} {
		m := solver.NewModel("one whole number")
		m.AddColumn(solver.Column{Integer: true})
		m.AddColumn(solver.Column{Cost: 1})
		m.AddRow(solver.Row{Bounds: solver.Equal(0.5), Columns: []int{0}, Values: []float64{0.375}})
		backend := &brittle{claims: claims{status: status}}
		r, err := solver.Solve(t.Context(), m, &solver.Options{Backend: backend})
		if !errors.Is(err, errBroken) || backend.opened != 2 {
			t.Errorf("told %v: %v, %v after %d models", status, r, err, backend.opened)
		}
	}
}

// TestSquaresOfWholeNumbersAreUnproven: the optimum is the word of the backend, with any gap.
func TestSquaresOfWholeNumbersAreUnproven(t *testing.T) {
	m := solver.NewModel("square")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Integer: true})
	m.AddQuadratic(0, 0, 1)
	r := solveWith(t, m, claims{status: solver.Optimal, x: []float64{0}})
	if r.Status != solver.Optimal || !errors.Is(r.Cause, solver.ErrUnproven) || !math.IsInf(r.Gap, 1) {
		t.Errorf("%v, gap %v, cause %v", r, r.Gap, r.Cause)
	}
}

// TestPointsThatAreNotWholeAreNone: the optimum of the relaxation is not one of the model.
func TestPointsThatAreNotWholeAreNone(t *testing.T) {
	m := solver.NewModel("half")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 3), Cost: -1, Integer: true})
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 3)})
	m.AddRow(solver.Row{Bounds: solver.AtMost(5), Columns: []int{0, 1}, Values: []float64{2, 1}})
	if r := solveWith(t, m, claims{status: solver.Optimal, x: []float64{2.5, 0}}); r.Status != solver.Optimal || r.Objective != -2 {
		t.Errorf("told 2.5: %v at %v", r, r.X)
	}
}

// TestEmptyWhateverTheCosts: that there is no point is proven although the relaxation has no minimum to branch at.
func TestEmptyWhateverTheCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := solver.NewModel("one whole number")
		factor, side := float64(rapid.IntRange(1, 9).Draw(t, "factor"))/8, float64(rapid.IntRange(-20, 20).Draw(t, "side"))/8
		m.AddColumn(solver.Column{Integer: true})
		m.AddColumn(solver.Column{Cost: 1})
		m.AddRow(solver.Row{Bounds: solver.Equal(side), Columns: []int{0}, Values: []float64{factor}})
		r := solveWith(t, m, claims{status: solver.Infeasible})
		if x := side / factor; (r.Status == solver.Infeasible) != (x != math.Floor(x)) {
			t.Fatalf("%v x = %v: %v", factor, side, r)
		}
	})
}

// TestStoppedIntegerSolveHasTheRootsBound: where the context has ended, the bound is that of
// the relaxation.
func TestStoppedIntegerSolveHasTheRootsBound(t *testing.T) {
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	rapid.Check(t, func(t *rapid.T) {
		m, points, values := drawInteger(t)
		if len(points) == 0 || contradiction(t, m) != "" {
			return
		}
		r, err := solver.Solve(stopped, m, &solver.Options{Backend: claims{status: solver.Limit}})
		if err != nil {
			t.Fatal(err)
		}
		relaxed := m.Clone()
		for j := range m.Columns() {
			relaxed.SetColumnBounds(j, solver.Between(math.Ceil(m.Column(j).Lower()-1e-9), math.Floor(m.Column(j).Upper()+1e-9)))
			relaxed.SetInteger(j, false)
		}
		root := solveWith(t, relaxed, solver.Exact)
		slack := 1e-9 * (1 + math.Abs(root.Objective))
		first, last := root.Objective, best(m, values) // objectives of whole points may lie nearer than the relaxation
		if m.Maximizes() {
			first, last = last, first
		}
		if proven := provenOf(r); proven < first-slack || proven > last+slack {
			t.Fatalf("bound %v, between that of the relaxation and the optimum: [%v, %v]: %v", proven, first, last, r)
		}
	})
}

// TestNodeLimitBoundsTheProof: one node has the bound of the relaxation, more have a better one.
func TestNodeLimitBoundsTheProof(t *testing.T) {
	m := solver.NewModel("odd knapsack")
	row := solver.Row{Bounds: solver.AtMost(7)}
	for j := range 6 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1, Integer: true})
		row.Columns, row.Values = append(row.Columns, j), append(row.Values, 2)
	}
	m.AddRow(row)
	m.SetCost(5, -0.999) // else objectives are whole, and the first bound proves the last
	told := claims{status: solver.Optimal, x: []float64{1, 1, 1, 0, 0, 0}}
	for limit, want := range map[int]float64{0: -3, 1: -3.5} {
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: told, NodeLimit: limit})
		if err != nil || math.Abs(provenOf(r)-want) > 1e-6 {
			t.Errorf("limit %d: %v, %v; want the bound %v", limit, r, err, want)
		}
		// That the point is optimal is the word of the backend where the bound stays away from it, and the result says so.
		if proven := want == -3; r.Check() != nil || errors.Is(r.Cause, solver.ErrUnproven) == proven || strings.Contains(r.String(), "word of the backend") == proven {
			t.Errorf("limit %d: %v, cause %v", limit, r, r.Cause)
		}
	}
}

// TestContradictionsAreNamed: a column or row that no point satisfies is named by the session,
// and it is all that Explain finds.
func TestContradictionsAreNamed(t *testing.T) {
	for want, change := range map[string]func(*solver.Model){
		"x has lower bound 2 above upper bound 1": func(m *solver.Model) { m.SetColumnBounds(0, solver.Between(2, 1)) },
		"x must be whole but its bounds [0.2, 0.8] hold no whole number": func(m *solver.Model) {
			m.SetColumnBounds(0, solver.Between(0.2, 0.8))
			m.SetInteger(0, true)
		},
		"row 0 has lower bound 2 above upper bound 1": func(m *solver.Model) {
			m.AddRow(solver.Row{Bounds: solver.Between(2, 1), Columns: []int{0, 1}, Values: []float64{1, 1}})
		},
		"row 0 has no coefficients and bounds [1, +Inf] that exclude 0": func(m *solver.Model) {
			m.AddRow(solver.Row{Bounds: solver.AtLeast(1)})
		},
	} {
		m := twoColumns()
		change(m)
		if got := contradiction(t, m); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if c, err := solver.Explain(context.Background(), m, nil); err != nil || c.Solves != 0 || !c.Irreducible || c.Integrality != strings.Contains(want, "whole") {
			t.Errorf("%s: %+v, %v", want, c, err)
		}
	}
}

// contradiction is what a session says of a model without asking its backend, "" for nothing.
func contradiction(t interface{ Fatal(...any) }, m *solver.Model) string {
	r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: claims{status: solver.NumericalTrouble}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Detail
}

// TestMultiplesOfADivisor: a row of whole numbers is contradictory exactly when no whole
// point comes between its bounds.
func TestMultiplesOfADivisor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := solver.NewModel("divisor")
		coefficient := rapid.IntRange(1, 10)
		a, b := coefficient.Draw(t, "a"), -coefficient.Draw(t, "b")
		low := rapid.IntRange(-8, 8).Draw(t, "low")
		high := low + rapid.IntRange(0, 3).Draw(t, "width")
		for range 2 {
			m.AddColumn(solver.Column{Integer: true})
		}
		m.AddRow(solver.Row{Bounds: solver.Between(float64(low), float64(high)), Columns: []int{0, 1}, Values: []float64{float64(a), float64(b)}})
		met := false
		for x := -20; x <= 20; x++ { // by Bézout there is a point this near, if there is one
			for y := -20; y <= 20; y++ {
				met = met || low <= a*x+b*y && a*x+b*y <= high
			}
		}
		if reason := contradiction(t, m); (reason == "") != met {
			t.Fatalf("%d <= %dx + %dy <= %d has a point: %v, said %q", low, a, b, high, met, reason)
		}
		if met {
			return
		}
		if conflict, err := solver.Explain(context.Background(), m, nil); err != nil || !conflict.Integrality {
			t.Fatalf("explained without integrality: %v, %v", conflict, err)
		}
	})
}

// threeOfSix is a knapsack in which the relaxation takes half of a fourth thing, and its best point.
func threeOfSix() (m *solver.Model, best []float64) {
	m = solver.NewModel("three of six")
	row := solver.Row{Bounds: solver.AtMost(7)}
	for j := range 6 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1, Integer: true})
		row.Columns, row.Values = append(row.Columns, j), append(row.Values, 2)
	}
	m.AddRow(row)
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 0.25), Cost: -0.01}) // else objectives are whole, and the first bound proves them
	return m, []float64{1, 1, 1, 0, 0, 0, 0.25}
}

// TestProofWithoutGap: a negative RelativeGap reaches backends and proof as 0, and a point within the default gap of
// the bound is not enough then.
func TestProofWithoutGap(t *testing.T) {
	m, best := threeOfSix()
	m.SetOffset(1e7)
	told := &listener{claims: claims{status: solver.FeasibleLimit, x: best}}
	for gap, want := range map[float64]solver.Status{0: solver.Optimal, -1: solver.FeasibleLimit} {
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: told, RelativeGap: gap, NodeLimit: 1})
		if err != nil || r.Status != want {
			t.Errorf("gap %v: %v, %v; want %v", gap, r, err, want)
		}
		if asked := max(0, cmp.Or(gap, 1e-6)); told.options.RelativeGap != asked {
			t.Errorf("gap %v reaches the backend as %v, want %v", gap, told.options.RelativeGap, asked)
		}
	}
}

// TestLooseGapLeavesBranchesAlone: where the bound of the relaxation meets the gap that is asked for, it is all that is proven.
func TestLooseGapLeavesBranchesAlone(t *testing.T) {
	m, best := threeOfSix()
	told := claims{status: solver.FeasibleLimit, x: best}
	for gap, want := range map[float64]float64{0: -3.0025, 0.25: -3.5025} {
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: told, RelativeGap: gap})
		if err != nil || r.Status != solver.Optimal || math.Abs(provenOf(r)-want) > 1e-6 {
			t.Errorf("gap %v: %v, %v; want the bound %v", gap, r, err, want)
		}
	}
}

// listener is a backend that remembers its options.
type listener struct {
	claims
	options *solver.Options
}

func (r *listener) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	r.options = o
	return r.claims.Open(m, o)
}
