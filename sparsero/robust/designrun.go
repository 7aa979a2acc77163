package robust

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Design chooses at most budget atoms while it solves: Algorithm 1 with the stopping rule corrected. Each iteration
// solves the model with the atoms so far and evaluates the certificate r Δ_S(q(x_t)) before any atom is added; within
// the tolerance, x_t is proven optimal for the full model up to it, and the loop stops (Corollary 2.4). Otherwise
// q(x_t) joins T and the rule adds an atom. A radius that Calibrate changes is followed by another solve and check.
//
// One iteration costs one warm-started solve, at most O(Np) for the oracle and O(N|T|) for the gains. The guarantee
// (1-1/e) of greedy selection belongs to a fixed T and does not apply to a T that grows; what is proven of the outcome
// is the certificate of its Solution.
//
// One atom at a time takes as many solves as atoms. Where the budget holds all that the full model leans on, Start with
// the atoms of SolveFull: as a rule the first check certifies them.
//
// With AsPrinted it runs Algorithm 1 as the paper prints it, for study. Its line 9 evaluates the deficit on a T that
// x_t has just joined; started without atoms and directions, F(S_t;T_t) = F([N];T_t) then always holds, so that the
// loop stops after one iteration, with a single atom and whatever gap is left.
//
// Errors: bad budget, radius, atoms or options; those of Solve; those of
// Calibrate and Validate; one that wraps calibration.ErrReuse if the promise of a radius does not cover its atoms. A
// cancelled context yields a Partial design if at least one solve was completed.
func (p *Problem) Design(ctx context.Context, budget int, radius float64, o *DesignOptions) (*Design, error) {
	loop := (*designRun).corrected
	if o != nil && o.AsPrinted {
		loop = (*designRun).printed
	}
	return p.runDesign(ctx, budget, radius, o, loop)
}

func (p *Problem) runDesign(ctx context.Context, budget int, radius float64, o *DesignOptions, loop func(*designRun, context.Context) error) (*Design, error) {
	ctx = input.Context(ctx)
	run, err := p.newDesignRun(budget, radius, o)
	if err != nil {
		return nil, err
	}
	if err := loop(run, ctx); err != nil {
		if ctx.Err() == nil || run.design.Solution == nil {
			return nil, err
		}
		run.design.Stop, run.design.Partial = interrupted, true
	}
	return run.finish(), nil
}

func (p *Problem) newDesignRun(budget int, radius float64, o *DesignOptions) (*designRun, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	options.Rule = options.chosenRule(p)
	if err := p.checkSet(options.Start, radius); err != nil {
		return nil, err
	}
	if err := p.checkBudget(budget, &options); err != nil {
		return nil, err
	}
	run := &designRun{
		problem: p, options: options, budget: budget,
		probes: &probes{chosen: make([]bool, p.dictionary.size)}, design: &Design{}, risk: math.Inf(1),
	}
	for _, atom := range options.Start {
		run.probes.choose(atom)
	}
	if options.Directions != nil {
		rows, _ := options.Directions.Dims()
		for s := range rows {
			direction := mat.Row(nil, s, options.Directions)
			run.probes.reveal(exposed{direction: direction, alignments: p.dictionary.Alignments(direction)})
		}
		run.design.OracleCalls = rows
	}
	if err := run.setRadius(radius); err != nil {
		return nil, err
	}
	return run, nil
}

// corrected alternates selection and calibration until the certificate holds at the radius that is finally used.
func (run *designRun) corrected(ctx context.Context) error {
	for {
		before := len(run.probes.atoms)
		if err := run.selectAtoms(ctx); err != nil {
			return err
		}
		if run.options.Calibrate == nil || run.calibrated && len(run.probes.atoms) == before {
			return nil
		}
		if err := run.calibrate(); err != nil {
			return err
		}
	}
}

// selectAtoms adds atoms at the present radius until a stopping rule holds.
func (run *designRun) selectAtoms(ctx context.Context) error {
	for {
		iteration, err := run.solve(ctx)
		if err != nil {
			return err
		}
		stop, err := run.stopBeforeAdding(&iteration)
		if err != nil {
			return err
		}
		if stop == "" {
			iteration.Added = run.add()
			if iteration.Added == sparsero.NullAtom {
				stop = noGain
				if slices.Contains(run.closed(), true) {
					stop = budgetExhausted
				}
			}
		}
		run.record(iteration)
		if stop != "" {
			run.design.Stop = stop
			return nil
		}
	}
}

// stopBeforeAdding returns the reason to stop at the present solution, "" for none.
func (run *designRun) stopBeforeAdding(iteration *Iteration) (stop string, err error) {
	if run.certified() {
		return isCertified, nil
	}
	improved, err := run.validate(iteration)
	switch {
	case err != nil:
		return "", err
	case !improved || run.design.Stop == earlyValidation:
		return earlyValidation, nil
	case len(run.probes.atoms) >= run.budget:
		return budgetExhausted, nil
	}
	return "", nil
}

// certified tests the part of the certificate that atoms can change.
func (run *designRun) certified() bool {
	s := run.design.Solution
	return s.FullFeasible() && s.Certificate.Bound.Float() <= s.allowance(run.options.Tolerance)
}

func (run *designRun) validate(iteration *Iteration) (bool, error) {
	if run.options.Validate == nil {
		return true, nil
	}
	risk, err := run.options.Validate(slices.Clone(run.design.Solution.X))
	if err != nil {
		return false, fmt.Errorf("robust: Validate: %w", err)
	}
	if math.IsNaN(risk) {
		return false, fmt.Errorf("robust: Validate returned NaN at iteration %d; return a risk that can be compared", iteration.Number)
	}
	improved := risk < run.risk
	iteration.Risk, run.risk = risk, risk
	return improved, nil
}

func (run *designRun) calibrate() error {
	atoms := slices.Clone(run.probes.atoms)
	radius, err := run.options.Calibrate(atoms)
	if err == nil {
		err = run.promised(radius, atoms)
	}
	if err != nil {
		return fmt.Errorf("robust: Calibrate for %d atoms: %w", len(atoms), err)
	}
	if err := run.problem.checkSet(atoms, radius.Value.Float()); err != nil {
		return fmt.Errorf("robust: Calibrate returned radius %g for %d atoms: %w", radius.Value, len(atoms), err)
	}
	run.calibrated, run.design.Calibration = true, &radius
	run.risk = math.Inf(1) // risks at two radii are not compared
	return run.setRadius(radius.Value.Float())
}

// promised refuses a radius whose promise is not about the atoms: those after a calibration are a function of its
// samples, and a promise that changes from one call to the next may be, too.
func (run *designRun) promised(radius calibration.Radius, atoms []int) error {
	first := run.design.Calibration
	if first != nil && first.Parameters != radius.Parameters {
		return fmt.Errorf("%w: the guarantee was alpha=%g, delta=%g for %v, and then alpha=%g, delta=%g for %v; keep to one that covers every set of the budget, such as calibration.Envelope",
			calibration.ErrReuse, first.Alpha, first.Delta, first.Family, radius.Alpha, radius.Delta, radius.Family)
	}
	return radius.CheckSet(atoms, run.problem.dictionary.size, first != nil)
}

func (run *designRun) setRadius(radius float64) error {
	m, err := run.problem.newMaster(run.probes.atoms, radius, run.options.Solver)
	if err != nil {
		return err
	}
	run.master = m
	return nil
}

// solve solves for the present atoms and starts the iteration's log entry.
func (run *designRun) solve(ctx context.Context) (Iteration, error) {
	s, err := run.master.solveRestricted(ctx)
	if err != nil {
		return Iteration{}, err
	}
	s.calibrated = run.calibrated
	run.design.Solution = s
	if run.problem != s.problem {
		run.problem = s.problem
		run.probes.grow(s.problem.Dictionary())
	}
	run.design.Solves++
	run.design.OracleCalls += len(run.problem.exposures())
	return run.newIteration(s), nil
}

// revealSolution adds q(x_t), for every exposure, to T. With robust constraints, whose units have nothing to do with each
// other, directions count as if the worst alignment in each were of about the size of 1, by a power of two.
func (run *designRun) revealSolution() {
	for _, e := range run.design.Solution.exposed {
		if len(run.problem.constraints) > 0 {
			_, exponent := math.Frexp(math.Max(0, slices.Max(e.alignments)))
			e = e.scaled(-exponent)
		}
		run.probes.reveal(e)
	}
}

// add reveals the solution and adds the atom that the rule prefers. It returns the atom, NullAtom if none gains.
func (run *designRun) add() int {
	run.revealSolution()
	atom, gain := run.best()
	if !(gain > 0) {
		return sparsero.NullAtom
	}
	run.choose(atom)
	return atom
}

func (run *designRun) choose(atom int) {
	run.probes.choose(atom)
	run.master.addAtom(atom)
}

func (run *designRun) finish() *Design {
	d, s := run.design, run.design.Solution
	s.proveBound()
	d.Atoms, d.Radius = s.Atoms, s.Radius
	solved := s.Result.Gap*s.Size <= s.allowance(run.options.Tolerance) && s.LowerBound != proof.Lower{} // which atoms cannot change
	d.Certified = run.certified() && solved
	if d.Stop == isCertified && !d.Certified {
		d.Stop = gapLeft
	}
	d.Directions = run.probes.matrix(run.problem.dictionary.dim)
	// The choice is that of most violated atoms from nothing, unless an option may have seen the others.
	if o := &run.options; run.problem.mostViolatedRule(o.Rule) && o.RowBudgets == nil && o.Start == nil && o.Directions == nil && o.Validate == nil {
		s.picked = picked{run.budget, o.Tolerance}
	}
	return d
}

func (run *designRun) newIteration(s *Solution) Iteration {
	iteration := Iteration{
		Number: run.design.Solves, Calibrated: run.calibrated, Radius: run.master.radius, Size: len(run.probes.atoms),
		Value: s.Value, Bound: s.Certificate.Bound,
		Added: sparsero.NullAtom, Risk: math.NaN(),
	}
	if !s.FullFeasible() {
		iteration.Bound = proof.Upper{}
	}
	for _, c := range s.Constraints {
		iteration.Violation = math.Max(iteration.Violation, c.violation())
	}
	return iteration
}

func (run *designRun) record(iteration Iteration) {
	iteration.Coverage, iteration.FullCoverage = run.probes.coverage()
	run.design.Iterations = append(run.design.Iterations, iteration)
	if run.options.Progress != nil {
		run.options.Progress(iteration)
	}
}
