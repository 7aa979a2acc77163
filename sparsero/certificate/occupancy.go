package certificate

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// occupancySearch finds the η that minimises |T|/μ_η(T) average + 2η without
// computing all distances between the directions of T. With η_k the smallest η at which
// every direction has k neighbours, itself included, the infimum is
//
//	min_k |T|/k average + 2 η_k,   η_k = max_s (k-th smallest distance from s).
//
// The sorted distances from a few directions bound all η_k from below. The search
// takes the k that is best by these bounds and looks for a direction with fewer
// than k neighbours; if there is one its distances sharpen the bounds, if there is none
// the candidate is the exact infimum.
type occupancySearch struct {
	metric *pseudometric
	limit  float64   // larger distances cannot matter
	lower  []float64 // lower[k-1] <= η_k, non-decreasing
}

// searchBlock is the number of directions checked between two looks at the
// context; the distances of at most searchRows of them are added at a time.
const (
	searchBlock = 64
	searchRows  = 4
)

func newOccupancySearch(metric *pseudometric, limit float64) *occupancySearch {
	s := &occupancySearch{metric: metric, limit: limit, lower: make([]float64, len(metric.scores))}
	s.addRows([]int{0})
	return s
}

// infimum returns the smallest value below the ceiling with its η and k; k = 0
// tells that the ceiling is not undercut.
func (s *occupancySearch) infimum(ctx context.Context, average, ceiling float64) (value, eta float64, k int) {
	for ctx.Err() == nil {
		value, k = ceiling, 0
		for i, lower := range s.lower {
			if candidate := s.bound(i+1, average, lower); candidate < value {
				value, eta, k = candidate, lower, i+1
			}
		}
		if k == 0 {
			return ceiling, 0, 0
		}
		lonely := s.findLonely(ctx, k, eta)
		if len(lonely) == 0 {
			return value, eta, k
		}
		s.addRows(lonely)
	}
	return ceiling, 0, 0
}

// bound is |T|/k average + 2 η, rounded up, for an η that holds whatever rounding did to
// the distances.
func (s *occupancySearch) bound(k int, average, eta float64) float64 {
	share := directed.ProductUpper(quotientUpper(float64(len(s.lower)), float64(k)), average)
	return directed.SumUpper(share, 2*directed.SumUpper(eta, s.metric.rounding))
}

// findLonely returns some directions with fewer than k neighbours within eta, themselves
// included; none if all have k.
func (s *occupancySearch) findLonely(ctx context.Context, k int, eta float64) (lonely []int) {
	m := len(s.lower)
	for start := 0; start < m && len(lonely) == 0 && ctx.Err() == nil; start += searchBlock {
		counts := make([]int, min(searchBlock, m-start))
		parallel.Each(len(counts), func(a int) {
			for b := 0; b < m && counts[a] < k; b++ {
				if _, near := s.metric.within(start+a, b, eta); near {
					counts[a]++
				}
			}
		})
		for a, count := range counts {
			if count < k && len(lonely) < searchRows {
				lonely = append(lonely, start+a)
			}
		}
	}
	return lonely
}

// addRows raises the lower bounds to the sorted distances from some directions.
func (s *occupancySearch) addRows(directions []int) {
	rows := make([][]float64, len(directions))
	parallel.Each(len(directions), func(r int) { rows[r] = s.metric.sortedDistances(directions[r], s.limit) })
	for _, row := range rows {
		for k := range s.lower {
			distance := math.Inf(1)
			if k < len(row) {
				distance = row[k]
			}
			s.lower[k] = math.Max(s.lower[k], distance)
		}
	}
}

// neighbourRadii returns, for k = 1, 2, ..., the smallest η at which every
// direction has at least k directions (itself included) within η. Work O(|T|² N). A
// cancelled context yields nothing.
func (d *pseudometric) neighbourRadii(ctx context.Context) []float64 {
	m := len(d.scores)
	rows := make([][]float64, searchBlock)
	radii := make([]float64, m)
	for start := 0; start < m; start += searchBlock {
		if ctx.Err() != nil {
			return nil
		}
		size := min(searchBlock, m-start)
		parallel.Each(size, func(r int) { rows[r] = d.sortedDistances(start+r, math.Inf(1)) })
		for _, row := range rows[:size] {
			for k := range radii {
				radii[k] = math.Max(radii[k], row[k])
			}
		}
	}
	return radii
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
