package sparsero

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

// planarPoint is an atom in the plane; an atom of dimension 1 has y = 0.
type planarPoint struct {
	x, y  float64
	index int
}

// planarVertices returns the vertices of conv(D ∪ {0}) but the origin, in rising
// order, by Andrew's monotone chain. Points on an edge are not vertices.
func planarVertices(d *Dictionary) []int {
	points := []planarPoint{{index: NullAtom}}
	for i := range d.Size() {
		row := d.atoms.RawRowView(i)
		point := planarPoint{x: row[0], index: i}
		if len(row) == 2 {
			point.y = row[1]
		}
		points = append(points, point)
	}
	slices.SortFunc(points, func(a, b planarPoint) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.index, b.index))
	})
	points = slices.CompactFunc(points, func(a, b planarPoint) bool { return a.x == b.x && a.y == b.y })

	chain := halfHull(points)
	slices.Reverse(points)
	chain = append(chain, halfHull(points)...)
	var vertices []int
	for _, point := range chain {
		if point.index != NullAtom {
			vertices = append(vertices, point.index)
		}
	}
	slices.Sort(vertices)
	return slices.Compact(vertices)
}

// halfHull returns one chain of the hull of sorted points, both ends included.
func halfHull(points []planarPoint) []planarPoint {
	var chain []planarPoint
	for _, point := range points {
		for len(chain) > 1 && !leftTurn(chain[len(chain)-2], chain[len(chain)-1], point) {
			chain = chain[:len(chain)-1]
		}
		chain = append(chain, point)
	}
	return chain
}

// orientationError bounds the relative rounding error of the determinant in
// leftTurn (Shewchuk 1997).
const orientationError = (3 + 16*0x1p-53) * 0x1p-53

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
