package adversarial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/sparsero/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Bootstrap fits classifiers to resamples of the examples, each as large as the
// set and drawn with replacement. Classifier k orders its minibatches by a seed of
// its own, which t.Seed determines. They are fitted on all cores; the result does not depend on their
// number. Errors are those of [Train]; count < 1; a context that ends.
func Bootstrap(ctx context.Context, x mat.Matrix, y []float64, count int, t Training) ([]*Classifier, error) {
	rows, err := trainingExamples(x, y)
	if err != nil {
		return nil, err
	}
	if count < 1 {
		return nil, fmt.Errorf("adversarial: %d classifiers; ask for at least one", count)
	}
	_, p := rows.Dims()
	if err := input.CheckSize("adversarial: an ensemble of classifiers", count, p); err != nil {
		return nil, err
	}
	classifiers := make([]*Classifier, count)
	return classifiers, each(count, func(k int) error {
		fitted, err := resampled(ctx, rows, y, t, uint64(k))
		classifiers[k] = fitted
		return err
	})
}

// resampled fits classifier k of an ensemble.
func resampled(ctx context.Context, x *mat.Dense, y []float64, t Training, k uint64) (*Classifier, error) {
	source := rand.New(rand.NewPCG(t.Seed, streamBootstrap^k<<32))
	sample := make([]int, len(y))
	for j := range sample {
		sample[j] = source.IntN(len(y))
	}
	t.Seed = source.Uint64()
	return train(ctx, x, y, sample, t)
}

// statistical returns unit directions that no attack finds, with their labels:
// the difference of the class means and its negative, and both directions of
// the leading eigenvectors of the covariance within the classes.
func statistical(x *mat.Dense, y []float64, components int) ([][]float64, []string, error) {
	n, p := x.Dims()
	if components > p {
		return nil, nil, fmt.Errorf("adversarial: Components = %d exceeds the %d features; use at most as many", components, p)
	}
	means := classMeans(x, y)
	between := make([]float64, p)
	floats.SubTo(between, means[1], means[0])
	length := floats.Norm(between, 2)
	if length == 0 {
		return nil, nil, errors.New("adversarial: the classes have the same mean; give features that differ between them")
	}
	floats.Scale(1/length, between)
	directions, labels := both(nil, between), []string{"class means +", "class means -"}
	if components == 0 {
		return directions, labels, nil
	}
	centred := mat.DenseCopyOf(x)
	for j := range n {
		floats.Sub(centred.RawRowView(j), means[class(y[j])])
	}
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, centred, nil)
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, nil, errors.New("adversarial: the eigenvectors of the covariance were not found; look for features of very different size")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k := range components {
		v := mat.Col(nil, p-1-k, &vectors) // eigenvalues are in increasing order
		orient(v)
		directions = both(directions, v)
		labels = append(labels, fmt.Sprintf("covariance %d +", k+1), fmt.Sprintf("covariance %d -", k+1))
	}
	return directions, labels, nil
}

// both appends a vector and its negative.
func both(directions [][]float64, v []float64) [][]float64 {
	negative := make([]float64, len(v))
	floats.ScaleTo(negative, -1, v)
	return append(directions, v, negative)
}

// orient gives an eigenvector, which is one up to its sign, the sign that makes
// its largest coordinate positive.
func orient(v []float64) {
	largest := 0.0
	for _, c := range v {
		if math.Abs(c) > math.Abs(largest) {
			largest = c
		}
	}
	if largest < 0 {
		floats.Scale(-1, v)
	}
}

// class returns 0 for the label -1 and 1 for the label 1.
func class(label float64) int {
	if label < 0 {
		return 0
	}
	return 1
}

// classMeans returns the mean of each class, both of which have examples.
func classMeans(x *mat.Dense, y []float64) [2][]float64 {
	_, p := x.Dims()
	means, counts := [2][]float64{make([]float64, p), make([]float64, p)}, [2]float64{}
	for j, label := range y {
		floats.Add(means[class(label)], x.RawRowView(j))
		counts[class(label)]++
	}
	for k := range means {
		floats.Scale(1/counts[k], means[k])
	}
	return means
}
