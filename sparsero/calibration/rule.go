package calibration

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

const (
	// rankTolerance is subtracted before a real rank is rounded up, because
	// products such as 100·(1-0.41) land just above the integer they stand for
	// (59.00000000000001) and would be rounded to the next one.
	rankTolerance = 1e-9
	// rankRelativeTolerance takes over for ranks above a thousand, whose
	// products carry larger rounding errors.
	rankRelativeTolerance = 1e-12
)

// Guarantee is the kind of statement a rule makes about new samples.
type Guarantee int

const (
	// NoGuarantee marks a rule kept for comparison only.
	NoGuarantee Guarantee = iota
	// Marginal: P(score(U) > r) <= alpha, where the probability is over the
	// calibration samples and U together. For one realised sample the share of
	// violations exceeds alpha about half of the time.
	Marginal
	// Simultaneous: with probability at least 1-delta over the calibration
	// samples, P(score_S(U) > r(S)) <= alpha for every set of the family.
	Simultaneous
)

// String returns "none", "marginal" or "simultaneous".
func (g Guarantee) String() string {
	switch g {
	case Marginal:
		return "marginal"
	case Simultaneous:
		return "simultaneous"
	default:
		return "none"
	}
}

// Parameters are what a rule promises: at most a share Alpha of violations,
// except with probability Delta, for every set of the Family.
type Parameters struct {
	// Alpha is the tolerated share of violations, strictly between 0 and 1.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, strictly
	// between 0 and 1; it is 0 for a rule without such a parameter.
	Delta float64
	// Family is the collection of sets for which the promise is made.
	Family Family
	// Guarantee is the kind of promise.
	Guarantee Guarantee
}

// Rule turns calibration scores into a radius. Ranks are 1-based: rank k is
// the k-th smallest score.
type Rule interface {
	// Name is a short name such as "order-statistic".
	Name() string
	// Parameters returns what the rule promises.
	Parameters() Parameters
	// MinSamples returns the smallest number of samples the rule accepts.
	MinSamples() (int, error)
	// Rank returns the order statistic used for m samples, or a
	// *SampleTooSmallError.
	Rank(m int) (int, error)
	// Correction returns the amount added for m samples: to the level k/m for
	// DKW, to the radius for Additive, 0 for the others.
	Correction(m int) float64
	// Calibrate returns the radius for the scores, which may hold +Inf but not
	// NaN or -Inf. When the sample is too small it returns a
	// *SampleTooSmallError together with the radius +Inf, the only value that
	// is valid then.
	Calibrate(scores []float64) (Radius, error)
}

// validate reports parameters outside their range; the zero value of Alpha or
// Delta is outside.
func (p Parameters) validate() error {
	if !(p.Alpha > 0 && p.Alpha < 1) {
		return fmt.Errorf("calibration: alpha=%g is not strictly between 0 and 1; use alpha=0.05, say, which tolerates one violation in twenty", p.Alpha)
	}
	if p.Guarantee != Marginal && !(p.Delta > 0 && p.Delta < 1) {
		return fmt.Errorf("calibration: delta=%g is not strictly between 0 and 1; use delta=1e-05, say, which accepts one misleading sample in a hundred thousand", p.Delta)
	}
	return p.Family.Validate()
}

// logConfidence returns ln(M/delta), the price of the family and of delta.
func (p Parameters) logConfidence() float64 {
	return p.Family.LogSize() - math.Log(p.Delta)
}

// ceilRank rounds a real rank up to the integer it stands for.
func ceilRank(x float64) int {
	return int(math.Ceil(x - math.Max(rankTolerance, rankRelativeTolerance*x)))
}

// ceilCount rounds a sample size up; sizes beyond int become the largest int.
func ceilCount(x float64) int {
	if x >= math.MaxInt {
		return math.MaxInt
	}
	return int(math.Ceil(x))
}

// checkSampleSize reports m < 1 or invalid parameters.
func checkSampleSize(p Parameters, m int) error {
	if err := p.validate(); err != nil {
		return err
	}
	if m < 1 {
		return fmt.Errorf("calibration: the sample has m=%d scores; pass at least one", m)
	}
	return nil
}

// checkScores reports an empty sample and scores that are not comparable.
func checkScores(name string, scores []float64) error {
	if len(scores) == 0 {
		return fmt.Errorf("calibration: %s is empty; pass one score for each calibration sample", name)
	}
	for j, z := range scores {
		if math.IsNaN(z) || math.IsInf(z, -1) {
			return fmt.Errorf("calibration: %s[%d]=%g; remove the sample or mend it (only +Inf may stand for a sample outside every radius)", name, j, z)
		}
	}
	return nil
}

// orderStatistic returns the k-th smallest score, 1 <= k <= len(scores). It
// sorts a copy: O(m log m).
func orderStatistic(scores []float64, k int) float64 {
	sorted := slices.Clone(scores)
	slices.Sort(sorted)
	return sorted[k-1]
}

// calibrate is Calibrate of every rule whose radius is an order statistic plus
// shift.
func calibrate(rule Rule, scores []float64, shift float64) (Radius, error) {
	if err := rule.Parameters().validate(); err != nil {
		return Radius{}, err
	}
	if err := checkScores("scores", scores); err != nil {
		return Radius{}, err
	}
	m := len(scores)
	radius := Radius{
		Parameters: rule.Parameters(), Rule: rule.Name(), Samples: m,
		Correction: rule.Correction(m), Infinite: countInfinite(scores),
	}
	rank, err := rule.Rank(m)
	if err != nil {
		var small *SampleTooSmallError
		if errors.As(err, &small) {
			radius.Value, radius.Rank, radius.Level = math.Inf(1), m+1, math.NaN()
		}
		return radius, err
	}
	radius.Rank, radius.Level = rank, float64(rank)/float64(m)
	radius.Value = orderStatistic(scores, rank) + shift
	return radius, nil
}

// countInfinite returns the number of scores that are +Inf.
func countInfinite(scores []float64) int {
	count := 0
	for _, z := range scores {
		if math.IsInf(z, 1) {
			count++
		}
	}
	return count
}
