package adversarial

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero/input"
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

// Gradient stores the gradient of the logistic loss log(1 + exp(-y score(x))) of an
// example with label y = ±1 with respect to x,
//
//	-y σ(-y score(x)) w,
//
// in destination, which has the length of x. It panics if one has another length than w.
func (c *Classifier) Gradient(destination, x []float64, y float64) {
	floats.ScaleTo(destination, -y*sigmoid(-y*c.Score(x)), c.Weights)
}

// Margins returns y_j (<w,x_j> + b) for the n×p examples x with labels ±1: an
// example is classified correctly if its margin is positive. Errors are those of
// examples that do not fit the classifier.
func (c *Classifier) Margins(x mat.Matrix, y []float64) ([]float64, error) {
	rows, err := examples(x, y)
	if err != nil {
		return nil, err
	}
	if _, p := rows.Dims(); p != len(c.Weights) {
		return nil, fmt.Errorf("adversarial: x has %d columns but the classifier has %d weights; give the features it was fitted on", p, len(c.Weights))
	}
	margins := make([]float64, len(y))
	for j := range margins {
		margins[j] = y[j] * c.Score(rows.RawRowView(j))
	}
	return margins, nil
}

// Accuracy returns the share of examples with a positive margin. Errors are
// those of Margins.
func (c *Classifier) Accuracy(x mat.Matrix, y []float64) (float64, error) {
	margins, err := c.Margins(x, y)
	if err != nil {
		return 0, err
	}
	return share(margins, 0), nil
}

// share returns the share of values above a limit.
func share(values []float64, limit float64) float64 {
	above := 0
	for _, v := range values {
		if v > limit {
			above++
		}
	}
	return float64(above) / float64(len(values))
}

// sigmoid returns 1/(1 + exp(-z)).
func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// examples checks an n×p matrix with one example per row, and its labels, and
// returns the matrix with rows that can be viewed.
func examples(x mat.Matrix, y []float64) (*mat.Dense, error) {
	if err := input.CheckRows("adversarial: x", "example", x, -1); err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); len(y) != n {
		return nil, fmt.Errorf("adversarial: %d labels for %d examples; give one label per row of x", len(y), n)
	}
	for j, label := range y {
		if label != 1 && label != -1 {
			return nil, fmt.Errorf("adversarial: y[%d] = %v; use -1 and 1", j, label)
		}
	}
	dense, ok := x.(*mat.Dense)
	if !ok {
		dense = mat.DenseCopyOf(x)
	}
	return dense, nil
}
