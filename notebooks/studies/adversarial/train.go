package adversarial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// training holds the settings of a fit: Adam (Kingma and Ba 2015, with its
// constants 0.9, 0.999, 1e-8) on the mean logistic loss of minibatches plus
// (decay/2) ‖w‖₂², which keeps the weights of separable examples finite.
type training struct {
	epochs, batch int
	rate, decay   float64
}

// standard are the settings of all fits, fixed before any experiment was run.
var standard = training{epochs: 20, batch: 64, rate: 0.01, decay: 0.001}

// The constants of Adam.
const (
	firstMomentRate  = 0.9
	secondMomentRate = 0.999
	momentFloor      = 1e-8 // keeps the quotient of the moments finite
)

// Train fits a linear classifier to n examples of p features by 20 epochs of Adam on minibatches of 64, with a little weight
// decay. It costs O(n p). The seed orders the minibatches; the same gives the same
// classifier. Errors: those of [features.Set.Check]; weights
// that stop being finite; a context that ends.
func Train(ctx context.Context, s *features.Set, seed uint64) (*Classifier, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("adversarial: %w", err)
	}
	all := make([]int, s.Len())
	for k := range all {
		all[k] = k
	}
	return train(ctx, s, all, standard, seed)
}

// train fits a classifier to the listed rows, each as often as it is listed.
func train(ctx context.Context, s *features.Set, sample []int, t training, seed uint64) (*Classifier, error) {
	p := s.Dimension()
	d := newDescent(p, t)
	source := rand.New(rand.NewPCG(seed, streamTraining))
	order := slices.Clone(sample)
	for range t.epochs {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("adversarial: fitting a classifier: %w", ctx.Err())
		}
		source.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for from := 0; from < len(order); from += t.batch {
			d.step(s.X, s.Y, order[from:min(from+t.batch, len(order))])
		}
	}
	if length := floats.Norm(d.parameters, math.Inf(1)); math.IsNaN(floats.Sum(d.parameters)) || math.IsInf(length, 0) {
		return nil, errors.New("adversarial: the weights overflowed; scale the features")
	}
	return &Classifier{Weights: d.parameters[:p:p], Intercept: d.parameters[p]}, nil
}

// descent is the state of Adam on the p weights and the intercept.
type descent struct {
	training                            training
	parameters, gradient, first, second []float64
	steps                               float64
}

func newDescent(p int, t training) *descent {
	buffer := make([]float64, 4*(p+1))
	part := func(k int) []float64 { return buffer[k*(p+1) : (k+1)*(p+1)] }
	return &descent{training: t, parameters: part(0), gradient: part(1), first: part(2), second: part(3)}
}

// step takes a step on a minibatch.
func (d *descent) step(x *mat.Dense, y []float64, batch []int) {
	p := len(d.parameters) - 1
	weights, gradient := d.parameters[:p], d.gradient[:p]
	clear(d.gradient)
	for _, k := range batch {
		row := x.RawRowView(k)
		margin := y[k] * (floats.Dot(weights, row) + d.parameters[p])
		slope := -y[k] * sigmoid(-margin) / float64(len(batch))
		floats.AddScaled(gradient, slope, row)
		d.gradient[p] += slope
	}
	floats.AddScaled(gradient, d.training.decay, weights)
	d.steps++
	rate := d.training.rate * math.Sqrt(1-math.Pow(secondMomentRate, d.steps)) / (1 - math.Pow(firstMomentRate, d.steps))
	for j, g := range d.gradient {
		d.first[j] = firstMomentRate*d.first[j] + (1-firstMomentRate)*g
		d.second[j] = secondMomentRate*d.second[j] + (1-secondMomentRate)*g*g
		d.parameters[j] -= rate * d.first[j] / (math.Sqrt(d.second[j]) + momentFloor)
	}
}
