package convex

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// NewBall returns { u in R^p : ‖u‖ <= radius } for the norm 1, 2 or +Inf. It is an error if p < 1, the norm is another
// or the radius is not a finite number > 0, or for norm 2 so small that its inverse overflows.
func NewBall(p int, norm, radius float64) (Gauged, error) {
	if p < 1 || !(radius > 0) || math.IsInf(radius, 1) {
		return nil, fmt.Errorf("convex: a ball of dimension %d and radius %v; give a dimension of at least 1 and a finite radius > 0", p, radius)
	}
	if err := input.CheckSize("convex: a ball", p, p); err != nil {
		return nil, err
	}
	widths := slices.Repeat([]float64{radius}, p)
	switch {
	case norm == 1:
		return NewBudget(widths, 1)
	case norm == 2:
		if ball, err := ellipsoidOfFactor(mat.DenseCopyOf(mat.NewDiagDense(p, widths)), 0); err == nil {
			return ball, nil
		}
		return nil, fmt.Errorf("convex: the radius %v of a ball has no inverse in float64; measure in smaller units", radius)
	case math.IsInf(norm, 1):
		return NewBudget(widths, float64(p))
	}
	return nil, fmt.Errorf("convex: the norm %v is none of 1, 2 and +Inf; use one of them", norm)
}

// NewWasserstein returns the mean of an m×p matrix of samples and the set of deviations from it under which the worst
// case of an affine loss ⟨u, q⟩ is its worst expectation over all distributions within the distance ε > 0 of the samples,
//
//	max_{W1(Q, P) <= ε} E_Q ⟨u, q⟩ = ⟨mean, q⟩ + ε ‖q‖_*,
//
// the ball of radius ε in the norm, 1, 2 or +Inf, that measures the transport (Mohajerin Esfahani and Kuhn 2018, for a
// support of all R^p). The mean is rounded. It has the errors of NewBall, and is one if the samples are empty or not
// finite or their sum overflows.
func NewWasserstein(samples mat.Matrix, norm, epsilon float64) (mean []float64, ball Gauged, err error) {
	if mean, err = meanOf(samples); err != nil {
		return nil, nil, err
	}
	ball, err = NewBall(len(mean), norm, epsilon)
	return mean, ball, err
}
