package calibration

import (
	"math"

	"github.com/sparsero/directions/sparsero/internal/rank"
)

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
type DKW struct {
	// Alpha is the tolerated share of violations, in (0,1). Required.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, in (0,1).
	// Required.
	Delta float64
	// Family is the collection of sets covered at once; the zero value is one
	// set that does not depend on the calibration samples.
	Family Family
}

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
