package datasets_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/datasets"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func ExampleCrossPolytope() {
	d, err := datasets.CrossPolytope(2)
	fmt.Println(d.Labels(), d.Support([]float64{-3, 2}), err)
	// Output: [e1 e2 -e1 -e2] 3 <nil>
}

// The support of the cross-polytope is the largest absolute entry, the dual of the l1 norm.
func TestCrossPolytopeSupportIsTheMaximumNorm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SliceOfN(rapid.Float64Range(-10, 10), 1, 8).Draw(t, "direction")
		d, err := datasets.CrossPolytope(len(s))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := d.Support(s), floats.Norm(s, math.Inf(1)); got != want {
			t.Fatalf("support %g, want %g", got, want)
		}
	})
}

// The corners are distinct, have entries ±1, and each coordinate is +1 in half of them.
func TestHypercubeHoldsEveryCornerOnce(t *testing.T) {
	for p := 1; p <= 8; p++ {
		corners, err := datasets.Hypercube(p)
		if err != nil {
			t.Fatal(err)
		}
		rows, columns := corners.Dims()
		if rows != 1<<p || columns != p {
			t.Fatalf("p=%d: %d×%d corners", p, rows, columns)
		}
		seen := map[string]bool{}
		for j := range rows {
			seen[fmt.Sprint(corners.RawRowView(j))] = true
			for _, value := range corners.RawRowView(j) {
				if math.Abs(value) != 1 {
					t.Fatalf("p=%d: entry %g", p, value)
				}
			}
		}
		if len(seen) != rows || mat.Sum(corners) != 0 {
			t.Errorf("p=%d: %d distinct corners, sum %g", p, len(seen), mat.Sum(corners))
		}
	}
}

// All directions have length 1, and neighbours the chord of the angle 2 pi / k.
func TestCircleIsEvenlySpaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 500).Draw(t, "directions")
		circle, err := datasets.Circle(k)
		if err != nil {
			t.Fatal(err)
		}
		chord := 2 * math.Sin(math.Pi/float64(k))
		for j := range k {
			s, next := circle.RawRowView(j), circle.RawRowView((j+1)%k)
			if math.Abs(floats.Norm(s, 2)-1) > 1e-12 || math.Abs(floats.Distance(s, next, 2)-chord) > 1e-12 {
				t.Fatalf("direction %d of %d is %v, the next %v", j, k, s, next)
			}
		}
		if circle.At(0, 0) != 1 || circle.At(0, 1) != 0 {
			t.Fatalf("first direction %v", circle.RawRowView(0))
		}
	})
}

// Moments of 20,000 values within five standard errors: means 1/sqrt(m), variances sqrt(2/m).
func TestGaussianMomentsAndSeeds(t *testing.T) {
	const m, p = 10000, 2
	u, err := datasets.Gaussian(m, p, 7)
	if err != nil {
		t.Fatal(err)
	}
	for j := range p {
		column := mat.Col(nil, j, u)
		mean := floats.Sum(column) / m
		variance := floats.Dot(column, column)/m - mean*mean
		if math.Abs(mean) > 5/math.Sqrt(m) || math.Abs(variance-1) > 5*math.Sqrt(2.0/m) {
			t.Errorf("column %d: mean %g, variance %g", j, mean, variance)
		}
	}
	again, _ := datasets.Gaussian(m, p, 7)
	other, _ := datasets.Gaussian(m, p, 8)
	if !mat.Equal(u, again) || mat.Equal(u, other) {
		t.Error("samples must depend on the seed alone")
	}
}

func TestElementaryDataRejectBadSizes(t *testing.T) {
	for name, err := range map[string]error{
		"cross-polytope 0": second(datasets.CrossPolytope(0)),
		"hypercube 0":      second(datasets.Hypercube(0)),
		"hypercube 20":     second(datasets.Hypercube(20)),
		"no samples":       second(datasets.Gaussian(0, 2, 1)),
		"no directions":    second(datasets.Circle(0)),
		"no dimension":     second(datasets.Gaussian(2, 0, 1)),
		"circle of 8 GB":   second(datasets.Circle(1<<29 + 1)),
		"samples of 8 GB":  second(datasets.Gaussian(1<<15, 1<<15+1, 1)),
		"vectors of 8 GB":  second(datasets.CrossPolytope(23_171)),
		"prices of 8 GB":   second(datasets.GeneratePrices(datasets.GeneratedPricesOptions{Assets: 1 << 15, Days: 1<<15 + 1})),
		"x-shape of 8 GB":  second(datasets.NewXShape(datasets.XShapeOptions{Test: 1<<29 + 1})),
		"one asset":        second(datasets.GeneratePrices(datasets.GeneratedPricesOptions{Assets: 1})),
		"nine days":        second(datasets.GeneratePrices(datasets.GeneratedPricesOptions{Days: 9})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestLeastSizes: one of each is enough, none is refused, and a seed names the samples that it named in earlier versions.
func TestLeastSizes(t *testing.T) {
	failed := func(_ any, err error) bool { return err != nil }
	for least, refused := range map[int]bool{0: true, 1: false} {
		for name, got := range map[string]bool{
			"samples": failed(datasets.Gaussian(least, 1, 1)), "dimension": failed(datasets.Gaussian(1, least, 1)),
			"hypercube": failed(datasets.Hypercube(least)), "circle": failed(datasets.Circle(least)), "cross-polytope": failed(datasets.CrossPolytope(least)),
		} {
			if got != refused {
				t.Errorf("%s %d: refused %t", name, least, got)
			}
		}
	}
	if !failed(datasets.Hypercube(20)) {
		t.Error("2^20 corners")
	}
	if m, err := datasets.Gaussian(2, 2, 7); err != nil || fmt.Sprintf("%.6f", m.RawMatrix().Data) != "[-0.728171 -0.187412 -1.251258 0.253066]" {
		t.Errorf("%.6f, %v", m.RawMatrix().Data, err)
	}
}
