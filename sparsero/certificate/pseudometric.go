package certificate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// pseudometric evaluates d_D(s,t) = max_i |⟨d_i, s-t⟩| between the rows of a list
// of directions from their scores alone.
type pseudometric struct {
	scores [][]float64 // one row per direction, one column per atom
	// rounding bounds the error of any distance.
	rounding float64
}

// planar is the dimension up to which the atoms that define d_D are found at no cost
// worth mentioning; in higher dimensions nearly all atoms do.
const planar = 2

// newPseudometric measures distances between the rows of an M×p matrix. It is an error if
// alignments with them may overflow, as differences of infinities are no distances.
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

// occupancyBlock is the number of directions between two looks at the context.
const occupancyBlock = 64

// infimum returns the least value of |T|/k average + 2 η_k below the ceiling, with its η
// and k, where η_k is the smallest η at which every direction of T has k neighbours, itself
// included; η_1 is 0. k = 0 tells that the ceiling is not undercut, which a part of the
// directions may show.
func (d *pseudometric) infimum(ctx context.Context, average, ceiling float64) (value, eta float64, k int) {
	limit := (math.Min(ceiling, d.bound(1, average, 0)) - average) / 2 // with a larger η, k = 1 or the ceiling is better
	radii := make([]float64, len(d.scores))
	for start := 0; start < len(radii) && ctx.Err() == nil; start += occupancyBlock {
		d.raiseRadii(radii, start, limit)
		value, eta, k = ceiling, 0, 0
		for i, radius := range radii {
			if candidate := d.bound(i+1, average, radius); candidate < value {
				value, eta, k = candidate, radius, i+1
			}
		}
		if k == 0 {
			break
		}
	}
	return value, eta, k
}

// bound is |T|/k average + 2 η, rounded up, for an η that holds whatever rounding did to
// the distances.
func (d *pseudometric) bound(k int, average, eta float64) float64 {
	share := directed.ProductUpper(quotientUpper(float64(len(d.scores)), float64(k)), average)
	return directed.SumUpper(share, 2*directed.SumUpper(eta, d.rounding))
}

// raiseRadii raises the k-th radius, k = 1, 2, ..., to the k-th smallest distance from each
// direction of the block at start, +Inf beyond the limit. After all blocks it is the smallest
// η at which every direction has at least k directions, itself included, within η. Work
// O(|T| N) for a direction.
func (d *pseudometric) raiseRadii(radii []float64, start int, limit float64) {
	rows := make([][]float64, min(occupancyBlock, len(radii)-start))
	_ = parallel.Each(context.Background(), len(rows), func(r int) { rows[r] = d.sortedDistances(start+r, limit) }) // a block is never cut
	for _, row := range rows {
		for k := range radii {
			distance := math.Inf(1)
			if k < len(row) {
				distance = row[k]
			}
			radii[k] = math.Max(radii[k], distance)
		}
	}
}

// sortedDistances returns the distances from direction a up to a limit, ascending.
func (d *pseudometric) sortedDistances(a int, limit float64) []float64 {
	var near []float64
	for b := range d.scores {
		if distance, ok := d.within(a, b, limit); ok {
			near = append(near, distance)
		}
	}
	slices.Sort(near)
	return near
}
