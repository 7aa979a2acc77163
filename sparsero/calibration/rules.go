package calibration

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/sparsero/directions/sparsero/internal/rank"
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

// DKW is the rule of Theorem 3.2: the radius is the empirical quantile of the
// scores at the level 1-alpha+eta,
//
//	r = Z_(k), k = ceil(m (1-alpha+eta)), eta = sqrt(ln(2M/delta) / 2m),
//
// from the Dvoretzky-Kiefer-Wolfowitz inequality and a union over the M sets
// of the family. It applies when eta <= alpha. The quantile is an order
// statistic; linear interpolation between two of them would break the proof.
// OrderStatistic makes the same promise with about a tenth of the samples.
//
// With the paper's tables in mind: they report Q(1-alpha) + eta instead, which
// is Additive.
//
// Alpha, Delta and Family are required or not as in OrderStatistic.
type DKW OrderStatistic

// Name returns "DKW".
func (d DKW) Name() string { return "DKW" }

// Parameters returns a simultaneous promise for the family.
func (d DKW) Parameters() Parameters {
	return Parameters{Alpha: d.Alpha, Delta: d.Delta, Family: d.Family, Guarantee: Simultaneous}
}

// Correction returns eta for m samples, the shift of the quantile level.
func (d DKW) Correction(m int) float64 {
	return math.Sqrt((d.Parameters().logConfidence() + math.Ln2) / (2 * float64(m)))
}

// MinSamples returns the smallest m with eta <= alpha:
// ceil(ln(2M/delta) / 2 alpha^2).
func (d DKW) MinSamples() (int, error) {
	return d.Parameters().needed(d.enough)
}

func (d DKW) enough(m int) bool { return d.Correction(m) <= d.Alpha }

// Rank returns ceil(m (1-alpha+eta)).
func (d DKW) Rank(m int) (int, error) {
	p := d.Parameters()
	if err := checkSampleSize(p, m); err != nil {
		return 0, err
	}
	if need := smallest(d.enough); m < need {
		return 0, &SampleTooSmallError{
			Rule: d.Name(), Parameters: p, Need: need, Got: m,
			OrderStatisticNeed: smallest(OrderStatistic(d).enough),
			SmallestAlpha:      d.Correction(m),
		}
	}
	return m - rank.Down(m, d.Alpha-d.Correction(m)), nil
}

// Calibrate returns the radius Z_(k). O(m log m).
func (d DKW) Calibrate(scores []float64) (Radius, error) { return calibrate(d, scores, 0) }

// SplitConformal is the conformal alternative of section 3.3: the radius is
// Z_(k) with k = ceil((m+1)(1-alpha)), for one set chosen without the
// calibration samples. For exchangeable samples
//
//	P(score(U) <= r) >= 1-alpha, with equality to k/(m+1) for continuous scores,
//
// on average over calibration samples. For the sample at hand the coverage is
// a draw from Beta(k, m+1-k) (CoverageLaw): at m=1000 and alpha=0.05 it falls short of
// 0.95 with probability 0.48, so that a hold-out rate above alpha is no sign
// of a fault. OrderStatistic bounds that probability by delta.
type SplitConformal struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
}

// Name returns "split-conformal".
func (s SplitConformal) Name() string { return "split-conformal" }

// Parameters returns a marginal promise for one fixed set.
func (s SplitConformal) Parameters() Parameters {
	return Parameters{Alpha: s.Alpha, Guarantee: Marginal}
}

// MinSamples returns ceil(1/alpha - 1): with fewer samples the rank lies
// beyond the sample and the radius is +Inf.
func (s SplitConformal) MinSamples() (int, error) {
	return s.Parameters().needed(s.enough)
}

func (s SplitConformal) enough(m int) bool { return rank.Down(m+1, s.Alpha) >= 1 }

// Rank returns ceil((m+1)(1-alpha)): the largest share of exceeding scores
// (m+1-k)/(m+1) that as a float64 is at most alpha.
func (s SplitConformal) Rank(m int) (int, error) {
	p := s.Parameters()
	if err := checkSampleSize(p, m); err != nil {
		return 0, err
	}
	exceeding := rank.Down(m+1, s.Alpha)
	if exceeding == 0 {
		return 0, &SampleTooSmallError{
			Rule: s.Name(), Parameters: p, Need: smallest(s.enough), Got: m, SmallestAlpha: 1 / float64(m+1),
		}
	}
	return m + 1 - exceeding, nil
}

// Correction returns 0: the rank carries everything.
func (s SplitConformal) Correction(int) float64 { return 0 }

// Calibrate returns the radius Z_(k). O(m log m).
func (s SplitConformal) Calibrate(scores []float64) (Radius, error) { return calibrate(s, scores, 0) }

// Additive is the formula behind the paper's calibration tables (appendix F,
// "calibration ablation"), kept to reproduce them. It has NO GUARANTEE:
//
//	r = Q(1-alpha) + eta, eta = sqrt(ln(2M/delta) / 2m),
//
// which adds eta, a difference of probabilities, to a radius. Over
// Subsets(2000, 9) it gives the rows "DKW union" (0.1841 at m=1000,
// delta=1e-5), over FixedSet the rows "Split" (0.0781). It is not
// scale-equivariant: measuring the samples in units ten times smaller
// multiplies the scores by ten and leaves eta alone, so that the promise can
// be broken at will by a change of units. Theorem 3.2 shifts the level of the
// quantile instead (DKW), and split conformal calibration is a rank
// (SplitConformal).
//
// Alpha, Delta and Family, which enters eta by its size M, are those of OrderStatistic.
type Additive OrderStatistic

// Name returns "additive".
func (a Additive) Name() string { return "additive" }

// Parameters returns alpha, delta and the family, with NoGuarantee.
func (a Additive) Parameters() Parameters {
	return Parameters{Alpha: a.Alpha, Delta: a.Delta, Family: a.Family, Guarantee: NoGuarantee}
}

// MinSamples returns 1: nothing is promised, so that any sample will do.
func (a Additive) MinSamples() (int, error) {
	return a.Parameters().needed(func(int) bool { return true })
}

// Rank returns ceil(m (1-alpha)), the rank before eta is added to the radius.
func (a Additive) Rank(m int) (int, error) {
	if err := checkSampleSize(a.Parameters(), m); err != nil {
		return 0, err
	}
	return m - rank.Down(m, a.Alpha), nil
}

// Correction returns eta for m samples, the amount added to the radius.
func (a Additive) Correction(m int) float64 {
	return DKW(a).Correction(m)
}

// Calibrate returns Z_(k) + eta. O(m log m).
func (a Additive) Calibrate(scores []float64) (Radius, error) {
	return calibrate(a, scores, a.Correction(len(scores)))
}
