package sparsero_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// rounding is the slack of comparisons between numbers of order 1 to 100 that
// are computed in two ways.
const rounding = 1e-9

func closeTo(a, b float64) bool {
	return a == b || math.Abs(a-b) <= rounding*(1+math.Abs(a)+math.Abs(b))
}

// fataler is the part of testing.TB that rapid's T has too.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func newDictionary(t fataler, rows, columns int, values ...float64) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(rows, columns, values), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func newSet(t fataler, d *sparsero.Dictionary, indices []int, radius float64) *sparsero.AtomicSet {
	t.Helper()
	set, err := sparsero.NewAtomicSet(d, indices, radius)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// drawVector draws generic numbers or small integers; the latter give zeros,
// repeats, collinear vectors and ties. Generic numbers are multiples of 1/1024:
// rapid's own floats go down to 1e-300, far below what the linear programs of
// these tests resolve.
func drawVector(t *rapid.T, name string, n int, integers bool) []float64 {
	v := make([]float64, n)
	for j := range v {
		if integers {
			v[j] = float64(rapid.IntRange(-2, 2).Draw(t, name))
		} else {
			v[j] = float64(rapid.IntRange(-5*1024, 5*1024).Draw(t, name)) / 1024
		}
	}
	return v
}

func drawDictionary(t *rapid.T, maxAtoms, maxDim int) *sparsero.Dictionary {
	n := rapid.IntRange(1, maxAtoms).Draw(t, "N")
	p := rapid.IntRange(1, maxDim).Draw(t, "p")
	return newDictionary(t, n, p, drawVector(t, "atoms", n*p, rapid.Bool().Draw(t, "integers"))...)
}

func drawDirection(t *rapid.T, d *sparsero.Dictionary) []float64 {
	return drawVector(t, "direction", d.Dim(), rapid.Bool().Draw(t, "integer direction"))
}

func drawSet(t *rapid.T, d *sparsero.Dictionary) *sparsero.AtomicSet {
	var indices []int
	for i := range d.Size() {
		if rapid.Bool().Draw(t, "member") {
			indices = append(indices, i)
		}
	}
	return newSet(t, d, indices, rapid.Float64Range(0, 3).Draw(t, "r"))
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", text)
	}
	if !strings.Contains(err.Error(), text) {
		t.Fatalf("error %q does not contain %q", err, text)
	}
	if !strings.HasPrefix(err.Error(), "sparsero: ") {
		t.Fatalf("error %q does not name its package", err)
	}
}

func wantPanic(t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		message, ok := recover().(string)
		if !ok || !strings.Contains(message, text) {
			t.Fatalf("panic %q, want one with %q", message, text)
		}
	}()
	f()
}
