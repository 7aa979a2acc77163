package robust

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/input"
)

// evidence is where the promise of Tune comes from.
type evidence interface {
	// radii are to be tried.
	radii() []float64
	// step turns a solution into a decision that can be judged, with its levels.
	step(ctx context.Context, s *Solution) (*TuneStep, error)
	// violation is the share that a step promises as one of several, with any number of samples of which
	// the same share behaves like those at hand.
	violation(s *TuneStep, steps, samples int) (float64, error)
	// size is the number of samples.
	size() int
	hypotheses() []string
}

// findEvidence validates the samples and decides how they are used.
func (p *Problem) findEvidence(ctx context.Context, samples mat.Matrix, demands Demands, o *TuneOptions) (evidence, error) {
	if samples == nil {
		options, err := o.Solve.withDefaults()
		if err != nil {
			return nil, err
		}
		radii := o.Radii
		if radii == nil {
			radii = []float64{1}
		}
		return &sampledAtoms{problem: p, tried: radii, delta: demands.Delta}, p.checkSampled(options.Solver)
	}
	if err := input.CheckRows("samples", "sample", samples, p.dictionary.Dim()); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	if o.Radii != nil && len(o.Radii) == 0 {
		return nil, errors.New("robust: Radii is empty; list radii, or leave it nil to calibrate one")
	}
	fresh := freshSamples{problem: p, samples: mat.DenseCopyOf(samples), delta: demands.Delta}
	if o.Radii != nil {
		return &countedDraws{freshSamples: fresh, tried: o.Radii}, nil
	}
	return p.calibrateAll(ctx, fresh, demands.Violation)
}

// freshSamples are samples that are no atoms.
type freshSamples struct {
	problem *Problem
	samples *mat.Dense
	delta   float64
}

func (f *freshSamples) size() int { return f.samples.RawMatrix().Rows }

func (f *freshSamples) step(_ context.Context, s *Solution) (*TuneStep, error) {
	step := &TuneStep{Solution: s}
	for _, exposure := range f.problem.exposures() {
		step.Levels = append(step.Levels, f.problem.levelOf(exposure, s.X, f.problem.coveredUpper(exposure, s.Radius, s.X)))
	}
	return step, nil
}

// promised bounds the share of new draws that behave like some of the samples, at a larger number of samples.
func (f *freshSamples) promised(some, samples int, delta float64) (float64, error) {
	some = (some*samples + f.size() - 1) / f.size()
	return calibration.LargestShare(some, samples, delta)
}

// coveredDraws promise by the radius at which the whole dictionary covers a new draw.
type coveredDraws struct {
	freshSamples
	radius calibration.Radius
}

// alphaSlack makes the smallest alpha that a sample allows acceptable in spite of rounding.
const alphaSlack = 1e-9

// calibrateAll sets the radius of the whole dictionary, for the smallest alpha possible where the samples
// are too few.
func (p *Problem) calibrateAll(ctx context.Context, fresh freshSamples, alpha float64) (evidence, error) {
	all := make([]int, p.dictionary.Size())
	for i := range all {
		all[i] = i
	}
	set, err := p.restrictedSet(all, 1)
	if err != nil {
		return nil, err
	}
	rule := calibration.OrderStatistic{Alpha: alpha, Delta: fresh.delta}
	var small *calibration.SampleTooSmallError
	if _, err := rule.Rank(fresh.size()); errors.As(err, &small) && small.SmallestAlpha*(1+alphaSlack) < 1 {
		rule.Alpha = small.SmallestAlpha * (1 + alphaSlack)
	}
	scores, err := calibration.GaugeScores(ctx, set, fresh.samples)
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
	return &coveredDraws{freshSamples: fresh, radius: radius}, nil
}

func (c *coveredDraws) radii() []float64 { return []float64{c.radius.Value} }

func (c *coveredDraws) violation(_ *TuneStep, _, samples int) (float64, error) {
	return c.promised(c.size()-c.radius.Rank, samples, c.delta)
}

func (c *coveredDraws) hypotheses() []string {
	return []string{
		"the samples are independent draws from one distribution, and so is the new one",
		"the dictionary was fixed without these samples, and this is the only promise asked of them at this delta",
		"the radius is that of the whole dictionary, one set fixed before the samples were seen: a draw inside it exceeds the levels of no decision, so that atoms and decision may be chosen after looking",
	}
}

// countedDraws promise by the samples that exceed the levels of a decision.
type countedDraws struct {
	freshSamples
	tried []float64
}

func (c *countedDraws) radii() []float64 { return c.tried }

func (c *countedDraws) step(ctx context.Context, s *Solution) (*TuneStep, error) {
	step, err := c.freshSamples.step(ctx, s)
	if err == nil {
		step.support = c.problem.countAbove(s.Radius, s.X, c.samples)
	}
	return step, err
}

func (c *countedDraws) violation(s *TuneStep, steps, samples int) (float64, error) {
	return c.promised(s.support, samples, c.delta/float64(steps))
}

func (c *countedDraws) hypotheses() []string {
	return []string{
		"the samples are independent draws from one distribution, and so is the new one",
		"problem, radii and options were fixed without these samples, and this is the only promise asked of them at this delta",
		"the decisions were computed without the samples; each of the n compared takes delta/n, which pays for choosing one of them after looking",
	}
}

// sampledAtoms promise by the few atoms that determine a decision.
type sampledAtoms struct {
	problem *Problem
	tried   []float64
	delta   float64
}

func (a *sampledAtoms) radii() []float64 { return a.tried }

func (a *sampledAtoms) size() int { return a.problem.dictionary.Size() }

// step solves again from the atoms alone, as the promise demands.
func (a *sampledAtoms) step(ctx context.Context, s *Solution) (*TuneStep, error) {
	promise, err := s.OutOfSample(ctx, a.delta/float64(len(a.tried)))
	if err != nil {
		return nil, err
	}
	alone, err := a.problem.Evaluate(s.Atoms, s.Radius, promise.X)
	if err != nil {
		return nil, err
	}
	alone.LowerBound, alone.prices = s.LowerBound, s.prices
	alone.Result, alone.options, alone.Partial, alone.Elapsed = s.Result, s.options, s.Partial, s.Elapsed
	return &TuneStep{Solution: alone, Levels: promise.Levels, support: len(promise.Atoms)}, nil
}

func (a *sampledAtoms) violation(s *TuneStep, _, samples int) (float64, error) {
	return calibration.Compression{Delta: a.delta / float64(len(a.tried))}.Violation(samples, s.support)
}

func (a *sampledAtoms) hypotheses() []string {
	return []string{
		"the atoms are independent draws from one distribution, and so is the new one",
		"region, costs, maps, radii and options were fixed without these atoms, and this is the only promise asked of them at this delta",
		fmt.Sprintf("all sets of as many atoms are counted, which pays for choosing atoms and their number after looking; each of the %d radii takes delta/%d", len(a.tried), len(a.tried)),
		levelHypothesis,
	}
}

// countAbove counts the samples that put any uncertain expression above its level at x.
func (p *Problem) countAbove(radius float64, x []float64, samples *mat.Dense) int {
	m, _ := samples.Dims()
	above := make([]bool, m)
	for _, exposure := range p.exposures() {
		middle, errors := direction(p.exposureMap(exposure), x)
		covered := p.coveredUpper(exposure, radius, x)
		for j := range above {
			var harm directed.Sum
			for k, v := range samples.RawRowView(j) {
				harm.AddProduct(v, middle[k])
				harm.AddProduct(-math.Abs(v), errors[k])
			}
			above[j] = above[j] || harm.Lower() > covered
		}
	}
	count := 0
	for _, exceeded := range above {
		if exceeded {
			count++
		}
	}
	return count
}

// levelSlack raises the levels, relative to the terms of q(x) and of the alignments, so that draws which a
// decision of a solver ties with an atom up to rounding count as covered.
const levelSlack = 1e-9

// coveredUpper is r M_N(q(x)) of an exposure, rounded up and raised by the slack.
func (p *Problem) coveredUpper(exposure int, radius float64, x []float64) float64 {
	q := p.exposureMap(exposure)
	sizes := make([]float64, p.dictionary.Dim())
	for k := range sizes {
		if q.Constant != nil {
			sizes[k] = math.Abs(q.Constant[k])
		}
		for j, a := range q.Matrix.RawRowView(k) {
			sizes[k] += math.Abs(a * x[j])
		}
	}
	covered := directed.ProductUpper(radius, p.supportUpper(q, x))
	return directed.SumUpper(covered, levelSlack*radius*p.dictionary.AlignmentReach(sizes))
}
