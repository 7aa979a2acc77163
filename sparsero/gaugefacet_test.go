package sparsero_test

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// simplex returns the dictionary of p atoms s e_k and one more, in p coordinates.
func simplex(t testing.TB, s float64, more ...float64) *sparsero.Dictionary {
	t.Helper()
	p := len(more)
	rows := mat.NewDense(p+1, p, nil)
	for k := range p {
		rows.Set(k, k, s)
	}
	rows.SetRow(p, more)
	d, err := sparsero.NewDictionary(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// An atom in the relative interior of a facet has the gauge 1, not one unit in the last place more, and is no vertex:
// with weights that are floats and with others, whose sum is one all the same.
func TestGaugeOnAFacetIsOne(t *testing.T) {
	for name, d := range map[string]*sparsero.Dictionary{
		"quarters":          simplex(t, 1, 0.25, 0.25, 0.25, 0.25),
		"thirds and sixths": simplex(t, 3, 1, 1, 0.5, 0.5),
		"fifths":            simplex(t, 5, 1, 1, 1, 1, 1),
	} {
		p := d.Dim()
		set, err := sparsero.NewAtomicSet(d, counted(p), 1)
		if err != nil {
			t.Fatal(err)
		}
		if value, _, err := set.Gauge(d.Atom(p)); err != nil || value != 1 {
			t.Errorf("%s: gauge 1%+g (%v)", name, value-1, err)
		}
		if vertices, err := d.SupportVertices(context.Background()); err != nil || !slices.Equal(vertices, counted(p)) {
			t.Errorf("%s: vertices %v (%v)", name, vertices, err)
		}
	}
}

// counted returns 0, 1, ..., n-1.
func counted(n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = k
	}
	return list
}

// The gauge of a sum of p independent atoms with small rational weights is the least float64 that is not below it.
func TestGaugeInsideACone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(4, 6).Draw(t, "p")
		scale := rapid.IntRange(1, 7).Draw(t, "scale")
		rows, u := mat.NewDense(p, p, nil), make([]float64, p)
		for k := range p {
			for j := range k {
				rows.Set(k, j, float64(scale*rapid.IntRange(-2, 2).Draw(t, "entry")))
			}
			rows.Set(k, k, float64(scale))
			weight := float64(rapid.IntRange(1, 6).Draw(t, "weight"))
			for j := range p {
				u[j] += weight * rows.At(k, j) / float64(scale)
			}
		}
		d, err := sparsero.NewDictionary(rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := sparsero.FullSet(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		columns := make([][]float64, p)
		for k := range columns {
			columns[k] = d.Atom(k)
		}
		truth := new(big.Rat)
		weights, _ := solveRational(columns, u)
		for _, w := range weights {
			truth.Add(truth, w)
		}
		want, _ := truth.Float64()
		if rational(want).Cmp(truth) < 0 {
			want = math.Nextafter(want, math.Inf(1))
		}
		if value, _, err := set.Gauge(u); err != nil || value != want {
			t.Fatalf("gauge %v (%v), want %v", value, err, want)
		}
	})
}
