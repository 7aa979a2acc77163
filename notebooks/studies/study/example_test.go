package study_test

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// A study of three units is stopped after the first one, which is kept.
func ExampleRun() {
	ctx, cancel := context.WithCancel(context.Background())
	squares := study.Experiment[int]{
		Name: "squares", Version: "1", Configuration: "n²", Units: []string{"2", "3", "5"},
		Run: func(ctx context.Context, unit int) (int, error) {
			if unit == 1 {
				cancel() // as a user would
			}
			n := []int{2, 3, 5}[unit]
			return n * n, ctx.Err()
		},
	}
	results, err := study.Run(ctx, squares, study.Options{Workers: 1})
	fmt.Println(results.Done, results.Partial(), err)
	for _, unit := range results.Units {
		fmt.Println(unit.Unit, unit.Result)
	}
	// Output:
	// 1 true <nil>
	// 2 4
}
