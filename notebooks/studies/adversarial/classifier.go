package adversarial

import (
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/datasets/features"
	"gonum.org/v1/gonum/floats"
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

// Gradient stores the gradient of the logistic loss log(1 + exp(-y score(x))) of an
// example with label y = ±1 with respect to x,
//
//	-y σ(-y score(x)) w,
//
// in destination, which has the length of x. It panics if one has another length than w.
func (c *Classifier) Gradient(destination, x []float64, y float64) {
	floats.ScaleTo(destination, -y*sigmoid(-y*c.Score(x)), c.Weights)
}

// Margins returns y_j (<w,x_j> + b) for each example: it is classified correctly if its margin is
// positive. Errors are those of [features.Set.Check] and of examples that do not fit the classifier.
func (c *Classifier) Margins(s *features.Set) ([]float64, error) {
	if err := c.fits(s); err != nil {
		return nil, err
	}
	margins := make([]float64, s.Len())
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

// Accuracy returns the share of examples with a positive margin. Errors are
// those of Margins.
func (c *Classifier) Accuracy(s *features.Set) (float64, error) {
	margins, err := c.Margins(s)
	if err != nil {
		return 0, err
	}
	return float64(floats.Count(func(v float64) bool { return v > 0 }, margins)) / float64(len(margins)), nil
}

// sigmoid returns 1/(1 + exp(-z)).
func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
