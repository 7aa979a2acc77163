package solver_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// TestRayOfAQuadraticModelIsExact: (x+y)^2/2 + d y^2/2 - x + y falls for ever for d = 0 alone.
func TestRayOfAQuadraticModelIsExact(t *testing.T) {
	for _, d := range []float64{0, 1e-12, 1e-9, 1e-7} {
		m := solver.NewModel("nearly flat")
		m.AddColumn(solver.Column{Cost: -1})
		m.AddColumn(solver.Column{Cost: 1})
		m.AddQuadratic(0, 0, 0.5)
		m.AddQuadratic(0, 1, 1)
		m.AddQuadratic(1, 1, 0.5*(1+d))
		if r := solveWith(t, m, nil); (r.Status == solver.Unbounded) != (d == 0) {
			t.Errorf("d = %g: %v, ray %v", d, r, r.Ray)
		}
	}
}

// TestQuadraticsWithAMinimumAreNeverUnbounded: a Hessian that is positive definite in rational numbers, in any units, has a
// minimum, and no bound lies above it.
func TestQuadraticsWithAMinimumAreNeverUnbounded(t *testing.T) {
	rational := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	product := func(factors ...float64) *big.Rat {
		p := big.NewRat(1, 1)
		for _, f := range factors {
			p.Mul(p, rational(f))
		}
		return p
	}
	rapid.Check(t, func(t *rapid.T) {
		unit := math.Ldexp(1, rapid.IntRange(-200, 200).Draw(t, "unit"))
		a, b := rapid.Float64Range(0.5, 1).Draw(t, "a"), rapid.Float64Range(1, 2).Draw(t, "b")
		c := b * b / (4 * a) * (1 + math.Pow(10, -rapid.Float64Range(0, 15).Draw(t, "digits")))
		b, c = b*unit, c*unit*unit
		p, q := rapid.Float64Range(-1, 1).Draw(t, "p"), unit*rapid.Float64Range(-1, 1).Draw(t, "q")
		determinant := product(4, a, c)
		if determinant.Sub(determinant, product(b, b)).Sign() <= 0 {
			return
		}
		minimum := product(p, p, c)
		minimum.Add(minimum, product(q, q, a)).Sub(minimum, product(p, q, b)).Quo(minimum.Neg(minimum), determinant)
		m := solver.NewModel("two squares")
		m.AddColumn(solver.Column{Cost: p})
		m.AddColumn(solver.Column{Cost: q})
		m.AddQuadratic(0, 0, a)
		m.AddQuadratic(0, 1, b)
		m.AddQuadratic(1, 1, c)
		r := solveWith(t, m, nil)
		if r.Status == solver.Unbounded || r.Status == solver.Infeasible || r.Status == solver.InfeasibleOrUnbounded {
			t.Fatalf("%v, ray %v, but the minimum is %v", r, r.Ray, minimum.FloatString(10))
		}
		if !math.IsNaN(provenOf(r)) && !math.IsInf(provenOf(r), 0) && rational(provenOf(r)).Cmp(minimum) > 0 {
			t.Fatalf("bound %v above the minimum %v", provenOf(r), minimum.FloatString(30))
		}
	})
}

// wedge is max x over x <= y, y <= 1 + (1-d) x, x and y >= 0: 1/d, and no maximum for d = 0.
func wedge(d float64, whole bool) *solver.Model {
	m := solver.NewModel(fmt.Sprintf("wedge %g", d))
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1, Integer: whole})
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Integer: whole})
	m.AddRow(solver.Row{Bounds: solver.AtMost(0), Columns: []int{0, 1}, Values: []float64{1, -1}})
	m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{0, 1}, Values: []float64{-(1 - d), 1}})
	return m
}

// crowd adds columns and rows that keep to themselves, until a model is too large for exact arithmetic.
func crowd(m *solver.Model) {
	random := rand.New(rand.NewPCG(1, 2))
	first := m.Columns()
	for range 45 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	}
	for range 45 {
		row := solver.Row{Bounds: solver.AtMost(100)}
		for j := first; j < m.Columns(); j++ {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, random.Float64())
		}
		m.AddRow(row)
	}
}

// TestRayOfALargeModelIsExact: the same wedge in a model too large for exact arithmetic.
func TestRayOfALargeModelIsExact(t *testing.T) {
	for _, backend := range []solver.Backend{solver.DualSimplex, solver.InteriorPoint} {
		for _, d := range []float64{0, 1e-12, 1e-10, 1e-9} {
			m := wedge(d, false)
			crowd(m)
			if r := solveWith(t, m, backend); (r.Status == solver.Unbounded) != (d == 0) {
				t.Errorf("%v, d = %g: %v", backend, d, r)
			}
		}
	}
}

// TestUnboundedHasAPoint: an improving ray says nothing of a model that has no point, by however little.
func TestUnboundedHasAPoint(t *testing.T) {
	for _, backend := range []solver.Backend{solver.DualSimplex, solver.InteriorPoint} {
		for _, miss := range []float64{0, 1e-12, 1e-9, 1e-7} {
			m := solver.NewModel("ray without a point")
			m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1})
			crowd(m)
			m.AddRow(solver.Row{Bounds: solver.AtMost(1), Columns: []int{1, 2}, Values: []float64{1, 1}})
			m.AddRow(solver.Row{Bounds: solver.AtLeast(1 + miss), Columns: []int{1, 2}, Values: []float64{1, 1}})
			if r := solveWith(t, m, backend); (r.Status == solver.Unbounded) != (miss == 0) || r.Status == solver.Optimal {
				t.Errorf("%v, miss %g: %v", backend, miss, r)
			}
		}
	}
}

// TestLargeUnboundedModelsAreProven: the rays of ordinary models beyond exact arithmetic, whose entries are no float64
// numbers, are proven all the same: with room in the cone, with equations, and where more rows meet than a vertex needs.
func TestLargeUnboundedModelsAreProven(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds in exact arithmetic")
	}
	for _, test := range []struct {
		name                      string
		columns, rows, equations  int
		free, repeated, redundant bool
	}{
		{name: "a cone with room", columns: 40, rows: 60},
		{name: "free columns", columns: 40, rows: 60, free: true},
		{name: "some equations", columns: 40, rows: 60, equations: 10},
		{name: "equations alone", columns: 60, rows: 0, equations: 30},
		{name: "every row thrice", columns: 40, rows: 60, repeated: true},
		{name: "every row thrice and equations", columns: 40, rows: 60, equations: 10, repeated: true},
	} {
		for seed := range uint64(1) {
			random := rand.New(rand.NewPCG(seed, 7))
			m := solver.NewModel(test.name)
			inside, cost := make([]float64, test.columns), 0.0
			for j := range inside {
				inside[j] = random.ExpFloat64()
				bounds := solver.AtLeast(0)
				if test.free {
					bounds = solver.Bounds{}
				}
				c := random.NormFloat64()
				cost += c * inside[j]
				m.AddColumn(solver.Column{Bounds: bounds, Cost: c})
			}
			m.SetCost(0, m.Column(0).Cost-(cost+5)/inside[0]) // improves along the ray inside
			for i := range test.rows + test.equations {
				row, activity := solver.Row{}, 0.0
				for j := range inside {
					row.Columns, row.Values = append(row.Columns, j), append(row.Values, random.NormFloat64())
					activity += row.Values[j] * inside[j]
				}
				if i < test.rows {
					row.Bounds = solver.AtMost(random.Float64())
					row.Values[1] -= math.Max(0, activity) / inside[1]
				} else {
					row.Bounds = solver.Equal(random.NormFloat64())
					row.Values[1] -= activity / inside[1]
				}
				m.AddRow(row)
				if test.repeated {
					first := m.Rows() - 1
					for _, factor := range []float64{2, 0.5} {
						again := m.Row(first)
						for k := range again.Values {
							again.Values[k] *= factor
						}
						again.Bounds = solver.AtMost(row.Upper() * factor)
						m.AddRow(again)
					}
				}
			}
			for _, backend := range []solver.Backend{solver.DualSimplex, solver.InteriorPoint} {
				if r := solveWith(t, m, backend); r.Status != solver.Unbounded {
					t.Errorf("%s, seed %d, %v: %v", test.name, seed, backend, r)
				}
			}
		}
	}
}

// TestUnboundedWithEquations: the steepest ray of a model with many columns has many entries that are not 0.
func TestUnboundedWithEquations(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	m := solver.NewModel("equations")
	for range 300 {
		m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -random.Float64()})
	}
	for i := range 40 {
		row := solver.Row{Bounds: solver.AtMost(10)}
		if i%10 == 0 {
			row.Bounds = solver.Equal(5)
		}
		for j := range m.Columns() {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, random.NormFloat64())
		}
		m.AddRow(row)
	}
	if r := solveWith(t, m, solver.DualSimplex); r.Status != solver.Unbounded {
		t.Errorf("%v: %s", r, r.Detail)
	}
}

// TestUnprovenDirectionsAreExplained: the squares of (0.1x + 0.3y)² in decimals leave no direction at 0.
func TestUnprovenDirectionsAreExplained(t *testing.T) {
	m := solver.NewModel("decimals")
	m.AddColumn(solver.Column{Cost: 1})
	m.AddColumn(solver.Column{})
	m.AddQuadratic(0, 0, 0.01)
	m.AddQuadratic(0, 1, 0.06)
	m.AddQuadratic(1, 1, 0.09)
	if r := solveWith(t, m, nil); r.Status == solver.Unbounded || r.X != nil || !strings.Contains(r.Detail, "finite bounds") {
		t.Errorf("%v: %q", r, r.Detail)
	}
}
