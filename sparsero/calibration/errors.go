package calibration

import (
	"errors"
	"fmt"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/input"
)

var (
	// ErrSampleTooSmall matches every *SampleTooSmallError.
	ErrSampleTooSmall = errors.New("calibration: sample too small")
	// ErrInfiniteRadius is wrapped where more samples lie outside cone(S) than a rule tolerates,
	// so that no finite radius keeps its promise, and where a rule refused the sample.
	ErrInfiniteRadius = errors.New("calibration: no finite radius")
	// ErrReuse is wrapped where the calibration rows of a split have been looked at, as a
	// second radius chosen after the first has no guarantee, where a row is used for two purposes, and where a radius is
	// promised for other sets than the one that it serves.
	ErrReuse = errors.New("calibration: samples used twice")

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
	// Need is the smallest number of samples the rule accepts, Got the number it was given.
	Need, Got int
	// SmallestAlpha is the smallest alpha the rule accepts with Got samples; at or above 1 when there is none.
	SmallestAlpha float64
}

// Error names the promise, the need, the sample and the next step.
func (e *SampleTooSmallError) Error() string {
	text := fmt.Sprintf("calibration:%s alpha=%g needs m >= %d samples", inGroup(e.Group), e.Alpha, e.Need)
	if e.Guarantee == simultaneous {
		text += fmt.Sprintf(" for %v, delta=%g", e.Family, e.Delta)
	}
	text += fmt.Sprintf(" under the %s rule, got %d", e.Rule, e.Got)
	if e.Rule == nameDKW {
		need, _ := OrderStatistic{Alpha: e.Alpha, Delta: e.Delta, Family: e.Family}.MinSamples()
		return text + fmt.Sprintf("; the order-statistic rule needs %d", need)
	}
	text += "; add " + input.Count(e.Need-e.Got, "sample")
	if e.SmallestAlpha < 0.9999 { // Rounded up, so that it is accepted when it is typed back in, as 1 is not.
		text += fmt.Sprintf(" or accept alpha >= %.4g", proof.AtMost(e.SmallestAlpha))
	}
	return text
}

// Is reports whether target is ErrSampleTooSmall.
func (e *SampleTooSmallError) Is(target error) bool { return target == ErrSampleTooSmall }

// overlap says that a row is used for two purposes.
func overlap(row int, first, second string) error {
	return fmt.Errorf("%w: row %d belongs to %s and cannot be used for %s; keep the parts apart, the guarantee needs samples that were not looked at", ErrReuse, row, first, second)
}
