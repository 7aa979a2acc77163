package adversarial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Training says how a classifier is fitted: Adam (Kingma and Ba 2015, with its
// constants 0.9, 0.999, 1e-8) on the mean logistic loss of minibatches plus
// (Decay/2) ‖w‖₂². The zero value works; its defaults were fixed before any
// experiment was run.
type Training struct {
	// Epochs is the number of passes over the examples, at least 1. Default 20.
	Epochs int
	// Batch is the number of examples of a step, at least 1. Default 64.
	Batch int
	// Rate is Adam's step size, above 0. Default 0.01.
	Rate float64
	// Decay is the factor of the penalty, which keeps the weights of separable
	// examples finite; at least 0. Default 0.001; negative for none.
	Decay float64
	// Seed orders the minibatches.
	Seed uint64
}

// The constants of Adam.
const (
	firstMomentRate  = 0.9
	secondMomentRate = 0.999
	momentFloor      = 1e-8 // keeps the quotient of the moments finite
)

func (t Training) withDefaults() Training {
	t.Epochs, t.Batch = cmp.Or(t.Epochs, 20), cmp.Or(t.Batch, 64)
	t.Rate, t.Decay = cmp.Or(t.Rate, 0.01), max(cmp.Or(t.Decay, 0.001), 0)
	return t
}

// validate checks settings whose defaults are filled in.
func (t Training) validate() error {
	switch {
	case t.Epochs < 1:
		return fmt.Errorf("adversarial: Epochs = %d; use at least 1, or 0 for the default", t.Epochs)
	case t.Batch < 1:
		return fmt.Errorf("adversarial: Batch = %d; use at least 1, or 0 for the default", t.Batch)
	case !(t.Rate > 0) || math.IsInf(t.Rate, 1):
		return fmt.Errorf("adversarial: Rate = %v; use a number above 0, or 0 for the default", t.Rate)
	case math.IsNaN(t.Decay) || math.IsInf(t.Decay, 1):
		return fmt.Errorf("adversarial: Decay = %v; use a finite number, or 0 for the default", t.Decay)
	}
	return nil
}

// Train fits a linear classifier to the n×p examples x with labels ±1, both of
// which must occur. It costs O(Epochs n p). The same seed gives the same
// classifier. Errors: settings out of range; examples that are missing, not
// finite, or of one class; weights that stop being finite; a context that ends.
func Train(ctx context.Context, x mat.Matrix, y []float64, t Training) (*Classifier, error) {
	rows, err := trainingExamples(x, y)
	if err != nil {
		return nil, err
	}
	all := make([]int, len(y))
	for k := range all {
		all[k] = k
	}
	return train(ctx, rows, y, all, t)
}

// trainingExamples returns examples of both classes with rows that can be viewed.
func trainingExamples(x mat.Matrix, y []float64) (*mat.Dense, error) {
	rows, err := examples(x, y)
	if err != nil {
		return nil, err
	}
	if positive := share(y, 0); positive == 0 || positive == 1 {
		return nil, fmt.Errorf("adversarial: all %d labels are %v; give examples of both classes", len(y), y[0])
	}
	return rows, nil
}

// train fits a classifier to the listed rows, each as often as it is listed.
func train(ctx context.Context, x *mat.Dense, y []float64, sample []int, t Training) (*Classifier, error) {
	t = t.withDefaults()
	if err := t.validate(); err != nil {
		return nil, err
	}
	_, p := x.Dims()
	d := newDescent(p, t)
	source := rand.New(rand.NewPCG(t.Seed, streamTraining))
	order := slices.Clone(sample)
	for range t.Epochs {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("adversarial: fitting a classifier: %w", ctx.Err())
		}
		source.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for from := 0; from < len(order); from += t.Batch {
			d.step(x, y, order[from:min(from+t.Batch, len(order))])
		}
	}
	if length := floats.Norm(d.parameters, math.Inf(1)); math.IsNaN(floats.Sum(d.parameters)) || math.IsInf(length, 0) {
		return nil, errors.New("adversarial: the weights overflowed; scale the features or use a smaller Rate")
	}
	return &Classifier{Weights: d.parameters[:p:p], Intercept: d.parameters[p]}, nil
}

// descent is the state of Adam on the p weights and the intercept.
type descent struct {
	training                            Training
	parameters, gradient, first, second []float64
	steps                               float64
}

func newDescent(p int, t Training) *descent {
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
	floats.AddScaled(gradient, d.training.Decay, weights)
	d.steps++
	rate := d.training.Rate * math.Sqrt(1-math.Pow(secondMomentRate, d.steps)) / (1 - math.Pow(firstMomentRate, d.steps))
	for j, g := range d.gradient {
		d.first[j] = firstMomentRate*d.first[j] + (1-firstMomentRate)*g
		d.second[j] = secondMomentRate*d.second[j] + (1-secondMomentRate)*g*g
		d.parameters[j] -= rate * d.first[j] / (math.Sqrt(d.second[j]) + momentFloor)
	}
}
