package hull_test

import (
	"fmt"

	"github.com/sparsero/directions/plotting/hull"
)

// The corners of a square with a point in its middle.
func ExamplePlane() {
	fmt.Println(hull.Plane([]float64{0, 2, 2, 0, 1}, []float64{0, 0, 2, 2, 1}))
	// Output:
	// [0 1 2 3]
}

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
