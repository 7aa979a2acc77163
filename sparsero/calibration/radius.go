package calibration

import (
	"fmt"
	"math"
	"strings"

	"github.com/sparsero/directions/solver/proof"
)

// Radius is a calibrated radius together with what is promised about it.
type Radius struct {
	// Group is the name of the group of samples that the radius is for; empty where there are no groups.
	Group string
	// Parameters are alpha, delta, the family and the kind of guarantee.
	Parameters
	// Value is the radius r̂, in units of the score; nothing, +Inf, beside an error, and when too many samples lie
	// outside the cone of the set, which is no error of Calibrate: Check says why before the radius goes into a model.
	Value proof.Upper
	// Rule is the name of the rule.
	Rule string
	// Rank is the 1-based order statistic that was used, Samples the number m
	// of scores; Rank = m+1 stands for a rank beyond the sample.
	Rank, Samples int
	// Level is Rank/Samples, the level of the empirical quantile; NaN for a rank beyond the sample.
	Level float64
	// Correction is eta: already inside the level for DKW, added to the radius for Additive, 0 for the other rules.
	Correction float64
	// Infinite is the number of scores that are +Inf.
	Infinite int
}

// Check returns nil for a finite radius and otherwise an error that wraps ErrInfiniteRadius and
// says how many samples lie outside the cone.
func (r Radius) Check() error {
	if !math.IsInf(r.Value.Float(), 0) {
		return nil
	}
	tolerated := max(0, r.Samples-r.Rank)
	if r.Infinite <= tolerated {
		return fmt.Errorf("%w: the %q rule gave none for %d samples; use the error that came with it, or calibrate again", ErrInfiniteRadius, r.Rule, r.Samples)
	}
	return fmt.Errorf("%w: %d of %d samples lie outside the cone of the set, the %s rule tolerates %d; add atoms (a full-dimensional sample in R^p needs at least p+1), take a larger alpha, or, for one decision that is fixed, calibrate that (robust.Solution.RequiredRadii)",
		ErrInfiniteRadius, r.Infinite, r.Samples, r.Rule, tolerated)
}

// String spells the guarantee out in a sentence, or says that there is none.
func (r Radius) String() string {
	if err := r.Check(); err != nil {
		return strings.TrimPrefix(err.Error(), "calibration: ")
	}
	head := fmt.Sprintf("r=%.6g (score %d of %d, %s rule)", r.Value, r.Rank, r.Samples, r.Rule)
	share := fmt.Sprintf("at most a fraction %g of new samples%s scores above it", r.Alpha, inGroup(r.Group))
	switch r.Guarantee {
	case simultaneous:
		return fmt.Sprintf("%s: with probability at least 1 - %g over the draw of the calibration samples, %s, for %v", head, r.Delta, share, r.Family)
	case marginal:
		return head + ": on average over calibration samples, " + share
	default:
		return head + ": no guarantee"
	}
}
