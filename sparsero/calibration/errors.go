package calibration

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrSampleTooSmall matches every *SampleTooSmallError.
	ErrSampleTooSmall = errors.New("calibration: sample too small")
	// ErrInfiniteRadius matches every *InfiniteRadiusError.
	ErrInfiniteRadius = errors.New("calibration: no finite radius")
	// ErrReuse matches every *ReuseError.
	ErrReuse = errors.New("calibration: samples used twice")

	errNotWritten = errors.New("calibration: a split and its samples keep account of their use and cannot be written; store Split.Rows of each purpose and use SplitByIndex")

	errNilRule = errors.New("calibration: rule is nil; give one, for instance OrderStatistic")
)

// SampleTooSmallError says that a rule cannot keep its promise with the
// samples at hand, and what is the smallest change that helps.
type SampleTooSmallError struct {
	// Group is the name of the group that is too small; empty where there are no groups.
	Group string
	// Rule is the name of the rule.
	Rule string
	// Parameters are what was asked for.
	Parameters
	// Need is the smallest number of samples the rule accepts, Got the number
	// it was given.
	Need, Got int
	// OrderStatisticNeed is the smallest number of samples the order-statistic
	// rule accepts for the same promise; 0 when that rule itself refused or
	// makes no comparable promise.
	OrderStatisticNeed int
	// SmallestAlpha is the smallest alpha the rule accepts with Got samples;
	// at or above 1 when there is none.
	SmallestAlpha float64
}

// Error names the promise, the need, the sample and the next step.
func (e *SampleTooSmallError) Error() string {
	text := "calibration: "
	if e.Group != "" {
		text += fmt.Sprintf("in group %q ", e.Group)
	}
	text += fmt.Sprintf("alpha=%g needs m >= %d samples", e.Alpha, e.Need)
	if e.Guarantee == Simultaneous {
		text += fmt.Sprintf(" for %v, delta=%g", e.Family, e.Delta)
	}
	text += fmt.Sprintf(" under the %s rule, got %d", e.Rule, e.Got)
	switch {
	case e.OrderStatisticNeed > 0:
		return text + fmt.Sprintf("; the order-statistic rule needs %d", e.OrderStatisticNeed)
	case e.SmallestAlpha < 1:
		return text + fmt.Sprintf("; add %d samples or accept alpha >= %.4g", e.Need-e.Got, roundUp(e.SmallestAlpha))
	default:
		return text + fmt.Sprintf("; add %d samples", e.Need-e.Got)
	}
}

// roundUp rounds to four significant digits, never down, so that the printed
// alpha is accepted when it is typed back in.
func roundUp(alpha float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(alpha))-3)
	return math.Ceil(alpha/unit) * unit
}

// Is reports whether target is ErrSampleTooSmall.
func (e *SampleTooSmallError) Is(target error) bool { return target == ErrSampleTooSmall }

// InfiniteRadiusError says that more samples lie outside cone(S) than the rule
// tolerates, so that no finite radius keeps its promise, or that a rule refused
// the sample.
type InfiniteRadiusError struct {
	// Rule is the name of the rule.
	Rule string
	// Infinite of the Samples scores are +Inf; Tolerated = Samples - Rank is
	// the largest number that would have left the radius finite.
	Infinite, Samples, Tolerated int
}

// Error names the counts and the next step.
func (e *InfiniteRadiusError) Error() string {
	if e.Infinite <= e.Tolerated {
		return fmt.Sprintf("calibration: the %q rule gave no radius for %d samples; use the error that came with it, or calibrate again", e.Rule, e.Samples)
	}
	return fmt.Sprintf("calibration: %d of %d samples lie outside the cone of the set, the %s rule tolerates %d, so no finite radius covers them; add atoms (a full-dimensional sample in R^p needs at least p+1), take a larger alpha, or, for one decision that is fixed, calibrate that (robust.Solution.RequiredRadii)",
		e.Infinite, e.Samples, e.Rule, e.Tolerated)
}

// Is reports whether target is ErrInfiniteRadius.
func (e *InfiniteRadiusError) Is(target error) bool { return target == ErrInfiniteRadius }

// ReuseError says that the calibration rows of a split have already set a
// radius; a second radius chosen after the first has no guarantee.
type ReuseError struct {
	// First is the rule that used the rows, Again the one that asked for them.
	First, Again string
}

// Error names both rules and the two ways out.
func (e *ReuseError) Error() string {
	return fmt.Sprintf("calibration: the calibration rows already set a radius by the %s rule and cannot set another by the %s rule; calibrate all candidate sets in one call with a family that counts them, or split new data", e.First, e.Again)
}

// Is reports whether target is ErrReuse.
func (e *ReuseError) Is(target error) bool { return target == ErrReuse }

// OverlapError says that a row is used for two purposes.
type OverlapError struct {
	// Row is the 0-based row of the data set.
	Row int
	// First is the purpose the row belongs to, Second the one it was asked for.
	First, Second Purpose
}

// Error names the row and both purposes.
func (e *OverlapError) Error() string {
	return fmt.Sprintf("calibration: row %d belongs to %v and cannot be used for %v; keep the parts apart, the guarantee needs samples that were not looked at", e.Row, e.First, e.Second)
}

// Is reports whether target is ErrReuse.
func (e *OverlapError) Is(target error) bool { return target == ErrReuse }
