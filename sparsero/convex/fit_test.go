package convex_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero/convex"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func gaussian(rows, columns int, seed uint64) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 0))
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return source.NormFloat64() }, m)
	return m
}

// fit fits an ellipsoid and counts the samples inside.
func fit(t *testing.T, samples *mat.Dense, level float64) (mean []float64, e *convex.Ellipsoid, inside int) {
	t.Helper()
	mean, e, err := convex.FitEllipsoid(samples, level)
	if err != nil {
		t.Fatal(err)
	}
	m, p := samples.Dims()
	deviation := make([]float64, p)
	for k := range m {
		const rounding = 1e-12 // of a sample on the boundary
		if floats.SubTo(deviation, samples.RawRowView(k), mean); e.Gauge(deviation) <= 1+rounding {
			inside++
		}
	}
	return mean, e, inside
}

// The asked share of samples lies inside, no more. The rank beside a whole product is exact: 0.07 of 100 samples are 7,
// whatever 100·0.07 is in floating point, and the least level above asks for an eighth.
func TestFitEllipsoidEnclosesTheShare(t *testing.T) {
	for _, test := range []struct {
		samples int
		level   float64
		want    int
	}{
		{200, 0.005, 1}, {200, 0.5, 100}, {200, 0.9, 180}, {200, 0.95, 190}, {200, 1, 200},
		{100, 0.07, 7}, {100, math.Nextafter(0.07, 1), 8}, {100, math.Nextafter(0.07, 0), 7},
	} {
		if _, _, inside := fit(t, gaussian(test.samples, 3, 1), test.level); inside != test.want { // no ties among Gaussian samples
			t.Errorf("level %v: %d of %d inside, want %d", test.level, inside, test.samples, test.want)
		}
	}
}

// Mahalanobis distances do not depend on the units of the coordinates.
func TestFitEllipsoidIsAffineInvariant(t *testing.T) {
	samples, units := gaussian(50, 2, 3), mat.NewDense(2, 2, []float64{1e-4, 3e-4, 0, 50})
	var moved mat.Dense
	moved.Mul(samples, units)
	mean, a, _ := fit(t, samples, 0.9)
	movedMean, b, _ := fit(t, &moved, 0.9)
	for k := range 50 {
		u, v := samples.RawRowView(k), moved.RawRowView(k)
		floats.Sub(u, mean)
		floats.Sub(v, movedMean)
		if math.Abs(a.Gauge(u)-b.Gauge(v)) > 1e-6 {
			t.Errorf("sample %d: %v, after a change of units %v", k, a.Gauge(u), b.Gauge(v))
		}
	}
}

func TestFitEllipsoidRejectsBadInput(t *testing.T) {
	good := gaussian(10, 2, 4)
	collinear := mat.NewDense(4, 2, []float64{1, 2, 2, 4, 3, 6, 5, 10})
	for name, test := range map[string]struct {
		samples mat.Matrix
		level   float64
		want    string
	}{
		"nil":             {nil, 0.9, "samples"},
		"empty":           {&mat.Dense{}, 0.9, "samples"},
		"NaN":             {mat.NewDense(3, 1, []float64{1, math.NaN(), 2}), 0.9, "row 1"},
		"level 0":         {good, 0, "level 0"},
		"level above 1":   {good, 1.01, "level 1.01"},
		"level NaN":       {good, math.NaN(), "level NaN"},
		"too few samples": {mat.NewDense(2, 2, []float64{1, 2, 3, 5}), 0.9, "2 samples"},
		"collinear":       {collinear, 0.9, "covariance"},
		"at the mean":     {mat.NewDense(5, 1, []float64{-2, -1, 0, 1, 2}), 0.1, "level 0.1 of the 5 samples lies at their mean"},
		"constant":        {mat.NewDense(3, 1, []float64{7, 7, 7}), 0.9, "3 samples"},
	} {
		if _, _, err := convex.FitEllipsoid(test.samples, test.level); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error = %v", name, err)
		}
	}
	_, e, _ := fit(t, good, 0.9)
	e.Factor().Set(0, 0, 99)
	if e.Factor().At(0, 0) == 99 {
		t.Error("the ellipsoid shares memory with Factor")
	}
}

// No ellipsoid encloses decimals that vary in fewer directions than they have coordinates, whatever rounding leaves of them.
func TestFitEllipsoidRejectsFlatSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, p := rapid.IntRange(3, 40).Draw(t, "samples"), rapid.IntRange(2, 4).Draw(t, "coordinates")
		decimal := func(name string) float64 { return float64(rapid.IntRange(-1000, 1000).Draw(t, name)) / 100 }
		kinds, offset := rapid.IntRange(1, p).Draw(t, "kinds"), rapid.SampledFrom([]float64{0, 100, 1e6}).Draw(t, "offset")
		constant := rapid.Bool().Draw(t, "constant")
		samples := mat.NewDense(m, p, nil)
		for i := range m {
			row := samples.RawRowView(i)
			for j := range row {
				row[j] = offset + decimal("cell")
			}
			if constant {
				row[0] = samples.At(0, 0)
			} else if i >= kinds {
				copy(row, samples.RawRowView(i%kinds)) // no more than p differ
			}
		}
		if _, _, err := convex.FitEllipsoid(samples, 1); err == nil || !strings.Contains(err.Error(), "not positive definite") && m > p {
			t.Fatalf("error %v", err)
		}
	})
}

func ExampleFitEllipsoid() {
	samples := mat.NewDense(4, 2, []float64{2, 0, -2, 0, 0, 1, 0, -1})
	mean, e, err := convex.FitEllipsoid(samples, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.1f, support along x %.3f, along y %.3f\n", mean, e.Support([]float64{1, 0}), e.Support([]float64{0, 1}))
	// Output:
	// mean [0.0 0.0], support along x 2.000, along y 1.000
}

// At least the asked share of samples has a gauge of at most 1, without any allowance for rounding, and no sample more than that
// share is let in by it.
func TestFitEllipsoidHoldsTheSampleOnItsBoundary(t *testing.T) {
	check := func(samples *mat.Dense, level float64, want int) {
		t.Helper()
		mean, e, err := convex.FitEllipsoid(samples, level)
		if err != nil {
			t.Fatal(err)
		}
		rows, p := samples.Dims()
		inside, deviation := 0, make([]float64, p)
		for k := range rows {
			if floats.SubTo(deviation, samples.RawRowView(k), mean); e.Gauge(deviation) <= 1 {
				inside++
			}
		}
		if inside != want {
			t.Errorf("level %v: %d of %d samples inside, want %d", level, inside, rows, want)
		}
	}
	line := mat.NewDense(4, 1, []float64{-.3, .1, .7, 1.9})
	line.Scale(1.3, line)
	check(line, 1, 4)
	for seed := range uint64(200) {
		check(gaussian(20, 2, seed), 0.9, 18)
		check(gaussian(30, 4, seed), 0.5, 15)
	}
}
