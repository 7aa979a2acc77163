package certificate

import (
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
)

// relaxation is what weak duality says of linear functions over X: with multipliers y of
// the region's rows and weights w on atoms,
//
//	⟨c, x⟩ - Σ_k w_k ⟨d_k, q(x)⟩ <= ⟨c - gradient, x⟩ + constant   for x in X.
type relaxation struct {
	low, high []float64 // enclose the gradient
	constant  float64
}

// relax leaves out the multipliers that would lean on an infinite row bound.
func relax(region *solver.Model, multipliers []float64, pull *pullback, indices []int, weights []float64) *relaxation {
	n := region.Columns()
	low, high := make([]directed.Sum, n), make([]directed.Sum, n)
	var constant directed.Sum
	for i, y := range multipliers {
		bound := region.RowBounds(i).Upper()
		if y < 0 {
			bound = region.RowBounds(i).Lower()
		}
		if y == 0 || math.IsNaN(y) || math.IsInf(bound, 0) {
			continue
		}
		columns, values := region.RowTerms(i)
		for k, j := range columns {
			low[j].AddProduct(y, values[k])
			high[j].AddProduct(y, values[k])
		}
		constant.AddProduct(y, bound)
	}
	for k, w := range weights {
		if w == 0 {
			continue
		}
		i := indices[k]
		for j, v := range pull.low[i] {
			low[j].AddProduct(w, v)
			high[j].AddProduct(w, pull.high[i][j])
		}
		constant.AddProduct(-w, pull.constantLow[i])
	}
	r := &relaxation{low: make([]float64, n), high: make([]float64, n), constant: constant.Upper()}
	for j := range n {
		r.low[j], r.high[j] = low[j].Lower(), high[j].Upper()
	}
	return r
}

// maximum returns a number that the relaxed function with low <= c <= high and a
// constant of its own does not exceed over a box that contains X.
func (r *relaxation) maximum(low, high []float64, constant float64, within box) float64 {
	var sum directed.Sum
	sum.Add(constant)
	sum.Add(r.constant)
	for j := range low {
		least, most := directed.SumLower(low[j], -r.high[j]), directed.SumUpper(high[j], -r.low[j])
		sum.Add(max(largestProduct(least, most, within.Lower[j]), largestProduct(least, most, within.Upper[j])))
	}
	return sum.Upper()
}

// largestProduct returns the largest g x for least <= g <= most, rounded up; x may be
// infinite.
func largestProduct(least, most, x float64) float64 {
	g := most
	if x < 0 {
		g = least
	}
	return directed.ProductUpper(g, x)
}

// makeConvex changes weights as little as it takes for them to be at least 0 with a sum
// of at most 1, exactly.
func makeConvex(weights []float64) {
	var sum directed.Sum
	for k, w := range weights {
		weights[k] = max(0, w)
		sum.Add(weights[k])
	}
	if total := sum.Upper(); total > 1 {
		shrink := (1 - 0x1p-51) / total // four roundings below 1/total
		for k := range weights {
			weights[k] *= shrink
		}
	}
}
