package calibration

import "github.com/sparsero/directions/sparsero/internal/rank"

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
