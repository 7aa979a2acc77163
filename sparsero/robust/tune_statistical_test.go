package robust_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// tuneRoads ask the same question with the three sources of the promise. The dictionary of the first two has nothing
// to do with the samples: it mirrors draws of another seed, and its cone holds all draws.
var tuneRoads = map[string]func(t *testing.T, from source, integer bool, seed uint64) (*robust.Problem, mat.Matrix, *robust.TuneOptions){
	"covered": func(t *testing.T, from source, integer bool, seed uint64) (*robust.Problem, mat.Matrix, *robust.TuneOptions) {
		return mirroredPortfolio(t, from, integer), draws(from, 40, seed), nil
	},
	"counted": func(t *testing.T, from source, integer bool, seed uint64) (*robust.Problem, mat.Matrix, *robust.TuneOptions) {
		return mirroredPortfolio(t, from, integer), draws(from, 40, seed), &robust.TuneOptions{Radii: []float64{0.25, 0.5, 0.75, 1}}
	},
	"atoms": func(t *testing.T, from source, integer bool, seed uint64) (*robust.Problem, mat.Matrix, *robust.TuneOptions) {
		return sampledPortfolio(t, from, integer, 60, seed), nil, &robust.TuneOptions{Radii: []float64{0.5, 1}}
	},
}

// draws are independent samples of a source.
func draws(from source, count int, seed uint64) *mat.Dense {
	r, rows := rand.New(rand.NewPCG(seed, 27)), mat.NewDense(count, dim, nil)
	for j := range count {
		rows.SetRow(j, from.draw(r))
	}
	return rows
}

// mirroredPortfolio is sampledPortfolio over the antipodal closure of its atoms, always the same.
func mirroredPortfolio(t *testing.T, from source, integer bool) *robust.Problem {
	const atoms, seed = 25, 1 << 40
	p := sampledPortfolio(t, from, integer, atoms, seed)
	return must(robust.NewProblem(p.Dictionary().AntipodalClosure(), p.Region(), p.Map()))(t)
}

// TestTuneKeepsItsPromise asks for designs from samples whose law is known: over many seeds the share in which any
// step of the answer, met or not, is violated more often than promised is at most delta. The false-alarm level is 1e-6 for
// each comparison, as in TestPromiseHolds; seeds are fixed. Counting the samples above the levels without paying, the same
// comparison fails, which shows that it can. Gaps are compared with the full model.
func TestTuneKeepsItsPromise(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats Tune many times")
	}
	const delta, falseAlarm = 0.2, 1e-6
	demands := robust.Demands{Gap: 0.01, Violation: 0.2, Delta: delta}
	seeds, caught := 8, false
	switch os.Getenv("DIRECTIONS_LONG") {
	case "":
	case "all":
		seeds = 2000
	default:
		seeds = 50
	}
	for _, from := range sources() {
		for _, integer := range integralities {
			for road, ask := range tuneRoads {
				broken, careless, met := 0, 0, 0
				for seed := range seeds {
					p, samples, options := ask(t, from, integer, uint64(seed))
					if road != "atoms" {
						samples = calibration.Fresh(samples) // a draw of the lattice may equal an atom
					}
					tuned, err := p.Tune(ctx, samples, demands, options)
					if err != nil && !errors.As(err, new(*robust.UnmetError)) {
						if !errors.Is(err, calibration.ErrInfiniteRadius) {
							t.Fatal(err)
						}
						continue
					}
					if seed%100 == 0 {
						checkGap(t, p, tuned)
					}
					if tuned.Met {
						met++
					}
					if violatedMore(p, tuned.Steps, from, func(s *robust.TuneStep) float64 { return s.Violation.Float() }) {
						broken++
					}
					if samples != nil && violatedMore(p, tuned.Steps, from, func(s *robust.TuneStep) float64 { return seenAbove(p, s, samples) }) {
						careless++
					}
				}
				t.Logf("%s, integer %v, %s: of %d seeds %d met, %d broken, %d without paying", from.name, integer, road, seeds, met, broken, careless)
				if (distuv.Binomial{N: float64(seeds), P: delta}).Survival(float64(broken)-1) < falseAlarm {
					t.Errorf("%s, integer %v, %s: %d of %d seeds broken, more than probability %g allows", from.name, integer, road, broken, seeds, delta)
				}
				caught = caught || careless > seeds/2
			}
		}
	}
	if !caught {
		t.Error("not even the share seen is exceeded: the comparison cannot fail")
	}
}

// violatedMore tells whether a new draw exceeds the level of any step with a larger probability than stated.
func violatedMore(p *robust.Problem, steps []robust.TuneStep, from source, stated func(*robust.TuneStep) float64) bool {
	for k := range steps {
		s, scale := &steps[k], 1.0
		if p.Dictionary().Sampled() {
			scale = s.Radius // U stands for r times a draw
		}
		x := s.Solution.X
		if from.exceeds(x, (s.Levels[0].Value.Float()-p.Region().Objective(x))/scale) > stated(s) {
			return true
		}
	}
	return false
}

// seenAbove is the share of the samples above the level of a step.
func seenAbove(p *robust.Problem, s *robust.TuneStep, samples mat.Matrix) float64 {
	m, _ := samples.Dims()
	above := 0
	for j := range m {
		if exceeds(p, s, mat.Row(nil, j, samples), 1e-12) {
			above++
		}
	}
	return float64(above) / float64(m)
}

// checkGap compares the gap of the answer with the full model.
func checkGap(t *testing.T, p *robust.Problem, tuned *robust.Tuned) {
	t.Helper()
	full := must(p.SolveFull(ctx, tuned.Radius, nil))(t)
	if regret := tuned.Value.Float() - full.Value; regret > tuned.Gap.Float()+tolerance {
		t.Errorf("regret %v, promised at most %v", regret, tuned.Gap)
	}
}

// TestTunedGapUnderLimits: a solver that stops early leaves a gap that still bounds the regret, and Tune says that no
// number of atoms closes it.
func TestTunedGapUnderLimits(t *testing.T) {
	for _, integer := range integralities {
		if !integer {
			continue
		}
		p := mirroredPortfolio(t, sources()[0], integer)
		limits := &solver.Options{RelativeGap: 0.3}
		demands := robust.Demands{Gap: 1e-9, Violation: 0.5, Delta: 0.5}
		tuned, err := p.Tune(ctx, draws(sources()[0], 40, 3), demands, &robust.TuneOptions{Radii: []float64{0.5}, Solver: limits})
		if err != nil && !errors.As(err, new(*robust.UnmetError)) {
			t.Fatal(err)
		}
		t.Log(tuned, err)
		checkGap(t, p, tuned)
	}
}
