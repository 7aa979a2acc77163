package calibration

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"
)

// Score turns samples (one per row) into one number each: the smallest radius
// at which the set passes the score's test. DirectionalScore and
// GaugeScore make them.
type Score func(samples mat.Matrix) ([]float64, error)

// of returns the scores; a score that is missing and samples that Split.Take has
// not cut are errors.
func (s Score) of(samples *mat.Dense) ([]float64, error) {
	if s == nil {
		return nil, errors.New("calibration: score is nil; give one, for instance GaugeScore(ctx, set)")
	}
	if samples == nil {
		return nil, errors.New("calibration: the samples are empty; cut them with Split.Take")
	}
	return s(samples)
}

// Parts are the three parts of a data set. Each has a type of its own, so that
// handing one to a function made for another does not compile.
type Parts struct {
	// Selection builds dictionaries and chooses sets.
	Selection *SelectionSamples
	// Calibration sets the radius, once.
	Calibration *CalibrationSamples
	// Report measures the finished decision.
	Report *ReportSamples
}

// part is what the three kinds of samples share, and visible what two of them do.
type part struct {
	rows    []int
	samples *mat.Dense
}

// Len returns the number of samples.
func (p part) Len() int { return len(p.rows) }

// Rows returns a copy of their rows in the data set.
func (p part) Rows() []int { return slices.Clone(p.rows) }

// MarshalJSON is an error: what has been used of a split cannot travel.
func (p part) MarshalJSON() ([]byte, error) { return nil, errNotWritten }

type visible struct{ part }

// Matrix returns the samples, one per row. The matrix is shared: do not
// change it.
func (v visible) Matrix() *mat.Dense { return v.samples }

// SelectionSamples are the samples that choose the set.
type SelectionSamples struct{ visible }

// ReportSamples are the samples that measure a finished decision.
type ReportSamples struct{ visible }

// Violations returns the share of samples whose score exceeds the radius, with
// an exact confidence interval, and the errors of the score and of CountViolations.
func (s *ReportSamples) Violations(score Score, radius, confidence float64) (ViolationRate, error) {
	scores, err := score.of(s.samples)
	if err != nil {
		return ViolationRate{}, err
	}
	return CountViolations(scores, radius, confidence)
}

// CalibrationSamples are the samples that set a radius. They can be used once,
// for one set or for all members of a family together, and cannot be looked at
// otherwise.
type CalibrationSamples struct {
	part
	ledger *ledger
}

// ledger records the first use of the calibration rows of a split.
type ledger struct {
	mutex sync.Mutex
	rule  string
}

// Calibrate sets the radius of one set by a rule. A second call on the same
// rows is a *ReuseError. A refusal of the rule (sample too small) uses nothing
// up, because it does not depend on the samples. With any error the radius is
// +Inf.
func (c *CalibrationSamples) Calibrate(rule Rule, score Score) (Radius, error) {
	radii, err := c.CalibrateAll(rule, score)
	if rule == nil {
		return Radius{Samples: c.Len(), Value: math.Inf(1)}, err
	}
	if err != nil {
		return Radius{Parameters: rule.Parameters(), Rule: rule.Name(), Samples: c.Len(), Value: math.Inf(1)}, err
	}
	return radii[0], nil
}

// CalibrateAll sets the radii of several sets by one rule whose family counts
// them all (for instance the prefixes of a path with Prefixes(B)), so that the
// set may be chosen afterwards. It is an error if a simultaneous rule has a
// smaller family than there are scores.
func (c *CalibrationSamples) CalibrateAll(rule Rule, scores ...Score) ([]Radius, error) {
	if err := checkFamilyCovers(rule, len(scores)); err != nil {
		return nil, err
	}
	var radii []Radius
	err := c.spend(rule.Name(), func() error {
		if _, err := rule.Rank(c.Len()); err != nil {
			return err
		}
		for _, score := range scores {
			values, err := score.of(c.samples)
			if err != nil {
				return err
			}
			radius, err := rule.Calibrate(values)
			if err != nil {
				return err
			}
			radii = append(radii, radius)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return radii, nil
}

// spend runs use on the calibration rows and records it if it succeeds.
func (c *CalibrationSamples) spend(rule string, use func() error) error {
	if c.ledger == nil {
		return errors.New("calibration: the samples are empty; cut them with Split.Take")
	}
	c.ledger.mutex.Lock()
	defer c.ledger.mutex.Unlock()
	if c.ledger.rule != "" {
		return &ReuseError{First: c.ledger.rule, Again: rule}
	}
	if err := use(); err != nil {
		return err
	}
	c.ledger.rule = rule
	return nil
}

// checkFamilyCovers reports a simultaneous promise for fewer sets than are
// calibrated together.
func checkFamilyCovers(rule Rule, sets int) error {
	if rule == nil {
		return errNilRule
	}
	if sets < 1 {
		return fmt.Errorf("calibration: no set is given to calibrate; pass at least one score")
	}
	p := rule.Parameters()
	if err := p.validate(); err != nil {
		return err
	}
	if p.Guarantee == Simultaneous && !p.Family.covers(sets) {
		return fmt.Errorf("calibration: the rule promises for %v but %d sets are calibrated together; use the family Candidates(%d) or Prefixes(%d)", p.Family, sets, sets, sets)
	}
	return nil
}
