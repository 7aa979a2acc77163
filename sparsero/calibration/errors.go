package calibration

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrSampleTooSmall matches every *SampleTooSmallError.
	ErrSampleTooSmall = errors.New("calibration: sample too small")
	// ErrInfiniteRadius is wrapped where more samples lie outside cone(S) than a rule tolerates,
	// so that no finite radius keeps its promise, and where a rule refused the sample.
	ErrInfiniteRadius = errors.New("calibration: no finite radius")
	// ErrReuse is wrapped where the calibration rows of a split have already set a radius, as a
	// second one chosen after the first has no guarantee, and where a row is used for two purposes.
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

// overlap says that a row is used for two purposes.
func overlap(row int, first, second Purpose) error {
	return fmt.Errorf("%w: row %d belongs to %v and cannot be used for %v; keep the parts apart, the guarantee needs samples that were not looked at", ErrReuse, row, first, second)
}
