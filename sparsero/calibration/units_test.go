package calibration

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// drawScale draws a power of two as large as a change of units may be.
func drawScale(t *rapid.T, name string) float64 {
	return math.Ldexp(1, rapid.IntRange(-300, 300).Draw(t, name))
}

// drawNumbers draws numbers on a fine grid: what is much smaller than the rest would leave float64 in other units.
func drawNumbers(t *rapid.T, name string, low, high float64, least, most int) []float64 {
	numbers := rapid.SliceOfN(rapid.Float64Range(low, high), least, most).Draw(t, name)
	for i, x := range numbers {
		numbers[i] = math.Round(x*(1<<20)) / (1 << 20)
	}
	return numbers
}

func times(scale float64, values []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(values)), scale, values)
}

func check(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// Scores in other units: the radius scales, everything else stays as it is.
func TestRadiiScaleWithTheScores(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := drawNumbers(t, "scores", 0, 10, 60, 90)
		if rapid.Bool().Draw(t, "outside") {
			scores[0] = math.Inf(1)
		}
		scale := drawScale(t, "scale")
		for _, rule := range soundRules(0.4, 0.3, Candidates(2)) {
			base, err := rule.Calibrate(scores)
			check(t, err)
			scaled, err := rule.Calibrate(times(scale, scores))
			check(t, err)
			if base.Value = base.Value.Times(scale); base != scaled {
				t.Fatalf("%s: %+v in the new units, %+v scaled", rule.recipe().name, scaled, base)
			}
		}
	})
}

// Atoms and samples in other units: directional scores carry the product of the two.
func TestScoresScaleWithAtomsAndSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 5).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p")
		atoms, samples := drawMatrix(t, "atoms", n, p), drawMatrix(t, "samples", 8, p)
		atomScale, sampleScale := drawScale(t, "atom scale"), drawScale(t, "sample scale")
		base := allScores(t, atoms, samples)
		atoms.Scale(atomScale, atoms)
		samples.Scale(sampleScale, samples)
		for k, scaled := range allScores(t, atoms, samples) {
			if want := times(atomScale*sampleScale, base[k]); !slices.Equal(scaled, want) {
				t.Fatalf("score %d: %v in the new units, %v scaled", k, scaled, want)
			}
		}
	})
}

// allScores returns the directional scores of the whole dictionary in three ways.
func allScores(t *rapid.T, atoms, samples *mat.Dense) [][]float64 {
	d, err := sparsero.NewDictionary(atoms, nil)
	check(t, err)
	set, err := sparsero.FullSet(d, 1)
	check(t, err)
	directional, err := DirectionalScores(set, samples)
	check(t, err)
	full, err := fullScores(d, samples)
	check(t, err)
	path := make([]int, d.Size())
	for i := range path {
		path[i] = i
	}
	prefixes, err := PrefixScores(d, path, samples)
	check(t, err)
	return [][]float64{directional, full, mat.Col(nil, len(path)-1, prefixes)}
}

// Gauges carry the quotient of the two units, and a sample outside the cone stays outside.
func TestGaugesScaleWithAtomsAndSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, p := rapid.IntRange(1, 6).Draw(t, "N"), rapid.IntRange(1, 3).Draw(t, "p")
		atoms, samples := drawMatrix(t, "atoms", n, p), drawMatrix(t, "samples", 8, p)
		atomScale, sampleScale := drawScale(t, "atom scale"), drawScale(t, "sample scale")
		gauges := func() []float64 {
			d, err := sparsero.NewDictionary(atoms, nil)
			check(t, err)
			set, err := sparsero.FullSet(d, 1)
			check(t, err)
			scores, err := GaugeScores(context.Background(), set, samples)
			check(t, err)
			return scores
		}
		base := gauges()
		atoms.Scale(atomScale, atoms)
		samples.Scale(sampleScale, samples)
		if scaled, want := gauges(), times(sampleScale/atomScale, base); !slices.Equal(scaled, want) {
			t.Fatalf("%v in the new units, %v scaled", scaled, want)
		}
	})
}

// Inner products that float64 cannot carry are refused, at both ends; just inside they are computed.
func TestScoresBeyondFloat64(t *testing.T) {
	for _, test := range []struct {
		atom, sample float64
		refused      bool
	}{
		{1e200, 1e200, true},
		{1e-200, 1e-200, true},
		{math.MaxFloat64, 1, true}, // the sum of two products may overflow
		{math.MaxFloat64, 0.5, false},
		{0x1p-1022, 1, false},
		{0x1p-1022, 0.5, true},
		{1e-300, 0, false},
		{0, 1e-300, false},
		{1e300, 1e-300, false},
	} {
		d, err := sparsero.NewDictionary(mat.NewDense(1, 2, []float64{test.atom, 0}), nil)
		if err != nil {
			t.Fatal(err)
		}
		set, err := sparsero.FullSet(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		samples := mat.NewDense(2, 2, []float64{0, 0, test.sample, 0})
		_, directional := DirectionalScores(set, samples)
		_, full := fullScores(d, samples)
		_, prefix := PrefixScores(d, []int{0}, samples)
		for _, err := range []error{directional, full, prefix} {
			if (err != nil) != test.refused {
				t.Errorf("atom %g, sample %g: %v", test.atom, test.sample, err)
			}
		}
	}
}

// A value above its limit by a billionth is kept, by more it is not, in every unit and on both sides of zero.
func TestRoundingAtTheLimit(t *testing.T) {
	for _, limit := range []float64{1, -1, 1e-200, -1e-200, 1e200, -1e200, math.MaxFloat64 / 2} {
		inside, outside := limit+0.9e-9*math.Abs(limit), limit+1.1e-9*math.Abs(limit)
		if exceeds(inside, limit) || !exceeds(outside, limit) {
			t.Errorf("limit %g: %g exceeds %v, %g exceeds %v", limit, inside, exceeds(inside, limit), outside, exceeds(outside, limit))
		}
	}
	inf := math.Inf(1)
	if exceeds(0, 0) || !exceeds(5e-324, 0) || exceeds(inf, inf) || exceeds(3, inf) || !exceeds(inf, math.MaxFloat64) {
		t.Error("zero or infinite limits")
	}
}
