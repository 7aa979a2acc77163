package calibration

import (
	"fmt"
	"math"
	"sort"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// largestCount bounds sample sizes, numbers of atoms and of sets: more scores
// than any memory holds, while the sums over so many still end within a second.
const largestCount = 1 << 40

// The kinds of statement a rule makes about new samples.
const (
	// noGuarantee marks a rule kept for comparison only.
	noGuarantee = "none"
	// marginal: P(score(U) > r) <= alpha, where the probability is over the calibration samples and U together. For one
	// realised sample the share of violations exceeds alpha about half of the time.
	marginal = "marginal"
	// simultaneous: with probability at least 1-delta over the calibration
	// samples, P(score_S(U) > r(S)) <= alpha for every set of the family.
	simultaneous = "simultaneous"
)

// Parameters are what a rule promises: at most a share Alpha of violations,
// except with probability Delta, for every set of the Family.
type Parameters struct {
	// Alpha is the tolerated share of violations, strictly between 0 and 1.
	Alpha float64
	// Delta is the tolerated probability of a misleading sample, strictly
	// between 0 and 1; it is 0 for a rule without such a parameter.
	Delta float64
	// Family is the collection of sets for which the promise is made.
	Family Family
	// Guarantee is the kind of promise: "simultaneous" with probability at least 1-Delta over the calibration samples, for
	// all sets of the family; "marginal" on average over calibration samples; "none", or empty, for no promise.
	Guarantee string
}

// Rule turns calibration scores into a radius: OrderStatistic, DKW, SplitConformal or Additive. Ranks are 1-based: rank k is
// the k-th smallest score. Rules are values without memory, which several goroutines may use.
type Rule interface {
	// MinSamples returns the smallest number of samples the rule accepts.
	MinSamples() (int, error)
	// Rank returns the order statistic used for m samples, or a *SampleTooSmallError.
	Rank(m int) (int, error)
	// Calibrate returns the radius for the scores, which may hold +Inf but not
	// NaN or -Inf. The promises for Prefixes and for the Envelope are errors here: CalibrateFamily takes their scores. A sample
	// that is too small is a *SampleTooSmallError. With any error the radius is +Inf, the only value that is valid then.
	Calibrate(scores []float64) (Radius, error)

	recipe() recipe
}

// recipe is what a rule promises and does.
type recipe struct {
	Parameters
	name          string
	enough        func(m int) bool    // whether m samples keep the promise; so do more
	rank          func(m int) int     // the order statistic of as many samples
	smallestAlpha func(m int) float64 // the smallest alpha that m samples are enough for
	correction    func(m int) float64 // eta, nil where the rank carries everything
	added         bool                // whether eta is added to the radius rather than to the level
}

// need is MinSamples.
func (r recipe) need() (int, error) {
	if err := r.validate(); err != nil {
		return 0, err
	}
	return smallest(r.enough), nil
}

// rankOf is Rank.
func (r recipe) rankOf(m int) (int, error) {
	if err := r.checkSize(m); err != nil {
		return 0, err
	}
	if r.enough(m) {
		return r.rank(m), nil
	}
	return 0, &SampleTooSmallError{Rule: r.name, Parameters: r.Parameters, Need: smallest(r.enough), Got: m, SmallestAlpha: r.smallestAlpha(m)}
}

// eta returns the correction for m samples.
func (r recipe) eta(m int) float64 {
	if r.correction == nil {
		return 0
	}
	return r.correction(m)
}

// validate reports parameters outside their range; the zero value of Alpha or Delta is outside.
func (p Parameters) validate() error {
	if !(p.Alpha > 0 && p.Alpha < 1) {
		return fmt.Errorf("calibration: alpha=%g is not strictly between 0 and 1; use alpha=0.05, say, which tolerates one violation in twenty", p.Alpha)
	}
	if p.Guarantee != marginal && !(p.Delta > 0 && p.Delta < 1) {
		return fmt.Errorf("calibration: delta=%g is not strictly between 0 and 1; use delta=1e-05, say, which accepts one misleading sample in a hundred thousand", p.Delta)
	}
	return p.Family.validate()
}

// promises tells whether there is a promise at all.
func (p Parameters) promises() bool { return p.Guarantee == marginal || p.Guarantee == simultaneous }

// logConfidence returns ln(M/delta), the price of the family and of delta.
func (p Parameters) logConfidence() float64 {
	return p.Family.LogSize() - math.Log(p.Delta)
}

// smallest returns the first sample size that meets a condition which every
// larger one meets too; the largest int if none does.
func smallest(enough func(m int) bool) int {
	return 1 + sort.Search(math.MaxInt-1, func(i int) bool { return enough(i + 1) })
}

// checkSize reports m outside 1..2^40 or invalid parameters.
func (p Parameters) checkSize(m int) error {
	if err := p.validate(); err != nil {
		return err
	}
	if m < 1 || m > largestCount {
		return fmt.Errorf("calibration: the sample has m=%d scores; pass 1 to 2^40", m)
	}
	return nil
}

// checkScores reports an empty sample and scores that are not comparable.
func checkScores(name string, scores []float64) error {
	if len(scores) == 0 {
		return fmt.Errorf("calibration: %s is empty; pass one score for each calibration sample", name)
	}
	for j, z := range scores {
		if math.IsNaN(z) || math.IsInf(z, -1) {
			return fmt.Errorf("calibration: %s[%d]=%g; remove the sample or mend it (only +Inf may stand for a sample outside every radius)", name, j, z)
		}
	}
	return nil
}

// calibrate is Calibrate.
func (r recipe) calibrate(scores []float64) (Radius, error) {
	radius, err := r.radius(scores)
	if err == nil && r.promises() && r.Family.scored() {
		radius.Value, radius.Rank, radius.Level = proof.Upper{}, len(scores)+1, math.NaN()
		return radius, r.wrongScores()
	}
	return radius, err
}

// wrongScores says that the scores of the family are not those of the caller.
func (p Parameters) wrongScores() error {
	return fmt.Errorf("calibration: the guarantee for %v holds for scores of that family alone; use CalibrateFamily, which takes them, or the family Candidates for other sets", p.Family)
}

// CalibrateFamily returns the radii of a rule for the sets that its family names, from their directional scores on the samples
// (m×p): for Prefixes one radius for each prefix of the path, Z_{S_1} first, for Envelope the one radius of the whole dictionary,
// which serves every set. The path was chosen without the samples. O(m B p), and O(m N p) for the envelope.
//
// It is an error if the family is another one (its sets are scored by the caller, see Rule.Calibrate), if the rule
// promises nothing, if the path leaves the dictionary or repeats an atom, and those of DirectionalScores and of the
// rule are errors, too.
func CalibrateFamily(rule Rule, d *sparsero.Dictionary, samples mat.Matrix) ([]Radius, error) {
	if rule == nil {
		return nil, errNilRule
	}
	r := rule.recipe()
	scores, err := r.familyScores(d, samples)
	if err != nil {
		return nil, err
	}
	_, sets := scores.Dims()
	radii := make([]Radius, sets)
	for b := range radii {
		if radii[b], err = r.radius(mat.Col(nil, b, scores)); err != nil {
			return nil, err
		}
	}
	return radii, nil
}

// familyScores returns the scores of the sets that the family names, a column for each.
func (r recipe) familyScores(d *sparsero.Dictionary, samples mat.Matrix) (*mat.Dense, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	if !r.promises() || !r.Family.scored() {
		return nil, fmt.Errorf("calibration: the %s rule for %v names no sets to score; use Rule.Calibrate on scores of your set, or the family Prefixes or Envelope", r.name, r.Family)
	}
	if r.Family.kind != envelopedSets {
		return PrefixScores(d, r.Family.atomsOf(), samples)
	}
	scores, err := fullScores(d, samples)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(scores), 1, scores), nil
}

// radius returns the order statistic of the scores, with eta if that is added to it.
func (r recipe) radius(scores []float64) (Radius, error) {
	m := len(scores)
	radius := Radius{
		Parameters: r.Parameters, Rule: r.name, Rank: m + 1, Samples: m,
		Level: math.NaN(), Infinite: floats.Count(func(z float64) bool { return math.IsInf(z, 1) }, scores),
	}
	if err := checkScores("scores", scores); err != nil {
		return radius, err
	}
	k, err := r.rankOf(m)
	if err != nil {
		return radius, err
	}
	radius.Rank, radius.Level, radius.Correction, radius.Value = k, float64(k)/float64(m), r.eta(m), proof.AtMost(rank.Value(scores, k))
	if r.added {
		radius.Value = radius.Value.Plus(proof.AtMost(radius.Correction))
	}
	return radius, nil
}
