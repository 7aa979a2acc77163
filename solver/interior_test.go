package solver_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// solveWith solves with a backend and fails on an error.
func solveWith(t rapid.TB, m *solver.Model, b solver.Backend) *solver.Result {
	t.Helper()
	res, err := solver.Solve(context.Background(), m, &solver.Options{Backend: b})
	if err != nil {
		t.Fatalf("%v: %v", b, err)
	}
	return res
}

// boxed returns the model with all columns within [-size, size] as well.
func boxed(m *solver.Model, size float64) *solver.Model {
	b := m.Clone()
	for j := range b.Columns() {
		c := b.Column(j)
		b.SetColumnBounds(j, solver.Between(math.Max(c.Lower(), -size), math.Min(c.Upper(), size)))
	}
	return b
}

// TestInteriorPoint: on random convex quadratic programs, singular Hessians
// included, optima satisfy the optimality conditions, infeasible programs are
// infeasible without their objective as well, and unbounded ones keep improving
// in growing boxes.
func TestInteriorPoint(t *testing.T) {
	counts := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		addQuadratic(t, m)
		res := solveWith(t, m, solver.InteriorPoint)
		counts[res.Status]++
		free := solver.NewModel("no objective")
		for j := range m.Columns() {
			c := m.Column(j)
			free.AddColumn(solver.Column{Bounds: solver.Between(c.Lower(), c.Upper())})
		}
		for i := range m.Rows() {
			free.AddRow(m.Row(i))
		}
		if infeasible := solveWith(t, free, solver.Exact).Status == solver.Infeasible; infeasible != (res.Status == solver.Infeasible) {
			t.Fatalf("without objective infeasible: %v, got %v", infeasible, res)
		}
		switch res.Status {
		case solver.Optimal:
			checkOptimum(t, m, res, 1e-6)
		case solver.Unbounded:
			small, large := solveWith(t, boxed(m, 1e3), solver.InteriorPoint), solveWith(t, boxed(m, 1e5), solver.InteriorPoint)
			if math.Abs(small.Objective-large.Objective) < 100 {
				t.Fatalf("unbounded? in boxes: %v, %v", small, large)
			}
		case solver.Infeasible:
		default:
			t.Fatalf("got %v", res)
		}
	})
	t.Log(counts)
}

// TestQuadraticByHand: min x^2 + y^2 + xy - 4x - 5y has the optimum (1, 2);
// with x + y <= 2 it moves to (0.5, 1.5) with dual -1.5.
func TestQuadraticByHand(t *testing.T) {
	m := solver.NewModel("by hand")
	x := m.AddColumn(solver.Column{Cost: -4})
	y := m.AddColumn(solver.Column{Cost: -5})
	m.AddQuadratic(x, x, 1)
	m.AddQuadratic(y, y, 1)
	m.AddQuadratic(y, x, 1)
	m.SetOffset(7)
	check := func(objective float64, point ...float64) *solver.Result {
		t.Helper()
		res := solveWith(t, m, nil)
		if res.Check() != nil || math.Abs(res.Objective-objective) > 1e-9 || floats.Distance(res.X, point, 2) > 1e-6 {
			t.Errorf("%v at %v, want %v at %v", res, res.X, objective, point)
		}
		return res
	}
	check(0, 1, 2)
	m.AddRow(solver.Row{Bounds: solver.AtMost(2), Columns: []int{x, y}, Values: []float64{1, 1}})
	if res := check(0.75, 0.5, 1.5); math.Abs(res.RowDuals[0]+1.5) > 1e-6 {
		t.Errorf("dual %v, want -1.5", res.RowDuals)
	}
}

// TestQuadraticRay: along (1, 1) the objective falls for ever, and the square does not see it.
func TestQuadraticRay(t *testing.T) {
	m := solver.NewModel("quadratic ray")
	m.AddColumn(solver.Column{Cost: -1})
	m.AddColumn(solver.Column{Cost: -1})
	m.AddQuadratic(0, 0, 1)
	m.AddQuadratic(1, 1, 1)
	m.AddQuadratic(0, 1, -2)
	m.AddRow(solver.Row{Bounds: solver.Between(-1, 1), Columns: []int{0, 1}, Values: []float64{1, -1}})
	if res := solveWith(t, m, nil); res.Status != solver.Unbounded || res.X != nil {
		t.Errorf("got %v", res)
	}
}

// TestQuadraticOfLowRank: many columns, few squares.
func TestQuadraticOfLowRank(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds in exact arithmetic")
	}
	m := lowRankQuadratic(200, 100, 20, 4)
	res := solveWith(t, m, nil)
	if err := res.Check(); err != nil {
		t.Fatal(err)
	}
	checkOptimum(t, m, res, 1e-6)
}

// TestInteriorPointAgreesWithSimplex on linear programs.
func TestInteriorPointAgreesWithSimplex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		simplex, interior := solveWith(t, m, solver.Exact), solveWith(t, m, solver.InteriorPoint)
		if simplex.Status != interior.Status || math.Abs(simplex.Objective-interior.Objective) > 1e-6*(1+math.Abs(simplex.Objective)) {
			t.Fatalf("simplex: %v\ninterior point: %v", simplex, interior)
		}
	})
}

// TestLargerModelsWithoutCgo: both pure-Go backends agree on larger and badly
// scaled linear programs.
func TestLargerModelsWithoutCgo(t *testing.T) {
	seeds := uint64(5)
	if testing.Short() {
		seeds = 1
	}
	for _, s := range []shape{
		{Columns: 20, Rows: 60, Density: 1, Bounds: "box", Equations: 3, Scale: 1000},
		{Columns: 30, Rows: 400, Density: 1, Bounds: "free", Scale: 1},
		{Columns: 150, Rows: 20, Density: 0.5, Bounds: "nonnegative", Equations: 10, Scale: 1000},
		{Columns: 60, Rows: 120, Density: 0.1, Bounds: "box", Equations: 10, Scale: 100},
	} {
		for seed := range seeds {
			m := gaussian(s, seed)
			simplex, interior := solveWith(t, m, solver.DualSimplex), solveWith(t, m, solver.InteriorPoint)
			if simplex.Check() != nil || interior.Check() != nil || math.Abs(simplex.Objective-interior.Objective) > 1e-6*(1+math.Abs(simplex.Objective)) {
				t.Errorf("simplex: %v\ninterior point: %v", simplex, interior)
			}
		}
	}
}

func TestInteriorPointRefusals(t *testing.T) {
	m := twoColumns()
	m.AddColumn(solver.Column{Name: "open", Bounds: solver.Between(0, 1), Integer: true})
	if _, err := solver.Solve(context.Background(), m, &solver.Options{Backend: solver.InteriorPoint}); !errors.Is(err, solver.ErrUnsupported) {
		t.Errorf("integer column: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, b := range []solver.Backend{solver.InteriorPoint, solver.DualSimplex} {
		res, err := solver.Solve(ctx, twoColumns(), &solver.Options{Backend: b})
		if err != nil || res.Status != solver.Limit || !errors.Is(res.Check(), context.Canceled) {
			t.Errorf("%v, cancelled: %v, %v", b, res, err)
		}
		res, err = solver.Solve(context.Background(), worstCase(20, drawnCuts(20, 60, 1)), &solver.Options{Backend: b, IterationLimit: 2})
		if err != nil || res.Status != solver.Limit || !errors.Is(res.Cause, solver.ErrLimit) {
			t.Errorf("%v, two iterations: %v, %v", b, res, err)
		}
	}
}

// addQuadratic adds a random convex (for a maximisation: concave) quadratic
// form of random rank, so that singular Hessians are common.
func addQuadratic(t *rapid.T, m *solver.Model) {
	n := m.Columns()
	rank := rapid.IntRange(0, n).Draw(t, "rank")
	if rank == 0 {
		return
	}
	factor := mat.NewDense(rank, n, nil)
	for i := range rank {
		for j := range n {
			factor.Set(i, j, float64(rapid.IntRange(-2, 2).Draw(t, "factor")))
		}
	}
	var form mat.Dense
	form.Mul(factor.T(), factor)
	sign := 1.0
	if m.Maximizes() {
		sign = -1
	}
	for i := range n {
		m.AddQuadratic(i, i, sign*form.At(i, i)/2)
		for j := range i {
			m.AddQuadratic(i, j, sign*form.At(i, j))
		}
	}
}

// lowRankQuadratic is a feasible program over the box [-1, 1] with one budget
// equation, random one-sided rows and a Hessian of the given rank.
func lowRankQuadratic(columns, rows, rank int, seed uint64) *solver.Model {
	r := rand.New(rand.NewPCG(seed, 5))
	m := solver.NewModel("low rank")
	budget := solver.Row{Name: "budget", Bounds: solver.Equal(1)}
	for j := range columns {
		m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: r.NormFloat64()})
		budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
	}
	factor := mat.NewDense(rank, columns, nil)
	factor.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, factor)
	var form mat.Dense
	form.Mul(factor.T(), factor)
	for i := range columns {
		m.AddQuadratic(i, i, form.At(i, i)/2)
		for j := range i {
			m.AddQuadratic(i, j, form.At(i, j))
		}
	}
	m.AddRow(budget)
	for range rows - 1 {
		row := solver.Row{Bounds: solver.AtMost(r.Float64()), Columns: budget.Columns, Values: make([]float64, columns)}
		for j := range row.Values {
			row.Values[j] = r.NormFloat64() - 0.1
		}
		m.AddRow(row)
	}
	return m
}

// Where 0 is the only point, an interior point method ends as near to it as it likes; the answer is 0.
func TestZeroIsTheOnlyPoint(t *testing.T) {
	for _, unit := range []float64{1, 0x1p-300, 0x1p200} {
		m := solver.NewModel("zero")
		m.AddColumn(solver.Column{})
		m.AddQuadratic(0, 0, 2.5)
		m.AddRow(solver.Row{Bounds: solver.Between(0, unit), Columns: []int{0}, Values: []float64{2}})
		m.AddRow(solver.Row{Bounds: solver.AtLeast(0), Columns: []int{0}, Values: []float64{-3}})
		if r := solveWith(t, m, solver.InteriorPoint); r.Status != solver.Optimal || r.X[0] != 0 || r.Lower.Float() != 0 {
			t.Errorf("unit %g: %v at %v, bound %v", unit, r, r.X, r.Lower)
		}
	}
}
