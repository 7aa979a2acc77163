package calibration

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/mat"
)

// purposes are what the rows of the data are used for: the first build dictionaries and choose sets, as often as one likes; the
// second set the radius, once; the third measure the finished decision.
var purposes = [...]string{"selection", "calibration", "report"}

// largestSplit bounds the rows that NewSplit lists one by one.
const largestSplit = math.MaxInt32

// SplitOptions are the order of a split. The zero value takes the rows in their
// order, which is the right one for dated rows.
type SplitOptions struct {
	// Shuffle assigns rows at random instead of in order; use it for exchangeable rows.
	Shuffle bool
	// Seed of the shuffle; the same seed gives the same split.
	Seed uint64
	// Shares are those of selection, calibration and report, in any unit. Zeros mean 2, 1, 1.
	Shares [3]float64
}

// Split assigns rows of a data set to the three purposes, by index, and keeps account of the calibration rows: they set
// a radius once. A Split does not change otherwise and may be used by several goroutines.
type Split struct {
	size   int
	rows   [len(purposes)][]int
	of     map[int]int // the purpose of each row
	ledger *ledger
}

// NewSplit gives the first rows of 0..size-1 to selection, the next ones to calibration and the last ones to the report, in the
// shares of the options; nil options mean the zero value. It is an error if a part would be empty.
func NewSplit(size int, o *SplitOptions) (*Split, error) {
	if size > largestSplit {
		return nil, fmt.Errorf("calibration: %d rows are more than a split lists; use at most 2^31", size)
	}
	o = cmp.Or(o, &SplitOptions{})
	shares := o.Shares
	if shares == ([3]float64{}) {
		shares = [3]float64{2, 1, 1}
	}
	total := shares[0] + shares[1] + shares[2]
	if !(min(shares[0], shares[1], shares[2]) > 0) || math.IsInf(total, 1) {
		return nil, fmt.Errorf("calibration: the fractions %v of a split are not all finite and above 0; give three such as 2, 1, 1", shares)
	}
	order := rank.Indices[int](max(0, size))
	if o.Shuffle {
		random := rand.New(rand.NewPCG(o.Seed, 0))
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	first, second := int(math.Round(shares[0]/total*float64(size))), int(math.Round((shares[0]+shares[1])/total*float64(size)))
	if first < 1 || second <= first || second >= size {
		return nil, fmt.Errorf("calibration: %d rows leave a part of the split empty; use more rows, or other fractions than %v", size, shares)
	}
	return SplitByIndex(size, order[:first], order[first:second], order[second:])
}

// SplitByIndex makes a split from explicit 0-based rows of a data set of the given size. Rows may be left out. A row
// used for two purposes is an error that wraps ErrReuse; an empty part, a repeated row or one outside the data set is
// an error too.
func SplitByIndex(size int, selection, calibration, report []int) (*Split, error) {
	s := &Split{size: size, of: map[int]int{}, ledger: &ledger{}}
	for p, rows := range [len(purposes)][]int{selection, calibration, report} {
		purpose := purposes[p]
		if len(rows) == 0 {
			return nil, fmt.Errorf("calibration: no rows are left for %s; give at least one", purpose)
		}
		for _, row := range rows {
			if row < 0 || row >= size {
				return nil, fmt.Errorf("calibration: row %d for %s is outside 0..%d; give 0-based rows of the data set", row, purpose, size-1)
			}
			if other, used := s.of[row]; used {
				if other == p {
					return nil, fmt.Errorf("calibration: row %d is listed twice for %s; list it once", row, purpose)
				}
				return nil, overlap(row, purposes[other], purpose)
			}
			s.of[row] = p
		}
		s.rows[p] = slices.Clone(rows)
		slices.Sort(s.rows[p])
	}
	return s, nil
}

// Rows returns copies of the rows of the three parts, each ascending.
func (s *Split) Rows() (selection, calibration, report []int) {
	return slices.Clone(s.rows[0]), slices.Clone(s.rows[1]), slices.Clone(s.rows[2])
}

// CheckSelection returns an error that wraps ErrReuse if one of the rows that a dictionary or a set was built from belongs to
// the calibration or to the report: the leak check where that is done outside the Split.
func (s *Split) CheckSelection(rows []int) error {
	for _, row := range rows {
		other, used := s.of[row]
		if !used {
			return fmt.Errorf("calibration: row %d belongs to no part of the split of %d rows; give rows that Split.Rows lists", row, s.size)
		}
		if other != 0 {
			return overlap(row, purposes[other], purposes[0])
		}
	}
	return nil
}

// Take cuts a data set (one row for each row of the split) into its three parts. Rows keep their order. Another number
// of rows than the split was made for and a number that is not finite are errors.
func (s *Split) Take(samples mat.Matrix) (*Parts, error) {
	if err := input.CheckRows("samples", "sample", samples, input.AnyColumns); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	rows, columns := samples.Dims()
	if s.ledger == nil {
		return nil, errors.New("calibration: the split is empty; make it with NewSplit or SplitByIndex")
	}
	if rows != s.size {
		return nil, fmt.Errorf("calibration: samples have %d rows, the split was made for %d; pass the same data set", rows, s.size)
	}
	cut := func(rows []int) *mat.Dense {
		taken := mat.NewDense(len(rows), columns, nil)
		for i, row := range rows {
			mat.Row(taken.RawRowView(i), row, samples)
		}
		return taken
	}
	return &Parts{
		Selection: cut(s.rows[0]), Report: cut(s.rows[2]),
		Calibration: &CalibrationSamples{samples: cut(s.rows[1]), ledger: s.ledger},
	}, nil
}

// Score turns samples (one per row) into one number each: the smallest radius at which the set passes the score's test,
// such as DirectionalScores or GaugeScores of a set, or robust.Solution.RequiredRadii.
type Score func(samples mat.Matrix) ([]float64, error)

// Parts are the three parts of a data set, one sample per row.
type Parts struct {
	// Selection builds dictionaries and chooses sets.
	Selection *mat.Dense
	// Calibration sets the radius, once.
	Calibration *CalibrationSamples
	// Report measures the finished decision.
	Report *mat.Dense
}

// CalibrationSamples are the samples that set a radius. They can be used once, for one set or for all members of a
// family together, and cannot be looked at otherwise.
type CalibrationSamples struct {
	samples *mat.Dense
	ledger  *ledger
}

// Len returns the number of samples.
func (c *CalibrationSamples) Len() int {
	if c.samples == nil {
		return 0
	}
	return c.samples.RawMatrix().Rows
}

// ledger records the first use of the calibration rows of a split.
type ledger struct {
	mutex sync.Mutex
	rule  string
}

// Calibrate sets the radius of one set by a rule. A second call on the same rows is an error that wraps ErrReuse,
// also where the first was an error of the score, which has seen the rows then. A refusal of the rule (sample too small)
// uses nothing up, because it does not depend on the samples. With any error the radius is +Inf.
func (c *CalibrationSamples) Calibrate(rule Rule, score Score) (Radius, error) {
	radii, err := c.CalibrateAll(rule, score)
	if rule == nil {
		return Radius{Samples: c.Len()}, err
	}
	if err != nil {
		r := rule.recipe()
		return Radius{Parameters: r.Parameters, Rule: r.name, Samples: c.Len()}, err
	}
	return radii[0], nil
}

// CalibrateAll sets the radii of several sets by one rule whose family counts them all (Candidates(2) for two), so that
// the set may be chosen afterwards. It is an error if there are several scores and the rule is marginal or has a smaller
// family than that, and for Prefixes and the Envelope, whose scores CalibrateFamily takes.
func (c *CalibrationSamples) CalibrateAll(rule Rule, scores ...Score) ([]Radius, error) {
	if err := checkFamilyCovers(rule, len(scores)); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(scores, func(s Score) bool { return s == nil }) {
		return nil, errors.New("calibration: score is nil; give one that calls GaugeScores, say")
	}
	return c.spend(rule, func() (radii []Radius, err error) {
		for _, score := range scores {
			values, err := score(c.samples)
			if err == nil && len(values) != c.Len() {
				err = fmt.Errorf("calibration: a score gave %d numbers for %d samples; give one for each row of the matrix it is called with", len(values), c.Len())
			}
			if err != nil {
				return nil, err
			}
			radius, err := rule.Calibrate(values)
			if err != nil {
				return nil, err
			}
			radii = append(radii, radius)
		}
		return radii, nil
	})
}

// CalibrateFamily is the function of that name on the calibration rows, once, as Calibrate. A family or a dictionary
// that does not fit uses nothing up.
func (c *CalibrationSamples) CalibrateFamily(rule Rule, d *sparsero.Dictionary) ([]Radius, error) {
	if rule == nil {
		return nil, errNilRule
	}
	if c.samples != nil {
		if _, err := rule.recipe().familyScores(d, mat.NewDense(1, c.samples.RawMatrix().Cols, nil)); err != nil {
			return nil, err // of the arguments alone, as there is no sample
		}
	}
	return c.spend(rule, func() ([]Radius, error) { return CalibrateFamily(rule, d, c.samples) })
}

// spend runs use on the calibration rows, which have been looked at then, whatever comes of it, unless the rule refuses
// their number.
func (c *CalibrationSamples) spend(rule Rule, use func() ([]Radius, error)) ([]Radius, error) {
	if c.ledger == nil {
		return nil, errors.New("calibration: the samples are empty; cut them with Split.Take")
	}
	c.ledger.mutex.Lock()
	defer c.ledger.mutex.Unlock()
	if c.ledger.rule != "" {
		return nil, fmt.Errorf("%w: they already served the %s rule and cannot set a radius by the %s rule; calibrate all candidate sets in one call with a family that counts them, or split new data", ErrReuse, c.ledger.rule, rule.recipe().name)
	}
	if _, err := rule.Rank(c.Len()); err != nil {
		return nil, err
	}
	c.ledger.rule = rule.recipe().name
	return use()
}

// checkFamilyCovers reports a promise for fewer sets than are calibrated together.
func checkFamilyCovers(rule Rule, sets int) error {
	if rule == nil {
		return errNilRule
	}
	if sets < 1 {
		return fmt.Errorf("calibration: no set is given to calibrate; pass at least one score")
	}
	r := rule.recipe()
	if err := r.validate(); err != nil {
		return err
	}
	switch {
	case r.Guarantee == marginal && sets > 1:
		return fmt.Errorf("calibration: the marginal guarantee of the %s rule is for one set, but %d sets are calibrated together; use OrderStatistic with the family Candidates(%d), or new samples for each set", r.name, sets, sets)
	case r.Guarantee == simultaneous && r.Family.scored():
		return r.wrongScores()
	case r.Guarantee == simultaneous && !r.Family.covers(sets):
		return fmt.Errorf("calibration: the guarantee of the rule is for %v but %d sets are calibrated together; use the family Candidates(%d)", r.Family, sets, sets)
	}
	return nil
}

// Fresh returns the samples with the declaration that they are independent draws which nothing has seen, although some
// of them equal atoms: draws of a law with few values, or from the very scenarios of the dictionary. Methods that need
// such draws take other matrices for seen where rows equal atoms.
func Fresh(samples mat.Matrix) mat.Matrix { return fresh{samples} }

type fresh struct{ mat.Matrix }

// DeclaredFresh tells package robust that the samples come from Fresh.
func (fresh) DeclaredFresh() {}
