package features

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Scaling maps features to mean 0 and standard deviation 1 per column. It is
// estimated on one set, the part the classifier is fitted on, and applied to
// every part, so that nothing is learnt from the examples that are held back.
type Scaling struct {
	Mean      []float64 // p column means
	Deviation []float64 // p standard deviations (divisor n), 1 for constant columns
}

// NewScaling returns the scaling that standardizes s. O(np). It panics if [Set.Check] finds a fault.
func NewScaling(s *Set) Scaling {
	if err := s.Check(); err != nil {
		panic(err)
	}
	n, p := s.X.Dims()
	scaling := Scaling{Mean: make([]float64, p), Deviation: make([]float64, p)}
	for j := range p {
		column := mat.Col(nil, j, s.X)
		for _, value := range column {
			scaling.Mean[j] += value / float64(n)
		}
		constant := true
		for _, value := range column {
			scaling.Deviation[j] += (value - scaling.Mean[j]) * (value - scaling.Mean[j]) / float64(n)
			constant = constant && value == column[0]
		}
		if scaling.Deviation[j] = math.Sqrt(scaling.Deviation[j]); constant || scaling.Deviation[j] == 0 {
			scaling.Mean[j], scaling.Deviation[j] = column[0], 1
		}
	}
	return scaling
}

// Apply returns the set with every entry x_ij replaced by
// (x_ij - mean_j)/deviation_j; s stays as it is. It returns an error when s has
// another number of features.
func (c Scaling) Apply(s *Set) (*Set, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n, p := s.X.Dims()
	if p != len(c.Mean) || p != len(c.Deviation) {
		return nil, fmt.Errorf("features: the set %q has %d features, the scaling %d; use sets of the same network", s.Name, p, len(c.Mean))
	}
	scaled := *s
	scaled.X = mat.NewDense(n, p, nil)
	scaled.X.Apply(func(_, j int, value float64) float64 { return (value - c.Mean[j]) / c.Deviation[j] }, s.X)
	return &scaled, nil
}
