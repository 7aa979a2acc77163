package certificate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// pseudometric evaluates d_D(s,t) = max_i |⟨d_i, s-t⟩| between the rows of a list
// of directions from their scores alone. Atoms are ordered by the spread of their
// scores, so that a comparison can stop as soon as no later atom can matter.
type pseudometric struct {
	scores [][]float64 // one row per direction, one column per atom, widest spread first
	spread []float64   // max - min of each column, descending
	// rounding bounds the error of any distance.
	rounding float64
}

// planar is the dimension up to which the atoms that define d_D are found at no cost
// worth mentioning; in higher dimensions nearly all atoms do.
const planar = 2

// newPseudometric measures distances between the rows of an M×p matrix.
func newPseudometric(ctx context.Context, d *sparsero.Dictionary, directions mat.Matrix) (*pseudometric, error) {
	if d.Dim() <= planar {
		vertices, err := d.PseudometricVertices(ctx)
		if err != nil {
			return nil, fmt.Errorf("certificate: %w", err)
		}
		if len(vertices) > 0 {
			if d, err = d.Subset(vertices); err != nil {
				return nil, fmt.Errorf("certificate: %w", err)
			}
		}
	}
	scores, err := d.Scores(directions)
	if err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	metric := sortedBySpread(scores)
	rows, p := directions.Dims()
	for t := range rows {
		metric.rounding = max(metric.rounding, 2*d.AlignmentError(mat.Row(make([]float64, p), t, directions)))
	}
	return metric, nil
}

func sortedBySpread(scores *mat.Dense) *pseudometric {
	n, m := scores.Dims()
	order, spread := make([]int, n), make([]float64, n)
	for i := range n {
		row := scores.RawRowView(i)
		order[i], spread[i] = i, slices.Max(row)-slices.Min(row)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(spread[b], spread[a]) })
	d := &pseudometric{scores: make([][]float64, m), spread: make([]float64, n)}
	flat := make([]float64, n*m)
	for j := range m {
		d.scores[j] = flat[j*n : (j+1)*n]
	}
	for c, i := range order {
		d.spread[c] = spread[i]
		for j, v := range scores.RawRowView(i) {
			d.scores[j][c] = v
		}
	}
	return d
}

// metricBlock is the number of atoms compared between two checks for an early stop.
const metricBlock = 16

// within returns d_D between directions a and b, and whether it is at most limit;
// beyond the limit the returned value is only a lower estimate.
func (d *pseudometric) within(a, b int, limit float64) (float64, bool) {
	s, t := d.scores[a], d.scores[b]
	largest := 0.0
	for start := 0; start < len(s); start += metricBlock {
		if largest >= d.spread[start] {
			break
		}
		end := min(start+metricBlock, len(s))
		largest = math.Max(largest, floats.Distance(s[start:end], t[start:end], math.Inf(1)))
		if largest > limit {
			return largest, false
		}
	}
	return largest, true
}
