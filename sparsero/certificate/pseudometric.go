package certificate

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// pseudometric evaluates d_D(s,t) = max_i |⟨d_i, s-t⟩| between the rows of a list
// of directions from their scores alone.
type pseudometric struct {
	scores [][]float64 // one row per direction, one column per atom
	// rounding bounds the error of any distance.
	rounding float64
}

// newPseudometric measures distances between the rows of an M×p matrix. It is an error if
// alignments with them may overflow, as differences of infinities are no distances.
func newPseudometric(d *sparsero.Dictionary, directions mat.Matrix) (*pseudometric, error) {
	scores, err := d.Scores(directions)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	rows, p := directions.Dims()
	metric := &pseudometric{scores: make([][]float64, rows)}
	for t := range rows {
		metric.scores[t] = mat.Col(nil, t, scores)
		metric.rounding = max(metric.rounding, 2*d.AlignmentError(mat.Row(make([]float64, p), t, directions)))
		if math.IsInf(metric.rounding, 1) {
			return nil, fmt.Errorf("certificate: the alignments with direction %d are beyond float64; measure the atoms or the directions in larger units", t)
		}
	}
	return metric, nil
}

// metricBlock is the number of atoms compared between two checks for an early stop.
const metricBlock = 16

// within returns d_D between directions a and b, and whether it is at most limit;
// beyond the limit the returned value is only a lower estimate.
func (d *pseudometric) within(a, b int, limit float64) (float64, bool) {
	s, t := d.scores[a], d.scores[b]
	largest := 0.0
	for start := 0; start < len(s) && largest <= limit; start += metricBlock {
		end := min(start+metricBlock, len(s))
		largest = math.Max(largest, floats.Distance(s[start:end], t[start:end], math.Inf(1)))
	}
	return largest, largest <= limit
}
