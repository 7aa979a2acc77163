package calibration

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// lpTolerance is the relative difference allowed between a linear program and
// a closed form.
const lpTolerance = 1e-6

func normalSamples(random *rand.Rand, m, p int) *mat.Dense {
	samples := mat.NewDense(m, p, nil)
	for i := range samples.RawMatrix().Data {
		samples.RawMatrix().Data[i] = random.NormFloat64()
	}
	return samples
}

func mustGauges(t testing.TB, set *sparsero.AtomicSet, samples mat.Matrix) []float64 {
	t.Helper()
	scores, err := GaugeScores(context.Background(), set, samples)
	if err != nil {
		t.Fatal(err)
	}
	return scores
}

// The gauge of the cross-polytope is the l1 norm, its Z the maximum norm.
func TestGaugeOfTheCrossPolytope(t *testing.T) {
	const p = 4
	samples := normalSamples(rand.New(rand.NewPCG(1, 1)), 50, p)
	set := crossPolytope(t, p)
	gauges := mustGauges(t, set, samples)
	polars, err := DirectionalScores(set, samples)
	if err != nil {
		t.Fatal(err)
	}
	for j := range gauges {
		u := samples.RawRowView(j)
		if want := floats.Norm(u, 1); math.Abs(gauges[j]-want) > lpTolerance*want {
			t.Errorf("sample %d: gauge %g, l1 norm %g", j, gauges[j], want)
		}
		if want := floats.Norm(u, math.Inf(1)); polars[j] != want {
			t.Errorf("sample %d: Z %g, maximum norm %g", j, polars[j], want)
		}
	}
}

// p atoms do not span R^p with nonnegative weights: half of the samples lie
// outside the half line, three quarters outside the quadrant.
func TestGaugeOutsideTheCone(t *testing.T) {
	d, err := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, -1, -1}), nil)
	if err != nil {
		t.Fatal(err)
	}
	quadrant, err := sparsero.NewAtomicSet(d, []int{0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	samples := normalSamples(rand.New(rand.NewPCG(2, 2)), 400, 2)
	scores := mustGauges(t, quadrant, samples)
	outside := 0
	for j, score := range scores {
		u := samples.RawRowView(j)
		if math.IsInf(score, 1) != (u[0] < 0 || u[1] < 0) {
			t.Errorf("sample %v has gauge %g", u, score)
		}
		if math.IsInf(score, 1) {
			outside++
		}
	}
	radius := mustCalibrate(t, OrderStatistic{Alpha: 0.05, Delta: 0.01}, scores)
	if radius.Check() == nil || radius.Infinite != outside || !errors.Is(radius.Check(), ErrInfiniteRadius) {
		t.Errorf("%d outside: %+v, %v", outside, radius, radius.Check())
	}
	// The third atom closes the cone to R^2.
	full, err := sparsero.FullSet(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	if radius = mustCalibrate(t, OrderStatistic{Alpha: 0.05, Delta: 0.01}, mustGauges(t, full, samples)); radius.Check() != nil {
		t.Errorf("three atoms: %+v", radius)
	}
}

// Scores are the same bits on any number of workers, and equal the gauge of
// each sample by itself.
func TestGaugeScoresDoNotDependOnWorkers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	d, err := sparsero.NewDictionary(normalSamples(random, 15, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := sparsero.NewAtomicSet(d, []int{14, 0, 3, 7, 8, 9, 2, 11}, 2)
	if err != nil {
		t.Fatal(err)
	}
	samples := normalSamples(random, 3*gaugeBlock+5, 5)
	want := mustGauges(t, set, samples)
	for _, workers := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		got, err := GaugeScores(context.Background(), set, samples)
		if err != nil {
			t.Fatalf("%d workers: %v", workers, err)
		}
		for j := range want {
			if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
				t.Errorf("%d workers: score %d is %v, not %v", workers, j, got[j], want[j])
			}
		}
	}
	finite := 0
	for j, score := range want {
		alone, _, err := set.Gauge(samples.RawRowView(j))
		if err != nil {
			t.Fatal(err)
		}
		if alone != score && math.Abs(alone-score) > lpTolerance*score {
			t.Errorf("sample %d: %g in a block, %g alone", j, score, alone)
		}
		if !math.IsInf(score, 1) {
			finite++
		}
	}
	if finite == 0 || finite == len(want) {
		t.Errorf("%d of %d samples inside the cone: the test wants both kinds", finite, len(want))
	}
}

func TestGaugeScoresBadInputAndCancellation(t *testing.T) {
	set := crossPolytope(t, 2)
	samples := normalSamples(rand.New(rand.NewPCG(4, 4)), 40, 2)
	if _, err := GaugeScores(context.Background(), nil, samples); err == nil {
		t.Error("nil set, no error")
	}
	if _, err := GaugeScores(context.Background(), set, normalSamples(rand.New(rand.NewPCG(5, 5)), 3, 3)); err == nil {
		t.Error("samples of another dimension, no error")
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	scores, err := GaugeScores(cancelled, set, samples)
	if !errors.Is(err, context.Canceled) || len(scores) != 40 || !math.IsNaN(scores[39]) {
		t.Errorf("cancelled: %d scores, %v", len(scores), err)
	}
	if _, err := (SplitConformal{Alpha: 0.5}).Calibrate(scores); err == nil {
		t.Error("partial scores were calibrated")
	}
}

// On U ~ N(0, I_p) with D = {±e_i} the radius calibrated on Z leaves most
// samples outside the set (coverage .144 at p=5, below 1e-4 at p=20) and lets
// the constraint q = (1,...,1) break with probability .126 and .252; the radius
// calibrated on the gauge (6.37, 20.54 as quantiles) covers .95.
//
// Three closed forms: Z has the quantile 2.57 (3.01) with Phi(z)^p; the
// violation is P(N(0,p) > r); the gauge is the l1 norm. Linear programs are
// solved for the calibration samples, coverage is counted with the l1 norm.
func TestGaugeRuleCoversWhereTheZRuleDoesNot(t *testing.T) {
	const m, alpha, delta = 400, 0.05, 0.05
	trials := repetitions(1, 12)
	for _, test := range []struct {
		p                           int
		zQuantile, gaugeQuantile    float64
		zCovers, zViolates, halfGap float64
	}{
		{5, 2.57, 6.37, 0.144, 0.126, 0.04},
		{20, 3.01, 20.54, 0, 0.252, 0.04},
	} {
		set := crossPolytope(t, test.p)
		random := rand.New(rand.NewPCG(41, uint64(test.p)))
		fresh := normalSamples(random, 20000, test.p)
		norms := make([]float64, 20000)
		for j := range norms {
			norms[j] = floats.Norm(fresh.RawRowView(j), 1)
		}
		conformal := SplitConformal{Alpha: alpha}
		exact := OrderStatistic{Alpha: alpha, Delta: delta}
		failures := 0
		for range trials {
			samples := normalSamples(random, m, test.p)
			polars, err := DirectionalScores(set, samples)
			if err != nil {
				t.Fatal(err)
			}
			gauges := mustGauges(t, set, samples)
			z, gauge := mustCalibrate(t, conformal, polars).Value.Float(), mustCalibrate(t, conformal, gauges).Value.Float()
			if math.Abs(z-test.zQuantile) > 0.1*test.zQuantile || math.Abs(gauge-test.gaugeQuantile) > 0.1*test.gaugeQuantile {
				t.Errorf("p=%d: radii %g and %g, quantiles %g and %g", test.p, z, gauge, test.zQuantile, test.gaugeQuantile)
			}
			covered := 1 - float64(countAbove(norms, z))/20000
			violated := math.Erfc(z/math.Sqrt(2*float64(test.p))) / 2
			if math.Abs(covered-test.zCovers) > 2*test.halfGap || math.Abs(violated-test.zViolates) > test.halfGap {
				t.Errorf("p=%d: the Z radius %g covers %g and violates %g", test.p, z, covered, violated)
			}
			if breaks(norms, mustCalibrate(t, exact, gauges).Value.Float(), alpha) {
				failures++
			}
		}
		checkAtMost(t, "gauge radius leaves more than alpha outside", failures, trials, delta)
	}
}

func countAbove(values []float64, limit float64) int {
	count := 0
	for _, v := range values {
		if v > limit {
			count++
		}
	}
	return count
}

// The aim is 0.5 s for 1,000 samples in and outside the cone of 30 atoms in 20 coordinates, and 6 s for the whole dictionary of
// 15,000 atoms in 64, on two cores.
func BenchmarkGaugeScores(b *testing.B) {
	const m, size, p = 1000, 30, 20
	random := rand.New(rand.NewPCG(6, 6))
	// The last atom is minus the sum of the others, which span R^p: the cone is
	// the whole space.
	covering := normalSamples(random, size, p)
	last := covering.RawRowView(size - 1)
	clear(last)
	for i := range size - 1 {
		floats.Sub(last, covering.RawRowView(i))
	}
	for _, test := range []struct {
		name  string
		atoms *mat.Dense
	}{{"covering", covering}, {"outside", normalSamples(random, size, p)}, {"whole dictionary", normalSamples(random, 15_000, 64)}} {
		b.Run(test.name, func(b *testing.B) {
			d, err := sparsero.NewDictionary(test.atoms, nil)
			if err != nil {
				b.Fatal(err)
			}
			set, err := sparsero.FullSet(d, 1)
			if err != nil {
				b.Fatal(err)
			}
			samples := normalSamples(random, m, d.Dim())
			b.ResetTimer()
			for range b.N {
				b.ReportMetric(float64(floats.Count(func(z float64) bool { return math.IsInf(z, 1) }, mustGauges(b, set, samples))), "outside")
			}
		})
	}
}
