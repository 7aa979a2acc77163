package calibration

import "github.com/sparsero/directions/sparsero/internal/rank"

// Additive is the formula behind the paper's calibration tables (appendix F,
// "calibration ablation"), kept to reproduce them. It has NO GUARANTEE:
//
//	r = Q(1-alpha) + eta, eta = sqrt(ln(2M/delta) / 2m),
//
// which adds eta, a difference of probabilities, to a radius. Over Subsets(2000, 9) it gives the rows "DKW union"
// (0.1841 at m=1000, delta=1e-5), over one fixed set the rows "Split" (0.0781). It is not scale-equivariant: measuring
// the samples in units ten times smaller multiplies the scores by ten and leaves eta alone, so that the promise can be
// broken at will by a change of units. Theorem 3.2 shifts the level of the quantile instead (DKW), and split conformal
// calibration is a rank (SplitConformal).
//
// Alpha, Delta and Family, which enters eta by its size M, are those of OrderStatistic.
type Additive OrderStatistic

func (a Additive) recipe() recipe {
	p := Parameters{Alpha: a.Alpha, Delta: a.Delta, Family: a.Family, Guarantee: noGuarantee}
	return recipe{
		Parameters: p, name: "additive", correction: p.levelError, added: true,
		enough: func(int) bool { return true },
		rank:   func(m int) int { return m - rank.Down(m, a.Alpha) },
	}
}

// MinSamples returns 1: nothing is promised, so that any sample will do.
func (a Additive) MinSamples() (int, error) { return a.recipe().need() }

// Rank returns ceil(m (1-alpha)), the rank before eta is added to the radius.
func (a Additive) Rank(m int) (int, error) { return a.recipe().rankOf(m) }

// Calibrate returns Z_(k) + eta. O(m log m).
func (a Additive) Calibrate(scores []float64) (Radius, error) { return a.recipe().calibrate(scores) }
