package calibration

import "github.com/sparsero/directions/sparsero/internal/rank"

// SplitConformal is the conformal alternative of section 3.3: the radius is Z_(k) with k = ceil((m+1)(1-alpha)), for
// one set chosen without the calibration samples. For exchangeable samples
//
//	P(score(U) <= r) >= 1-alpha, with equality to k/(m+1) for continuous scores,
//
// on average over calibration samples. For the sample at hand the coverage is a draw from Beta(k, m+1-k): at m=1000 and
// alpha=0.05 it falls short of 0.95 with probability 0.48, so that a hold-out rate above alpha is no sign of a fault.
// OrderStatistic bounds that probability by delta.
type SplitConformal struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
}

func (s SplitConformal) recipe() recipe {
	exceeding := func(m int) int { return rank.Down(m+1, s.Alpha) }
	return recipe{
		Parameters: Parameters{Alpha: s.Alpha, Guarantee: marginal}, name: "split-conformal",
		enough:        func(m int) bool { return exceeding(m) >= 1 },
		rank:          func(m int) int { return m + 1 - exceeding(m) },
		smallestAlpha: func(m int) float64 { return 1 / float64(m+1) },
	}
}

// MinSamples returns ceil(1/alpha - 1): with fewer samples the rank lies beyond the sample and the radius is +Inf.
func (s SplitConformal) MinSamples() (int, error) { return s.recipe().need() }

// Rank returns ceil((m+1)(1-alpha)): the largest share of exceeding scores
// (m+1-k)/(m+1) that as a float64 is at most alpha.
func (s SplitConformal) Rank(m int) (int, error) { return s.recipe().rankOf(m) }

// Calibrate returns the radius Z_(k). O(m log m).
func (s SplitConformal) Calibrate(scores []float64) (Radius, error) {
	return s.recipe().calibrate(scores)
}
