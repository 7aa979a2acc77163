package calibration

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// largestCount bounds sample sizes, numbers of atoms and of sets: more scores
// than any memory holds, while the sums over so many still end within a second.
const largestCount = 1 << 40

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
func (g Guarantee) String() string { return enum.Name(g, "none", "marginal", "simultaneous") }

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
// the k-th smallest score. Rules are values without memory, which several goroutines may use.
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
	// NaN or -Inf. A sample that is too small is a *SampleTooSmallError. With
	// any error the radius is +Inf, the only value that is valid then.
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

// needed is MinSamples of a rule with these parameters, which has enough samples from one
// size on.
func (p Parameters) needed(enough func(m int) bool) (int, error) {
	if err := p.validate(); err != nil {
		return 0, err
	}
	return smallest(enough), nil
}

// logConfidence returns ln(M/delta), the price of the family and of delta.
func (p Parameters) logConfidence() float64 {
	return p.Family.LogSize() - math.Log(p.Delta)
}

// smallest returns the first sample size that meets a condition which every
// larger one meets too; the largest int if none does.
func smallest(enough func(m int) bool) int {
	return 1 + sort.Search(math.MaxInt-1, func(i int) bool { return enough(i + 1) })
}

// checkSampleSize reports m outside 1..2^40 or invalid parameters.
func checkSampleSize(p Parameters, m int) error {
	if err := p.validate(); err != nil {
		return err
	}
	if m < 1 {
		return fmt.Errorf("calibration: the sample has m=%d scores; pass at least one", m)
	}
	if m > largestCount {
		return fmt.Errorf("calibration: a sample of m=%d scores exceeds 2^40; use a smaller m", m)
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

// calibrate is Calibrate of every rule whose radius is an order statistic plus
// shift.
func calibrate(rule Rule, scores []float64, shift float64) (Radius, error) {
	m := len(scores)
	radius := Radius{
		Parameters: rule.Parameters(), Value: math.Inf(1), Rule: rule.Name(), Rank: m + 1, Samples: m,
		Level: math.NaN(), Infinite: floats.Count(func(z float64) bool { return math.IsInf(z, 1) }, scores),
	}
	if err := checkScores("scores", scores); err != nil {
		return radius, err
	}
	k, err := rule.Rank(m)
	if err != nil {
		return radius, err
	}
	radius.Rank, radius.Level, radius.Correction = k, float64(k)/float64(m), rule.Correction(m)
	radius.Value = rank.Value(scores, k) + shift
	return radius, nil
}
