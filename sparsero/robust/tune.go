package robust

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Tuned is the answer of Tune: the best of its Steps.
type Tuned struct {
	TuneStep
	// Demands are what was asked for.
	Demands Demands
	// Samples is the number of samples on which the promise rests.
	Samples int
	// Hypotheses says in words on what it rests, and what paid for choosing after looking.
	Hypotheses []string
	// Steps are the decisions that were compared, radius by radius, each with one atom more. With
	// probability at least 1-Delta the promises of all of them hold at once.
	Steps []TuneStep
	// Partial tells that the context was cancelled; what was computed until then holds.
	Partial bool

	evidence *evidence // nil for an answer that Tune did not give
	atoms    int       // N
}

// Tune looks for the decision with the smallest promised value Φ_N(X) among those that meet the demands: few atoms S, a
// radius r, X solved for them, a certified gap to the full dictionary at the same radius, and a share of new draws U that
// put the objective or a robust constraint above what the full dictionary reaches at X, Φ_N(X) for the objective.
//
// For each radius one atom after the other is added, as Design does, until the gap is met or no atom helps;
// more atoms than demanded are tried to say how many it takes. The promise comes from
//
//	samples (m×p)            r is the order statistic of their gauge under the whole dictionary: then
//	                         U is in U_N(r) but for the share, and no decision X, however chosen, is exceeded
//	samples and o.Radii      the samples that exceed the levels of each decision are counted; the smaller
//	                         radii, for these decisions alone; each of the n decisions takes Delta/n
//	none                     the atoms are independent draws (Dictionary.AsSampled) and few of them determine
//	                         X (calibration.Compression: the preference property where the most violated atom is added,
//	                         or the union over all sets, whichever promises less); U stands for r times a draw
//
// It costs a solve and O(Np) for each step, besides m linear programs of N columns, or O(mp), or a second
// solve for each step.
//
// If no decision meets the demands, the one that misses the gap least, and then the violation, comes with an
// *UnmetError, which says what would meet them. Other errors: demands, radii and samples that are out of range, those
// of Solve, and those that wrap [calibration.ErrReuse] if samples are rows of the dictionary (see [calibration.Fresh]),
// [ErrNoPromise] if there are none, and [calibration.ErrInfiniteRadius] if the cone of the dictionary misses too many.
// A radius without a feasible decision is passed over.
func (p *Problem) Tune(ctx context.Context, samples mat.Matrix, demands Demands, o *TuneOptions) (*Tuned, error) {
	ctx = input.Context(ctx)
	run, err := p.newTuning(ctx, samples, demands, o)
	if err != nil {
		return nil, err
	}
	var passed error
	for _, radius := range run.radii {
		design, err := p.runDesign(ctx, p.dictionary.size, radius, &run.design, run.walk)
		switch {
		case errors.Is(err, solver.ErrInfeasible):
			passed = err
		case err == nil:
			run.tuned.Partial = run.tuned.Partial || design.Partial
		case ctx.Err() == nil || len(run.tuned.Steps) == 0:
			return nil, err
		default:
			run.tuned.Partial = true
		}
	}
	feasible := slices.ContainsFunc(run.tuned.Steps, func(s TuneStep) bool { return !math.IsInf(s.Gap.Float(), 1) })
	if !feasible && passed != nil || len(run.tuned.Steps) == 0 {
		return nil, cmp.Or(passed, ctx.Err())
	}
	return run.finish()
}

type tuning struct {
	*evidence
	design   DesignOptions
	tuned    *Tuned
	progress func(TuneStep)
}

func (p *Problem) newTuning(ctx context.Context, samples mat.Matrix, demands Demands, o *TuneOptions) (*tuning, error) {
	o = cmp.Or(o, &TuneOptions{})
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := demands.fill(p.dictionary.size); err != nil {
		return nil, err
	}
	design := DesignOptions{Solver: o.Solver, Rule: o.Rule}
	if err := p.checkBudget(demands.Atoms, &design); err != nil {
		return nil, err
	}
	found, err := p.findEvidence(ctx, samples, demands, o)
	if err != nil {
		return nil, err
	}
	tuned := &Tuned{Demands: demands, Samples: found.samples, evidence: found, atoms: p.dictionary.size, Hypotheses: append([]string{
		"the samples (or sampled atoms) are independent draws from one distribution, and so is the new one",
		"problem, radii and options were fixed without them, and this is the only guarantee asked of them at this delta",
	}, found.hypotheses...)}
	return &tuning{found, design, tuned, o.Progress}, nil
}

// walk adds atoms at one radius until the gap is met or none helps.
func (t *tuning) walk(run *designRun, ctx context.Context) error {
	largest := 0.0
	run.calibrated = t.basis == covered
	for {
		if _, err := run.solve(ctx); err != nil {
			return err
		}
		step, err := t.step(ctx, run.design.Solution)
		if err != nil {
			return err
		}
		step.measure(&largest)
		t.tuned.Steps = append(t.tuned.Steps, *step)
		if t.progress != nil {
			t.progress(*step)
		}
		if t.tuned.Demands.missed(step)[0] == 1 || run.certified() {
			return nil
		}
		switch {
		case !t.picks:
			if run.add() == sparsero.NullAtom {
				return nil
			}
		case step.next == sparsero.NullAtom:
			return nil
		default:
			run.choose(step.next)
		}
	}
}

// measure fills in what is known of the solution of a step; largest is the largest |Value| so far that float64 holds.
func (s *TuneStep) measure(largest *float64) {
	s.Atoms, s.Radius = slices.Clone(s.Solution.Atoms), s.Solution.Radius
	s.Value = s.Solution.fullUpper(s.Radius)
	if size := math.Abs(s.Value.Float()); !math.IsInf(size, 1) {
		*largest = math.Max(*largest, size)
	}
	gap, _ := s.Solution.GapBound() // +Inf where X breaks a row, the only error that it has
	s.Gap, s.RelativeGap = gap, proof.AtMost(0)
	if lost := gap.Float(); lost > 0 {
		size := math.Max(math.Abs(s.Value.Float()), smallestValue**largest)
		s.RelativeGap = proof.AtMost(directed.QuotientUpper(lost, size))
	}
}

func (t *tuning) finish() (*Tuned, error) {
	tuned := t.tuned
	for k := range tuned.Steps {
		step := &tuned.Steps[k]
		var err error
		if step.Violation, err = t.violation(step, len(tuned.Steps), tuned.Samples); err != nil {
			return nil, err
		}
		step.Met = len(step.Atoms) <= tuned.Demands.Atoms && tuned.Demands.missed(step) == [2]float64{1, 1}
	}
	tuned.TuneStep = *tuned.nearest(tuned.Demands.Atoms)
	if tuned.Met {
		return tuned, nil
	}
	return tuned, tuned.unmet()
}

// nearest is the step of at most so many atoms that meets the gap, or misses it least, among these the violation,
// and of those that meet both the one of the smallest value.
func (t *Tuned) nearest(atoms int) *TuneStep {
	var best *TuneStep
	var least [2]float64 // what it misses
	for k := range t.Steps {
		step := &t.Steps[k]
		missed := t.Demands.missed(step)
		if len(step.Atoms) <= atoms && (best == nil || cmp.Or(slices.Compare(missed[:], least[:]), cmp.Compare(step.Value.Float(), best.Value.Float())) < 0) {
			best, least = step, missed
		}
	}
	return best
}
