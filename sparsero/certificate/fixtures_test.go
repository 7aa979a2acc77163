package certificate_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// tolerance is the accuracy asked of values that two different roads must share:
// well above the 1e-7 of the solvers on data of size one.
const tolerance = 1e-6

var ctx = context.Background()

// must returns the value or fails the test.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// get is must for use inside property tests.
func get[T any](value T, err error) func(*rapid.T) T {
	return func(t *rapid.T) T {
		t.Helper()
		if err != nil {
			t.Fatalf("%v", err)
		}
		return value
	}
}

func near(a, b float64) bool {
	return a == b || math.Abs(a-b) <= tolerance*(1+math.Abs(a)+math.Abs(b))
}

func matrix(rows ...[]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		m.SetRow(i, row)
	}
	return m
}

func atomicSet(t testing.TB, radius float64, indices []int, atoms ...[]float64) *sparsero.AtomicSet {
	t.Helper()
	d := must(sparsero.NewDictionary(matrix(atoms...), nil))(t)
	return must(sparsero.NewAtomicSet(d, indices, radius))(t)
}

// box is the region lower <= x_j <= upper in R^n.
func box(n int, lower, upper float64) *solver.Model {
	m := solver.NewModel("box")
	for j := range n {
		m.AddColumn(solver.Column{Name: fmt.Sprintf("x%d", j), Bounds: solver.Between(lower, upper)})
	}
	return m
}

// number draws a small multiple of 1/4, so that ties, zeros and duplicates are frequent.
func number(t *rapid.T, label string) float64 {
	return float64(rapid.IntRange(-8, 8).Draw(t, label)) / 4
}

func numbers(t *rapid.T, n int, label string) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = number(t, label)
	}
	return v
}

// drawSet draws a dictionary with zero, repeated and collinear atoms, a subset of
// it, the empty one included, and a radius, 0 included.
func drawSet(t *rapid.T) *sparsero.AtomicSet {
	n, p := rapid.IntRange(1, 9).Draw(t, "N"), rapid.IntRange(1, 4).Draw(t, "p")
	rows := make([][]float64, n)
	var indices []int
	for i := range rows {
		switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
		case kind == 0:
			rows[i] = make([]float64, p)
		case kind <= 2 && i > 0:
			scale := number(t, "scale")
			rows[i] = make([]float64, p)
			for j, v := range rows[i-1] {
				rows[i][j] = scale * v
			}
		default:
			rows[i] = numbers(t, p, "atom")
		}
		if rapid.Bool().Draw(t, "in S") {
			indices = append(indices, i)
		}
	}
	d := get(sparsero.NewDictionary(matrix(rows...), nil))(t)
	return get(sparsero.NewAtomicSet(d, indices, float64(rapid.IntRange(0, 12).Draw(t, "4r"))/4))(t)
}

// projection is the outcome of Project.
type projection struct {
	Weights, Residual []float64
	Distance          float64
}

func project(set *sparsero.AtomicSet, target []float64) (p projection, err error) {
	var distance proof.Upper
	p.Weights, p.Residual, distance, err = certificate.Project(set, target)
	p.Distance = distance.Float()
	return p, err
}

// interval is a box.
type interval struct{ Lower, Upper []float64 }

func boundingBox(ctx context.Context, region *solver.Model, o *solver.Options) (b interval, err error) {
	b.Lower, b.Upper, err = certificate.BoundingBox(ctx, region, o)
	return b, err
}

func lipschitzNet(d *sparsero.Dictionary, b interval, q certificate.LipschitzMap, epsilon float64, o *certificate.Options) (*certificate.Net, error) {
	return certificate.LipschitzNet(d, b.Lower, b.Upper, q, epsilon, o)
}
