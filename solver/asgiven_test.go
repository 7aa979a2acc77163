package solver_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
	"pgregory.net/rapid"
)

// asGiven is the model in rational numbers, minimised without offset.
func asGiven(m *solver.Model) *proof.Program {
	p, sign := &proof.Program{}, 1.0
	if m.Maximizes() {
		sign = -1
	}
	for j := range m.Columns() {
		c := m.Column(j)
		p.Cost, p.Lower, p.Upper = append(p.Cost, sign*c.Cost), append(p.Lower, c.Lower()), append(p.Upper, c.Upper())
	}
	for i := range m.Rows() {
		r := m.Row(i)
		p.Rows = append(p.Rows, proof.Row{Columns: r.Columns, Values: r.Values, Lower: r.Lower(), Upper: r.Upper()})
	}
	return p
}

// checkAgainstTruth fails where a result says more than is true of the model.
func checkAgainstTruth(t rapid.TB, m *solver.Model, r *solver.Result) {
	t.Helper()
	answer := exact.Solve(context.Background(), asGiven(m))
	said := map[solver.Status]exact.Status{solver.Infeasible: exact.Infeasible, solver.Unbounded: exact.Unbounded}
	if want, decided := said[r.Status]; decided && want != answer.Status {
		t.Fatalf("%v, but in rational numbers status %d", r, answer.Status)
	}
	if r.Status == solver.InfeasibleOrUnbounded && answer.Status == exact.Optimal {
		t.Fatalf("%v, but the optimum is %v", r, answer.Objective.FloatString(10))
	}
	if r.X != nil && (math.IsNaN(r.Objective) || math.IsInf(r.Objective, 0)) {
		t.Fatalf("%v: objective of a point %v", r, r.Objective)
	}
	if answer.Status == exact.Infeasible || math.IsNaN(provenOf(r)) {
		return
	}
	sign := 1.0
	if m.Maximizes() {
		sign = -1
	}
	bound := sign * provenOf(r)
	if answer.Status == exact.Unbounded && !math.IsInf(bound, -1) {
		t.Fatalf("%v, bound %v, but there is none", r, provenOf(r))
	}
	if math.IsInf(bound, 1) || !math.IsInf(bound, -1) && new(big.Rat).SetFloat64(bound).Cmp(answer.Objective) > 0 {
		t.Fatalf("%v, bound %v, but the optimum is %v", r, provenOf(r), answer.Objective.FloatString(400))
	}
}

const (
	huge = 0x1p300
	tiny = 0x1p-300
)

// TestExactArithmeticSeesTheModelAsGiven: numbers that no units of the backend carry count all the same.
func TestExactArithmeticSeesTheModelAsGiven(t *testing.T) {
	pair := func(x, y solver.Column, rows ...solver.Row) *solver.Model {
		m := solver.NewModel("two columns")
		m.AddColumn(x)
		m.AddColumn(y)
		for _, r := range rows {
			r.Columns = []int{0, 1}
			m.AddRow(r)
		}
		return m
	}
	capacity := solver.Row{Bounds: solver.AtMost(huge * huge), Values: []float64{tiny, huge}}
	models := []*solver.Model{
		pair(solver.Column{Bounds: solver.Between(0, tiny), Cost: -1}, solver.Column{Bounds: solver.Between(0, huge)}, capacity),
		pair(solver.Column{Bounds: solver.Between(-tiny, tiny), Cost: tiny}, solver.Column{Bounds: solver.Between(0, huge), Cost: huge},
			solver.Row{Bounds: solver.Between(-huge, huge), Values: []float64{huge, tiny}}),
	}
	for exponent := -176; exponent <= -155; exponent += 3 {
		for _, most := range []float64{0.65, 0.9} {
			models = append(models, pair(solver.Column{Bounds: solver.Between(0, math.Ldexp(most, exponent)), Cost: -1}, solver.Column{Bounds: solver.Between(0, huge)},
				capacity, solver.Row{Bounds: solver.AtLeast(math.Ldexp(0.6, exponent-300)), Values: []float64{math.Ldexp(0.95, -300), -huge}}))
		}
	}
	for _, m := range models {
		for _, backend := range []solver.Backend{nil, solver.Exact} {
			r := solveWith(t, m, backend)
			if checkAgainstTruth(t, m, r); r.Status != solver.Optimal || r.Gap > 1e-6 {
				t.Errorf("%v, gap %v of %v", r, r.Gap, backend)
			}
		}
	}
}

// TestHessiansStayConvexBesideTinyCosts: units that suit costs far below the squares do not take the squares away.
func TestHessiansStayConvexBesideTinyCosts(t *testing.T) {
	m := solver.NewModel("squares and a tiny cost")
	for _, cost := range []float64{1.6e-173, 3.6e-12} {
		m.AddColumn(solver.Column{Cost: cost})
	}
	m.AddQuadratic(0, 0, 1)
	m.AddQuadratic(0, 1, 1.5)
	m.AddQuadratic(1, 1, 0.62)
	if r := solveWith(t, m, nil); r.Status != solver.Optimal {
		t.Error(r)
	}
}

// TestRayOfNumbersFarApart: a ray keeps entries that are 2^1200 apart.
func TestRayOfNumbersFarApart(t *testing.T) {
	m := solver.NewModel("staircase")
	for _, cost := range []float64{-tiny, 0, 0} {
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: cost})
	}
	m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{0, 1}, Values: []float64{tiny, -huge}})
	m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{1, 2}, Values: []float64{tiny, -huge}})
	for _, backend := range []solver.Backend{nil, solver.Exact} {
		r := solveWith(t, m, backend)
		if r.Status != solver.Unbounded {
			t.Fatal(r)
		}
		for i := range m.Rows() {
			if columns, values := m.RowTerms(i); r.Ray[0] <= 0 || r.Ray[columns[0]]*values[0] > -r.Ray[columns[1]]*values[1] {
				t.Errorf("%v: the ray %v leads out of row %d", backend, r.Ray, i)
			}
		}
	}
}

// TestBoundsAreRoundedOutwardsBetweenUnits: an optimum below the least float64 has a bound below it.
func TestBoundsAreRoundedOutwardsBetweenUnits(t *testing.T) {
	for _, maximize := range []bool{false, true} {
		for _, backend := range []solver.Backend{nil, solver.Exact} {
			for _, cost := range []float64{0x1.5p-540, 0x1.5p-535, 0x1p-500} {
				for _, lower := range []float64{-0x1.3p-538, 0x1.3p-538} {
					m := solver.NewModel("tiny")
					m.SetMaximize(maximize)
					m.AddColumn(solver.Column{Bounds: solver.Equal(lower), Cost: cost})
					m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
					m.AddRow(solver.Row{Bounds: solver.AtMost(2), Columns: []int{0, 1}, Values: []float64{1, 1}})
					checkAgainstTruth(t, m, solveWith(t, m, backend))
				}
			}
		}
	}
}

// drawScaled draws a small linear model in units of rows and columns that differ by up to 2^(2 spread), and its twin in plain
// units. Where rounding errors are drawn, some coefficients differ from whole numbers in the last bits.
func drawScaled(t *rapid.T, spread int, rounded bool) (m, twin *solver.Model) {
	unit := rapid.IntRange(-spread, spread)
	side := func(e int) solver.Bounds {
		lower, upper := float64(rapid.IntRange(-3, 2).Draw(t, "lower")), float64(rapid.IntRange(0, 4).Draw(t, "upper"))
		switch rapid.IntRange(0, 4).Draw(t, "sides") {
		case 0:
			lower = math.Inf(-1)
		case 1:
			upper = math.Inf(1)
		case 2:
			lower, upper = math.Inf(-1), math.Inf(1)
		}
		return solver.Between(math.Ldexp(lower, e), math.Ldexp(upper, e))
	}
	m, twin = solver.NewModel("badly scaled"), solver.NewModel("twin")
	add := func(c solver.Column, e int) {
		twin.AddColumn(c)
		m.AddColumn(solver.Column{Bounds: solver.Between(math.Ldexp(c.Lower(), e), math.Ldexp(c.Upper(), e)), Cost: math.Ldexp(c.Cost, -e)})
	}
	if rapid.Bool().Draw(t, "maximize") {
		m.SetMaximize(true)
		twin.SetMaximize(true)
	}
	units := rapid.SliceOfN(unit, 1, 4).Draw(t, "columns")
	for _, e := range units {
		add(solver.Column{Bounds: side(0), Cost: float64(rapid.IntRange(-3, 3).Draw(t, "cost"))}, e)
	}
	for _, e := range rapid.SliceOfN(unit, 0, 4).Draw(t, "rows") {
		bounds := side(0)
		row, there := solver.Row{Bounds: bounds}, solver.Row{Bounds: solver.Between(math.Ldexp(bounds.Lower(), e), math.Ldexp(bounds.Upper(), e))}
		for j := range units {
			v := float64(rapid.IntRange(-3, 3).Draw(t, "coefficient"))
			if rounded && rapid.Bool().Draw(t, "off") {
				v *= 1 + math.Ldexp(1, -rapid.IntRange(10, 52).Draw(t, "bits"))
			}
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, v)
			there.Columns, there.Values = append(there.Columns, j), append(there.Values, math.Ldexp(v, e-units[j]))
		}
		twin.AddRow(row)
		m.AddRow(there)
	}
	return m, twin
}

// TestClaimsAboutBadlyScaledModelsAreTrue: whatever the units of rows and columns, what is claimed is true of the model in
// rational numbers, and it is decided as its twin in plain units unless rounding errors decide.
func TestClaimsAboutBadlyScaledModelsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rounded := rapid.Bool().Draw(t, "rounded")
		m, twin := drawScaled(t, rapid.SampledFrom([]int{0, 50, 300}).Draw(t, "spread"), rounded)
		backend := rapid.SampledFrom([]solver.Backend{nil, solver.DualSimplex, solver.InteriorPoint, solver.Exact}).Draw(t, "backend")
		r := solveWith(t, m, backend)
		checkAgainstTruth(t, m, r)
		if plain := solveWith(t, twin, solver.Exact); r.Status != plain.Status && (!rounded || backend == solver.Backend(solver.Exact)) {
			t.Fatalf("%v\ntwin: %v", r, plain)
		}
	})
}

// TestClaimsAboutLargeModelsAreTrue: the same beside columns and rows that make a model too large for exact arithmetic.
func TestClaimsAboutLargeModelsAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, _ := drawScaled(t, rapid.SampledFrom([]int{0, 20}).Draw(t, "spread"), true)
		large := m.Clone()
		crowd(large)
		backend := rapid.SampledFrom([]solver.Backend{solver.DualSimplex, solver.InteriorPoint}).Draw(t, "backend")
		checkAgainstTruth(t, m, solveWith(t, large, backend))
	})
}

// TestProofsAreNotTakenFromBackends: a result that was proven of one model says nothing of another.
func TestProofsAreNotTakenFromBackends(t *testing.T) {
	m := solver.NewModel("crossed")
	m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: 1})
	m.AddRow(solver.Row{Bounds: solver.AtLeast(2), Columns: []int{0}, Values: []float64{1}})
	told := *solveWith(t, m, solver.Exact)
	if told.Status != solver.Infeasible {
		t.Fatal(told)
	}
	m.SetRowBounds(0, solver.AtLeast(0.5))
	if r := solveWith(t, m, teller{told}); r.Status == solver.Infeasible {
		t.Error(r)
	}
}
