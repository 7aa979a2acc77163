package hull

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestSpaceKnownSolids(t *testing.T) {
	cube := []Point{{0.5, 0.5, 0.5}}
	for i := range 8 {
		cube = append(cube, Point{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2)})
	}
	octahedron := []Point{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {0, 0, 0}}
	for _, test := range []struct {
		name           string
		points         []Point
		faces, corners int // number of faces, and of corners of each
	}{
		{"cube", cube, 6, 4},
		{"octahedron", octahedron, 8, 3},
		{"tetrahedron", []Point{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 4, 3},
		{"points in a plane", []Point{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5, 0.2, 0}}, 0, 0},
		{"points on a line", []Point{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}, 0, 0},
		{"one point, repeated", []Point{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, 0, 0},
		{"no point", nil, 0, 0},
	} {
		faces := Space(test.points)
		if len(faces) != test.faces {
			t.Errorf("%s: %d faces, want %d", test.name, len(faces), test.faces)
		}
		for _, f := range faces {
			if len(f.Corners) != test.corners {
				t.Errorf("%s: face with corners %v, want %d of them", test.name, f.Corners, test.corners)
			}
		}
	}
}

// TestSpaceContainsAll: every point lies behind every face, and corners and edges satisfy
// Euler's formula V - E + F = 2. The points lie on a lattice, where many share a plane exactly
// and none is within the tolerance of one that it misses.
func TestSpaceContainsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "n")
		points := make([]Point, n)
		for i := range points {
			for k := range 3 {
				points[i][k] = float64(rapid.IntRange(-20, 20).Draw(t, "coordinate"))
			}
		}
		faces := Space(points)
		corners, edges := map[int]bool{}, 0
		for _, f := range faces {
			for _, c := range f.Corners {
				corners[c] = true
			}
			edges += len(f.Corners)
			for p := range points {
				if d := dot(f.Normal, sub(points[p], points[f.Corners[0]])); d > 1e-4 || math.IsNaN(d) {
					t.Fatalf("point %d lies %g in front of face %v", p, d, f.Corners)
				}
			}
		}
		if len(faces) > 0 && len(corners)-edges/2+len(faces) != 2 {
			t.Fatalf("V - E + F = %d - %d + %d is not 2", len(corners), edges/2, len(faces))
		}
	})
}
