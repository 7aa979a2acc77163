package formula_test

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/formula"
	"gonum.org/v1/gonum/mat"
)

// A budget of 1 is split over three assets. What they lose beyond expectation is uncertain, and so is a cap on the risk.
func Example() {
	scenarios, err := sparsero.NewDictionary(mat.NewDense(4, 3, []float64{
		0.30, 0.10, 0.02,
		0.05, 0.25, 0.02,
		0.20, 0.20, 0.01,
		0.02, 0.03, 0.05,
	}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := formula.NewModel("portfolio")
	x := m.Vector(3, solver.Column{Name: "x", Bounds: solver.Between(0, 1)})
	u := m.Uncertain(scenarios)
	m.Maximize(x.Dot([]float64{0.05, 0.03, 0.01}).Minus(u.Dot(x)))
	m.Add(x.Sum().Equals(1).Named("budget"), x.At(0).Plus(x.At(1)).Plus(u.Times(2).Dot(x)).AtMost(0.15).Named("risk"))
	problem, err := m.Problem()
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := problem.SolveFull(context.Background(), 0.5, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("at least %.4f with weights %.2f\n", -s.Value, x.Value(s.X))
	// Output: at least -0.0096 with weights [0.09 0.01 0.90]
}

// Whole numbers without uncertainty: a solver.Model.
func ExampleModel_Model() {
	m := formula.NewModel("two goods")
	x := m.Vector(2, solver.Column{Name: "lots", Bounds: solver.Between(0, 10), Integer: true})
	m.Maximize(x.Dot([]float64{3, 5}))
	m.Add(x.Map(mat.NewDense(2, 2, []float64{1, 2, 2, 1})).AtMost([]float64{8, 10}).Named("hours"))
	model, err := m.Model()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model)
	fmt.Println(model.Row(1).Name, model.RowBounds(1).Upper())
	// Output:
	// two goods: maximize, 2 columns (2 integer), 2 rows, 4 coefficients, 0 quadratic terms
	// hours[1] 10
}
