package calibration

import (
	"math"

	"github.com/sparsero/directions/sparsero/internal/rank"
)

// DKW is the rule of Theorem 3.2: the radius is the empirical quantile of the scores at the level 1-alpha+eta,
//
//	r = Z_(k), k = ceil(m (1-alpha+eta)), eta = sqrt(ln(2M/delta) / 2m),
//
// from the Dvoretzky-Kiefer-Wolfowitz inequality and a union over the M sets of the family. It applies when eta <=
// alpha. The quantile is an order statistic; linear interpolation between two of them would break the proof.
// OrderStatistic makes the same promise with about a tenth of the samples.
//
// With the paper's tables in mind: they report Q(1-alpha) + eta instead, which is Additive.
//
// Alpha, Delta and Family are required or not as in OrderStatistic.
type DKW OrderStatistic

func (d DKW) recipe() recipe {
	p := OrderStatistic(d).recipe().Parameters
	eta := p.levelError
	return recipe{
		Parameters: p, name: nameDKW, correction: eta, smallestAlpha: eta,
		enough: func(m int) bool { return eta(m) <= d.Alpha },
		rank:   func(m int) int { return m - rank.Down(m, d.Alpha-eta(m)) },
	}
}

const nameDKW = "DKW"

// levelError returns eta for m samples.
func (p Parameters) levelError(m int) float64 {
	return math.Sqrt((p.logConfidence() + math.Ln2) / (2 * float64(m)))
}

// MinSamples returns the smallest m with eta <= alpha: ceil(ln(2M/delta) / 2 alpha^2).
func (d DKW) MinSamples() (int, error) { return d.recipe().need() }

// Rank returns ceil(m (1-alpha+eta)).
func (d DKW) Rank(m int) (int, error) { return d.recipe().rankOf(m) }

// Calibrate returns the radius Z_(k). O(m log m).
func (d DKW) Calibrate(scores []float64) (Radius, error) { return d.recipe().calibrate(scores) }
