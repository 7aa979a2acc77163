package hull_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/hull"
)

// The faces of a corner of a cube.
func ExampleSpace() {
	for _, f := range hull.Space([]hull.Point{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
		fmt.Println(len(f.Corners))
	}
	// Output:
	// 3
	// 3
	// 3
	// 3
}
