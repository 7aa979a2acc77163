package calibration

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// Purpose is what a row of the data is used for.
type Purpose int

const (
	// ForSelection rows build dictionaries and choose sets; they may be looked
	// at as often as one likes.
	ForSelection Purpose = iota
	// ForCalibration rows set the radius, once.
	ForCalibration
	// ForReport rows measure the finished decision.
	ForReport
)

// purposes is the number of purposes.
const purposes = 3

// largestSplit bounds the rows that NewSplit lists one by one.
const largestSplit = math.MaxInt32

// String returns "selection", "calibration" or "report".
func (p Purpose) String() string { return enum.Name(p, "selection", "calibration", "report") }

// SplitOptions are the order of a split. The zero value takes the rows in their
// order, which is the right one for dated rows.
type SplitOptions struct {
	// Shuffle assigns rows at random instead of in order; use it for
	// exchangeable rows.
	Shuffle bool
	// Seed of the shuffle; the same seed gives the same split.
	Seed uint64
}

// Split assigns rows of a data set to the three purposes, by index, and keeps
// account of the calibration rows: they set a radius once. A Split does not
// change otherwise and may be used by several goroutines.
type Split struct {
	size   int
	rows   [purposes][]int
	of     map[int]Purpose
	ledger *ledger
}

// NewSplit gives the first half of the rows 0..size-1 to selection, the next quarter
// to calibration and the last quarter to the report; nil options mean the zero value.
// SplitByIndex makes parts of other sizes. It is an error if a part would be empty.
func NewSplit(size int, o *SplitOptions) (*Split, error) {
	if size > largestSplit {
		return nil, fmt.Errorf("calibration: %d rows are more than a split lists; use at most 2^31", size)
	}
	order := rank.Indices[int](max(0, size))
	if o != nil && o.Shuffle {
		random := rand.New(rand.NewPCG(o.Seed, 0))
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	first, second := int(math.Round(0.5*float64(size))), int(math.Round(0.75*float64(size)))
	if first < 1 || second <= first || second >= size {
		return nil, fmt.Errorf("calibration: %d rows leave a part of the split empty; use more rows", size)
	}
	return SplitByIndex(size, order[:first], order[first:second], order[second:])
}

// SplitByIndex makes a split from explicit 0-based rows of a data set of the
// given size. Rows may be left out. A row used for two purposes is an error
// that wraps ErrReuse; an empty part, a repeated row or one outside the data
// set is an error too.
func SplitByIndex(size int, selection, calibration, report []int) (*Split, error) {
	s := &Split{size: size, of: map[int]Purpose{}, ledger: &ledger{}}
	for p, rows := range [purposes][]int{selection, calibration, report} {
		purpose := Purpose(p)
		if len(rows) == 0 {
			return nil, fmt.Errorf("calibration: no rows are left for %v; give at least one", purpose)
		}
		for _, row := range rows {
			if row < 0 || row >= size {
				return nil, fmt.Errorf("calibration: row %d for %v is outside 0..%d; give 0-based rows of the data set", row, purpose, size-1)
			}
			if other, used := s.of[row]; used {
				if other == purpose {
					return nil, fmt.Errorf("calibration: row %d is listed twice for %v; list it once", row, purpose)
				}
				return nil, overlap(row, other, purpose)
			}
			s.of[row] = purpose
		}
		s.rows[purpose] = slices.Clone(rows)
		slices.Sort(s.rows[purpose])
	}
	return s, nil
}

// Size returns the number of rows of the data set.
func (s *Split) Size() int { return s.size }

// Rows returns a copy of the rows of a purpose, ascending; none for a purpose
// that does not exist.
func (s *Split) Rows(purpose Purpose) []int {
	if purpose < 0 || purpose >= purposes {
		return nil
	}
	return slices.Clone(s.rows[purpose])
}

// MarshalJSON is an error: what has been used of a split cannot travel.
func (s *Split) MarshalJSON() ([]byte, error) { return nil, errNotWritten }

// Check returns an error that wraps ErrReuse if one of the rows belongs to another
// purpose than the one it is about to be used for, and nil otherwise: the leak check
// for a dictionary or a set that was built from rows outside the Split.
func (s *Split) Check(purpose Purpose, rows []int) error {
	for _, row := range rows {
		other, used := s.of[row]
		if !used {
			return fmt.Errorf("calibration: row %d belongs to no part of the split of %d rows; give rows that Split.Rows lists", row, s.size)
		}
		if other != purpose {
			return overlap(row, other, purpose)
		}
	}
	return nil
}

// Take cuts a data set (one row for each row of the split) into its three
// parts. Rows keep their order. Another number of rows than the split was made for and
// a number that is not finite are errors.
func (s *Split) Take(samples mat.Matrix) (*Parts, error) {
	if err := input.CheckRows("samples", "sample", samples, -1); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	rows, columns := samples.Dims()
	if s.ledger == nil {
		return nil, errors.New("calibration: the split is empty; make it with NewSplit or SplitByIndex")
	}
	if rows != s.size {
		return nil, fmt.Errorf("calibration: samples have %d rows, the split was made for %d; pass the same data set", rows, s.size)
	}
	cut := func(purpose Purpose) part {
		taken := mat.NewDense(len(s.rows[purpose]), columns, nil)
		for i, row := range s.rows[purpose] {
			mat.Row(taken.RawRowView(i), row, samples)
		}
		return part{rows: s.rows[purpose], samples: taken}
	}
	return &Parts{
		Selection:   &SelectionSamples{visible{cut(ForSelection)}},
		Calibration: &CalibrationSamples{part: cut(ForCalibration), ledger: s.ledger},
		Report:      &ReportSamples{visible{cut(ForReport)}},
	}, nil
}

// Score turns samples (one per row) into one number each: the smallest radius
// at which the set passes the score's test. DirectionalScore and
// GaugeScore make them.
type Score func(samples mat.Matrix) ([]float64, error)

// of returns the scores; a score that is missing or does not give one number for each
// sample, and samples that Split.Take has not cut, are errors.
func (s Score) of(samples *mat.Dense) ([]float64, error) {
	if s == nil {
		return nil, errors.New("calibration: score is nil; give one, for instance GaugeScore(ctx, set)")
	}
	if samples == nil {
		return nil, errors.New("calibration: the samples are empty; cut them with Split.Take")
	}
	scores, err := s(samples)
	if m, _ := samples.Dims(); err == nil && len(scores) != m {
		return nil, fmt.Errorf("calibration: a score gave %d numbers for %d samples; give one for each row of the matrix it is called with", len(scores), m)
	}
	return scores, err
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
// rows is an error that wraps ErrReuse. A refusal of the rule (sample too small) uses nothing
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
// set may be chosen afterwards. It is an error if there are several scores and the rule
// is marginal or has a smaller family than that, the Envelope, which is for
// FullScores alone, among them.
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
		return fmt.Errorf("%w: they already set a radius by the %s rule and cannot set another by the %s rule; calibrate all candidate sets in one call with a family that counts them, or split new data", ErrReuse, c.ledger.rule, rule)
	}
	if err := use(); err != nil {
		return err
	}
	c.ledger.rule = rule
	return nil
}

// checkFamilyCovers reports a promise for fewer sets than are calibrated together.
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
	switch {
	case p.Guarantee == Marginal && sets > 1:
		return fmt.Errorf("calibration: the marginal promise of the %s rule is for one set, but %d sets are calibrated together; use OrderStatistic with the family Candidates(%d), or new samples for each set", rule.Name(), sets, sets)
	case p.Guarantee == Simultaneous && p.Family.kind == envelopedSets && sets > 1:
		return fmt.Errorf("calibration: the envelope has one radius, that of FullScores, for every set, but %d scores are calibrated together; give FullScores alone, or use the family Candidates(%d) or Prefixes(%d)", sets, sets, sets)
	case p.Guarantee == Simultaneous && !p.Family.covers(sets):
		return fmt.Errorf("calibration: the rule promises for %v but %d sets are calibrated together; use the family Candidates(%d) or Prefixes(%d)", p.Family, sets, sets, sets)
	}
	return nil
}
