// Package hull finds the convex hull of few points in two or three dimensions, for drawing.
package hull

import (
	"cmp"
	"fmt"
	"slices"
)

// Plane returns the indices of the corners of the convex hull of the points (x_i, y_i),
// counter-clockwise from the leftmost one; points on an edge are not corners, and of equal
// points the first one is taken. Fewer than three corners mean that the points lie on a
// line. It costs O(n log n) (Andrew 1979). It panics if x and y differ in length.
func Plane(x, y []float64) []int {
	if len(x) != len(y) {
		panic(fmt.Sprintf("hull: %d and %d coordinates; give both of each point", len(x), len(y)))
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(y[a], y[b])) })
	order = slices.CompactFunc(order, func(a, b int) bool { return x[a] == x[b] && y[a] == y[b] })
	if len(order) < 3 {
		return order
	}
	turn := func(a, b, c int) float64 { return (x[b]-x[a])*(y[c]-y[a]) - (y[b]-y[a])*(x[c]-x[a]) }
	chain := func(points []int) []int {
		var out []int
		for _, p := range points {
			for len(out) >= 2 && turn(out[len(out)-2], out[len(out)-1], p) <= 0 {
				out = out[:len(out)-1]
			}
			out = append(out, p)
		}
		return out[:len(out)-1]
	}
	lower := chain(order)
	slices.Reverse(order)
	return append(lower, chain(order)...)
}
