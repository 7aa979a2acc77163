package calibration_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"gonum.org/v1/gonum/mat"
)

// ranked returns the scores 1, 2, ..., m, so that a radius shows its rank.
func ranked(m int) []float64 {
	scores := make([]float64, m)
	for j := range scores {
		scores[j] = float64(j + 1)
	}
	return scores
}

// axes returns the set of e_1, ..., e_p and their negatives.
func axes(p int) *sparsero.AtomicSet {
	unit := mat.NewDense(p, p, nil)
	for i := range p {
		unit.Set(i, i, 1)
	}
	d, err := sparsero.NewDictionary(unit, nil)
	if err != nil {
		panic(err)
	}
	set, err := sparsero.FullSet(d.AntipodalClosure(), 1)
	if err != nil {
		panic(err)
	}
	return set
}

func ExampleOrderStatistic() {
	rule := calibration.OrderStatistic{Alpha: 0.05, Delta: 1e-5}
	need, _ := rule.MinSamples()
	radius, err := rule.Calibrate(ranked(1000))
	fmt.Println("needs", need)
	fmt.Println("rank", radius.Rank, "level", radius.Level, err)
	fmt.Println(radius)
	// Output:
	// needs 225
	// rank 978 level 0.978 <nil>
	// r=978 (score 978 of 1000, order-statistic rule): with probability at least 1 - 1e-05 over the draw of the calibration samples, at most a fraction 0.05 of new samples scores above it, for one fixed set
}

func ExampleDKW() {
	rule := calibration.DKW{Alpha: 0.05, Delta: 1e-5, Family: calibration.Subsets(2000, 9)}
	need, _ := rule.MinSamples()
	radius, err := rule.Calibrate(ranked(15000))
	fmt.Println("needs", need, err)
	fmt.Printf("rank %d, eta=%.4f\n", radius.Rank, radius.Correction)
	// Output:
	// needs 13560 <nil>
	// rank 14964, eta=0.0475
}

func ExampleSampleTooSmallError() {
	rule := calibration.DKW{Alpha: 0.05, Delta: 1e-5, Family: calibration.Subsets(2000, 9)}
	radius, err := rule.Calibrate(ranked(1000))
	fmt.Println(err)
	var small *calibration.SampleTooSmallError
	if errors.As(err, &small) {
		fmt.Println("missing:", small.Need-small.Got, "radius:", radius.Value)
	}
	// Output:
	// calibration: alpha=0.05 needs m >= 13560 samples for N=2000, B=9, delta=1e-05 under the DKW rule, got 1000; the order-statistic rule needs 1309
	// missing: 12560 radius: +Inf
}

func ExampleSplitConformal() {
	rule := calibration.SplitConformal{Alpha: 0.05}
	rank, _ := rule.Rank(1000)
	short, _ := calibration.FailureProbability(1000, rank, 0.05)
	fmt.Println("rank", rank)
	fmt.Printf("P(coverage < 0.95) <= %.2f\n", short)
	// Output:
	// rank 951
	// P(coverage < 0.95) <= 0.48
}

// The formula of the paper's tables adds eta to the radius, so that a change of
// units changes what it promises.
func ExampleAdditive() {
	rule := calibration.Additive{Alpha: 0.05, Delta: 1e-5, Family: calibration.Subsets(2000, 9)}
	for _, unit := range []float64{1, 100} {
		scores := ranked(1000)
		for j := range scores {
			scores[j] *= unit / 1000
		}
		radius, _ := rule.Calibrate(scores)
		fmt.Printf("%.4f in the first unit, guarantee: %v\n", radius.Value.Float()/unit, radius.Guarantee)
	}
	// Output:
	// 1.1341 in the first unit, guarantee: none
	// 0.9518 in the first unit, guarantee: none
}

func ExampleFamily_LogSize() {
	fmt.Printf("%.2f\n", calibration.Subsets(2000, 9).LogSize())
	fmt.Printf("%.2f\n", calibration.Subsets(1_000_000, 1000).LogSize())
	fmt.Printf("%.2f\n", calibration.Candidates(31).LogSize())
	// Output:
	// 55.59
	// 7902.88
	// 3.43
}

// A sample whose directional score is at most 1 need not lie in the set of
// radius 1: (1,1) needs radius 2, and <u,q> = 2 exceeds the support 1 of the
// set in direction q = (1,1).
func ExampleDirectionalScores_notMembership() {
	set, samples := axes(2), mat.NewDense(1, 2, []float64{1, 1})
	polar, _ := calibration.DirectionalScores(set, samples)
	gauge, err := calibration.GaugeScores(context.Background(), set, samples)
	outcome, _ := calibration.Outcomes(0, []float64{1, 1}, samples)
	fmt.Printf("Z=%g gauge=%.4g %v\n", polar[0], gauge[0], err)
	fmt.Printf("f=%g promised %g\n", outcome[0], set.Support([]float64{1, 1}))
	// Output:
	// Z=1 gauge=2 <nil>
	// f=2 promised 1
}

// One positive atom per axis leaves most samples outside the cone; their score
// is +Inf, and so is the radius.
func ExampleRadius_Check() {
	full := axes(2)
	quadrant, _ := sparsero.NewAtomicSet(full.Dictionary(), []int{0, 1}, 1)
	samples := mat.NewDense(4, 2, []float64{1, 2, -1, 1, 3, 1, 0, -2})
	scores, _ := calibration.GaugeScores(context.Background(), quadrant, samples)
	radius, _ := calibration.SplitConformal{Alpha: 0.4}.Calibrate(scores)
	fmt.Println(radius.Value)
	fmt.Println(radius.Check())
	// Output:
	// +Inf
	// calibration: no finite radius: 2 of 4 samples lie outside the cone of the set, the split-conformal rule tolerates 1; add atoms (a full-dimensional sample in R^p needs at least p+1), take a larger alpha, or, for one decision that is fixed, calibrate that (robust.Solution.RequiredRadii)
}

func ExampleSplit() {
	split, _ := calibration.NewSplit(400, nil)
	samples := mat.NewDense(400, 1, ranked(400))
	parts, _ := split.Take(samples)
	score := func(samples mat.Matrix) ([]float64, error) { return mat.Col(nil, 0, samples), nil }

	radius, err := parts.Calibration.Calibrate(calibration.SplitConformal{Alpha: 0.1}, score)
	fmt.Println(parts.Selection.RawMatrix().Rows, parts.Calibration.Len(), parts.Report.RawMatrix().Rows, radius.Value, err)
	_, err = parts.Calibration.Calibrate(calibration.OrderStatistic{Alpha: 0.1, Delta: 0.1}, score)
	fmt.Println(err)
	// Output:
	// 200 100 100 291 <nil>
	// calibration: samples used twice: they already served the split-conformal rule and cannot set a radius by the order-statistic rule; calibrate all candidate sets in one call with a family that counts them, or split new data
}

func ExampleSplit_CheckSelection() {
	split, _ := calibration.NewSplit(400, nil)
	fmt.Println(split.CheckSelection([]int{3, 17, 250}))
	// Output:
	// calibration: samples used twice: row 250 belongs to calibration and cannot be used for selection; keep the parts apart, the guarantee needs samples that were not looked at
}

func ExampleCountViolations() {
	fmt.Println(calibration.CountViolations(ranked(100), 95, 0.95))
	// Output:
	// 5 of 100 violate: 0.05 (95% interval 0.01643 to 0.1129) <nil>
}

func ExampleClopperPearson() {
	lower, upper, _ := calibration.ClopperPearson(0, 100, 0.95)
	fmt.Printf("no violation in 100: the true share lies in [%v, %.4f]\n", lower, upper)
	// Output:
	// no violation in 100: the true share lies in [0, 0.0363]
}

// On day 101 losses become ten times as large. The radius of the first hundred days fails nine times out of
// ten; the adaptive one follows, and the share of violations is within its bound.
func ExampleAdaptive() {
	random := rand.New(rand.NewPCG(1, 2))
	losses := make([]float64, 1100)
	for day := range losses {
		if losses[day] = random.Float64(); day >= 100 {
			losses[day] *= 10
		}
	}
	past, days := losses[:100], losses[100:]
	fixed, err := calibration.SplitConformal{Alpha: 0.1}.Calibrate(past)
	if err != nil {
		fmt.Println(err)
		return
	}
	above, err := calibration.CountViolations(days, fixed.Value.Float(), 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	adaptive := calibration.Adaptive{Alpha: 0.1, Gamma: 0.02, Window: 100}
	path, err := adaptive.Run(past, days)
	if err != nil {
		fmt.Println(err)
		return
	}
	bound, err := adaptive.Bound(len(path))
	fmt.Printf("fixed radius: %.3f of the days violate\n", above.Rate)
	fmt.Printf("adaptive radius: %.3f, the bound is 0.1 ± %.3f %v\n", path.Rate(), bound, err)
	// Output:
	// fixed radius: 0.912 of the days violate
	// adaptive radius: 0.102, the bound is 0.1 ± 0.047 <nil>
}

// Two groups, one with ten times the scores of the other.
func ExampleGroups() {
	var scores []float64
	var labels []string
	for _, score := range ranked(100) {
		scores, labels = append(scores, score, 10*score), append(labels, "calm", "storm")
	}
	radii, err := calibration.Groups{Rule: calibration.OrderStatistic{Alpha: 0.1, Delta: 0.01}}.Calibrate(scores, labels)
	for _, own := range radii {
		fmt.Println(own.Group, own.Value, own.Samples)
	}
	fmt.Println(err)
	_, err = calibration.Groups{Rule: calibration.OrderStatistic{Alpha: 0.1, Delta: 0.01}}.Calibrate(scores[:60], labels[:60])
	fmt.Println(err)
	// Output:
	// calm 97 100
	// storm 970 100
	// <nil>
	// calibration: in group "calm" alpha=0.1 needs m >= 44 samples for one fixed set, delta=0.01 under the order-statistic rule, got 30; add 14 samples or accept alpha >= 0.1424
}
