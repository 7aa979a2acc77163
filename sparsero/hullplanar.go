package sparsero

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// planarVertices returns the vertices of conv(D ∪ {0}) but the origin, in rising
// order.
func planarVertices(d *Dictionary) []int {
	x, y := make([]float64, d.Size()+1), make([]float64, d.Size()+1) // the origin comes first
	for i := range d.Size() {
		row := d.atoms.RawRowView(i)
		if x[i+1] = row[0]; len(row) == 2 {
			y[i+1] = row[1]
		}
	}
	var vertices []int
	for _, k := range PlanarHull(x, y) {
		if k > 0 {
			vertices = append(vertices, k-1)
		}
	}
	slices.Sort(vertices)
	return vertices
}

// PlanarHull returns the indices of the corners of the convex hull of the points (x_i, y_i),
// counter-clockwise from the leftmost one, decided exactly; points on an edge are not
// corners, and of equal points the first one is taken. Fewer than three corners mean that
// the points lie on a line. It costs O(n log n) (Andrew 1979). It panics if x and y differ
// in length or hold NaN or Inf.
func PlanarHull(x, y []float64) []int {
	if len(x) != len(y) {
		panic(fmt.Sprintf("sparsero: %d and %d coordinates; give both of each point", len(x), len(y)))
	}
	order := make([]int, len(x))
	for i := range order {
		if order[i] = i; x[i]-x[i] != 0 || y[i]-y[i] != 0 {
			panic(fmt.Sprintf("sparsero: point %d is (%v, %v); use finite points", i, x[i], y[i]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	order = slices.CompactFunc(order, func(a, b int) bool { return x[a] == x[b] && y[a] == y[b] })
	if len(order) < 3 {
		return order
	}
	point := func(k int) planarPoint { return planarPoint{x[k], y[k]} }
	half := func() (chain []int) {
		for _, k := range order {
			for n := len(chain); n > 1 && !leftTurn(point(chain[n-2]), point(chain[n-1]), point(k)); n = len(chain) {
				chain = chain[:n-1]
			}
			chain = append(chain, k)
		}
		return chain[:len(chain)-1]
	}
	lower := half()
	slices.Reverse(order)
	return append(lower, half()...)
}

// orientationError bounds the relative rounding error of the determinant in
// leftTurn (Shewchuk 1997).
const orientationError = (3 + 16*0x1p-53) * 0x1p-53

// planarPoint is a point of the plane.
type planarPoint struct{ x, y float64 }

// leftTurn tells whether a, b, c turn strictly to the left. The sign is exact:
// rational arithmetic decides what rounding leaves open.
func leftTurn(a, b, c planarPoint) bool {
	left := (b.x - a.x) * (c.y - a.y)
	right := (b.y - a.y) * (c.x - a.x)
	determinant := left - right
	if size := math.Abs(left) + math.Abs(right); math.Abs(determinant) > orientationError*size && size > math.SmallestNonzeroFloat64/orientationError && !math.IsInf(size, 1) {
		return determinant > 0
	}
	product := func(u1, u2, v1, v2 float64) *big.Rat {
		u := new(big.Rat).Sub(new(big.Rat).SetFloat64(u2), new(big.Rat).SetFloat64(u1))
		v := new(big.Rat).Sub(new(big.Rat).SetFloat64(v2), new(big.Rat).SetFloat64(v1))
		return u.Mul(u, v)
	}
	return product(a.x, b.x, a.y, c.y).Cmp(product(a.y, b.y, a.x, c.x)) > 0
}
