package sparsero_test

import (
	"fmt"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// A dictionary of four directions, two of them chosen: what the small set
// protects against, and what it misses.
func Example() {
	atoms := mat.NewDense(4, 2, []float64{
		1, 0, // east
		0, 1, // north
		-1, 0, // west
		0.8, 0.8, // northeast
	})
	dictionary, err := sparsero.NewDictionary(atoms, &sparsero.DictionaryOptions{Labels: []string{"east", "north", "west", "northeast"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := sparsero.NewAtomicSet(dictionary, []int{0, 1}, 1) // S = {east, north}, r = 1
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range [][]float64{{1, 0}, {1, 1}, {-1, 0}} {
		atom, _ := dictionary.ActiveAtom(s)
		fmt.Printf("s = %2v: support %.1f of %.1f, missed %.1f, worst atom %s\n",
			s, set.Support(s), dictionary.Support(s), set.AlignmentDeficit(s), dictionary.Label(atom))
	}
	gauge, _, err := set.Gauge([]float64{0.8, 0.8})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("northeast enters the set at radius %.1f\n", gauge)
	// Output:
	// s = [ 1  0]: support 1.0 of 1.0, missed 0.0, worst atom east
	// s = [ 1  1]: support 1.0 of 1.6, missed 0.6, worst atom northeast
	// s = [-1  0]: support 0.0 of 1.0, missed 1.0, worst atom west
	// northeast enters the set at radius 1.6
}

// The corners of a square with a point in its middle.
func ExamplePlanarHull() {
	fmt.Println(sparsero.PlanarHull([]float64{0, 2, 2, 0, 1}, []float64{0, 0, 2, 2, 1}))
	// Output:
	// [0 1 2 3]
}
