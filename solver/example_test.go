package solver_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/sparsero/directions/solver"
)

// Two products share machine hours; the duals are the prices of an hour.
func ExampleSolve() {
	m := solver.NewModel("factory")
	m.SetMaximize(true)
	chairs := m.AddColumn(solver.Column{Name: "chairs", Bounds: solver.AtLeast(0), Cost: 3})
	tables := m.AddColumn(solver.Column{Name: "tables", Bounds: solver.AtLeast(0), Cost: 5})
	m.AddRow(solver.Row{Name: "saw", Bounds: solver.AtMost(18), Columns: []int{chairs, tables}, Values: []float64{3, 2}})
	m.AddRow(solver.Row{Name: "lathe", Bounds: solver.AtMost(12), Columns: []int{tables}, Values: []float64{2}})

	res, err := solver.Solve(context.Background(), m, nil)
	if err == nil {
		err = res.Check()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: profit %.0f with %.0f chairs and %.0f tables\n", res.Status, res.Objective, res.X[chairs], res.X[tables])
	fmt.Printf("an hour of the saw is worth %.1f, of the lathe %.1f\n", res.RowDuals[0], res.RowDuals[1])
	// Output:
	// optimal: profit 36 with 2 chairs and 6 tables
	// an hour of the saw is worth 1.0, of the lathe 1.5
}

// A session keeps its basis: cuts are added until none is violated.
func ExampleOpen() {
	m := solver.NewModel("largest of three lines")
	x := m.AddColumn(solver.Column{Name: "x", Bounds: solver.Between(-2, 2)})
	t := m.AddColumn(solver.Column{Name: "t", Bounds: solver.AtLeast(-10), Cost: 1})
	session, err := solver.Open(m, nil)
	if err != nil {
		log.Fatal(err)
	}

	lines := [][2]float64{{1, 0}, {-1, 1}, {0.5, 0.4}} // slope and intercept
	for {
		res, err := session.Solve(context.Background())
		if err == nil {
			err = res.Check()
		}
		if err != nil {
			log.Fatal(err)
		}
		worst, value := -1, res.X[t]+1e-9
		for k, line := range lines {
			if v := line[0]*res.X[x] + line[1]; v > value {
				worst, value = k, v
			}
		}
		if worst < 0 {
			fmt.Printf("minimum %.4f at x = %.4f\n", res.X[t], res.X[x])
			return
		}
		// t >= slope*x + intercept
		m.AddRow(solver.Row{Group: "lines", Bounds: solver.AtLeast(lines[worst][1]), Columns: []int{t, x}, Values: []float64{1, -lines[worst][0]}})
	}
	// Output:
	// minimum 0.6000 at x = 0.4000
}

// A result without an optimum is an error that says what to do next.
func ExampleResult_Check() {
	m := solver.NewModel("open end")
	m.AddColumn(solver.Column{Name: "x", Bounds: solver.AtLeast(0), Cost: -1})
	res, err := solver.Solve(context.Background(), m, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, res.X == nil, errors.Is(res.Check(), solver.ErrUnbounded))
	// Output:
	// unbounded true true
}

// Explain names the constraints that contradict each other.
func ExampleExplain() {
	m := solver.NewModel("plan")
	north := m.AddColumn(solver.Column{Name: "north", Bounds: solver.Between(0, 40)})
	south := m.AddColumn(solver.Column{Name: "south", Bounds: solver.Between(0, 30)})
	both := []int{north, south}
	m.AddRow(solver.Row{Name: "demand", Bounds: solver.AtLeast(100), Columns: both, Values: []float64{1, 1}})
	m.AddRow(solver.Row{Name: "trucks", Bounds: solver.AtMost(200), Columns: both, Values: []float64{2, 1}})
	conflict, err := solver.Explain(context.Background(), m, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(conflict)
	// Output:
	// solver: model is infeasible; these 3 constraints contradict each other and none can be left out:
	//   demand: north + south >= 100
	//   upper bound: north <= 40
	//   upper bound: south <= 30
}

// The smallest variance of a portfolio of two assets with variances 4 and 1 and
// covariance 0.5.
func ExampleModel_AddQuadratic() {
	m := solver.NewModel("variance")
	a := m.AddColumn(solver.Column{Name: "a", Bounds: solver.Between(0, 1)})
	b := m.AddColumn(solver.Column{Name: "b", Bounds: solver.Between(0, 1)})
	m.AddRow(solver.Row{Name: "budget", Bounds: solver.Equal(1), Columns: []int{a, b}, Values: []float64{1, 1}})
	m.AddQuadratic(a, a, 4)
	m.AddQuadratic(b, b, 1)
	m.AddQuadratic(a, b, 2*0.5)
	res, err := solver.Solve(context.Background(), m, nil)
	if err == nil {
		err = res.Check()
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("variance %.4f with weights %.3f and %.3f\n", res.Objective, res.X[a], res.X[b])
	// Output:
	// variance 0.9375 with weights 0.125 and 0.875
}
