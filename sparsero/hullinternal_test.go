package sparsero

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The exact monotone chain and the gauges find the same vertices, also
// among repeated, collinear and zero atoms.
func TestPlanarVerticesMatchPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "N")
		p := rapid.IntRange(1, 2).Draw(t, "p")
		scale := 1.0
		limit := rapid.SampledFrom([]int{2, 4, 5000}).Draw(t, "limit")
		if limit == 5000 {
			scale = 1.0 / 1024
		}
		atoms := mat.NewDense(n, p, nil)
		atoms.Apply(func(_, _ int, _ float64) float64 {
			return scale * float64(rapid.IntRange(-limit, limit).Draw(t, "atom"))
		}, atoms)
		d, err := NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		gauges, err := verticesByGauges(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		if planar, err := d.SupportVertices(context.Background()); err != nil || !slices.Equal(planar, gauges) {
			t.Fatalf("chain %v, gauges %v for %v", planar, gauges, mat.Formatted(atoms))
		}
	})
}

// Nearly collinear triples whose determinant is lost in rounding.
func TestLeftTurnIsExact(t *testing.T) {
	ulp := math.Nextafter(1, 2) - 1
	for _, test := range []struct {
		name string
		c    planarPoint
		want bool
	}{
		{"on the line", planarPoint{x: 24, y: 24}, false},
		{"one unit above", planarPoint{x: 24, y: math.Nextafter(24, 25)}, true},
		{"one unit below", planarPoint{x: 24, y: math.Nextafter(24, 23)}, false},
	} {
		a, b := planarPoint{x: 0.5 + ulp, y: 0.5 + ulp}, planarPoint{x: 12, y: 12}
		if got := leftTurn(a, b, test.c); got != test.want {
			t.Errorf("%s: left turn %v, want %v", test.name, got, test.want)
		}
	}
	a, b := planarPoint{}, planarPoint{x: 1}
	if !leftTurn(a, b, planarPoint{x: 1, y: 1}) || leftTurn(a, b, planarPoint{x: 1, y: -1}) || leftTurn(a, b, planarPoint{x: 2}) {
		t.Error("plain turns")
	}
	tiny := math.SmallestNonzeroFloat64
	if !leftTurn(planarPoint{}, planarPoint{x: tiny}, planarPoint{x: tiny, y: tiny}) {
		t.Error("a left turn among the smallest numbers is lost")
	}
	huge := math.MaxFloat64
	if !leftTurn(planarPoint{x: -huge}, planarPoint{x: huge}, planarPoint{y: huge}) {
		t.Error("a left turn among the largest numbers is lost")
	}
}

func TestVerticesOfKnownPolytopes(t *testing.T) {
	// The cube's corners around the origin, then points inside, on edges, on
	// faces, repeated corners and zero.
	var cube []float64
	for mask := range 8 {
		for j := range 3 {
			cube = append(cube, float64(mask>>j&1)*2-1)
		}
	}
	extra := []float64{0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0.5, 0.25, -0.125, 1, 0.5, 0.25, -1, -1, -1, 0, 0, 0}
	d, err := NewDictionary(mat.NewDense(16, 3, append(cube, extra...)), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.SupportVertices(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("vertices of the cube %v, want %v", got, want)
	}
	pairs, err := d.PseudometricVertices(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 1, 2, 3}; !slices.Equal(pairs, want) {
		t.Errorf("pairs of the cube %v, want %v", pairs, want)
	}
	zero, err := NewDictionary(mat.NewDense(2, 3, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := zero.SupportVertices(context.Background()); err != nil || len(got) != 0 {
		t.Errorf("vertices of zero atoms: %v, %v", got, err)
	}
}

// All points of a sphere are vertices; the gauges must confirm each of them
// and drop what is inside.
func TestVerticesOfSphere(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	const corners, inner, p = 60, 60, 5
	atoms := mat.NewDense(corners+inner, p, nil)
	for i := range corners + inner {
		row := atoms.RawRowView(i)
		for j := range row {
			row[j] = source.NormFloat64()
		}
		radius := 1.0
		if i >= corners {
			radius = 0.2
		}
		scale := radius / floats.Norm(row, 2)
		for j := range row {
			row[j] *= scale
		}
	}
	d, err := NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := separated(context.Background(), d); err != nil || !slices.Equal(found, rank.Indices[int](corners)) {
		t.Errorf("%v are separated, %v; want the corners, each in its own direction", found, err)
	}
	got, err := d.SupportVertices(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i := range corners {
		if !slices.Contains(got, i) {
			t.Errorf("corner %d is missing", i)
		}
	}
	if len(got) > corners+5 { // a few inner points may lie outside the hull of 60 corners
		t.Errorf("%d vertices, %d corners", len(got), corners)
	}
}

// Points of a lattice on the face x+y+z = steps/16 tie in its normal direction and nearly
// tie in others; only the three corners may remain.
func TestVerticesOfLatticeOnFace(t *testing.T) {
	for _, steps := range []int{7, 9, 11} {
		var values []float64
		var corners []int
		for i := 0; i <= steps; i++ {
			for j := 0; i+j <= steps; j++ {
				if i == steps || j == steps || i+j == 0 {
					corners = append(corners, len(values)/3)
				}
				values = append(values, float64(i)/16, float64(j)/16, float64(steps-i-j)/16)
			}
		}
		d, err := NewDictionary(mat.NewDense(len(values)/3, 3, values), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.SupportVertices(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, corners) {
			t.Errorf("lattice of %d steps: vertices %v, want %v", steps, got, corners)
		}
	}
}

// A point of an edge, which only its ends keep in the hull, is no vertex.
func TestPointOfAnEdgeIsNoVertex(t *testing.T) {
	d, err := NewDictionary(mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, 0.5, 0.5, 0, 0, 0, 1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.SupportVertices(context.Background()); err != nil || !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("vertices %v, %v", got, err)
	}
}

func TestPlanarHullKnownShapes(t *testing.T) {
	for _, test := range []struct {
		name string
		x, y []float64
		want []int
	}{
		{"square with a point inside and one on an edge", []float64{0, 1, 1, 0, 0.5, 0.5}, []float64{0, 0, 1, 1, 0.5, 0}, []int{0, 1, 2, 3}},
		{"repeated points", []float64{0, 0, 2, 2, 1}, []float64{0, 0, 0, 0, 1}, []int{0, 2, 4}},
		{"points on a line", []float64{0, 1, 2}, []float64{0, 1, 2}, []int{0, 2}},
		{"one point", []float64{3}, []float64{4}, []int{0}},
		{"no point", nil, nil, []int{}},
	} {
		if got := PlanarHull(test.x, test.y); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestPlanarHullContainsAll: every point lies on the inner side of every edge, and the corners turn
// counter-clockwise.
func TestPlanarHullContainsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 40).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Float64Range(-10, 10), n, n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-10, 10), n, n).Draw(t, "y")
		corners := PlanarHull(x, y)
		if len(corners) < 3 {
			return
		}
		for k, a := range corners {
			b := corners[(k+1)%len(corners)]
			for p := range x {
				if turn := (x[b]-x[a])*(y[p]-y[a]) - (y[b]-y[a])*(x[p]-x[a]); turn < -1e-12 {
					t.Fatalf("point %d lies outside the edge from %d to %d by %g", p, a, b, turn)
				}
			}
		}
	})
}
