package adversarial

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/study"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ensembleRadii are the radii of the attacks of an ensemble, in those of its Attack.
var ensembleRadii = []float64{0.5, 1, 2}

// ensembleComponents is the number of covariance directions of an ensemble.
const ensembleComponents = 8

// bootstrap fits classifiers to resamples of the examples, each as large as the set and drawn with replacement, on all
// cores. Classifier k orders its minibatches by a seed of its own, which the seed determines.
func bootstrap(ctx context.Context, s *features.Set, count int, seed uint64) ([]*Classifier, error) {
	classifiers := make([]*Classifier, count)
	return classifiers, study.Each(ctx, 0, count, func(ctx context.Context, k int) error {
		source := rand.New(rand.NewPCG(seed, streamBootstrap^uint64(k)<<32))
		sample := make([]int, len(s.Y))
		for j := range sample {
			sample[j] = source.IntN(len(sample))
		}
		fitted, err := train(ctx, s, sample, standard, source.Uint64())
		classifiers[k] = fitted
		return err
	})
}

// statistical returns unit directions that no attack finds: the difference of the class means and its negative, and
// both directions of the leading eigenvectors of the covariance within the classes.
func statistical(x *mat.Dense, y []float64, components int) ([][]float64, error) {
	n, p := x.Dims()
	means := classMeans(x, y)
	between := make([]float64, p)
	floats.SubTo(between, means[1], means[0])
	length := floats.Norm(between, 2)
	if length == 0 {
		return nil, errors.New("adversarial: the classes have the same mean; give features that differ between them")
	}
	floats.Scale(1/length, between)
	directions := both(nil, between)
	centred := mat.DenseCopyOf(x)
	for j := range n {
		floats.Sub(centred.RawRowView(j), means[class(y[j])])
	}
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, centred, nil)
	var eigen mat.EigenSym
	if !eigen.Factorize(&covariance, true) {
		return nil, errors.New("adversarial: the eigenvectors of the covariance were not found; look for features of very different size")
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for k := range min(components, p) {
		v := mat.Col(nil, p-1-k, &vectors)  // eigenvalues are in increasing order
		if floats.Max(v) < -floats.Min(v) { // an eigenvector is one up to its sign: its largest coordinate is positive
			floats.Scale(-1, v)
		}
		directions = both(directions, v)
	}
	return directions, nil
}

// both appends a vector and its negative.
func both(directions [][]float64, v []float64) [][]float64 {
	negative := make([]float64, len(v))
	floats.ScaleTo(negative, -1, v)
	return append(directions, v, negative)
}

// class returns 0 for the label -1 and 1 for the label 1.
func class(label float64) int { return int(label+1) / 2 }

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
