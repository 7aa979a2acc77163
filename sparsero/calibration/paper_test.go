package calibration

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// The calibration ablation of the paper (appendix F, "Out-of-sample
// calibration usage and conservatism"): N = 2000, m = 1000.
const (
	ablationAtoms   = 2000
	ablationSamples = 1000
)

var (
	ablationBudgets = []int{9, 19, 29}
	ablationDeltas  = []float64{1e-5, 1e-4, 1e-3}
)

// ablationCorrections returns the columns "Corr." of the table "Calibration
// settings at fixed alpha=0.05": DKW union and split, in the order of its rows.
func ablationCorrections() (union, split []float64) {
	for _, budget := range ablationBudgets {
		for _, delta := range ablationDeltas {
			rule := Additive{Alpha: paperAlpha, Delta: delta, Family: Subsets(ablationAtoms, budget)}
			union = append(union, rule.recipe().eta(ablationSamples))
			rule.Family = Family{}
			split = append(split, rule.recipe().eta(ablationSamples))
		}
	}
	return union, split
}

// The 18 corrections of that table, as printed (four decimals).
func TestAblationCorrections(t *testing.T) {
	printedUnion := []string{
		"0.1841", "0.1810", "0.1778", // B = 9, delta = 1e-5, 1e-4, 1e-3
		"0.2421", "0.2397", "0.2373", // B = 19
		"0.2839", "0.2819", "0.2798", // B = 29
	}
	printedSplit := []string{"0.0781", "0.0704", "0.0616"} // the same for each B
	union, split := ablationCorrections()
	for i := range union {
		if got := fmt.Sprintf("%.4f", union[i]); got != printedUnion[i] {
			t.Errorf("union correction %d = %s, want %s", i, got, printedUnion[i])
		}
		if got := fmt.Sprintf("%.4f", split[i]); got != printedSplit[i%3] {
			t.Errorf("split correction %d = %s, want %s", i, got, printedSplit[i%3])
		}
	}
}

// The last paragraph of the ablation: the ratio union/split at matched
// (B, alpha, delta) has mean 3.3715 and maximum 4.5388, and the radius grows by
// 0.1641 on average. The means by delta and by budget are the columns "Mean
// corr." of the two summary tables.
func TestAblationSummaries(t *testing.T) {
	union, split := ablationCorrections()
	ratios := make([]float64, len(union))
	floats.DivTo(ratios, union, split)
	mean := func(values []float64) float64 { return floats.Sum(values) / float64(len(values)) }
	byDelta := func(k int) float64 { return mean([]float64{union[k], union[k+3], union[k+6]}) }
	for _, test := range []struct {
		name string
		got  float64
		want string
	}{
		{"mean ratio", mean(ratios), "3.3715"},
		{"maximum ratio", floats.Max(ratios), "4.5388"},
		{"mean increase of the radius", mean(union) - mean(split), "0.1641"},
		{"DKW union, delta=1e-5", byDelta(0), "0.2367"},
		{"DKW union, delta=1e-4", byDelta(1), "0.2342"},
		{"DKW union, delta=1e-3", byDelta(2), "0.2316"},
		{"DKW union, B=9", mean(union[0:3]), "0.1809"},
		{"DKW union, B=19", mean(union[3:6]), "0.2397"},
		{"DKW union, B=29", mean(union[6:9]), "0.2818"},
		{"split, any B", mean(split), "0.0700"},
	} {
		if got := fmt.Sprintf("%.4f", test.got); got != test.want {
			t.Errorf("%s = %s, want %s", test.name, got, test.want)
		}
	}
}

// The printed radii are quantile + correction: 3.9942 + 0.1841 = 4.1783 and
// 3.9942 + 0.0781 = 4.0723 (first two rows of the table), so that Additive is
// the rule of the tables; the rule of Theorem 3.2 refuses that sample.
func TestAblationRadiiAreAdditive(t *testing.T) {
	scores := make([]float64, ablationSamples)
	for j := range scores {
		scores[j] = 3.9942
	}
	family := Subsets(ablationAtoms, 9)
	for _, test := range []struct {
		rule Rule
		want string
	}{
		{Additive{Alpha: paperAlpha, Delta: paperDelta, Family: family}, "4.1783"},
		{Additive{Alpha: paperAlpha, Delta: paperDelta}, "4.0723"},
	} {
		radius, err := test.rule.Calibrate(scores)
		if got := fmt.Sprintf("%.4f", radius.Value.Float()); err != nil || got != test.want {
			t.Errorf("%v: radius %s, %v; want %s", test.rule.recipe().Family, got, err, test.want)
		}
	}
	for _, alpha := range []float64{0.01, 0.03, 0.05, 0.1} {
		for _, budget := range ablationBudgets {
			for _, delta := range ablationDeltas {
				rule := DKW{Alpha: alpha, Delta: delta, Family: Subsets(ablationAtoms, budget)}
				if eta := rule.recipe().eta(ablationSamples); eta <= alpha {
					t.Errorf("eta=%g <= alpha=%g: Theorem 3.2 would apply to one of the 36 rows", eta, alpha)
				}
			}
		}
	}
}

// The additive rule is not scale-equivariant. For U ~ c N(0,1), m = 1000,
// alpha = 0.05 and the union correction of B = 9, delta = 1e-5, the probability
// that the true violation exceeds alpha is
//
//	P(Z_(950) + eta < q_c) = P(Bin(1000, Phi((q_c - eta)/c)) >= 950), q_c = 1.645 c,
//
// about .003, .42 and .52 for c = 1, 10, 100 (two digits known from simulation),
// where 1e-5 is promised. The rule is run
// on samples as well: each count may leave its expectation by four standard
// deviations (false alarm about 2e-4 in all, with fixed seeds). The exact rule
// on a sample of the same size does not see c.
func TestAdditiveRuleBreaksUnderAChangeOfUnits(t *testing.T) {
	const trials, m, z95 = 400, 1000, 1.6448536269514722
	additive := Additive{Alpha: paperAlpha, Delta: paperDelta, Family: Subsets(ablationAtoms, 9)}
	exact := OrderStatistic{Alpha: paperAlpha, Delta: paperDelta}
	phi := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	for c, want := range map[float64]float64{1: 0.003, 10: 0.42, 100: 0.52} {
		random := rand.New(rand.NewPCG(7, uint64(c)))
		scores := make([]float64, m)
		broken := 0
		for range trials {
			for j := range scores {
				scores[j] = c * random.NormFloat64()
			}
			if mustCalibrate(t, additive, scores).Value.Float() < c*z95 {
				broken++
			}
			if mustCalibrate(t, exact, scores).Value.Float() < c*z95 {
				t.Errorf("c=%g: the exact rule failed at delta=1e-5", c)
			}
		}
		law := math.Exp(logBinomialUpper(m, 950, phi(z95-additive.recipe().eta(m)/c)))
		if math.Abs(law-want) > 0.01 {
			t.Errorf("c=%g: failure probability %.4f, want %g", c, law, want)
		}
		if sd := math.Sqrt(trials * law * (1 - law)); math.Abs(float64(broken)-trials*law) > 4*sd {
			t.Errorf("c=%g: %d of %d samples fail, expected %.1f", c, broken, trials, trials*law)
		}
	}
}

func mustCalibrate(t *testing.T, rule Rule, scores []float64) Radius {
	t.Helper()
	radius, err := rule.Calibrate(scores)
	if err != nil {
		t.Fatal(err)
	}
	return radius
}
