package sparsero_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The support of the vertices is the support of the dictionary in every
// direction, and no vertex can be spared: each lies outside the hull of the
// others.
func TestSupportVertices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 8, 4)
		vertices, err := d.SupportVertices(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		set := newSet(t, d, vertices, 1)
		for range 5 {
			if s := drawDirection(t, d); !closeToLP(set.AlignmentDeficit(s), 0) {
				t.Fatalf("deficit %v in direction %v", set.AlignmentDeficit(s), s)
			}
		}
		for k, i := range vertices {
			others := newSet(t, d, slices.Delete(slices.Clone(vertices), k, k+1), 1)
			value, _, err := others.Gauge(d.Atom(i))
			if err != nil {
				t.Fatal(err)
			}
			if value <= 1 {
				t.Fatalf("vertex %d has gauge %v in the others", i, value)
			}
		}
	})
}

// d_D is determined by its vertices, and of each pair {d,-d} of the closure the first atom is listed, once.
func TestPseudometricVertices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t, 8, 3)
		vertices, err := d.PseudometricVertices(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			a, b := drawDirection(t, d), drawDirection(t, d)
			distance := 0.0
			if len(vertices) > 0 {
				part, err := d.Subset(vertices)
				if err != nil {
					t.Fatal(err)
				}
				distance = part.Pseudometric(a, b)
			}
			if !closeToLP(distance, d.Pseudometric(a, b)) {
				t.Fatalf("distance %v from the vertices, %v from all", distance, d.Pseudometric(a, b))
			}
		}
		closure := d.AntipodalClosure()
		corners, err := closure.SupportVertices(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var want []int // the first atom of each pair of corners
		for i := range d.Size() {
			if first := !slices.ContainsFunc(want, func(j int) bool { return isPair(d.Atom(i), d.Atom(j)) }); first &&
				slices.ContainsFunc(corners, func(k int) bool { return isPair(d.Atom(i), closure.Atom(k)) }) {
				want = append(want, i)
			}
		}
		if !slices.Equal(vertices, want) {
			t.Fatalf("vertices %v, want %v, as %v are those of the closure", vertices, want, corners)
		}
	})
}

// isPair tells whether two atoms are equal or opposite.
func isPair(a, b []float64) bool {
	same, opposite := true, true
	for j := range a {
		same = same && a[j] == b[j]
		opposite = opposite && a[j] == -b[j]
	}
	return same || opposite
}

// The hull of points that are not finite in one coordinate, or have only one, is refused.
func TestPlanarHullOfWhatAreNoPoints(t *testing.T) {
	for name, points := range map[string][2][]float64{
		"x is NaN":           {{0, math.NaN()}, {0, 1}},
		"y is infinite":      {{0, 1}, {0, math.Inf(-1)}},
		"y is missing":       {{0, 1}, {0}},
		"x is missing":       {nil, {0}},
		"both are no points": {{math.Inf(1)}, {math.NaN()}},
	} {
		func() {
			defer func() {
				if message, ok := recover().(string); !ok || !strings.HasPrefix(message, "sparsero: ") {
					t.Errorf("%s: panic %q", name, message)
				}
			}()
			sparsero.PlanarHull(points[0], points[1])
		}()
	}
}

// Of many points on a parabola all are corners, but for the one that lies between its neighbours and 0.
func TestPlanarVerticesOfManyAtoms(t *testing.T) {
	const half = 15_000
	atoms, want := mat.NewDense(2*half+1, 2, nil), []int{}
	for i := range 2*half + 1 {
		x := float64(i - half)
		if atoms.SetRow(i, []float64{x, x*x + 1}); i != half {
			want = append(want, i)
		}
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	if vertices, err := d.SupportVertices(t.Context()); err != nil || !slices.Equal(vertices, want) {
		t.Errorf("%d vertices, want %d, %v", len(vertices), len(want), err)
	}
}

// Outside lists the atoms that are not in the hull of the others and 0, in the order that was asked, and refuses sets and
// atoms that there are not, and a context that has ended.
func TestOutsideListsAtomsBeyondTheHull(t *testing.T) {
	d := newDictionary(t, 6, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25, 0.25, 0.25, 1, 1, 1, -1, 0, 0)
	set := newSet(t, d, []int{0, 1, 2}, 7)
	outside, err := set.Outside(t.Context(), []int{5, 3, 0, 4})
	if err != nil || !slices.Equal(outside, []int{5, 4}) {
		t.Errorf("outside are %v, %v", outside, err)
	}
	var none *sparsero.AtomicSet
	_, err = none.Outside(t.Context(), []int{0})
	wantError(t, err, "set is nil")
	_, _, err = none.Contains([]float64{1, 1, 1})
	wantError(t, err, "set is nil")
	for _, atoms := range [][]int{{6}, {-1}, {1, 1}} {
		_, err = set.Outside(t.Context(), atoms)
		wantError(t, err, "atoms")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if outside, err := set.Outside(ctx, []int{3}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end %v are outside, %v", outside, err)
	}
}

func TestSupportVerticesCanBeCancelled(t *testing.T) {
	d := newDictionary(t, 4, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25, 0.25, 0.25)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.SupportVertices(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func ExampleDictionary_SupportVertices() {
	d, _ := sparsero.NewDictionary(mat.NewDense(5, 2, []float64{
		2, 0,
		0, 2,
		1, 1, // on the edge between the first two
		0.5, 0.2, // inside
		2, 0, // repeated
	}), nil)
	vertices, err := d.SupportVertices(context.Background())
	fmt.Println(vertices, err)
	// Output:
	// [0 1] <nil>
}

// A context that has ended ends the search, also where no program would be needed.
func TestSupportVerticesOfAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := newDictionary(t, 3, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1)
	if got, err := d.SupportVertices(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("vertices %v, %v", got, err)
	}
}
