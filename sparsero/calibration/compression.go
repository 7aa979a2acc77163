package calibration

import (
	"fmt"
	"math"
	"sort"

	"github.com/sparsero/directions/solver/proof"
)

// Compression is the promise that sparsity itself makes: of N independent samples, k determine a decision, and none of
// the others violates it. Then, with probability at least 1-Delta over the samples, a new sample violates it with
// probability at most ψ(k), for every k at once, whatever the distribution. No sample is spent on calibration.
//
// Without Preference the decision may be any function of any k of the samples, chosen in any way, and
// ψ(k) is the root of
//
//	C(N,k) P(Bin(N-k, ψ) < Levels) = Delta/N,  for one level  C(N,k) (1-ψ)^(N-k) = Delta/N
//
// (a union over the sets of k samples; Floyd and Warmuth 1995, and Tukey 1947 for several levels). With Preference,
//
//	Delta/N · sum_{m=k}^{N-1} C(m,k)/C(N,k) (1-ψ)^(m-N) = 1,
//
// about half of it (Campi and Garatti 2023); in both ψ(N) = 1. The k samples must determine the decision alone: a solve
// that starts where others have led it is no function of them where the optimum is not unique.
type Compression struct {
	// Delta is the tolerated probability of misleading samples, in (0,1). Required.
	Delta float64
	// Levels is how many maxima over all samples stand in what is promised, such as the worst loss and the
	// worst load of a decision: the k samples determine the decision, the maxima may be those of any
	// others. 0 means 1. With Preference k counts the samples that set them too, and Levels stays 0.
	Levels int
	// Preference tells that samples which were not chosen do not take part in the choice: what is chosen
	// from all is chosen from every part that holds it. Cutting planes that take the most violated
	// sample have this property, greedy selection by gains has not.
	Preference bool
}

// compressionSlack is what the logarithms may be wrong by, relative to the largest of them; promises are
// rounded up by it.
const compressionSlack = 1e-13

// levelSlack is the same for the tail of a binomial distribution, which has about twelve digits (see logSlack).
const levelSlack = 1e-11

// Violation returns ψ(k) for 0 <= k <= samples <= 2^40, rounded up, in O(sqrt(samples)).
// It is an error if Delta or the numbers are out of range.
func (c Compression) Violation(samples, k int) (proof.Upper, error) {
	if err := c.check(samples, k); err != nil {
		return proof.Upper{}, err
	}
	return proof.AtMost(c.violation(samples, k)), nil
}

func (c Compression) violation(samples, k int) float64 {
	if k == samples {
		return 1
	}
	n := float64(samples)
	price := logChoose(samples, k) + math.Log(n) - math.Log(c.Delta)
	if c.Levels > 1 {
		_, epsilon := turningPoint(func(epsilon float64) bool {
			return -logBinomialCDF(samples-k, c.Levels-1, epsilon)-price >= logSlack(samples, price)
		})
		return epsilon
	}
	union := math.Min(1, -math.Expm1(-price/float64(samples-k))*(1+compressionSlack))
	if !c.Preference {
		return union
	}
	// The sum is that of a negative binomial distribution, C(N,k) (1-ψ)^(k-N) ψ^(-k-1) P(Bin(N,ψ) > k), and
	// its first term is the union's: ψ is at most that.
	_, root := turningPoint(func(epsilon float64) bool {
		size := float64(samples-k)*math.Log1p(-epsilon) + float64(k+1)*math.Log(epsilon)
		slack := compressionSlack * (price - size)
		return logBinomialUpper(samples, k+1, epsilon)-size-price >= slack
	})
	return math.Min(union, root)
}

// MinSamples returns the smallest number of samples, at least 3, from which on k of them promise at most a share alpha
// of violations. It is an error if alpha or Delta is not in (0,1), if k is negative, and if 2^40 samples would not do.
func (c Compression) MinSamples(k int, alpha float64) (int, error) {
	if err := c.checkPromise(alpha); err != nil {
		return 0, err
	}
	if k < 0 || k >= largestCount {
		return 0, fmt.Errorf("calibration: k=%d chosen samples; give 0 <= k < 2^40", k)
	}
	first := max(k, 3)
	samples := first + sort.Search(largestCount-first, func(more int) bool { return c.violation(first+more, k) <= alpha })
	if samples == largestCount {
		return 0, fmt.Errorf("calibration: alpha=%g for k=%d chosen samples needs more than 2^40 samples; accept a larger alpha or choose fewer", alpha, k)
	}
	return samples, nil
}

// MaxAtoms returns the largest k for which the samples promise at most a share alpha of violations. It is an
// error if alpha, Delta or the number of samples is out of range; where not even k = 0 is promised, the error is a
// *SampleTooSmallError.
func (c Compression) MaxAtoms(samples int, alpha float64) (int, error) {
	if err := c.checkPromise(alpha); err != nil {
		return 0, err
	}
	if err := c.check(samples, 0); err != nil {
		return 0, err
	}
	count := sort.Search(samples, func(k int) bool { return c.violation(samples, k) > alpha })
	if count > 0 {
		return count - 1, nil
	}
	need, err := c.MinSamples(0, alpha)
	if err != nil {
		return 0, err
	}
	return 0, &SampleTooSmallError{
		Rule: "compression", Parameters: Parameters{Alpha: alpha, Delta: c.Delta, Family: Family{kind: noneChosen}, Guarantee: simultaneous},
		Need: need, Got: samples, SmallestAlpha: c.violation(samples, 0),
	}
}

func (c Compression) checkPromise(alpha float64) error {
	if c.Levels < 0 || c.Levels > 0 && c.Preference {
		return fmt.Errorf("calibration: Levels=%d, Preference=%v; give a positive number of levels, and 0 with Preference, which counts the samples that set them", c.Levels, c.Preference)
	}
	return Parameters{Alpha: alpha, Delta: c.Delta, Guarantee: simultaneous}.validate()
}

func (c Compression) check(samples, k int) error {
	const anyAlpha = 0.5
	if err := c.checkPromise(anyAlpha); err != nil {
		return err
	}
	if samples < 1 || samples > largestCount || k < 0 || k > samples {
		return fmt.Errorf("calibration: k=%d of N=%d samples; give 0 <= k <= N and 1 <= N <= 2^40", k, samples)
	}
	return nil
}
