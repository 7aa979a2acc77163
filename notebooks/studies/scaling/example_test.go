package scaling_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/adversarial"
	"github.com/sparsero/directions/notebooks/studies/scaling"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// A small configuration of the study, in memory: generated features, two seeds, and the paper's
// dictionary beside one of different directions.
func ExampleRun() {
	small := adversarial.Generated{Options: features.StandInOptions{Examples: 600, Features: 16, Rank: 8}}
	sources := []adversarial.Task{
		{Features: small},
		{Features: small, Classifiers: 5},
	}
	config := scaling.Config{Seeds: 2, Sizes: []int{100, 200}, MaxBudget: 40, Budgets: []int{1, 5, 40}}
	results, err := scaling.Run(context.Background(), sources, config, study.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	isMinimum := func(t study.Table) bool { return t.Name == "scaling_minimum" }
	minimum := results.Tables()[slices.IndexFunc(results.Tables(), isMinimum)]
	fmt.Println("Atoms for 99 % of the coverage of all N, median of the seeds:")
	for _, row := range minimum.Frame.Maps() {
		if row["Directions"] == "selection" && row["Policy"] != "greedy-maxgap" {
			fmt.Printf("%-8v  N = %v  %v: %v\n", row["Dictionary"], row["N"], row["Policy"], row["median"])
		}
	}
	// Output:
	// Atoms for 99 % of the coverage of all N, median of the seeds:
	// single    N = 100  greedy-coverage: 2
	// single    N = 100  any (lower bound): 2
	// single    N = 200  greedy-coverage: 3
	// single    N = 200  any (lower bound): 3
	// ensemble  N = 100  greedy-coverage: 9
	// ensemble  N = 100  any (lower bound): 8
	// ensemble  N = 200  greedy-coverage: 11.5
	// ensemble  N = 200  any (lower bound): 10.5
}
