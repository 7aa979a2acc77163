//go:build cgo

package highs_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/sparsero/directions/solver"
	_ "github.com/sparsero/directions/solver/highs" // makes HiGHS the default
)

// A knapsack with a time limit: the point is used if there is one, with its gap.
func Example() {
	m := solver.NewModel("knapsack")
	m.SetMaximize(true)
	weights := solver.Row{Name: "weight", Bounds: solver.AtMost(10)}
	for _, item := range []struct{ value, weight float64 }{{10, 5}, {40, 4}, {30, 6}, {50, 3}} {
		j := m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: item.value, Integer: true})
		weights.Columns, weights.Values = append(weights.Columns, j), append(weights.Values, item.weight)
	}
	m.AddRow(weights)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	res, err := solver.Solve(ctx, m, nil)
	if err != nil {
		log.Fatal(err)
	}
	if res.X == nil {
		log.Fatal(res.Check())
	}
	fmt.Println(res.Status, res.Objective, res.X, res.Gap)
	// Output:
	// optimal 90 [0 1 0 1] 0
}
