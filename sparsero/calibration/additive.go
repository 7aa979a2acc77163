package calibration

import "github.com/sparsero/directions/sparsero/internal/rank"

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
type Additive struct {
	// Alpha is the nominal share of violations, in (0,1). Required.
	Alpha float64
	// Delta enters eta, in (0,1). Required.
	Delta float64
	// Family enters eta by its size M; the zero value has M = 1.
	Family Family
}

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
	return DKW{Delta: a.Delta, Family: a.Family}.Correction(m)
}

// Calibrate returns Z_(k) + eta. O(m log m).
func (a Additive) Calibrate(scores []float64) (Radius, error) {
	return calibrate(a, scores, a.Correction(len(scores)))
}
