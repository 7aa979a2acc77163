package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// evidence is what promises of Tune rest on.
type evidence struct {
	samples    int        // m, on which a count rests
	radii      []float64  // to be tried
	hypotheses []string   // besides those of every promise
	draws      *mat.Dense // the samples; nil where the atoms are the samples
	basis      basis
	delta      float64
	beyond     int // how many samples the radius of the whole dictionary leaves out
	levels     int // of the compression
	// picks tells that each step holds the most violated atoms, chosen as Solution.OutOfSample of a design does: the
	// preference property of that choice at each number b of atoms takes Delta/2 / (b+1)(b+2), which sums to Delta/2,
	// and the union over all sets the other half, so that the smaller of the two promises holds for every step at once.
	picks bool
}

type basis int

const (
	covered basis = iota
	counted
	compressed
)

// violation is the share that a step promises as one of several, with any number of samples of which
// the same share behaves like those at hand.
func (e *evidence) violation(s *TuneStep, steps, samples int) (proof.Upper, error) {
	switch e.basis {
	case covered:
		return shareOf(e.beyond, e.samples, samples, e.delta)
	case counted:
		return shareOf(s.support, e.samples, samples, -directed.QuotientUpper(-e.delta, float64(steps)))
	}
	if !e.picks {
		return calibration.Compression{Delta: e.delta, Levels: e.levels}.Violation(samples, s.support)
	}
	share, err := calibration.Compression{Delta: e.delta / 2, Levels: e.levels}.Violation(samples, s.support)
	b := float64(s.support)
	preference := calibration.Compression{Delta: -directed.QuotientUpper(-e.delta/2, (b+1)*(b+2)), Preference: true}
	picked, failed := preference.Violation(samples, s.preferred)
	return proof.Least(share, picked), cmp.Or(err, failed)
}

func (p *Problem) findEvidence(ctx context.Context, samples mat.Matrix, demands Demands, o *TuneOptions) (*evidence, error) {
	if o.Radii != nil && len(o.Radii) == 0 {
		return nil, errors.New("robust: Radii is empty; list radii, or leave it nil for the default")
	}
	if samples == nil {
		return p.sampledAtoms(demands.Delta, o)
	}
	if err := input.CheckRows("samples", "sample", samples, p.dictionary.dim); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	if err := p.checkFresh(samples, "declare the atoms with Dictionary.AsSampled and pass nil, so that the atoms are the samples"); err != nil {
		return nil, fmt.Errorf("robust: Tune: %w", err)
	}
	rows := mat.DenseCopyOf(samples)
	if o.Radii == nil {
		return p.coveredDraws(ctx, rows, demands)
	}
	m, _ := samples.Dims()
	return &evidence{
		samples: m, radii: o.Radii, draws: rows, basis: counted, delta: demands.Delta,
		hypotheses: []string{"the decisions were computed without the samples; each of the n compared takes delta/n, so that one of them may be chosen on the samples"},
	}, nil
}

// coveredDraws promise by the radius at which the whole dictionary covers a new draw, with the smallest
// alpha possible where the samples are too few for that demanded.
func (p *Problem) coveredDraws(ctx context.Context, samples *mat.Dense, demands Demands) (*evidence, error) {
	if err := p.dictionary.checkWide(); err != nil {
		return nil, err
	}
	set, _ := sparsero.FullSet(p.Dictionary(), 1) // of a dictionary that is not empty
	m, _ := samples.Dims()
	rule := calibration.OrderStatistic{Alpha: demands.Violation, Delta: demands.Delta}
	var small *calibration.SampleTooSmallError
	if _, err := rule.Rank(m); errors.As(err, &small) && small.SmallestAlpha*(1+alphaSlack) < 1 {
		rule.Alpha = small.SmallestAlpha * (1 + alphaSlack)
	}
	scores, err := calibration.GaugeScores(ctx, set, samples)
	if err != nil {
		return nil, fmt.Errorf("robust: radius of the whole dictionary: %w", err)
	}
	radius, err := rule.Calibrate(scores)
	if err == nil {
		err = radius.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("robust: radius of the whole dictionary (or list Radii, which asks for less): %w", err)
	}
	return &evidence{
		samples: m, radii: []float64{radius.Value.Float()}, draws: samples,
		basis: covered, delta: demands.Delta, beyond: m - radius.Rank,
		hypotheses: []string{"the radius is that of the whole dictionary, one set fixed before the samples were seen: a draw inside it exceeds the levels of no decision, so that atoms and decision may be chosen on the samples"},
	}, nil
}

// sampledAtoms promise by the few atoms that determine a decision.
func (p *Problem) sampledAtoms(delta float64, o *TuneOptions) (*evidence, error) {
	radii := o.Radii
	if radii == nil {
		radii = []float64{1}
	}
	rule := (&DesignOptions{Rule: o.Rule}).chosenRule(p)
	found := &evidence{
		samples: p.dictionary.size, radii: radii, basis: compressed, delta: -directed.QuotientUpper(-delta, float64(len(radii))),
		levels: len(p.exposures()), picks: p.mostViolatedRule(rule),
		hypotheses: []string{levelHypothesis,
			"all sets of as many atoms are counted, so that atoms and their number may be chosen on the samples; each of n radii takes delta/n"},
	}
	if found.picks {
		found.hypotheses[1] = "atoms that were not chosen take no part in the choice of the most violated ones, or all sets of as many atoms are counted, each at half of delta, so that their number may be chosen on the samples; each of n radii takes delta/n"
	}
	return found, p.checkSampled()
}

// step turns a solution into a decision that can be judged, with its levels.
func (e *evidence) step(ctx context.Context, s *Solution) (*TuneStep, error) {
	p := s.problem
	if e.basis == compressed {
		return e.stepAlone(ctx, s)
	}
	step := &TuneStep{Solution: s}
	for _, exposure := range p.exposures() {
		upper, atom := p.coveredUpper(exposure, s.Radius, s.X)
		level := p.levelOf(exposure, s.X, upper)
		level.Atom = atom
		step.Levels = append(step.Levels, level)
	}
	if e.basis == counted {
		step.support = p.countAbove(s.Radius, s.X, e.draws)
	}
	return step, nil
}

// stepAlone is the decision of a solve from the atoms alone, of which the promise speaks.
func (e *evidence) stepAlone(ctx context.Context, s *Solution) (*TuneStep, error) {
	p, atoms := s.problem, slices.Clone(s.Atoms)
	if !e.picks { // a union takes sets
		slices.Sort(atoms)
	}
	alone, err := p.solveAlone(ctx, atoms, s.Radius, s.options)
	if err != nil {
		return nil, err
	}
	promise, err := p.promise(alone.X, atoms, s.Radius, calibration.Compression{Delta: e.delta, Preference: true})
	if err != nil {
		return nil, err
	}
	decided, err := s.within(p, promise.X, p.exposeAll(promise.X))
	step := &TuneStep{Solution: decided, Levels: promise.Levels, support: len(atoms), preferred: len(promise.Atoms), next: sparsero.NullAtom}
	if e.picks {
		step.next = p.mostMissed(alone, designTolerance)
	}
	return step, err
}

// shareOf bounds the share of new draws that behave like some of m samples, at another number of samples.
func shareOf(some, m, samples int, delta float64) (proof.Upper, error) {
	return calibration.LargestShare((some*samples+m-1)/m, samples, delta)
}

// countAbove counts the samples that put any uncertain expression above its level at x, or of which rounding leaves that in doubt.
func (p *Problem) countAbove(radius float64, x []float64, samples *mat.Dense) int {
	above := make([]bool, samples.RawMatrix().Rows)
	for _, exposure := range p.exposures() {
		middle, errors := direction(p.exposureMap(exposure), x)
		covered, _ := p.coveredUpper(exposure, radius, x)
		for j := range above {
			most := harm(p.dictionary.part(exposure, samples.RawRowView(j)), middle, errors, 1).Upper()
			above[j] = above[j] || most > covered || math.IsInf(most, 1) // which says nothing about two of them
		}
	}
	return len(slices.DeleteFunc(above, func(exceeded bool) bool { return !exceeded }))
}

// coveredUpper is r M_[N](q(x)) of an exposure, rounded up and raised by the slack, and the atom that sets it.
func (p *Problem) coveredUpper(exposure int, radius float64, x []float64) (upper float64, atom int) {
	covered, atom := p.uncertainUpper(radius, exposure, x)
	sizes := termSizes(p.exposureMap(exposure), x)
	return directed.SumUpper(covered, tiedLevel*radius*p.dictionary.at(exposure).dictionary.AlignmentReach(sizes)), atom
}
