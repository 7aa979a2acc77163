package certificate

import (
	"context"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

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
	metric   *pseudometric
	limit    float64   // larger distances cannot matter
	lower    []float64 // lower[k-1] <= η_k, non-decreasing
	checked  []neighbourhood
	outliers []int // directions, farthest from the mean first
	ranked   []int // directions by their score with the atom of the widest spread
	rank     []int // position of each direction in ranked
}

// neighbourhood records that a direction has at least count neighbours within eta.
type neighbourhood struct {
	count int
	eta   float64
}

// searchBlock is the number of directions checked between two looks at the
// context; the distances of at most searchRows of them are added at a time.
const (
	searchBlock = 64
	searchRows  = 4
)

func newOccupancySearch(metric *pseudometric, directions mat.Matrix, limit float64) *occupancySearch {
	m := len(metric.scores)
	s := &occupancySearch{
		metric: metric, limit: limit, lower: make([]float64, m), checked: make([]neighbourhood, m),
		outliers: byDistanceFromMean(directions), ranked: make([]int, m), rank: make([]int, m),
	}
	for a := range m {
		s.ranked[a] = a
	}
	sort.SliceStable(s.ranked, func(a, b int) bool { return metric.scores[s.ranked[a]][0] < metric.scores[s.ranked[b]][0] })
	for position, a := range s.ranked {
		s.rank[a] = position
	}
	s.addRows(s.outliers[:min(m, searchRows)])
	return s
}

// byDistanceFromMean orders the rows of a matrix, the farthest from their mean first.
func byDistanceFromMean(directions mat.Matrix) []int {
	m, p := directions.Dims()
	distance, order := make([]float64, m), make([]int, m)
	for j := range p {
		column := mat.Col(nil, j, directions)
		mean := 0.0
		for _, v := range column {
			mean += v / float64(m)
		}
		for a, v := range column {
			distance[a] += (v - mean) * (v - mean)
		}
	}
	for a := range order {
		order[a] = a
	}
	sort.SliceStable(order, func(a, b int) bool { return distance[order[a]] > distance[order[b]] })
	return order
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

// findLonely returns some directions with fewer than k neighbours within eta, none
// if all have k.
func (s *occupancySearch) findLonely(ctx context.Context, k int, eta float64) []int {
	for start := 0; start < len(s.outliers) && ctx.Err() == nil; start += searchBlock {
		block := s.outliers[start:min(start+searchBlock, len(s.outliers))]
		parallel.Each(len(block), func(b int) {
			if known := s.checked[block[b]]; known.count < k || known.eta > eta {
				s.checked[block[b]] = s.countNeighbours(block[b], k, eta)
			}
		})
		var lonely []int
		for _, a := range block {
			if s.checked[a].count < k && len(lonely) < searchRows {
				lonely = append(lonely, a)
			}
		}
		if len(lonely) > 0 {
			return lonely
		}
	}
	return nil
}

// countNeighbours counts up to k directions within eta of a, nearest ranks first: the
// difference of the ranking score alone tells when no more can follow on a side.
func (s *occupancySearch) countNeighbours(a, k int, eta float64) neighbourhood {
	count := 1
	own := s.metric.scores[a][0]
	for _, side := range []int{-1, 1} {
		for position := s.rank[a] + side; position >= 0 && position < len(s.ranked) && count < k; position += side {
			b := s.ranked[position]
			if math.Abs(s.metric.scores[b][0]-own) > eta {
				break
			}
			if s.metric.isWithin(a, b, eta) {
				count++
			}
		}
	}
	return neighbourhood{count: count, eta: eta}
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
// direction has at least k directions (itself included) within η, as far as these
// radii do not exceed limit: the occupancy μ_η(T) is the largest k whose radius is
// at most η. Work O(|T|² N). A cancelled context yields nothing.
func (d *pseudometric) neighbourRadii(ctx context.Context, limit float64) []float64 {
	m := len(d.scores)
	rows := make([][]float64, searchBlock)
	radii := make([]float64, m)
	for start := 0; start < m; start += searchBlock {
		if ctx.Err() != nil {
			return nil
		}
		size := min(searchBlock, m-start)
		parallel.Each(size, func(r int) { rows[r] = d.sortedDistances(start+r, limit) })
		for _, row := range rows[:size] {
			radii = radii[:min(len(radii), len(row))]
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
