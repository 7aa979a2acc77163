package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/datasets/internal/size"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// maxHypercubeDimension keeps the 2^p corners of Hypercube below 10^6 rows.
const maxHypercubeDimension = 19

// CrossPolytope returns the dictionary of the 2p atoms e_1, ..., e_p, -e_1, ..., -e_p, labelled "e1", ..., "-e1", ....
// Its full atomic set is the l1 ball of radius r, its gauge the l1 norm, and its support function r times the largest
// absolute entry. It returns an error when the dimension is below 1 or far too large.
func CrossPolytope(dimension int) (*sparsero.Dictionary, error) {
	if dimension < 1 {
		return nil, fmt.Errorf("datasets: dimension %d of a cross-polytope; use at least 1", dimension)
	}
	if err := size.Check("datasets: a cross-polytope", 2, dimension, dimension); err != nil {
		return nil, err
	}
	labels := make([]string, dimension)
	for i := range labels {
		labels[i] = fmt.Sprintf("e%d", i+1)
	}
	d, err := sparsero.NewDictionary(sparsero.Identity(dimension).Matrix, &sparsero.DictionaryOptions{Labels: labels})
	if err != nil {
		return nil, err
	}
	return d.AntipodalClosure(), nil
}

// Hypercube returns all 2^p corners of {-1,1}^p, one per row: the support of p independent signs,
// over which a probability can be counted instead of estimated. Bit i of the row number is 1
// where coordinate i is +1. It returns an error unless 1 <= dimension <= 19.
func Hypercube(dimension int) (*mat.Dense, error) {
	if dimension < 1 || dimension > maxHypercubeDimension {
		return nil, fmt.Errorf("datasets: dimension %d of a hypercube; use 1 to %d", dimension, maxHypercubeDimension)
	}
	corners := mat.NewDense(1<<dimension, dimension, nil)
	corners.Apply(func(row, column int, _ float64) float64 {
		return float64(2*(row>>column&1) - 1)
	}, corners)
	return corners, nil
}

// Gaussian returns samples of N(0, I_p), one per row (samples×dimension), drawn row by row from one PCG generator. It
// returns an error when there is less than one sample or dimension, or far too many.
func Gaussian(samples, dimension int, seed uint64) (*mat.Dense, error) {
	if samples < 1 || dimension < 1 {
		return nil, fmt.Errorf("datasets: %d Gaussian samples of dimension %d; use at least 1 of each", samples, dimension)
	}
	if err := size.Check("datasets: a Gaussian matrix", samples, dimension); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, gaussianStream))
	values := make([]float64, samples*dimension)
	for i := range values {
		values[i] = random.NormFloat64()
	}
	return mat.NewDense(samples, dimension, values), nil
}

// Circle returns evenly spaced unit directions of the plane, one per row (directions×2), counted
// counterclockwise from (1, 0). It returns an error when there are none.
func Circle(directions int) (*mat.Dense, error) {
	if directions < 1 {
		return nil, fmt.Errorf("datasets: %d directions on a circle; use at least 1", directions)
	}
	if err := size.Check("datasets: a circle", directions, 2); err != nil {
		return nil, err
	}
	circle := mat.NewDense(directions, 2, nil)
	for j := range directions {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(directions))
		circle.SetRow(j, []float64{cos, sin})
	}
	return circle, nil
}

// gaussianStream keeps Gaussian apart from other uses of the same seed.
const gaussianStream = 0x6a09e667f3bcc908
