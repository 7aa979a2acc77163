package integer_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/integer"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Two of four items are to be chosen. Each uses 0.3 of the capacity; atom 0
// adds 0.3 for each of the cheap items 0 and 1, atom 1 for each of 0, 2 and 3.
func ExampleEnumeration() {
	dictionary, err := sparsero.NewDictionary(mat.NewDense(2, 4, []float64{
		1, 1, 0, 0,
		1, 0, 1, 1,
	}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	instance := &datasets.IntegerInstance{
		Cost: []float64{1, 2, 4, 8}, Cardinality: 2, Dictionary: dictionary,
		Base:    mat.NewDense(1, 4, []float64{0.3, 0.3, 0.3, 0.3}),
		Extra:   mat.NewDense(1, 4, []float64{0.3, 0.3, 0.3, 0.3}),
		HeldOut: mat.NewDense(1, 4, []float64{0, 1, 1, 0}),
	}
	enumeration, err := integer.NewEnumeration(instance)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, atoms := range [][]int{nil, {0}, {0, 1}} {
		optimum, err := enumeration.Solve(atoms, 1)
		fmt.Println(atoms, optimum.Items, optimum.Value, err)
	}
	_, err = enumeration.Solve([]int{0, 1}, 2)
	fmt.Println("radius 2 is infeasible:", errors.Is(err, solver.ErrInfeasible))
	// Output:
	// [] [0 1] 3 <nil>
	// [0] [0 2] 5 <nil>
	// [0 1] [1 2] 6 <nil>
	// radius 2 is infeasible: true
}

// A small configuration of the study, in memory: four seeds and two budgets.
func ExampleRun() {
	config := integer.Config{
		Seeds: []integer.Seeds{{First: 5000, Count: 4}}, Budgets: []int{1, 10}, Draws: 10,
		Protocols: []integer.Protocol{integer.Nested},
	}
	results, err := integer.Run(context.Background(), datasets.IntegerOptions{}, config, study.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	onset := results.Onset()
	fmt.Println(results.Done, "seeds")
	for _, row := range onset.Maps() {
		fmt.Println(row["Policy"], row["Robust Rate"])
	}
	// Output:
	// 4 seeds
	// greedy-maxgap 4/4
	// greedy-coverage 4/4
	// max-gamma-sum 2/4
	// max-gamma-max 2/4
	// max-gamma-x0 2/4
}
