package calibration

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// Adaptive follows scores that drift (adaptive conformal inference, Gibbs and Candès 2021): the radius of day t is the
// split-conformal quantile of the scores seen so far at the level 1-α_t, and what happens moves α_t,
//
//	α_1 = Alpha,   α_{t+1} = α_t + Gamma (Alpha - err_t), err_t = 1 if the score of day t exceeds its radius, 0 otherwise.
//
// A violation makes the next radius larger, a covered day makes it a little smaller. For every sequence of scores, also
// of an author who sees each radius first, the share of violations in T days is Alpha up to Bound(T): nothing is
// assumed, neither independence nor a law. This is a statement about frequency in the long run; it says nothing about a
// single day, and a radius may be infinite.
//
// The radius is +Inf, which covers whatever comes, at α_t <= 0 and while too few scores are seen for the level. At
// α_t >= 1 it is -Inf, the empty set, which every score violates: with 0 in its place scores that are all 0 would never
// be violated, and the share could not return to Alpha. A model takes 0 for -Inf, and is violated no more often.
type Adaptive struct {
	// Alpha is the share of violations to be kept, in (0,1). Required.
	Alpha float64
	// Gamma is the step, above 0; 0.005 to 0.05 is usual. A larger one follows faster and swings more. Required.
	Gamma float64
	// Window is how many of the latest scores the radius is a quantile of; 0 means all.
	Window int
}

// boundSlack is what rounding may add to the distance of two shares, relative and absolute: a few units in the last
// place, as the level is computed from counts and gathers no errors.
const boundSlack = 1e-15

// Bound returns what the share of violations in the first steps days may differ from Alpha, in either direction,
//
//	(max(Alpha, 1-Alpha) + Gamma) / (Gamma steps),
//
// rounded up. For any other days in a row (1 + Gamma) / (Gamma steps) takes its place. Proof: while α_t <= 0 nothing is
// violated and while α_t >= 1 everything is, so that α_t stays in [-Gamma (1-Alpha), 1 + Gamma Alpha]; and
// α_{T+1} - α_1 = Gamma sum_t (Alpha - err_t). It is an error if the options are out of range or steps < 1.
func (a Adaptive) Bound(steps int) (proof.Upper, error) {
	if err := a.validate(); err != nil {
		return proof.Upper{}, err
	}
	if steps < 1 {
		return proof.Upper{}, fmt.Errorf("calibration: there is no fraction of %d days; give steps >= 1", steps)
	}
	return proof.AtMost((math.Max(a.Alpha, 1-a.Alpha)/a.Gamma+1)/float64(steps)*(1+boundSlack) + boundSlack), nil
}

func (a Adaptive) validate() error {
	if err := (Parameters{Alpha: a.Alpha, Guarantee: marginal}).validate(); err != nil {
		return err
	}
	if !(a.Gamma > 0) || math.IsInf(a.Gamma, 1) {
		return fmt.Errorf("calibration: gamma=%g is not a positive number; use gamma=0.01, say, which moves the level by about a hundredth after a violation", a.Gamma)
	}
	if a.Window < 0 {
		return fmt.Errorf("calibration: window=%d is negative; use 0 for all scores", a.Window)
	}
	return nil
}

// Begin returns a stream before its first day. The past scores, in the order of time, count for the radii and not for
// the share of violations; there may be none. It is an error if the options are out of range or a score is NaN or -Inf.
func (a Adaptive) Begin(past []float64) (*AdaptiveStream, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	if len(past) > 0 {
		if err := checkScores("past", past); err != nil {
			return nil, err
		}
	}
	s := &AdaptiveStream{options: a}
	if a.Window > 0 {
		past = past[max(0, len(past)-a.Window):]
		s.recent = slices.Clone(past)
	}
	s.sorted = slices.Sorted(slices.Values(past))
	return s, nil
}

// Run is a stream over all scores at once, in the order of time. It has the errors of Begin and of Next.
func (a Adaptive) Run(past, scores []float64) (AdaptivePath, error) {
	stream, err := a.Begin(past)
	if err != nil {
		return nil, err
	}
	if err := checkScores("scores", scores); err != nil {
		return nil, err
	}
	path := make(AdaptivePath, len(scores))
	for t, score := range scores {
		if path[t], err = stream.Next(score); err != nil {
			return nil, err
		}
	}
	return path, nil
}

// AdaptiveStream is Adaptive day by day; Begin makes it. One goroutine at a time may use it.
type AdaptiveStream struct {
	options           Adaptive
	steps, violations int
	recent            []float64 // the scores of the window in the order of time; not kept where all count
	sorted            []float64 // the scores that count, ascending
}

// Level returns α_t of the day to come.
func (s *AdaptiveStream) Level() float64 {
	a := s.options
	return a.Alpha + a.Gamma*(float64(s.steps)*a.Alpha-float64(s.violations))
}

// Radius returns the radius of the day to come: Z_(k) with k = ceil((m+1)(1-α_t)) of the m scores that count, +Inf for
// k > m, -Inf for k < 1.
func (s *AdaptiveStream) Radius() float64 {
	m := len(s.sorted)
	k := m + 1 - rank.Down(m+1, s.Level())
	switch {
	case k > m:
		return math.Inf(1)
	case k < 1:
		return math.Inf(-1)
	default:
		return s.sorted[k-1]
	}
}

// Next takes the score of the day, and returns the day. O(m) for m scores that count. A score that is NaN or -Inf is an error
// with radius +Inf and changes nothing; a stream that Begin has not made is an error.
func (s *AdaptiveStream) Next(score float64) (AdaptiveStep, error) {
	if s.options.Gamma == 0 {
		return AdaptiveStep{Radius: math.Inf(1)}, errors.New("calibration: the stream is empty; make it with Adaptive.Begin")
	}
	if err := checkScores("score", []float64{score}); err != nil {
		return AdaptiveStep{Radius: math.Inf(1)}, err
	}
	step := AdaptiveStep{Score: score, Radius: s.Radius(), Level: s.Level()}
	step.Covered = score <= step.Radius
	s.steps++
	if !step.Covered {
		s.violations++
	}
	s.remember(score)
	return step, nil
}

// remember adds a score to those that count, and lets the oldest fall out of a full window.
func (s *AdaptiveStream) remember(score float64) {
	if window := s.options.Window; window > 0 {
		s.recent = append(s.recent, score)
		if len(s.recent) > window {
			oldest, _ := slices.BinarySearch(s.sorted, s.recent[0])
			s.sorted = slices.Delete(s.sorted, oldest, oldest+1)
			s.recent = s.recent[1:]
		}
	}
	place, _ := slices.BinarySearch(s.sorted, score)
	s.sorted = slices.Insert(s.sorted, place, score)
}

// AdaptiveStep is one day of a path.
type AdaptiveStep struct {
	// Score is that of the day; Radius stood before it was seen, at the level 1-Level.
	Score, Radius, Level float64
	// Covered reports Score <= Radius.
	Covered bool
}

// AdaptivePath are the days of a run in the order of time.
type AdaptivePath []AdaptiveStep

// Rate returns the share of days that were not covered, which Adaptive.Bound is about; NaN without a day.
func (p AdaptivePath) Rate() float64 {
	violations := 0
	for _, step := range p {
		if !step.Covered {
			violations++
		}
	}
	return float64(violations) / float64(len(p))
}

// Frame returns one row for each day, with the columns score, radius, level, covered.
func (p AdaptivePath) Frame() dataframe.DataFrame {
	rows := frame.NewRows("score,radius,level,covered")
	for _, s := range p {
		rows.Add(s.Score, s.Radius, s.Level, s.Covered)
	}
	return rows.Frame()
}
