package formula_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/formula"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// solvesIntegers tells whether there is HiGHS.
var solvesIntegers bool

// made is what a road leads to.
func made(p *robust.Problem, err error) *robust.Problem {
	if err != nil {
		panic(err)
	}
	return p
}

func dictionary(p int, labels []string, values ...float64) *sparsero.Dictionary {
	d, err := sparsero.NewDictionary(mat.NewDense(len(labels), p, values), &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		panic(err)
	}
	return d
}

// identity is q(x) = x with a constant that is written out.
func identity(n int) sparsero.AffineMap {
	return sparsero.AffineMap{Matrix: sparsero.Identity(n).Matrix, Constant: make([]float64, n)}
}

// roads writes each problem by indices, then by formulas.
func roads() map[string][2]*robust.Problem {
	losses := dictionary(3, []string{"crash", "shock", "recession", "inflation"}, 0.3, 0.1, 0.02, 0.05, 0.25, 0.02, 0.2, 0.2, 0.01, 0.02, 0.03, 0.05)
	return map[string][2]*robust.Problem{
		"portfolio": {portfolioByIndex(losses), portfolioByFormula(losses)},
		"factory":   {factoryByIndex(), factoryByFormula()},
		"caps":      {capsByIndex(losses), capsByFormula(losses)},
		"balance":   {balanceByIndex(losses), balanceByFormula(losses)},
	}
}

func portfolioByIndex(losses *sparsero.Dictionary) *robust.Problem {
	region := solver.NewModel("portfolio")
	for j, cost := range []float64{-0.05, -0.03, -0.01} {
		region.AddColumn(solver.Column{Name: fmt.Sprintf("x[%d]", j), Bounds: solver.Between(0, 1), Cost: cost})
		region.AddQuadratic(j, j, 0.25)
	}
	region.AddQuadratic(0, 1, 0.125)
	region.SetOffset(2)
	region.AddRow(solver.Row{Name: "budget", Bounds: solver.Equal(1), Columns: []int{0, 1, 2}, Values: []float64{1, 1, 1}})
	region.AddRow(solver.Row{Bounds: solver.AtLeast(-3), Columns: []int{0, 2}, Values: []float64{1, -2}})
	half, one := identity(3), identity(3)
	half.Matrix.Scale(-0.5, half.Matrix)
	half.Constant = []float64{0, 4, 0}
	return made(robust.NewProblem(losses, region, one,
		robust.Constraint{Name: "risk", Nominal: []float64{-1, -1, 0}, Map: half, Limit: -0.125}))
}

func portfolioByFormula(losses *sparsero.Dictionary) *robust.Problem {
	m := formula.NewModel("portfolio")
	x, u := m.Vector(3, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(losses)
	m.Maximize(x.Dot([]float64{0.05, 0.03, 0.01}).Minus(x.Times(x).Times(0.25).Sum()).Minus(x.At(0).Times(x.At(1)).Times(0.125)).Minus(u.Dot(x)).Minus(2))
	m.Add(x.Sum().Equals(1).Named("budget"), x.At(0).Plus(7).AtLeast(x.At(2).Times(2).Plus(4)))
	m.Add(x.At(0).Plus(x.At(1)).Plus(u.Times(0.5).Dot(x)).Minus(u.At(1).Times(4)).AtLeast(0.125).Named("risk"))
	return made(m.Problem())
}

// capsByIndex has one set for all rows and a certain objective.
func capsByIndex(losses *sparsero.Dictionary) *robust.Problem {
	region := solver.NewModel("caps")
	for j := range 3 {
		region.AddColumn(solver.Column{Name: fmt.Sprintf("x[%d]", j), Bounds: solver.Between(0, 1), Cost: -float64(j + 1)})
	}
	return made(robust.NewProblem(losses, region, sparsero.AffineMap{},
		robust.Constraint{Name: "above", Nominal: []float64{1, 1, 1}, Map: identity(3), Limit: 2}))
}

func capsByFormula(losses *sparsero.Dictionary) *robust.Problem {
	m := formula.NewModel("caps")
	x, u := m.Vector(3, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(losses)
	m.Minimize(x.Dot([]float64{-1, -2, -3}))
	m.Add(x.Sum().Plus(u.Dot(x)).AtMost(2).Named("above"))
	return made(m.Problem())
}

// balanceByIndex has an equation that is uncertain, which is two rows.
func balanceByIndex(losses *sparsero.Dictionary) *robust.Problem {
	region := solver.NewModel("balance")
	for j := range 3 {
		region.AddColumn(solver.Column{Name: fmt.Sprintf("x[%d]", j), Bounds: solver.Between(0, 1), Cost: -1})
	}
	over, under := identity(3), identity(3)
	under.Matrix.Scale(-1, under.Matrix)
	return made(robust.NewProblem(losses, region, sparsero.AffineMap{},
		robust.Constraint{Name: "even at most", Nominal: []float64{1, -1, 0}, Map: over},
		robust.Constraint{Name: "even at least", Nominal: []float64{-1, 1, 0}, Map: under}))
}

func balanceByFormula(losses *sparsero.Dictionary) *robust.Problem {
	m := formula.NewModel("balance")
	x, u := m.Vector(3, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(losses)
	m.Minimize(x.Sum().Times(-1))
	m.Add(x.At(0).Minus(x.At(1)).Plus(u.Dot(x)).Equals(0).Named("even"))
	return made(m.Problem())
}

// TestRadiusOfARow: a row at half the radius is one with half of u.
func TestRadiusOfARow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms := mat.NewDense(4, 2, nil)
		atoms.Apply(func(int, int, float64) float64 { return float64(rapid.IntRange(-8, 8).Draw(t, "atom")) }, atoms)
		losses, err := sparsero.NewDictionary(atoms, nil)
		radius := float64(rapid.IntRange(1, 8).Draw(t, "radius")) / 4
		if err != nil {
			t.Fatal(err)
		}
		m := formula.NewModel("rows")
		x, u := m.Vector(2, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(losses)
		m.Minimize(x.Dot([]float64{-2, -3}))
		m.Add(u.Times(radius).Dot(x).Plus(x.Sum()).AtMost(2).Named("row"))
		region := made(m.Problem()).Region()
		row := robust.Constraint{Name: "row", Nominal: []float64{1, 1}, Map: identity(2), Limit: 2, Dictionary: losses, Radius: radius}
		byRadius := made(robust.NewProblem(nil, region, sparsero.AffineMap{}, row))
		a, failed := made(m.Problem()).SolveFull(context.Background(), 1, nil)
		b, err := byRadius.SolveFull(context.Background(), 1, nil)
		if err != nil || failed != nil || math.Abs(a.Value-b.Value) > 1e-7 {
			t.Errorf("by formula %v (%v), by Radius %v (%v)", a, failed, b, err)
		}
	})
}

func factoryByIndex() *robust.Problem {
	saw, demand := dictionary(2, []string{"knots", "blunt"}, 0.4, 0, 0.2, 0.5), dictionary(1, []string{"fair", "order"}, 4, 7)
	region := solver.NewModel("factory")
	for j, name := range []string{"chairs", "tables"} {
		region.AddColumn(solver.Column{Name: name, Bounds: solver.Between(0, 100), Cost: []float64{3, 5}[j], Integer: true})
	}
	right := sparsero.AffineMap{Matrix: mat.NewDense(1, 2, nil), Constant: []float64{1}}
	return made(robust.NewProblem(nil, region, sparsero.AffineMap{},
		robust.Constraint{Name: "hours[0]", Nominal: []float64{1, 2}, Map: identity(2), Limit: 80, Dictionary: saw},
		robust.Constraint{Name: "hours[1]", Nominal: []float64{2, 1}, Map: identity(2), Limit: 95, Dictionary: saw},
		robust.Constraint{Name: "demand", Nominal: []float64{-1, -1}, Map: right, Limit: -40, Dictionary: demand}))
}

func factoryByFormula() *robust.Problem {
	m := formula.NewModel("factory")
	x := m.Variables(solver.Column{Name: "chairs", Bounds: solver.Between(0, 100), Integer: true},
		solver.Column{Name: "tables", Bounds: solver.Between(0, 100), Integer: true})
	u := m.Uncertain(dictionary(2, []string{"knots", "blunt"}, 0.4, 0, 0.2, 0.5))
	order := m.Uncertain(dictionary(1, []string{"fair", "order"}, 4, 7))
	m.Minimize(x.Dot([]float64{3, 5}))
	m.Add(x.Map(mat.NewDense(2, 2, []float64{1, 2, 2, 1})).Plus(u.Dot(x)).AtMost([]float64{80, 95}).Named("hours"))
	m.Add(x.Sum().AtLeast(order.Plus(40)).Named("demand"))
	return made(m.Problem())
}

// TestTwoRoads: a problem that is written with indices and one that is written with formulas are the same, to the last byte of
// the region's MPS file and of the design file, and have the same design.
func TestTwoRoads(t *testing.T) {
	for name, road := range roads() {
		var models, designs [2][]byte
		for k, p := range road {
			var file bytes.Buffer
			if err := p.Region().WriteMPS(&file); err != nil {
				t.Fatal(err)
			}
			models[k] = file.Bytes()
			if p.Region().IsInteger() && !solvesIntegers {
				continue
			}
			design, err := p.Design(context.Background(), 4, 0.5, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			path := filepath.Join(t.TempDir(), "design.json")
			if err := design.Solution.Save(path, nil); err != nil {
				t.Fatal(err)
			}
			if designs[k], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(models[0], models[1]) {
			t.Errorf("%s: by indices the region is\n%s\nand by formulas\n%s", name, models[0], models[1])
		}
		if !bytes.Equal(designs[0], designs[1]) {
			t.Errorf("%s: by indices the design is\n%s\nand by formulas\n%s", name, designs[0], designs[1])
		}
		if !mat.Equal(road[0].Dictionary().Matrix(), road[1].Dictionary().Matrix()) {
			t.Errorf("%s: the atoms differ", name)
		}
	}
}

// TestConvexSets: the parts of a problem go with a convex set in the place of the atoms.
func TestConvexSets(t *testing.T) {
	budget, err := convex.NewBudget([]float64{0.2, 0.1, 0.02}, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	m := formula.NewModel("portfolio")
	x, u := m.Vector(3, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(dictionary(3, []string{"any"}, 1, 1, 1))
	m.Minimize(u.Dot(x).Minus(x.Dot([]float64{0.05, 0.03, 0.01})))
	m.Add(x.Sum().Equals(1))
	p := made(m.Problem())
	over, err := robust.NewConvex(budget, p.Region(), p.Map(), p.Constraints()...)
	if err != nil {
		t.Fatal(err)
	}
	s, err := over.SolveFull(context.Background(), 1, nil)
	if err != nil || math.Abs(s.Value-0.0069) > 1e-4 { // of MIGRATION.md, by indices
		t.Errorf("%v, %v", s, err)
	}
}

// TestMaximizeAConcaveObjective: a Model that is maximised may have a concave objective, which its negative is not.
func TestMaximizeAConcaveObjective(t *testing.T) {
	m := formula.NewModel("profit")
	x := m.Variables(solver.Column{Name: "x", Bounds: solver.Between(0, 10)})
	m.Maximize(x.Times(4).Minus(x.Times(x)).Plus(1))
	model, err := m.Model()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := solver.Solve(context.Background(), model, nil); err != nil || r.Check() != nil || math.Abs(r.Objective-5) > 1e-7 || math.Abs(r.X[0]-2) > 1e-3 {
		t.Errorf("%v, %v", r, err)
	}
	if m.Maximize(x.Times(x)); !errors.Is(second(m.Model()), solver.ErrNotConvex) {
		t.Error("a convex objective is maximised")
	}
}

func second[T any](_ T, err error) error { return err }
