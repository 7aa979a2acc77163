// Package hull finds the convex hull of few points in three dimensions, for drawing.
package hull

import (
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero"
)

// Point is a point in three dimensions.
type Point [3]float64

// Face is a flat face of a convex hull.
type Face struct {
	// Corners are indices of points, counter-clockwise seen from outside.
	Corners []int
	// Normal is the outer normal of unit length.
	Normal Point
}

// Tolerances, relative to the size of the point set.
const (
	// flat is the distance from a plane below which a point counts as lying in it.
	flat = 1e-9
	// sameNormal is the distance of unit normals below which neighbouring faces are one.
	sameNormal = 1e-6
)

// Space returns the faces of the convex hull of the points, neighbouring faces in one plane
// joined; none if all points lie in a plane. Points are added one after the other, each
// replacing the triangles that it sees: O(n²), for drawing.
func Space(points []Point) []Face {
	size := 0.0
	for _, p := range points {
		size = max(size, norm(sub(p, points[0])))
	}
	h := &solid{points: points, tolerance: flat * size}
	if !h.start() {
		return nil
	}
	for p := range points {
		h.add(p)
	}
	return h.faces()
}

// solid is a hull under construction: triangles with outer normals.
type solid struct {
	points    []Point
	tolerance float64
	triangles []triangle
}

type triangle struct {
	corners [3]int
	normal  Point
}

// height is the distance of point p above the plane of the triangle.
func (h *solid) height(t triangle, p int) float64 {
	return dot(t.normal, sub(h.points[p], h.points[t.corners[0]]))
}

func (h *solid) triangle(a, b, c int) triangle {
	n := cross(sub(h.points[b], h.points[a]), sub(h.points[c], h.points[a]))
	return triangle{corners: [3]int{a, b, c}, normal: unit(n)}
}

// start finds four points that span space; false if there are none.
func (h *solid) start() bool {
	farthest := func(distance func(p Point) float64) (int, bool) {
		best, at := 0.0, -1
		for i, p := range h.points {
			if d := distance(p); d > best {
				best, at = d, i
			}
		}
		return at, best > h.tolerance
	}
	if len(h.points) < 4 {
		return false
	}
	a := h.points[0]
	ib, ok := farthest(func(p Point) float64 { return norm(sub(p, a)) })
	if !ok {
		return false
	}
	along := unit(sub(h.points[ib], a))
	ic, ok := farthest(func(p Point) float64 { return norm(cross(along, sub(p, a))) })
	if !ok {
		return false
	}
	base := h.triangle(0, ib, ic)
	id, ok := farthest(func(p Point) float64 { return math.Abs(dot(base.normal, sub(p, a))) })
	if !ok {
		return false
	}
	if h.height(base, id) > 0 { // the base must see the fourth point behind it
		ib, ic = ic, ib
	}
	h.triangles = []triangle{h.triangle(0, ib, ic), h.triangle(0, id, ib), h.triangle(ib, id, ic), h.triangle(ic, id, 0)}
	return true
}

// add puts point p into the hull.
func (h *solid) add(p int) {
	var hidden []triangle
	edges := map[[2]int]bool{}
	for _, t := range h.triangles {
		if h.height(t, p) <= h.tolerance {
			hidden = append(hidden, t)
			continue
		}
		for k := range 3 {
			edges[[2]int{t.corners[k], t.corners[(k+1)%3]}] = true
		}
	}
	if len(edges) == 0 {
		return
	}
	for _, t := range h.triangles {
		if h.height(t, p) <= h.tolerance {
			continue
		}
		for k := range 3 {
			a, b := t.corners[k], t.corners[(k+1)%3]
			if !edges[[2]int{b, a}] { // an edge of the horizon
				hidden = append(hidden, h.triangle(a, b, p))
			}
		}
	}
	h.triangles = hidden
}

// faces joins triangles of one plane.
func (h *solid) faces() []Face {
	var faces []Face
	used := make([]bool, len(h.triangles))
	for i, t := range h.triangles {
		if used[i] {
			continue
		}
		corners := map[int]bool{}
		for j := i; j < len(h.triangles); j++ {
			u := h.triangles[j]
			if used[j] || norm(sub(t.normal, u.normal)) > sameNormal || math.Abs(h.height(t, u.corners[0])) > sameNormal/flat*h.tolerance {
				continue
			}
			used[j] = true
			for _, c := range u.corners {
				corners[c] = true
			}
		}
		faces = append(faces, Face{Corners: h.around(corners, t.normal), Normal: t.normal})
	}
	dropEdgePoints(faces)
	return faces
}

// dropEdgePoints removes points that lie on an edge, which rounding makes a corner of one of
// its two faces: a corner of a solid belongs to at least three.
func dropEdgePoints(faces []Face) {
	count := map[int]int{}
	for _, f := range faces {
		for _, c := range f.Corners {
			count[c]++
		}
	}
	for k := range faces {
		faces[k].Corners = slices.DeleteFunc(faces[k].Corners, func(c int) bool { return count[c] < 3 })
	}
}

// around orders the corners of a face counter-clockwise seen from outside.
func (h *solid) around(corners map[int]bool, normal Point) []int {
	axis := Point{1, 0, 0}
	if math.Abs(normal[0]) > 0.9 {
		axis = Point{0, 1, 0}
	}
	right := unit(cross(axis, normal))
	up := cross(normal, right)
	var indices []int
	var x, y []float64
	for i := range h.points { // in order, so that the result does not depend on the map
		if corners[i] {
			indices = append(indices, i)
			x, y = append(x, dot(h.points[i], right)), append(y, dot(h.points[i], up))
		}
	}
	out := sparsero.PlanarHull(x, y)
	for k, c := range out {
		out[k] = indices[c]
	}
	return out
}

func sub(a, b Point) Point { return Point{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b Point) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func cross(a, b Point) Point {
	return Point{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func norm(a Point) float64 { return math.Sqrt(dot(a, a)) }

func unit(a Point) Point {
	n := norm(a)
	return Point{a[0] / n, a[1] / n, a[2] / n}
}
