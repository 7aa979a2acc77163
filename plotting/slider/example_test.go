package slider_test

import (
	"context"
	"fmt"
	"os"

	"github.com/sparsero/directions/plotting"
	"github.com/sparsero/directions/plotting/slider"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// The polytope of the first b of six atoms. In a live notebook b follows the slider; here, where
// no front end answers, the figure at the first value is shown and the cell ends.
func ExampleSlider() {
	folder, err := os.MkdirTemp("", "slider")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	defer inside(folder)() // the picture is written to build/figures below it

	dictionary, err := sparsero.NewDictionary(mat.NewDense(6, 2, []float64{1, 0, 0, 1, -1, 0, 0, -1, 0.9, 0.9, -0.9, 0.9}), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	budget := slider.Slider{Label: "budget b", Min: 1, Max: 6, Value: 4}
	b, err := budget.Show(context.Background(), func(b int) (*plotting.Figure, error) {
		set, err := sparsero.NewAtomicSet(dictionary, []int{0, 1, 2, 3, 4, 5}[:b], 1)
		if err != nil {
			return nil, err
		}
		return plotting.AtomicSet(set, nil)
	})
	fmt.Println("b =", b, err)
	// Output:
	// Atomic set of 4 of 6 atoms, r = 1. In the direction at 45° the support is 0.7071, reached by d0; the full dictionary reaches 1.273 with d4; the deficit is 0.5657.
	//   picture: build/figures/atomic-set-of-4-of-6-atoms-r-1.png
	// b = 4 <nil>
}

// inside goes into a folder and returns the way back.
func inside(folder string) func() {
	before, err := os.Getwd()
	if err == nil {
		err = os.Chdir(folder)
	}
	if err != nil {
		panic(err)
	}
	return func() { _ = os.Chdir(before) }
}
