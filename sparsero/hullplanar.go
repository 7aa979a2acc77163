package sparsero

import (
	"cmp"
	"fmt"
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

// planarPoint is a point of the plane.
type planarPoint struct{ x, y float64 }

// leftTurn tells whether a, b, c turn strictly to the left: the sign of the determinant of
// b-a and c-a, which is exact.
func leftTurn(a, b, c planarPoint) bool {
	return dotUpper(
		[]float64{b.x, c.x, a.x, -b.x, -c.x, -a.x},
		[]float64{c.y, a.y, b.y, a.y, b.y, c.y}) > 0
}
