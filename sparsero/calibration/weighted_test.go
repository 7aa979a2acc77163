package calibration

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// outcomesOf lists all vectors of so many scores with values 0, 1, ..., values-1.
func outcomesOf(scores, values int) [][]float64 {
	all := [][]float64{{}}
	for range scores {
		var longer [][]float64
		for _, head := range all {
			for v := range values {
				longer = append(longer, append(slices.Clone(head), float64(v)))
			}
		}
		all = longer
	}
	return all
}

// swapped returns the position of the outcome in which score j and the last have changed places.
func swapped(outcome []float64, j, values int) int {
	position := 0
	for k := range outcome {
		from := k
		switch k {
		case j:
			from = len(outcome) - 1
		case len(outcome) - 1:
			from = j
		}
		position = position*values + int(outcome[from])
	}
	return position
}

// drawLaw draws a law over n numbers, in which many may be impossible.
func drawLaw(t *rapid.T, name string, n int) []float64 {
	law := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0, 1, 2, 5, 30}), n, n).Draw(t, name)
	law[0] += 0.5
	total := 0.
	for _, p := range law {
		total += p
	}
	return times(1/total, law)
}

// totalVariation is the distance between a law over outcomes and the law after a change of places.
func totalVariation(law []float64, outcomes [][]float64, j, values int) float64 {
	sum := 0.
	for k, outcome := range outcomes {
		sum += math.Abs(law[k]-law[swapped(outcome, j, values)]) / 2
	}
	return math.Min(1, sum)
}

// TestWeightedConformalCoverageIsExact enumerates every outcome of a small joint law, dependent or not: the
// probability of a violation is at most alpha plus the shortfall.
func TestWeightedConformalCoverageIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, values := rapid.IntRange(1, 4).Draw(t, "m"), 3
		outcomes := outcomesOf(m+1, values)
		law := make([]float64, len(outcomes))
		marginals := make([][]float64, m+1)
		independent := rapid.Bool().Draw(t, "independent")
		if independent {
			for j := range marginals {
				marginals[j] = drawLaw(t, "marginal", values)
			}
			for k, outcome := range outcomes {
				law[k] = 1
				for j, v := range outcome {
					law[k] *= marginals[j][int(v)]
				}
			}
		} else {
			law = drawLaw(t, "law", len(outcomes))
		}
		rule := WeightedConformal{
			Alpha:   rapid.Float64Range(0.1, 0.9).Draw(t, "alpha"),
			Weights: rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9, 1}), m, m).Draw(t, "weights"),
		}
		violated := 0.
		for k, outcome := range outcomes {
			radius, err := rule.Radius(outcome[:m])
			if err != nil && !errors.Is(err, ErrSampleTooSmall) {
				t.Fatal(err)
			}
			if outcome[m] > radius.Float() {
				violated += law[k]
			}
		}
		const rounding = 1e-12
		distances := make([]float64, m)
		for j := range distances {
			distances[j] = totalVariation(law, outcomes, j, values)
			if independent {
				own := 0.
				for v := range values {
					own += math.Abs(marginals[j][v]-marginals[m][v]) / 2
				}
				if distances[j] > 2*own+rounding {
					t.Fatalf("independent scores: distance %g after the change, %g between the laws", distances[j], own)
				}
			}
		}
		upper, err := rule.Shortfall(distances)
		check(t, err)
		shortfall := upper.Float()
		if violated > rule.Alpha+shortfall+rounding {
			t.Fatalf("%+v: violated with probability %g, alpha plus shortfall %g", rule, violated, rule.Alpha+shortfall)
		}
	})
}

// TestShortfallIsNeeded: a law that jumps before the last day. The scores before it are 0, the last is 1: every radius
// from weights that sum to enough is 0, and violated for certain.
func TestShortfallIsNeeded(t *testing.T) {
	rule := WeightedConformal{Alpha: 0.1, Weights: slices.Repeat([]float64{1}, 9)}
	radius, err := rule.Radius(make([]float64, 9))
	shortfall, also := rule.Shortfall(slices.Repeat([]float64{1}, 9))
	if radius.Float() != 0 || shortfall.Float() != 0.9 || err != nil || also != nil {
		t.Errorf("radius %g, shortfall %g, %v, %v; want 0 and 0.9, so that the promise is 1", radius, shortfall, err, also)
	}
}

// With weights 1 it is split conformal calibration, with weights 0 and 1 that of the scores that count.
func TestWeightsZeroAndOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 60).Draw(t, "m")
		scores := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3, 4, 5, 6, math.Inf(1)}), m, m).Draw(t, "scores")
		rule := WeightedConformal{Alpha: float64(rapid.IntRange(1, 99).Draw(t, "percent")) / 100, Weights: make([]float64, m)}
		var counting []float64
		for j := range rule.Weights {
			if rapid.IntRange(0, 3).Draw(t, "counts") > 0 {
				rule.Weights[j] = 1
				counting = append(counting, scores[j])
			}
		}
		if counting == nil {
			return
		}
		radius, err := rule.Radius(scores)
		want, also := SplitConformal{Alpha: rule.Alpha}.Calibrate(counting)
		// Scores of weight 0 below all others are candidates too; they change a radius only where nothing above them counts.
		if errors.Is(err, ErrSampleTooSmall) != errors.Is(also, ErrSampleTooSmall) || radius != want.Value {
			t.Fatalf("radius %g, %v; split conformal %g, %v", radius, err, want.Value, also)
		}
	})
}

// The radius is the smallest score whose superiors weigh little enough, and the shortfall is not below its sum: both in
// rational arithmetic.
func TestWeightedConformalByRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(1, 25).Draw(t, "m")
		scores := rapid.SliceOfN(rapid.Float64Range(0, 3), m, m).Draw(t, "scores")
		distances := rapid.SliceOfN(rapid.Float64Range(0, 1), m, m).Draw(t, "distances")
		rule := WeightedConformal{
			Alpha:   rapid.Float64Range(0.05, 0.95).Draw(t, "alpha"),
			Weights: rapid.SliceOfN(rapid.Float64Range(0, 1), m, m).Draw(t, "weights"),
		}
		total, drift := big.NewRat(1, 1), new(big.Rat)
		for j, w := range rule.Weights {
			weight := new(big.Rat).SetFloat64(w)
			total.Add(total, weight)
			drift.Add(drift, new(big.Rat).Mul(weight, new(big.Rat).SetFloat64(distances[j])))
		}
		tolerated := func(r float64) bool {
			above := big.NewRat(1, 1)
			for j, z := range scores {
				if z > r {
					above.Add(above, new(big.Rat).SetFloat64(rule.Weights[j]))
				}
			}
			share, _ := above.Quo(above, total).Float64()
			return share <= rule.Alpha
		}
		want := math.Inf(1)
		for _, r := range scores {
			if tolerated(r) {
				want = math.Min(want, r)
			}
		}
		if radius, _ := rule.Radius(scores); radius.Float() != want {
			t.Fatalf("radius %g, want %g", radius, want)
		}
		upper, err := rule.Shortfall(distances)
		check(t, err)
		shortfall, exact := upper.Float(), drift.Quo(drift, total)
		below := new(big.Rat).SetFloat64(math.Nextafter(shortfall, -1))
		if new(big.Rat).SetFloat64(shortfall).Cmp(exact) < 0 || shortfall > 0 && below.Cmp(exact) >= 0 {
			t.Fatalf("shortfall %.17g of %s", shortfall, exact.FloatString(20))
		}
	})
}

func TestWeightedConformalRefusals(t *testing.T) {
	nan := math.NaN()
	two := WeightedConformal{Alpha: 0.5, Weights: []float64{1, 1}}
	light := WeightedConformal{Alpha: 0.05, Weights: []float64{0.5, 0.25}}
	if radius, err := light.Radius([]float64{1, 2}); !math.IsInf(radius.Float(), 1) || !errors.Is(err, ErrSampleTooSmall) {
		t.Errorf("%g, %v", radius, err)
	}
	for word, err := range map[string]error{
		"alpha=0":          second(WeightedConformal{}.Radius(nil)),
		"0 weights":        second(WeightedConformal{Alpha: 0.1}.Radius(nil)),
		"3 scores":         second(two.Radius([]float64{1, 2, 3})),
		"1 distances":      second(two.Shortfall([]float64{1})),
		"weights[1]=1.5":   second(WeightedConformal{Alpha: 0.1, Weights: []float64{1, 1.5}}.Radius([]float64{1, 2})),
		"weights[0]=NaN":   second(WeightedConformal{Alpha: 0.1, Weights: []float64{nan}}.Shortfall([]float64{1})),
		"scores[1]=NaN":    second(two.Radius([]float64{1, nan})),
		"distances[0]=2":   second(two.Shortfall([]float64{2, 0})),
		"distances[0]=NaN": second(two.Shortfall([]float64{nan, 0})),
		"alpha=0.05":       second(light.Radius([]float64{1, 2})),
	} {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in: %v", word, err)
		}
	}
}
