package calibration

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// violationTolerance is how far a value may exceed its limit, relative to the limit, and still count as kept: sums
// taken in another order and solutions of linear programs differ by less. A limit of 0 forgives nothing.
const violationTolerance = 1e-9

// Outcomes returns f(x,u_j) = base + <u_j, direction> for each row u_j of the samples: base = b(x), direction = q(x).
// samples: m×p. O(mp). It is an error if a number is not finite or the dimensions differ.
func Outcomes(base float64, direction []float64, samples mat.Matrix) ([]float64, error) {
	if err := input.CheckRows("samples", "sample", samples, input.AnyColumns); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	m, p := samples.Dims()
	if err := input.CheckVector("direction", direction, p); err != nil {
		return nil, fmt.Errorf("calibration: %w; pass q(x) in the space of the samples", err)
	}
	outcomes := mat.NewVecDense(m, nil)
	outcomes.MulVec(samples, mat.NewVecDense(p, slices.Clone(direction)))
	values := outcomes.RawVector().Data
	floats.AddConst(base, values)
	if err := input.CheckVector("outcomes", values, m); err != nil {
		return nil, fmt.Errorf("calibration: %w; the base or a product is too large", err)
	}
	return values, nil
}

// ViolationRate is an observed share of violations with an exact confidence interval for the true share.
type ViolationRate struct {
	// Violations of the Samples exceeded the limit.
	Violations, Samples int
	// Rate is Violations/Samples.
	Rate float64
	// Lower and Upper bound the true share with the given confidence (Clopper-Pearson).
	Lower proof.Lower
	Upper proof.Upper
	// Confidence is the level of the interval, in (0,1).
	Confidence float64
}

// CountViolations counts the scores above the radius and returns their share with its confidence interval. A score
// equal to the radius up to rounding (1e-9 of the radius) is no violation. The radius may be +Inf; the confidence lies
// in (0,1), usually 0.95. It is an error if there are no scores, one is NaN or -Inf, or radius or confidence is out of
// range.
func CountViolations(scores []float64, radius, confidence float64) (ViolationRate, error) {
	if err := checkScores("scores", scores); err != nil {
		return ViolationRate{}, err
	}
	if math.IsNaN(radius) || math.IsInf(radius, -1) {
		return ViolationRate{}, fmt.Errorf("calibration: radius %g is not a number to compare scores with; pass the Value of a calibrated Radius", radius)
	}
	violations := floats.Count(func(z float64) bool { return exceeds(z, radius) }, scores)
	lower, upper, err := ClopperPearson(violations, len(scores), confidence)
	if err != nil {
		return ViolationRate{}, err
	}
	return ViolationRate{
		Violations: violations, Samples: len(scores), Rate: float64(violations) / float64(len(scores)),
		Lower: lower, Upper: upper, Confidence: confidence,
	}, nil
}

// exceeds reports value > limit beyond rounding.
func exceeds(value, limit float64) bool { return value-limit > violationTolerance*math.Abs(limit) }

// ClopperPearson returns the exact confidence interval for a probability after
// violations in samples independent trials: with a = 1-confidence,
//
//	P(Bin(samples, lower) >= violations) = a/2 = P(Bin(samples, upper) <= violations),
//
// lower = 0 without violations and upper = 1 without anything else. It covers the probability with at least the given
// confidence, whatever it is (Clopper and Pearson 1934); both ends are rounded outwards. 0 <= violations <= samples, 1
// <= samples <= 2^40, 0 < confidence < 1; anything else is an error.
func ClopperPearson(violations, samples int, confidence float64) (lower proof.Lower, upper proof.Upper, err error) {
	if err := checkCounts(violations, samples); err != nil {
		return lower, upper, err
	}
	if !(confidence > 0 && confidence < 1) {
		return lower, upper, fmt.Errorf("calibration: confidence=%g is not strictly between 0 and 1; use 0.95, say", confidence)
	}
	logHalf := math.Log1p(-confidence) - math.Ln2
	least, _ := turningPoint(func(p float64) bool {
		return logBinomialUpper(samples, violations, p) >= logHalf-logSlack(samples, logHalf)
	})
	return proof.AtLeast(least), largestShare(violations, samples, logHalf), nil
}

// LargestShare returns the upper end of ClopperPearson by itself: a bound on the probability of a violation,
// rounded up, that holds with probability at least 1-delta over the samples,
//
//	P(Bin(samples, share) <= violations) = delta,
//
// and 1 where every sample violates. OrderStatistic allows so many scores above its radius as keep it at most alpha.
// 0 <= violations <= samples, 1 <= samples <= 2^40, 0 < delta < 1; anything else is an error.
func LargestShare(violations, samples int, delta float64) (proof.Upper, error) {
	if err := checkCounts(violations, samples); err != nil {
		return proof.Upper{}, err
	}
	if !(delta > 0 && delta < 1) {
		return proof.Upper{}, fmt.Errorf("calibration: delta=%g is not strictly between 0 and 1; use 0.001, say", delta)
	}
	return largestShare(violations, samples, math.Log(delta)), nil
}

func largestShare(violations, samples int, logDelta float64) proof.Upper {
	_, share := turningPoint(func(p float64) bool {
		return logBinomialCDF(samples, violations, p) <= logDelta-logSlack(samples, logDelta)
	})
	return proof.AtMost(share)
}

// logSlack is by how much the logarithm of a tail must be on the safe side of a level's, so that rounding errors of it
// take nothing from a promise: those of the some sqrt(samples) terms of its sum add up from two billion samples on.
func logSlack(samples int, logLevel float64) float64 {
	return max(levelSlack, 0x1p-52*math.Sqrt(float64(samples))) * (1 + math.Abs(logLevel))
}

// checkCounts reports counts that no sample has.
func checkCounts(violations, samples int) error {
	if samples < 1 || samples > largestCount || violations < 0 || violations > samples {
		return fmt.Errorf("calibration: %d violations in %d samples; need 0 <= violations <= samples and 1 to 2^40 samples", violations, samples)
	}
	return nil
}

// turningPoint returns the two neighbouring numbers of [0,1] between which a
// monotone condition turns true, by bisection.
func turningPoint(condition func(p float64) bool) (low, high float64) {
	for high = 1; ; {
		middle := low + (high-low)/2
		switch {
		case middle == low || middle == high:
			return low, high
		case condition(middle):
			high = middle
		default:
			low = middle
		}
	}
}

// String prints the rate and its interval.
func (v ViolationRate) String() string {
	return fmt.Sprintf("%d of %d violate: %.4g (%.15g%% interval %.4g to %.4g)",
		v.Violations, v.Samples, v.Rate, 100*v.Confidence, v.Lower, v.Upper)
}
