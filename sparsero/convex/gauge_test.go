package convex_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// TestGaugeOfBudgetsInAnyUnits: against fractions, where shares of the widths and their sum leave float64, too.
func TestGaugeOfBudgetsInAnyUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(label string, low, high float64) float64 {
			return math.Ldexp(rapid.Float64Range(low, high).Draw(t, label), rapid.SampledFrom([]int{-1070, -700, -20, 0, 3, 500, 1020}).Draw(t, "unit"))
		}
		p := rapid.IntRange(1, 3).Draw(t, "p")
		gamma := min(float64(p), number("gamma", 0.1, 1))
		u, widths, most, sum := make([]float64, p), make([]float64, p), new(big.Rat), new(big.Rat)
		for k := range p {
			u[k], widths[k] = number("u", -2, 2), number("width", 0.5, 2)
			share := new(big.Rat).Quo(rational(math.Abs(u[k])), rational(widths[k]))
			sum.Add(sum, share)
			if share.Cmp(most) > 0 {
				most = share
			}
		}
		if sum.Quo(sum, rational(gamma)); sum.Cmp(most) < 0 {
			sum = most
		}
		set, err := convex.NewBudget(widths, gamma)
		if err != nil {
			t.Fatal(err)
		}
		got := set.Gauge(u)
		if truth, _ := sum.Float64(); got != truth && !(math.Abs(got-truth) <= 1e-15*truth+math.SmallestNonzeroFloat64) {
			t.Fatalf("the gauge of %v by widths %v and budget %v is %v, want %v", u, widths, gamma, got, truth)
		}
	})
}

// TestGaugeOfPolyhedra: terms that cancel are 0, products count that vanish in float64 or leave it, and so does a row of the compact
// form.
func TestGaugeOfPolyhedra(t *testing.T) {
	set := func(p int, row solver.Row) convex.Gauged {
		m := solver.NewModel("set")
		for k := range p {
			m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
			row.Columns = append(row.Columns, k)
		}
		m.AddRow(row)
		polyhedron, err := convex.NewPolyhedron(context.Background(), m, nil)
		if err != nil {
			t.Fatal(err)
		}
		return polyhedron
	}
	for _, test := range []struct {
		limit     float64
		values, u []float64
		want      float64
	}{
		{0, []float64{1, 1, -1, -1}, []float64{0.3, 0.1, 0.3, 0.1}, 0.3},
		{0, []float64{1e-200}, []float64{1e-200}, math.Inf(1)},
		{1e200, []float64{1e200, -1e200}, []float64{1e200, 1e200}, 1e200},
	} {
		got := set(len(test.u), solver.Row{Bounds: solver.AtMost(test.limit), Values: test.values}).Gauge(test.u)
		if got != test.want {
			t.Errorf("the gauge of %v over %v u <= %v is %v, want %v", test.u, test.values, test.limit, got, test.want)
		}
	}
	budget, err := convex.NewBudget([]float64{1e-200}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := solver.NewModel("support")
	limit, s := m.AddColumn(solver.Column{}), m.AddColumn(solver.Column{Bounds: solver.Between(-1e-200, 0)})
	if budget.(convex.Compact).AddSupport(m, limit, []int{s}); m.Rows() != 2 {
		t.Errorf("the support in a direction below 0 has %d rows, want that of the direction and the total", m.Rows())
	}
}

// TestGaugeOfEllipsoidsThatCancels: terms beyond float64 cancel.
func TestGaugeOfEllipsoidsThatCancels(t *testing.T) {
	e, err := convex.NewEllipsoid(mat.NewDense(2, 2, []float64{1, 1, 1, 1 + 1e-12}), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []float64{1e303, 1, 1e-300} { // far from what overflows nothing is lost either
		if got := e.Gauge([]float64{size, size}); !(math.Abs(got/size-1) < 1e-3) {
			t.Errorf("the gauge is %v, want %v", got, size)
		}
	}
}
