package features_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sbinet/npyio/npy"
	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/mat"
)

// The stand-in is split as the paper splits its features, and says everywhere
// that it is one.
func ExampleStandIn() {
	set, err := features.StandIn(features.StandInOptions{Examples: 2000})
	if err != nil {
		panic(err)
	}
	parts, err := set.Split(nil, 1)
	if err != nil {
		panic(err)
	}
	fmt.Println(set)
	for k, name := range []string{"fit", "mine", "select", "report"} {
		fmt.Println(name, counts(parts[k]))
	}
	// Output:
	// stand-in (generated, seed 0): 2000 examples × 512 features, 1000 generated A (-1), 1000 generated B (+1)
	// fit [500 500]
	// mine [200 200]
	// select [150 150]
	// report [150 150]
}

// Labels 3 and 5, as CIFAR-10 numbers cats and dogs, become -1 and +1.
func ExampleLoadNPY() {
	folder, err := os.MkdirTemp("", "features")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	write := func(name string, value any) string {
		path := filepath.Join(folder, name)
		file, err := os.Create(path)
		if err != nil {
			panic(err)
		}
		defer file.Close()
		if err := npy.Write(file, value); err != nil {
			panic(err)
		}
		return path
	}
	x := write("cat_dog_x.npy", mat.NewDense(3, 2, []float64{0.1, 0, 0.7, 0.2, 0, 0.4}))
	y := write("cat_dog_y.npy", []int64{3, 5, 5})

	set, err := features.LoadNPY(x, y)
	if err != nil {
		panic(err)
	}
	set.Classes = [2]string{"cat", "dog"}
	fmt.Println(set)
	fmt.Println(set.Y)
	// Output:
	// cat_dog: 3 examples × 2 features, 1 cat (-1), 2 dog (+1)
	// [-1 1 1]
}
