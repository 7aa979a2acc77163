package adversarial

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Concentration says how much of a set of directions lies along one line.
type Concentration struct {
	// Energy is the share of energy along w, Σ_i <d_i, w/‖w‖₂>² / Σ_i ‖d_i‖₂²: 1 if
	// all directions are multiples of w, 1/p on average if they have none.
	Energy float64
	// Cosine is the median of |cos(d_i, w)|.
	Cosine float64
}

// NewConcentration measures the rows of an N×p matrix against w. It is an error if
// one is missing, zero (every row counts) or not finite, or if they do not fit together.
func NewConcentration(directions mat.Matrix, w []float64) (Concentration, error) {
	if _, err := sparsero.NewDictionary(directions, nil); err != nil {
		return Concentration{}, fmt.Errorf("adversarial: directions: %w", err)
	}
	n, p := directions.Dims()
	if p != len(w) {
		return Concentration{}, fmt.Errorf("adversarial: directions is %d×%d but w has %d coordinates; give rows of that length", n, p, len(w))
	}
	length := floats.Norm(w, 2)
	if !(length > 0) || math.IsInf(length, 1) {
		return Concentration{}, fmt.Errorf("adversarial: the length of w is %v; give a finite w other than 0", length)
	}
	along, total, cosines := 0.0, 0.0, make([]float64, n)
	for i := range cosines {
		row := mat.Row(nil, i, directions)
		norm := floats.Norm(row, 2)
		if norm == 0 || math.IsInf(norm, 1) {
			return Concentration{}, fmt.Errorf("adversarial: direction %d has length %v; leave it out", i, norm)
		}
		projection := floats.Dot(row, w) / length
		along += projection * projection
		total += norm * norm
		cosines[i] = math.Abs(projection) / norm
	}
	return Concentration{Energy: along / total, Cosine: tally.Median(cosines)}, nil
}
