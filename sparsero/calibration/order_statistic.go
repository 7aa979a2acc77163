package calibration

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// OrderStatistic is the exact rule: the radius is Z_(k) for the smallest rank
// k with
//
//	M · P(Bin(m, 1-alpha) >= k) <= delta.
//
// With probability at least 1-delta, P(score_S(U) > r(S)) <= alpha for all M
// sets of the family at once, for any distribution, ties and atoms included:
// a share of violations above alpha means Z_(k) < q = inf{z : F(z) >= 1-alpha},
// so that at least k samples fell below q, each with probability at most
// 1-alpha. For a continuous score and M = 1 no smaller rank will do. It exists
// when m >= ln(M/delta) / -ln(1-alpha).
type OrderStatistic struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, in (0,1).
	// Required.
	Delta float64
	// Family is the collection of sets covered at once; the zero value is one
	// set that does not depend on the calibration samples.
	Family Family
}

// Name returns "order-statistic".
func (o OrderStatistic) Name() string { return "order-statistic" }

// Parameters returns a simultaneous promise for the family.
func (o OrderStatistic) Parameters() Parameters {
	return Parameters{Alpha: o.Alpha, Delta: o.Delta, Family: o.Family, Guarantee: Simultaneous}
}

// MinSamples returns ceil(ln(M/delta) / -ln(1-alpha)): with fewer samples even
// the largest score can be too small.
func (o OrderStatistic) MinSamples() (int, error) {
	return o.Parameters().needed(o.enough)
}

func (o OrderStatistic) enough(m int) bool {
	return float64(m)*math.Log1p(-o.Alpha) <= -o.Parameters().logConfidence()
}

// Rank returns the smallest rank k whose failure probability, times the size
// of the family, is at most delta. O(sqrt(m) log m).
func (o OrderStatistic) Rank(m int) (int, error) {
	p := o.Parameters()
	if err := checkSampleSize(p, m); err != nil {
		return 0, err
	}
	logLimit := -p.logConfidence()
	if need := smallest(o.enough); m < need {
		return 0, &SampleTooSmallError{
			Rule: o.Name(), Parameters: p, Need: need, Got: m,
			SmallestAlpha: -math.Expm1(logLimit / float64(m)),
		}
	}
	// exceeding is the number of samples above the radius: the largest count j
	// with P(Bin(m, alpha) <= j) <= delta/M. j = 0 passes because m >= need.
	exceeding := sort.Search(m, func(j int) bool { return logBinomialCDF(m, j+1, o.Alpha) > logLimit })
	return m - exceeding, nil
}

// Correction returns 0: the rank carries everything.
func (o OrderStatistic) Correction(int) float64 { return 0 }

// Calibrate returns the radius Z_(k). O(m log m).
func (o OrderStatistic) Calibrate(scores []float64) (Radius, error) { return calibrate(o, scores, 0) }

// FailureProbability returns P(Bin(m, 1-alpha) >= rank), the probability that
// the rank-th smallest of m samples leaves more than a share alpha of new
// samples above it; an upper bound when the score has ties, exact when it has
// none. m=100, rank=95, alpha=0.1 gives 0.0576. 1 <= rank <= m <= 2^40.
func FailureProbability(m, rank int, alpha float64) (float64, error) {
	if err := checkRank(m, rank); err != nil {
		return 0, err
	}
	if err := (Parameters{Alpha: alpha, Guarantee: Marginal}).validate(); err != nil {
		return 0, err
	}
	return math.Exp(logBinomialCDF(m, m-rank, alpha)), nil
}

// CoverageLaw returns the distribution of the coverage F(Z_(k)) of the rank-th
// smallest of m samples with a continuous score: Beta(rank, m+1-rank), whose
// mean is rank/(m+1). It is an error unless 1 <= rank <= m <= 2^40.
func CoverageLaw(m, rank int) (distuv.Beta, error) {
	if err := checkRank(m, rank); err != nil {
		return distuv.Beta{}, err
	}
	return distuv.Beta{Alpha: float64(rank), Beta: float64(m + 1 - rank)}, nil
}

// checkRank reports a rank that no sample of size m has.
func checkRank(m, rank int) error {
	if m > largestCount || rank < 1 || rank > m {
		return fmt.Errorf("calibration: rank %d does not exist in a sample of m=%d scores; use 1 <= rank <= m <= 2^40", rank, m)
	}
	return nil
}
