package robust_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// tuneCase is a question with what an independent road needs to check the answer.
type tuneCase struct {
	problem *robust.Problem
	samples *mat.Dense // nil if the atoms are the samples
	demands robust.Demands
	options *robust.TuneOptions
}

func (c *tuneCase) tune() (*robust.Tuned, error) {
	if c.samples == nil {
		return c.problem.Tune(ctx, nil, c.demands, c.options)
	}
	return c.problem.Tune(ctx, calibration.Fresh(c.samples), c.demands, c.options) // sums of one atom are among them
}

// drawTuneCase draws problems with and without robust constraints and all three sources of the promise.
func drawTuneCase(t *rapid.T) *tuneCase {
	problem, _ := drawSampled(t)
	c := &tuneCase{problem: problem, options: &robust.TuneOptions{
		Rule: rapid.SampledFrom([]robust.AtomRule{0, robust.CoverageGain, robust.SmallestDeficit, robust.MostViolated}).Draw(t, "rule"),
	}}
	c.demands = robust.Demands{
		Gap:       rapid.SampledFrom([]float64{0, 0.01, 0.5}).Draw(t, "gap"),
		Violation: rapid.SampledFrom([]float64{0.05, 0.2, 0.6}).Draw(t, "alpha"),
		Delta:     rapid.SampledFrom([]float64{0.001, 0.1, 0.5}).Draw(t, "delta"),
		Atoms:     rapid.IntRange(0, problem.Dictionary().Size()).Draw(t, "budget"),
	}
	road := rapid.SampledFrom([]string{"covered", "counted", "atoms"}).Draw(t, "road")
	if road != "covered" {
		for range rapid.IntRange(1, 3).Draw(t, "radii") {
			c.options.Radii = append(c.options.Radii, drawRadius(t))
		}
	}
	if road != "atoms" {
		c.samples = drawDraws(t, problem.Dictionary(), rapid.IntRange(1, 60).Draw(t, "m"))
	}
	return c
}

// drawDraws are small sums of atoms, so that most of them lie in the cone of the dictionary.
func drawDraws(t *rapid.T, d *sparsero.Dictionary, m int) *mat.Dense {
	draws := mat.NewDense(m, d.Dim(), nil)
	for j := range m {
		row := draws.RawRowView(j)
		for range rapid.IntRange(0, 2).Draw(t, "terms") {
			share := float64(rapid.IntRange(0, 6).Draw(t, "share")) / 4
			for k, v := range d.RawRowView(rapid.IntRange(0, d.Size()-1).Draw(t, "of")) {
				row[k] += share * v
			}
		}
	}
	return draws
}

// answer is nil where there is none for a reason that Tune may have.
func answer(t *rapid.T, c *tuneCase) (*robust.Tuned, *robust.UnmetError) {
	tuned, err := c.tune()
	var unmet *robust.UnmetError
	switch {
	case errors.As(err, &unmet):
		return tuned, unmet
	case errors.Is(err, solver.ErrInfeasible), errors.Is(err, calibration.ErrInfiniteRadius), errors.Is(err, calibration.ErrSampleTooSmall):
		return nil, nil
	}
	return get(tuned, err)(t), nil
}

// TestTunedGapHolds compares the gap of every step with the full model, and recomputes which demands are met.
func TestTunedGapHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawTuneCase(t)
		tuned, unmet := answer(t, c)
		if tuned == nil {
			return
		}
		budget, gap := c.demands.Atoms, c.demands.Gap
		if budget == 0 {
			budget = c.problem.Dictionary().Size()
		}
		if gap == 0 {
			gap = 1e-6
		}
		best, largest := math.Inf(1), 0.0
		for _, s := range tuned.Steps {
			evaluated := get(c.problem.Evaluate(s.Atoms, s.Radius, s.Solution.X))(t)
			if !near(s.Value.Float(), evaluated.FullValue()) {
				t.Fatalf("value %v, evaluated %v", s.Value, evaluated.FullValue())
			}
			met := len(s.Atoms) <= budget && s.Violation.Float() <= c.demands.Violation && s.RelativeGap.Float() <= gap
			if met != s.Met {
				t.Fatalf("step %+v: met %v, recomputed %v", s, s.Met, met)
			}
			if met {
				best = math.Min(best, s.Value.Float())
			}
			largest = math.Max(largest, math.Abs(s.Value.Float()))
			if s.RelativeGap.Float()*math.Abs(s.Value.Float()) > s.Gap.Float()*(1+1e-12) || s.RelativeGap.Float()*math.Max(math.Abs(s.Value.Float()), 1e-6*largest) < s.Gap.Float()*(1-1e-12) {
				t.Fatalf("gap %v, value %v, relative gap %v", s.Gap, s.Value, s.RelativeGap)
			}
			if math.IsInf(s.Gap.Float(), 1) {
				if evaluated.FullFeasible() {
					t.Fatalf("nothing is proven about a decision that satisfies the full model: %+v", s)
				}
				continue
			}
			full := get(c.problem.SolveFull(ctx, s.Radius, nil))(t)
			if regret := s.Value.Float() - full.Value; regret > s.Gap.Float()+tolerance {
				t.Fatalf("regret %v, promised at most %v", regret, s.Gap)
			}
		}
		if tuned.Met != (unmet == nil) || tuned.Met != !math.IsInf(best, 1) || tuned.Met && tuned.Value.Float() != best {
			t.Fatalf("answer %v, met %v, error %v; best value %v", tuned.Value, tuned.Met, unmet, best)
		}
		if len(tuned.Atoms) > budget {
			t.Fatalf("%d atoms, demanded %d", len(tuned.Atoms), budget)
		}
		if tuned.Frame().Nrow() != len(tuned.Steps) {
			t.Fatal("frames without rows")
		}
	})
}

// TestTunedRadiusIsThatOfTheRule: the radius is the order statistic of the gauges, and no sample inside it
// exceeds a level of any step.
func TestTunedRadiusIsThatOfTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawTuneCase(t)
		c.options.Radii = nil
		c.samples = drawDraws(t, c.problem.Dictionary(), rapid.IntRange(15, 60).Draw(t, "samples"))
		tuned, _ := answer(t, c)
		if tuned == nil {
			return
		}
		d := c.problem.Dictionary()
		gauges := get(calibration.GaugeScores(ctx, get(sparsero.NewAtomicSet(d, everyAtom(d), 1))(t), c.samples))(t)
		rule := calibration.OrderStatistic{Alpha: c.demands.Violation, Delta: c.demands.Delta}
		need := get(rule.MinSamples())(t)
		if len(gauges) < need {
			slices.Sort(gauges)
			if tuned.Radius != gauges[len(gauges)-1] || tuned.Violation.Float() <= c.demands.Violation {
				t.Fatalf("%d of %d samples: radius %v promises %v", len(gauges), need, tuned.Radius, tuned.Violation)
			}
			return
		}
		if want := get(rule.Calibrate(gauges))(t); tuned.Radius != want.Value.Float() || tuned.Violation.Float() > c.demands.Violation {
			t.Fatalf("radius %v promises %v, the rule says %v", tuned.Radius, tuned.Violation, want)
		}
		rank := get(rule.Rank(len(gauges)))(t)
		if share := get(calibration.LargestShare(len(gauges)-rank, len(gauges), c.demands.Delta))(t).Float(); tuned.Violation.Float() != share {
			t.Fatalf("%v promised, rank %d of %d allows %v", tuned.Violation, rank, len(gauges), share)
		}
		for _, s := range tuned.Steps {
			checkSetters(t, c.problem, &s)
			for j, g := range gauges {
				if g <= tuned.Radius && exceeds(c.problem, &s, c.samples.RawRowView(j), 1e-9) {
					t.Fatalf("sample %d has gauge %v <= %v and exceeds a level of %+v", j, g, tuned.Radius, s)
				}
			}
		}
	})
}

// checkSetters: the atom that a level names is the worst one of its expression.
func checkSetters(t *rapid.T, p *robust.Problem, s *robust.TuneStep) {
	maps := []sparsero.AffineMap{p.Map()}
	for _, c := range p.Constraints() {
		maps = append(maps, c.Map)
	}
	for k, level := range s.Levels {
		alignments, named := p.Dictionary().Alignments(nil, maps[k].Apply(s.Solution.X)), 0.0
		if level.Atom != sparsero.NullAtom {
			named = alignments[level.Atom]
		}
		if largest := math.Max(0, slices.Max(alignments)); math.Abs(largest-named) > 1e-9*(1+largest) {
			t.Fatalf("%+v: its atom reaches %v, and the worst one %v", level, named, largest)
		}
	}
}

// exceeds tells whether a draw puts an uncertain expression above its level.
func exceeds(p *robust.Problem, s *robust.TuneStep, u []float64, slack float64) bool {
	harm := func(q sparsero.AffineMap) float64 {
		return mat.Dot(mat.NewVecDense(len(u), u), mat.NewVecDense(len(u), q.Apply(s.Solution.X)))
	}
	above := func(value, level float64) bool { return value > level+slack*(1+math.Abs(level)) }
	exceeded := above(p.Region().Objective(s.Solution.X)+harm(p.Map()), s.Levels[0].Value.Float())
	for k, c := range p.Constraints() {
		nominal := 0.0
		for j, v := range c.Nominal {
			nominal += v * s.Solution.X[j]
		}
		exceeded = exceeded || above(nominal+harm(c.Map), s.Levels[k+1].Value.Float())
	}
	return exceeded
}

// TestTunedCountsPayForTheUnion: with listed radii a step keeps the promise exactly where the order-statistic
// rule for as many candidates as there are steps allows so many samples above the levels.
func TestTunedCountsPayForTheUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawTuneCase(t)
		c.options.Radii = []float64{1, 0.25 + drawRadius(t)}
		m := rapid.IntRange(15, 80).Draw(t, "samples")
		c.samples = drawDraws(t, c.problem.Dictionary(), m)
		tuned, _ := answer(t, c)
		if tuned == nil {
			return
		}
		rule := calibration.OrderStatistic{Alpha: c.demands.Violation, Delta: c.demands.Delta, Family: calibration.Candidates(len(tuned.Steps))}
		for _, s := range tuned.Steps {
			count := 0
			for j := range m {
				if exceeds(c.problem, &s, c.samples.RawRowView(j), 1e-9) {
					count++
				}
			}
			rank, err := rule.Rank(m)
			if allowed := err == nil && count <= m-rank; allowed != (s.Violation.Float() <= c.demands.Violation) {
				t.Fatalf("%+v: %d of %d samples above the levels, promised %v, the rule: rank %d, %v", s, count, m, s.Violation, rank, err)
			}
		}
	})
}

// TestTunedAtomsPayForTheirChoice: with sampled atoms every step has the promise of its atoms, its radius counted
// among those listed: that of the union, and where the most violated atoms are chosen the smaller one of the union and of the
// preference, half of delta for each, its number of atoms counted among all numbers.
func TestTunedAtomsPayForTheirChoice(t *testing.T) {
	roads := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawTuneCase(t)
		c.samples = nil
		tuned, _ := answer(t, c)
		if tuned == nil {
			return
		}
		delta := c.demands.Delta / float64(max(1, len(c.options.Radii)))
		picks := c.options.Rule != robust.CoverageGain && c.options.Rule != robust.SmallestDeficit || len(c.problem.Constraints()) == 0
		roads[picks]++
		for _, s := range tuned.Steps {
			b := len(s.Atoms)
			if !picks {
				solved := get(c.problem.Solve(ctx, s.Atoms, s.Radius, nil))(t)
				promise := get(solved.OutOfSample(ctx, delta))(t)
				if promise.Violation != s.Violation || !slices.Equal(promise.Levels, s.Levels) || !slices.Equal(promise.X, s.Solution.X) {
					t.Fatalf("step %+v, promise of its atoms %+v", s, promise)
				}
				continue
			}
			n, levels := c.problem.Dictionary().Size(), len(s.Levels)
			want := get(calibration.Compression{Delta: delta / 2, Levels: levels}.Violation(n, b))(t).Float()
			if b == 0 {
				if s.Violation.Float() > want {
					t.Fatalf("step %+v promises %v, want at most %v", s, s.Violation, want)
				}
				continue
			}
			design := get(c.problem.Design(ctx, b, s.Radius, &robust.DesignOptions{Rule: robust.MostViolated}))(t)
			promise := get(design.Solution.OutOfSample(ctx, delta/2/float64((b+1)*(b+2))))(t)
			if !slices.Equal(promise.Atoms[:b], s.Atoms) || !slices.Equal(promise.Levels, s.Levels) || !slices.Equal(promise.X, s.Solution.X) {
				t.Fatalf("step %+v, most violated atoms %+v", s, promise)
			}
			if want = min(want, promise.Violation.Float()); s.Violation.Float() != want {
				t.Fatalf("step %+v promises %v, want %v", s, s.Violation, want)
			}
		}
	})
	if roads[true] == 0 || roads[false] == 0 && !testing.Short() {
		t.Errorf("roads %v", roads)
	}
}

// TestUnmetNumbersMeetTheDemand gives Tune what it asked for.
func TestUnmetNumbersMeetTheDemand(t *testing.T) {
	supplied := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawTuneCase(t)
		_, unmet := answer(t, c)
		if unmet == nil {
			return
		}
		text := unmet.Error()
		for _, u := range []struct {
			name  string
			got   *proof.Upper
			asked float64
		}{{"gap ", unmet.Gap, unmet.Asked.Gap}, {"violation ", unmet.Violation, unmet.Asked.Violation}} {
			if u.got != nil && !(u.got.Float() > u.asked) || (u.got != nil) != strings.Contains(text, u.name) {
				t.Fatalf("unmet %+v in %q", u, text)
			}
		}
		if unmet.Gap == nil && unmet.Violation == nil || unmet.Remedy == "" {
			t.Fatalf("%q names no demand and no remedy", text)
		}
		more := *c
		more.demands.Atoms = unmet.Atoms
		switch {
		case unmet.Atoms == 0 || unmet.Samples == 0:
			supplied["nothing helps"]++
			return
		case c.samples == nil && unmet.Samples > c.problem.Dictionary().Size():
			return // other atoms choose otherwise: TestSampledAtomsSuggested
		case unmet.Samples > 4000:
			return // the same arithmetic, slowly
		case c.samples == nil || unmet.Samples == len(c.samples.RawMatrix().Data)/c.problem.Dictionary().Dim():
			supplied["atoms"]++
		default:
			more.samples = copies(c.samples, unmet.Samples)
			supplied["samples"]++
		}
		tuned := get(more.tune())(t)
		if !tuned.Met {
			t.Fatalf("%q, but that does not do: %v", text, tuned)
		}
	})
	t.Logf("supplied: %v", supplied)
}

// copies repeats samples as a whole, which keeps the shares, until there are at least so many.
func copies(samples *mat.Dense, least int) *mat.Dense {
	m, p := samples.Dims()
	times := (least + m - 1) / m
	repeated := mat.NewDense(times*m, p, nil)
	for k := range times {
		repeated.Slice(k*m, (k+1)*m, 0, p).(*mat.Dense).Copy(samples)
	}
	return repeated
}

// TestNoAtomsAreEnough: where the decision needs no atom, what is missed is not blamed on their number.
func TestNoAtomsAreEnough(t *testing.T) {
	problem, err := portfolio()
	if err != nil {
		t.Fatal(err)
	}
	samples := mat.NewDense(100, problem.Dictionary().Dim(), nil)
	for i := range 100 {
		samples.Set(i, i%problem.Dictionary().Dim(), 1) // every asset loses on some day
	}
	demands := robust.Demands{Gap: 0.01, Violation: 0.05, Delta: 0.001}
	_, err = problem.Tune(t.Context(), samples, demands, &robust.TuneOptions{Radii: []float64{0}})
	var unmet *robust.UnmetError
	if !errors.As(err, &unmet) || unmet.Atoms != 0 || !strings.Contains(unmet.Remedy, "larger radii") {
		t.Error(err)
	}
}

// TestDrawsBeyondALevelByLessThanAFloatCount: each of the draws (level, 2^-80) puts x1 + x2 above the level, which float64 cannot tell.
func TestDrawsBeyondALevelByLessThanAFloatCount(t *testing.T) {
	problem := must(robust.NewProblem(dictionary(t, []float64{1, 0}), box(1, 1, 0, 0), sparsero.Identity(2)))(t)
	tune := func(draw []float64) *robust.Tuned {
		samples := mat.NewDense(100, 2, nil)
		for j := range 100 {
			samples.SetRow(j, draw)
		}
		tuned, _ := problem.Tune(ctx, samples, robust.Demands{Violation: 0.2, Delta: 0.001}, &robust.TuneOptions{Radii: []float64{1}})
		return tuned
	}
	level := tune([]float64{0, 0}).Levels[0].Value.Float()
	if tuned := tune([]float64{level, 0x1p-80}); tuned.TuneStep.Violation.Float() < 1 {
		t.Errorf("every draw exceeds %v: %v", level, tuned)
	}
	if tuned := tune([]float64{1, 0}); tuned.TuneStep.Violation.Float() > 0.1 {
		t.Errorf("every draw ties with the atom: %v", tuned)
	}
}

// TestValueBeyondFloat64IsNoUnitOfGaps: the first decision reaches more than a float64 holds. Beside it the loss of the second, twice
// its value, was once a share of 0.
func TestValueBeyondFloat64IsNoUnitOfGaps(t *testing.T) {
	region := box(0, 1e200, -1)
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	d := must(dictionary(t, []float64{1e200, 0}, []float64{0, 2}).AsSampled())(t)
	p := must(robust.NewProblem(d, region, sparsero.Identity(2)))(t)
	tuned, err := p.Tune(ctx, nil, robust.Demands{Gap: 0.01, Violation: 0.5, Delta: 0.5}, nil)
	if tuned == nil || len(tuned.Steps) < 2 || tuned.Steps[1].RelativeGap.Float() < 1 {
		t.Fatalf("%+v, %v", tuned, err)
	}
}
