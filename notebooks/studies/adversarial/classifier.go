package adversarial

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/datasets/features"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Classifier is a linear binary classifier: the sign of <w,x> + b.
type Classifier struct {
	// Weights is w.
	Weights []float64
	// Intercept is b.
	Intercept float64
}

// Score returns <w,x> + b. It panics if x has another length than w.
func (c *Classifier) Score(x []float64) float64 { return floats.Dot(c.Weights, x) + c.Intercept }

// gradient stores the gradient of the logistic loss log(1 + exp(-y score(x))) of an
// example with label y = ±1 with respect to x,
//
//	-y σ(-y score(x)) w,
//
// in destination, which has the length of x. It panics if one has another length than w.
func (c *Classifier) gradient(destination, x []float64, y float64) {
	floats.ScaleTo(destination, -y*sigmoid(-y*c.Score(x)), c.Weights)
}

// Margins returns y_j (<w,x_j> + b) for each example: it is classified correctly if its margin is
// positive. Errors are those of [features.Set.Check] and of examples that do not fit the classifier.
func (c *Classifier) Margins(s *features.Set) ([]float64, error) {
	if err := c.fits(s); err != nil {
		return nil, err
	}
	margins := make([]float64, len(s.Y))
	for j := range margins {
		margins[j] = s.Y[j] * c.Score(s.X.RawRowView(j))
	}
	return margins, nil
}

// fits refuses a classifier or examples that are missing or not of one dimension.
func (c *Classifier) fits(s *features.Set) error {
	if c == nil {
		return errors.New("adversarial: the classifier is nil; fit one with Train")
	}
	if err := s.Check(); err != nil {
		return fmt.Errorf("adversarial: %w", err)
	}
	if p := s.Dimension(); p != len(c.Weights) {
		return fmt.Errorf("adversarial: the examples have %d features but the classifier has %d weights; give the features it was fitted on", p, len(c.Weights))
	}
	return nil
}

// Accuracy returns the share of examples with a positive margin. Errors are those of Margins.
func (c *Classifier) Accuracy(s *features.Set) (float64, error) {
	margins, err := c.Margins(s)
	if err != nil {
		return 0, err
	}
	return float64(floats.Count(func(v float64) bool { return v > 0 }, margins)) / float64(len(margins)), nil
}

// sigmoid returns 1/(1 + exp(-z)).
func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// training holds the settings of a fit: Adam (Kingma and Ba 2015, with its constants 0.9, 0.999, 1e-8) on the mean
// logistic loss of minibatches plus (decay/2) ‖w‖₂², which keeps the weights of separable examples finite.
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

// Train fits a linear classifier to n examples of p features by 20 epochs of Adam on minibatches of 64, with a little
// weight decay. It costs O(n p). The seed orders the minibatches; the same gives the same classifier. Errors: those of
// [features.Set.Check]; weights that stop being finite; a context that ends.
func Train(ctx context.Context, s *features.Set, seed uint64) (*Classifier, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("adversarial: %w", err)
	}
	return train(ctx, s, tally.UpTo(len(s.Y)), standard, seed)
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
	zeros := func() []float64 { return make([]float64, p+1) }
	return &descent{training: t, parameters: zeros(), gradient: zeros(), first: zeros(), second: zeros()}
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
