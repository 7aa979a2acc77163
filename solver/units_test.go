package solver_test

import (
	"context"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
	"pgregory.net/rapid"
)

// units are exponents of two: x_j = 2^column[j] x'_j, rows times 2^row[i], the objective
// times 2^objective, and all bounds times 2^bound.
type units struct {
	column, row      []int
	objective, bound int
}

func drawUnits(t *rapid.T, m *solver.Model) units {
	exponent := rapid.IntRange(-300, 300)
	u := units{column: make([]int, m.Columns()), row: make([]int, m.Rows())}
	switch rapid.IntRange(0, 3).Draw(t, "kind of units") {
	case 0:
		for j := range u.column {
			if !m.IsInteger() {
				u.column[j] = exponent.Draw(t, "column") / 4
			}
		}
	case 1:
		for i := range u.row {
			u.row[i] = exponent.Draw(t, "row")
		}
	case 2:
		u.objective = exponent.Draw(t, "objective")
	case 3:
		if !m.IsInteger() {
			u.bound = exponent.Draw(t, "bound")
		}
	}
	return u
}

// in returns the model measured in other units.
func (u units) in(m *solver.Model) *solver.Model {
	c := solver.NewModel(m.Name())
	c.SetMaximize(m.Maximizes())
	c.SetOffset(math.Ldexp(m.Offset(), u.objective+u.bound*u.power(m)))
	for j := range m.Columns() {
		column := m.Column(j)
		column.Cost = math.Ldexp(column.Cost, u.column[j]+u.objective+u.bound*(u.power(m)-1))
		column.Bounds = solver.Between(math.Ldexp(column.Lower(), u.bound-u.column[j]), math.Ldexp(column.Upper(), u.bound-u.column[j]))
		c.AddColumn(column)
	}
	for i := range m.Rows() {
		row := m.Row(i)
		for k, j := range row.Columns {
			row.Values[k] = math.Ldexp(row.Values[k], u.column[j]+u.row[i])
		}
		row.Bounds = solver.Between(math.Ldexp(row.Lower(), u.bound+u.row[i]), math.Ldexp(row.Upper(), u.bound+u.row[i]))
		c.AddRow(row)
	}
	for _, q := range m.Quadratic() {
		c.AddQuadratic(q.I, q.J, math.Ldexp(q.Value, u.column[q.I]+u.column[q.J]+u.objective))
	}
	return c
}

// power is the degree of the objective in x.
func (u units) power(m *solver.Model) int {
	if len(m.Quadratic()) > 0 {
		return 2
	}
	return 1
}

// TestConflictsDoNotDependOnUnits: which constraints are said to contradict each other is the
// same in other units.
func TestConflictsDoNotDependOnUnits(t *testing.T) {
	explained := 0
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		u := drawUnits(t, m)
		here, err := solver.Explain(context.Background(), m, nil)
		there, other := solver.Explain(context.Background(), u.in(m), nil)
		if (err == nil) != (other == nil) {
			t.Fatalf("%v; in other units: %v", err, other)
		}
		if err != nil {
			return
		}
		explained++
		if !reflect.DeepEqual(here.Members, there.Members) || here.Irreducible != there.Irreducible {
			t.Fatalf("%v; in units %v: %v", here, u, there)
		}
	})
	if explained == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Error("no model was infeasible")
	}
}

// TestUnitsDoNotMatter: other units scale point, objective, bound, duals and proofs exactly
// and change no status.
func TestUnitsDoNotMatter(t *testing.T) {
	seen := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		if rapid.Bool().Draw(t, "quadratic") {
			addQuadratic(t, m)
		}
		u := drawUnits(t, m)
		here, there := solveWith(t, m, nil), solveWith(t, u.in(m), nil)
		if here.Status != there.Status || here.Gap != there.Gap {
			t.Fatalf("%v\nin other units: %v", here, there)
		}
		seen[here.Status]++
		value := u.objective + u.bound*u.power(m)
		same := func(what string, a, b float64, exponent int) {
			if math.Ldexp(a, exponent) != b && !(math.IsNaN(a) && math.IsNaN(b)) {
				t.Fatalf("%s: %v becomes %v in units of 2^%d", what, a, b, exponent)
			}
		}
		same("objective", here.Objective, there.Objective, value)
		same("bound", provenOf(here), provenOf(there), value)
		if len(here.X) != len(there.X) || len(here.RowDuals) != len(there.RowDuals) || (here.Ray == nil) != (there.Ray == nil) || (here.Farkas == nil) != (there.Farkas == nil) {
			t.Fatalf("%v\nin other units: %v", here, there)
		}
		if len(m.Quadratic()) > 0 {
			return // along flat directions without bounds any point and multiplier will do
		}
		for j := range here.X {
			same("point", here.X[j], there.X[j], u.bound-u.column[j])
		}
		for i := range here.RowDuals {
			same("dual", here.RowDuals[i], there.RowDuals[i], value-u.bound-u.row[i])
		}
	})
	for _, status := range []solver.Status{solver.Optimal, solver.Infeasible, solver.Unbounded} {
		if seen[status] == 0 {
			t.Errorf("no model was %v", status)
		}
	}
}

// TestBoundsAreBelowTheTruth: whatever the tolerances, the bound does not pass the exact
// optimum, and what is called infeasible or unbounded is.
func TestBoundsAreBelowTheTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		truth := solveWith(t, m, solver.Exact)
		tolerance := rapid.SampledFrom([]float64{0, 1e-9, 1e-4, 1e-2}).Draw(t, "tolerance")
		backend := rapid.SampledFrom([]solver.Backend{solver.DualSimplex, solver.InteriorPoint}).Draw(t, "backend")
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: backend, FeasibilityTolerance: tolerance, OptimalityTolerance: tolerance})
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains([]solver.Status{solver.Infeasible, solver.Unbounded}, r.Status) && r.Status != truth.Status {
			t.Fatalf("%v\nin truth: %v", r, truth)
		}
		if truth.Status != solver.Optimal || math.IsNaN(provenOf(r)) {
			return
		}
		// The exact bound is the optimum rounded outwards, once before and once after the offset.
		slack := 0x1p-52 * (math.Abs(provenOf(truth)-m.Offset()) + math.Abs(m.Offset()))
		if !m.Maximizes() && provenOf(r) > provenOf(truth)+slack || m.Maximizes() && provenOf(r) < provenOf(truth)-slack {
			t.Fatalf("bound %v, truth %v\n%v", provenOf(r), provenOf(truth), r)
		}
	})
}

// TestFarNumbersCount: a bound that is far in scaled units still bounds the model, and a
// value that is tiny there is still a value.
func TestFarNumbersCount(t *testing.T) {
	far := solver.NewModel("bounded by far bounds")
	far.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1e45), Cost: -1})
	far.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(0, 1e45)})
	far.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{1, -1}})
	tiny := solver.NewModel("an optimum beside a far coefficient")
	tiny.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(0, 1e6), Cost: -1})
	tiny.AddColumn(solver.Column{Name: "y", Bounds: solver.Between(0, 1), Cost: -1})
	tiny.AddRow(solver.Row{Bounds: solver.Between(0, 1), Columns: []int{0, 1}, Values: []float64{1e-30, 1}})
	for _, test := range []struct {
		model *solver.Model
		want  float64
	}{{far, -1e45}, {tiny, -1e6 - 1}} {
		res := solveWith(t, test.model, nil)
		if res.Status != solver.Optimal || math.Abs(res.Objective-test.want) > -1e-6*test.want {
			t.Errorf("%s: got %v, want %v", test.model.Name(), res, test.want)
		}
	}
}

// TestUnitOfSquaresWithoutBounds: where no bound tells the size of the columns, costs beside
// squares do, to the last bit.
func TestUnitOfSquaresWithoutBounds(t *testing.T) {
	solution := func(exponent int) []float64 {
		m := solver.NewModel("no bounds")
		for _, cost := range []float64{0, -3, -5} {
			m.AddColumn(solver.Column{Cost: math.Ldexp(cost, exponent)})
		}
		m.AddQuadratic(0, 1, -1)
		m.AddQuadratic(0, 0, 2)
		m.AddQuadratic(1, 1, 7)
		m.AddQuadratic(2, 2, 1)
		return solveWith(t, m, nil).X
	}
	here := solution(0)
	for _, exponent := range []int{-90, 60, 151} {
		for j, v := range solution(exponent) {
			if v != math.Ldexp(here[j], exponent) {
				t.Errorf("2^%d: column %d is %v, want %v", exponent, j, v, math.Ldexp(here[j], exponent))
			}
		}
	}
}

// Bounds that no common unit of the columns carries lead to a status, not to a panic of the exact method.
func TestRowBoundsFarApart(t *testing.T) {
	m := solver.NewModel("far apart")
	for j, side := range []float64{0x1p700, 0x1p-400} {
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: 1})
		m.AddRow(solver.Row{Bounds: solver.Equal(side), Columns: []int{j}, Values: []float64{1}})
	}
	result, err := solver.Solve(context.Background(), m, nil)
	if err != nil || result.Status == solver.Infeasible || result.Status == solver.Unbounded {
		t.Errorf("%v, %v", result, err)
	}
}

// The same of the bounds of columns.
func TestColumnBoundsFarApart(t *testing.T) {
	for _, backend := range []solver.Backend{nil, solver.Exact} {
		m := solver.NewModel("far apart")
		row := solver.Row{Bounds: solver.AtLeast(0), Columns: []int{0, 1}, Values: []float64{1, 1}}
		for _, least := range []float64{0x1p700, 0x1p-400} {
			m.AddColumn(solver.Column{Bounds: solver.AtLeast(least), Cost: 1})
		}
		m.AddRow(row)
		result, err := solver.Solve(context.Background(), m, &solver.Options{Backend: backend})
		if err != nil || result.Status == solver.Infeasible || result.Status == solver.Unbounded || provenOf(result) > 0x1p700 {
			t.Errorf("%v, %v", result, err)
		}
	}
}

// TestNumbersFarApartProveNothingFalse: where no units carry the numbers of a model, bounds and claims that there is no
// optimum are true of the model itself, as exact arithmetic sees it.
func TestNumbersFarApartProveNothingFalse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Map(rapid.SampledFrom([]int{-1000, -600, -300, 0, 100, 300, 600}), func(e int) float64 { return math.Ldexp(1, e) })
		m, truth := solver.NewModel("far apart"), &proof.Program{}
		for range 2 {
			bounds := rapid.SampledFrom([]solver.Bounds{solver.AtLeast(0), solver.AtLeast(number.Draw(t, "least")), solver.Between(0, number.Draw(t, "most"))}).Draw(t, "bounds")
			cost := rapid.OneOf(rapid.Just(0.0), number).Draw(t, "cost")
			m.AddColumn(solver.Column{Bounds: bounds, Cost: cost})
			truth.Cost, truth.Lower, truth.Upper = append(truth.Cost, cost), append(truth.Lower, bounds.Lower()), append(truth.Upper, bounds.Upper())
		}
		for range rapid.IntRange(1, 3).Draw(t, "rows") {
			bounds := rapid.SampledFrom([]solver.Bounds{solver.AtLeast(number.Draw(t, "side")), solver.AtMost(number.Draw(t, "side"))}).Draw(t, "row")
			columns, values := []int{0, 1}, []float64{number.Draw(t, "first"), number.Draw(t, "second")}
			m.AddRow(solver.Row{Bounds: bounds, Columns: columns, Values: values})
			truth.Rows = append(truth.Rows, proof.Row{Columns: columns, Values: values, Lower: bounds.Lower(), Upper: bounds.Upper()})
		}
		backend := rapid.SampledFrom([]solver.Backend{nil, solver.DualSimplex, solver.InteriorPoint, solver.Exact}).Draw(t, "backend")
		r, err := solver.Solve(context.Background(), m, &solver.Options{Backend: backend})
		if err != nil {
			t.Fatal(err)
		}
		answer := exact.Solve(context.Background(), truth)
		if answer.Status != exact.Optimal {
			return
		}
		beyond := math.IsInf(provenOf(r), 1) || !math.IsNaN(provenOf(r)) && !math.IsInf(provenOf(r), -1) && new(big.Rat).SetFloat64(provenOf(r)).Cmp(answer.Objective) > 0
		if beyond || r.Status == solver.Infeasible || r.Status == solver.Unbounded {
			t.Fatalf("%v, bound %v, but the optimum is %v", r, provenOf(r), answer.Objective.FloatString(10))
		}
	})
}
