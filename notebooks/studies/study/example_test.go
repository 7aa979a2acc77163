package study_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sparsero/directions/notebooks/studies/study"
)

// A study of three units is stopped after the first one and goes on later.
func ExampleRun() {
	folder, err := os.MkdirTemp("", "study")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)

	ctx, cancel := context.WithCancel(context.Background())
	squares := study.Experiment[int]{
		Name: "squares", Version: "1", Configuration: "n²", Units: []string{"2", "3", "5"},
		Run: func(ctx context.Context, unit int) (int, error) {
			if unit == 1 {
				cancel() // as a user would, in the first run
			}
			n := []int{2, 3, 5}[unit]
			return n * n, ctx.Err()
		},
	}
	options := study.Options{Workers: 1, Path: filepath.Join(folder, "squares.jsonl")}

	first, err := study.Run(ctx, squares, options)
	fmt.Println(first.Done, first.Partial(), err)

	second, err := study.Run(context.Background(), squares, options)
	fmt.Println(second.Done, second.Partial(), err)
	for _, unit := range second.Units {
		fmt.Println(unit.Unit, unit.Result)
	}
	// Output:
	// 1 true <nil>
	// 3 false <nil>
	// 2 4
	// 3 9
	// 5 25
}
