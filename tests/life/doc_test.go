// Package life tests what many calls share and what they leave behind: types that several goroutines use at once (under
// the race detector, .ci/test.sh), goroutines after a cancelled call, and memory after 100,000 solves.
package life

import (
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// must returns the value; an error ends the test.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

const dimension = 4

func gaussian(t testing.TB, rows int, seed uint64) *mat.Dense {
	return must(datasets.Gaussian(rows, dimension, seed))(t)
}

func newDictionary(t testing.TB, atoms int) *sparsero.Dictionary {
	return must(sparsero.NewDictionary(gaussian(t, atoms, 1), nil))(t)
}

// newRegion is a box with a budget.
func newRegion() *solver.Model {
	m := solver.NewModel("box")
	budget := solver.Row{Bounds: solver.AtMost(2)}
	for j := range dimension {
		m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: -1 - 0.1*float64(j)})
		budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
	}
	m.AddRow(budget)
	return m
}

func newProblem(t testing.TB, atoms int) *robust.Problem {
	return must(robust.NewProblem(newDictionary(t, atoms), newRegion(), sparsero.Identity(dimension)))(t)
}
