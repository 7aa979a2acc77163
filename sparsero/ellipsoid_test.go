package sparsero_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func gaussian(rows, columns int, seed uint64) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 0))
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return source.NormFloat64() }, m)
	return m
}

// At least the asked share of samples lies inside, and one sample fewer than the
// rank would not do.
func TestFitEllipsoidEnclosesTheShare(t *testing.T) {
	samples := gaussian(200, 3, 1)
	for _, level := range []float64{0.005, 0.5, 0.9, 0.95, 1} {
		e, err := sparsero.FitEllipsoid(samples, level)
		if err != nil {
			t.Fatal(err)
		}
		inside := 0
		for k := range 200 {
			if e.Contains(samples.RawRowView(k)) {
				inside++
			}
		}
		if want := int(math.Round(level * 200)); inside != want { // no ties among Gaussian samples
			t.Errorf("level %v: %d of 200 inside, want %d", level, inside, want)
		}
	}
}

// The support function bounds <u,s> over the ellipsoid and the worst case, a
// point of its boundary, attains it.
func TestEllipsoidSupport(t *testing.T) {
	e, err := sparsero.FitEllipsoid(gaussian(60, 3, 2), 0.8)
	if err != nil {
		t.Fatal(err)
	}
	samples := gaussian(60, 3, 2)
	rapid.Check(t, func(t *rapid.T) {
		s := drawVector(t, "s", 3, rapid.Bool().Draw(t, "integers"))
		u := e.WorstCase(s)
		if !closeTo(dot(u, s), e.Support(s)) {
			t.Fatalf("worst case reaches %v, support %v", dot(u, s), e.Support(s))
		}
		if dot(s, s) > 0 && !closeTo(e.Distance(u), e.Radius()) {
			t.Fatalf("worst case at distance %v, radius %v", e.Distance(u), e.Radius())
		}
		for k := range 60 {
			if point := samples.RawRowView(k); e.Contains(point) && dot(point, s) > e.Support(s)+rounding {
				t.Fatalf("sample %d reaches %v, support %v", k, dot(point, s), e.Support(s))
			}
		}
	})
}

// Mahalanobis distances do not depend on the units of the coordinates.
func TestEllipsoidIsAffineInvariant(t *testing.T) {
	samples := gaussian(50, 2, 3)
	var moved mat.Dense
	moved.Mul(samples, mat.NewDense(2, 2, []float64{1e-4, 3e-4, 0, 50}))
	a, err := sparsero.FitEllipsoid(samples, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	b, err := sparsero.FitEllipsoid(&moved, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(a.Radius()-b.Radius()) > 1e-6 {
		t.Errorf("radius %v, after a change of units %v", a.Radius(), b.Radius())
	}
}

func TestFitEllipsoidRejectsBadInput(t *testing.T) {
	good := gaussian(10, 2, 4)
	collinear := mat.NewDense(4, 2, []float64{1, 2, 2, 4, 3, 6, 5, 10})
	for _, test := range []struct {
		name    string
		samples mat.Matrix
		level   float64
		want    string
	}{
		{"nil", nil, 0.9, "samples is nil"},
		{"empty", &mat.Dense{}, 0.9, "samples is empty (0×0)"},
		{"NaN", mat.NewDense(3, 1, []float64{1, math.NaN(), 2}), 0.9, "NaN in row 1, column 0"},
		{"level 0", good, 0, "level 0 is outside (0,1]"},
		{"level above 1", good, 1.01, "level 1.01 is outside (0,1]"},
		{"level NaN", good, math.NaN(), "level NaN is outside (0,1]"},
		{"too few samples", mat.NewDense(2, 2, []float64{1, 2, 3, 5}), 0.9, "2 samples cannot determine a covariance in dimension 2; give at least 3"},
		{"collinear", collinear, 0.9, "covariance of the 4 samples is singular"},
		{"constant", mat.NewDense(3, 1, []float64{7, 7, 7}), 0.9, "covariance of the 3 samples is singular"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := sparsero.FitEllipsoid(test.samples, test.level)
			wantError(t, err, test.want)
		})
	}
	e, err := sparsero.FitEllipsoid(good, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	e.Center()[0] = 99
	e.Covariance().SetSym(0, 0, 99)
	if e.Center()[0] == 99 || e.Covariance().At(0, 0) == 99 {
		t.Error("the ellipsoid shares memory with its accessors")
	}
	wantPanic(t, "s has length 1 but the ellipsoid has dimension 2", func() { e.Support([]float64{1}) })
	wantPanic(t, "s has length 1 but the ellipsoid has dimension 2", func() { e.WorstCase([]float64{1}) })
	wantPanic(t, "u has length 3 but the ellipsoid has dimension 2", func() { e.Distance([]float64{1, 2, 3}) })
}

func ExampleFitEllipsoid() {
	samples := mat.NewDense(4, 2, []float64{2, 0, -2, 0, 0, 1, 0, -1})
	e, err := sparsero.FitEllipsoid(samples, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("center %.1f radius %.3f\n", e.Center(), e.Radius())
	fmt.Printf("support along x %.3f, along y %.3f\n", e.Support([]float64{1, 0}), e.Support([]float64{0, 1}))
	// Output:
	// center [0.0 0.0] radius 1.225
	// support along x 2.000, along y 1.000
}

// The rank beside a whole product: 0.07 of 100 samples are 7, whatever 100·0.07 is in floating point, and the least level
// above asks for an eighth.
func TestFitEllipsoidRanksAreExact(t *testing.T) {
	samples := gaussian(100, 2, 3)
	for _, test := range []struct {
		level float64
		want  int
	}{{0.07, 7}, {math.Nextafter(0.07, 1), 8}, {math.Nextafter(0.07, 0), 7}} {
		e, err := sparsero.FitEllipsoid(samples, test.level)
		if err != nil {
			t.Fatal(err)
		}
		inside := 0
		for k := range 100 {
			if e.Contains(samples.RawRowView(k)) {
				inside++
			}
		}
		if inside != test.want {
			t.Errorf("level %v: %d of 100 inside, want %d", test.level, inside, test.want)
		}
	}
}
