package synthetic_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/notebooks/studies/synthetic"
)

// A small configuration of the study, in memory: two seeds at the paper's size.
func ExampleRun() {
	results, err := synthetic.Run(context.Background(), datasets.XShapeOptions{}, synthetic.Config{Seeds: 2, Draws: 1}, study.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	isZero := func(t study.Table) bool { return t.Name == "synthetic_zero" }
	zero := results.Tables()[slices.IndexFunc(results.Tables(), isZero)]
	fmt.Println(results.Done, "seeds; median budget without a deficit on T:")
	for _, row := range zero.Frame.Maps()[:2] {
		fmt.Println(row["Policy"], row["median"], "paper:", row["paper_value"])
	}
	// Output:
	// 2 seeds; median budget without a deficit on T:
	// Greedy Coverage 9 paper: 9
	// Greedy MaxGap 25.5 paper: 17
}
