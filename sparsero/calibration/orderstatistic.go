package calibration

import (
	"fmt"
	"math"
	"sort"

	"github.com/sparsero/directions/solver/proof"
)

// OrderStatistic is the exact rule: the radius is Z_(k) for the smallest rank k with
//
//	M · P(Bin(m, 1-alpha) >= k) <= delta.
//
// With probability at least 1-delta, P(score_S(U) > r(S)) <= alpha for all M sets of the family at once, for any
// distribution, ties and atoms included: a share of violations above alpha means Z_(k) < q = inf{z : F(z) >= 1-alpha},
// so that at least k samples fell below q, each with probability at most 1-alpha. For a continuous score and M = 1 no
// smaller rank will do. It exists when m >= ln(M/delta) / -ln(1-alpha), in float64: where the two sides are equal but
// for rounding, k = m passes.
type OrderStatistic struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, in (0,1). Required.
	Delta float64
	// Family is the collection of sets covered at once; the zero value is one
	// set that does not depend on the calibration samples.
	Family Family
}

// equalShare is by how much two logarithms differ, relative to them, that are equal but for rounding.
const equalShare = 0x1p-50

func (o OrderStatistic) recipe() recipe {
	p := Parameters{Alpha: o.Alpha, Delta: o.Delta, Family: o.Family, Guarantee: simultaneous}
	return recipe{
		Parameters: p, name: "order-statistic",
		enough: func(m int) bool { return float64(m)*math.Log1p(-o.Alpha)*(1+equalShare) <= -p.logConfidence() },
		// Beyond the radius are as many samples as the largest count j with P(Bin(m, alpha) <= j) <= delta/M in spite of
		// rounding; 0 passes where there are enough, which is decided to about 1e-15 of delta.
		rank: func(m int) int {
			allowed := -p.logConfidence() - logSlack(m, p.logConfidence())
			return m - sort.Search(m, func(j int) bool { return logBinomialCDF(m, j+1, o.Alpha) > allowed })
		},
		smallestAlpha: func(m int) float64 { return -math.Expm1(-p.logConfidence()/float64(m)) * (1 + equalShare) }, // accepted in spite of rounding
	}
}

// MinSamples returns ceil(ln(M/delta) / -ln(1-alpha)): with fewer samples even the largest score can be too small.
func (o OrderStatistic) MinSamples() (int, error) { return o.recipe().need() }

// Rank returns the smallest rank k whose failure probability, times the size
// of the family, is at most delta. O(sqrt(m) log m).
func (o OrderStatistic) Rank(m int) (int, error) { return o.recipe().rankOf(m) }

// Calibrate returns the radius Z_(k). O(m log m).
func (o OrderStatistic) Calibrate(scores []float64) (Radius, error) {
	return o.recipe().calibrate(scores)
}

// FailureProbability returns P(Bin(m, 1-alpha) >= rank), rounded up: the probability that
// the rank-th smallest of m samples leaves more than a share alpha of new
// samples above it; an upper bound when the score has ties, and P(Beta(rank, m+1-rank) < 1-alpha), exactly, when it has
// none. m=100, rank=95, alpha=0.1 gives 0.0576. 1 <= rank <= m <= 2^40, anything else is an error.
func FailureProbability(m, rank int, alpha float64) (proof.Upper, error) {
	if m > largestCount || rank < 1 || rank > m {
		return proof.Upper{}, fmt.Errorf("calibration: rank %d does not exist in a sample of m=%d scores; use 1 <= rank <= m <= 2^40", rank, m)
	}
	if err := (Parameters{Alpha: alpha, Guarantee: marginal}).validate(); err != nil {
		return proof.Upper{}, err
	}
	logarithm := logBinomialCDF(m, m-rank, alpha)
	return proof.AtMost(min(1, math.Nextafter(math.Exp(logarithm+logSlack(m, logarithm)), math.Inf(1)))), nil // never 0
}
