package formula_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/formula"
	"gonum.org/v1/gonum/mat"
)

// TestMistakesNameTheirPlace: every mistake is an error of the model, with the name of the row or variable and what is wrong.
func TestMistakesNameTheirPlace(t *testing.T) {
	losses := dictionary(2, []string{"a"}, 1, 2)
	for _, test := range []struct {
		name string
		make func(m *formula.Model, x, u formula.Expression)
		want []string
	}{
		{"two models", func(m *formula.Model, x, _ formula.Expression) {
			y := formula.NewModel("other").Vector(2, solver.Column{Name: "y"})
			m.Add(x.Plus(y).AtMost(1).Named("cap"))
		}, []string{"cap", `"mine"`, `"other"`}},
		{"a row of another model", func(m *formula.Model, _, _ formula.Expression) {
			m.Add(formula.NewModel("other").Vector(2, solver.Column{Name: "y"}).AtMost(1).Named("cap"))
		}, []string{"cap", `"mine"`, `"other"`}},
		{"lengths", func(m *formula.Model, x, _ formula.Expression) { m.Add(x.AtMost([]float64{1, 2, 3}).Named("cap")) }, []string{"cap", "2 and 3"}},
		{"a vector of nothing", func(m *formula.Model, _, _ formula.Expression) {
			m.Minimize(m.Vector(0, solver.Column{Name: "none"}).Sum())
		}, []string{"0 variables; give 1 to"}},
		{"a vector that is too long", func(m *formula.Model, _, _ formula.Expression) {
			m.Minimize(m.Vector(10_000_001, solver.Column{Name: "many"}).Sum())
		}, []string{"10000001 variables; give 1 to"}},
		{"no numbers", func(m *formula.Model, x, _ formula.Expression) { m.Add(x.AtMost([]float64{})) }, []string{"row 2", "1 entries"}},
		{"a matrix of other width", func(m *formula.Model, x, _ formula.Expression) {
			m.Add(x.Map(mat.NewDense(1, 3, nil)).AtMost(1).Named("cap"))
		}, []string{"cap", "1×3", "2 entries"}},
		{"a type", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(x.Times("2")) }, []string{"objective", "string"}},
		{"an empty expression", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(x.Plus(formula.Expression{})) }, []string{"objective", "2 and 0"}},
		{"three factors", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(x.At(0).Times(x.At(0)).Times(x.At(0))) }, []string{"objective", "factors"}},
		{"two uncertain factors", func(m *formula.Model, _, u formula.Expression) { m.Add(u.Times(u).AtMost(1).Named("cap")) }, []string{"cap", "factors"}},
		{"an uncertain square", func(m *formula.Model, x, u formula.Expression) { m.Minimize(x.At(0).Times(x.At(0)).Times(u.At(0))) }, []string{"objective", "factors"}},
		{"a quadratic row", func(m *formula.Model, x, _ formula.Expression) { m.Add(x.Dot(x).AtMost(1).Named("objective")) }, []string{"objective", "product of two variables"}},
		{"two uncertain vectors", func(m *formula.Model, x, u formula.Expression) {
			m.Add(m.Uncertain(losses).Plus(u).Plus(x).AtMost(1).Named("cap"))
		}, []string{"cap", "two uncertain vectors"}},
		{"two of different length", func(m *formula.Model, x, u formula.Expression) {
			m.Minimize(m.Uncertain(dictionary(1, []string{"b"}, 1)).Plus(u))
		}, []string{"objective", "two uncertain vectors"}},
		{"no dictionary", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(m.Uncertain(nil).Dot(x)) }, []string{"objective", "NewDictionary"}},
		{"NaN in a row", func(m *formula.Model, x, _ formula.Expression) {
			m.Add(x.At(0).Times(math.NaN()).AtMost(1).Named("cap"))
		}, []string{"cap", "NaN"}},
		{"NaN as a limit", func(m *formula.Model, x, _ formula.Expression) {
			m.Add(x.AtMost([]float64{1, math.NaN()}).Named("cap"))
		}, []string{"cap[1]", "NaN"}},
		{"NaN in an uncertain row", func(m *formula.Model, x, u formula.Expression) {
			m.Add(u.Dot(x).Times(math.NaN()).AtMost(1).Named("cap"))
		}, []string{"cap", "NaN"}},
		{"NaN as an uncertain row's limit", func(m *formula.Model, x, u formula.Expression) { m.Add(u.Dot(x).AtMost(math.NaN()).Named("cap")) }, []string{"cap", "NaN"}},
		{"NaN in the objective", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(x.At(1).Times(math.NaN())) }, []string{"x[1]", "NaN"}},
		{"NaN as a constant", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(x.Sum().Plus(math.NaN())) }, []string{"objective", "NaN"}},
		{"infinite coefficient", func(m *formula.Model, x, _ formula.Expression) { m.Minimize(x.At(1).Times(math.Inf(1))) }, []string{"x[1]", "Inf"}},
		{"a constant that overflows", func(m *formula.Model, x, _ formula.Expression) {
			m.Add(x.At(0).Minus(1e308).Minus(1e308).Plus(1e308).Plus(1e308).AtMost(0).Named("cap"))
		}, []string{"cap", "NaN"}},
		{"a product that overflows", func(m *formula.Model, x, _ formula.Expression) {
			m.Add(x.At(0).Minus(1e200).Times(1e200).AtLeast(0).Named("cap"))
		}, []string{"cap", "NaN"}},
		{"an uncertain row's constant that overflows", func(m *formula.Model, x, u formula.Expression) {
			m.Add(u.Dot(x).Minus(1e308).Minus(1e308).AtMost(-1e308).Named("cap"))
		}, []string{"cap", "NaN"}},
		{"NaN as a bound", func(m *formula.Model, _, _ formula.Expression) {
			m.Vector(2, solver.Column{Name: "z", Bounds: solver.AtMost(math.NaN())})
		}, []string{"z[0]", "NaN"}},
		{"one name for two variables", func(m *formula.Model, _, _ formula.Expression) { m.Variables(solver.Column{Name: "x[1]"}) }, []string{`"x[1]"`}},
	} {
		m := formula.NewModel("mine")
		x, u := m.Vector(2, solver.Column{Name: "x", Bounds: solver.Between(0, 1)}), m.Uncertain(losses)
		m.Add(x.Plus(u).AtMost(9).Named("uncertain"))
		test.make(m, x, u)
		p, err := m.Problem()
		if err == nil || p != nil {
			t.Errorf("%s: no error", test.name)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error %q does not say %s", test.name, err, want)
			}
		}
	}
}

// TestModelRefusesUncertainty: a solver.Model has no place for uncertain terms, in the objective or in a row.
func TestModelRefusesUncertainty(t *testing.T) {
	for _, inRow := range []bool{false, true} {
		m := formula.NewModel("mine")
		x, u := m.Vector(2, solver.Column{Name: "x"}), m.Uncertain(dictionary(2, []string{"a"}, 1, 2))
		if m.Minimize(x.Sum()); inRow {
			m.Add(u.Dot(x).AtMost(1))
		} else {
			m.Minimize(u.Dot(x))
		}
		if _, err := m.Model(); err == nil || !strings.Contains(err.Error(), "Problem") {
			t.Errorf("uncertain row %v: %v", inRow, err)
		}
	}
}

// TestProblemAsksForUncertainty: what has none is a solver.Model, in the words of this package.
func TestProblemAsksForUncertainty(t *testing.T) {
	m := formula.NewModel("mine")
	x, u := m.Vector(2, solver.Column{Name: "x"}), m.Uncertain(dictionary(2, []string{"a"}, 1, 2))
	m.Minimize(x.Sum().Plus(u.Dot(x)).Minus(u.Dot(x)))
	m.Add(x.AtLeast(0))
	if p, err := m.Problem(); p != nil || err == nil || !strings.Contains(err.Error(), "ask for the Model") {
		t.Errorf("%v, %v", p, err)
	}
}

// TestNoObjective: a model that has none minimises 0.
func TestNoObjective(t *testing.T) {
	m := formula.NewModel("mine")
	m.Vector(2, solver.Column{Name: "x"})
	if model, err := m.Model(); err != nil || model.Maximizes() || model.Column(1).Cost != 0 {
		t.Errorf("%v, %v", model, err)
	}
}

// TestNoLimits: rows with infinite limits hold always, so that vectors of limits may have some.
func TestNoLimits(t *testing.T) {
	m := formula.NewModel("mine")
	x, u := m.Vector(2, solver.Column{Name: "x"}), m.Uncertain(dictionary(2, []string{"a"}, 1, 2))
	m.Add(x.AtMost([]float64{math.Inf(1), 3}).Named("certain"), x.Plus(u).AtMost([]float64{math.Inf(1), 3}).Named("uncertain"))
	m.Add(x.Plus(u).AtLeast(math.Inf(-1)))
	p, err := m.Problem()
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Constraints(); len(c) != 1 || c[0].Name != "uncertain[1]" || c[0].Limit != 3 {
		t.Errorf("the uncertain rows are %v", c)
	}
	if region := p.Region(); region.Rows() != 2 || !math.IsInf(region.RowBounds(0).Upper(), 1) || region.RowBounds(1).Upper() != 3 {
		t.Errorf("the certain rows are %v", region)
	}
}

// TestNoVariables: a model of uncertainty alone is refused.
func TestNoVariables(t *testing.T) {
	m := formula.NewModel("mine")
	m.Minimize(m.Uncertain(dictionary(2, []string{"a"}, 1, 2)).Sum())
	if _, err := m.Problem(); err == nil || !strings.Contains(err.Error(), "no variables") {
		t.Errorf("Problem: error %v", err)
	}
	if _, err := m.Model(); err == nil || !strings.Contains(err.Error(), "no variables") {
		t.Errorf("Model: error %v", err)
	}
}

// TestValueOfAMistake: an expression that is wrong has no value.
func TestValueOfAMistake(t *testing.T) {
	x := formula.NewModel("mine").Vector(3, solver.Column{Name: "x"})
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "3 and 2 entries") {
			t.Errorf("panic %q", said)
		}
	}()
	t.Errorf("value %v", x.Dot([]float64{1, 2}).Value([]float64{1, 2, 3}))
}

// An entry that an expression does not have, a decision that is too short and a map that is nil are told so.
func TestEntriesThatAreNotThere(t *testing.T) {
	m := formula.NewModel("mine")
	x := m.Vector(3, solver.Column{Name: "x"})
	said := func(call func()) (said any) {
		defer func() { said = recover() }()
		call()
		return nil
	}
	for want, call := range map[string]func(){
		"entry 3 of an expression of 3":   func() { x.At(3) },
		"entry -1 of an expression of 3":  func() { x.At(-1) },
		"a decision of length 2 has no x": func() { x.Value([]float64{1, 2}) },
	} {
		if got := fmt.Sprint(said(call)); !strings.Contains(got, want) {
			t.Errorf("panic %s, want %s", got, want)
		}
	}
	if value := x.At(2).Value([]float64{1, 2, 3}); len(value) != 1 || value[0] != 3 {
		t.Errorf("the last entry of 1, 2, 3 is %v", value)
	}
	m.Minimize(x.Map(nil).Sum())
	if _, err := m.Model(); err == nil || !strings.Contains(err.Error(), "the matrix of a map is nil") {
		t.Errorf("a map that is nil: %v", err)
	}
}
