package robust

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/enum"
)

// StopReason says why a design ended.
type StopReason int

// The reasons.
const (
	// Certified: the certificate at the new solution is within the tolerance.
	Certified StopReason = iota + 1
	// BudgetExhausted: the budget is used up; the certificate says what is left.
	BudgetExhausted
	// EarlyValidation: the validation risk stopped improving.
	EarlyValidation
	// NoGain: no atom improves the coverage of the revealed directions.
	NoGain
	// PrintedRule: the stopping rule of Algorithm 1 as printed held.
	PrintedRule
	// Interrupted: the context was cancelled, or MaxRounds ended the rounds of a Sharded.
	Interrupted
	// GapLeft: no atom is missing, but the solver left a gap or proved no bound.
	GapLeft
)

// String returns the reason in words.
func (r StopReason) String() string {
	return enum.Name(r, "not stopped", "certified", "budget exhausted", "early validation", "no gain", "printed rule", "interrupted", "gap left by the solver")
}

// Design is the outcome of Algorithm 1.
type Design struct {
	// Atoms are the atoms S, in the order in which they were chosen.
	Atoms []int
	// Radius is the radius of the final solve: the calibrated one if there is one.
	Radius float64
	// Solution is the final robust solution for Atoms and Radius.
	Solution *Solution
	// Stop says why the loop ended.
	Stop StopReason
	// Certified tells that the certificate of Solution is within the tolerance: r Δ_S(q(X))
	// is, and what the solver left open, X satisfies every robust constraint of the
	// full model, and Solution has a LowerBound.
	Certified bool
	// Iterations is the log, in order.
	Iterations []Iteration
	// Directions is T (M×p) at the end; nil if nothing was revealed.
	Directions *mat.Dense
	// Solves counts robust solves, OracleCalls the directions in which the full
	// dictionary was evaluated (O(Np) each).
	Solves, OracleCalls int
	// Elapsed is the wall-clock time.
	Elapsed time.Duration
	// Partial tells that the context was cancelled; the rest describes the work done.
	Partial bool

	request designRequest `json:"-"` // a design file has it among its parts
}

// designRequest is what a design was asked for, as a design file holds it; the Budget is 0 for a design that was not
// computed here.
type designRequest struct {
	Rule                AtomRule
	Start               []int
	Given               bool // Directions were given
	Tolerance           float64
	Calibrate, Validate bool // were given
	Solver              *solver.Options
	Budget              int
	RowBudgets          []RowBudget
}

// designRun is the state of Algorithm 1.
type designRun struct {
	problem *Problem
	options DesignOptions
	solver  *solver.Options
	budget  int
	radius  float64 // the present one
	probes  *probes
	master  *master
	design  *Design
	risk    float64
	started time.Time

	calibrated bool // the present radius comes from Calibrate
	picks      []pick
	passed     []exposed // where a stopping rule held, so that nothing was revealed
}

// pick is an atom that was chosen for its gain over the first directions of T.
type pick struct {
	atom       int
	gain       float64
	directions int
}

// Design chooses at most budget atoms while it solves: Algorithm 1 with the
// stopping rule corrected. Each iteration solves the model with the atoms so far
// and evaluates the certificate r Δ_S(q(x_t)) at the new point before any atom
// is added; if it is within the tolerance, x_t is proven optimal for the full
// model up to the tolerance and the loop stops (Corollary 2.4). Otherwise q(x_t)
// joins T and the rule adds an atom. When Calibrate changes the radius the model is
// solved again and the certificate checked again, and the loop goes on if it fails.
//
// One iteration costs one warm-started solve, O(Np) for the oracle and O(N|T|)
// for the gains. The approximation guarantee (1-1/e) of greedy selection belongs
// to a fixed T and does not apply to a T that grows; what is proven about the
// outcome is the certificate of its Solution.
//
// Errors: bad budget, radius, atoms or options; those of Solve; those of
// Calibrate and Validate. A cancelled context yields a Partial design if
// at least one solve was completed.
func (p *Problem) Design(ctx context.Context, budget int, radius float64, o *DesignOptions) (*Design, error) {
	return p.runDesign(ctx, budget, radius, o, (*designRun).corrected)
}

func (p *Problem) runDesign(ctx context.Context, budget int, radius float64, o *DesignOptions, loop func(*designRun, context.Context) error) (*Design, error) {
	run, err := p.newDesignRun(budget, radius, o)
	if err != nil {
		return nil, err
	}
	return run.run(ctx, loop)
}

func (run *designRun) run(ctx context.Context, loop func(*designRun, context.Context) error) (*Design, error) {
	if err := loop(run, ctx); err != nil {
		if ctx.Err() == nil || run.design.Solution == nil {
			return nil, err
		}
		run.design.Stop, run.design.Partial = Interrupted, true
	}
	return run.finish(), nil
}

func (p *Problem) newDesignRun(budget int, radius float64, o *DesignOptions) (*designRun, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	solve, err := options.Solve.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := p.restrictedSet(options.Start, radius); err != nil {
		return nil, err
	}
	if err := p.checkBudget(budget, &options); err != nil {
		return nil, err
	}
	run := &designRun{
		problem: p, options: options, solver: solve.Solver, budget: budget,
		probes: &probes{chosen: make([]bool, p.dictionary.Size())}, design: &Design{}, risk: math.Inf(1), started: time.Now(),
	}
	for _, atom := range options.Start {
		run.probes.choose(atom)
	}
	if options.Directions != nil {
		rows, _ := options.Directions.Dims()
		for s := range rows {
			direction := mat.Row(nil, s, options.Directions)
			run.probes.reveal(exposed{direction, p.dictionary.Alignments(nil, direction)})
		}
		run.design.OracleCalls = rows
	}
	if err := run.setRadius(radius); err != nil {
		return nil, err
	}
	return run, nil
}

// corrected alternates selection and calibration until the certificate holds at
// the radius that is finally used.
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
		if stop == 0 {
			iteration.Added = run.add()
			if iteration.Added == sparsero.NullAtom {
				stop = NoGain
				if slices.Contains(run.closed(), true) {
					stop = BudgetExhausted
				}
			}
		} else {
			run.passed = append(run.passed, run.design.Solution.exposed...)
		}
		run.record(iteration)
		if stop != 0 {
			run.design.Stop = stop
			return nil
		}
	}
}

// stopBeforeAdding returns the reason to stop at the present solution, 0 for none.
func (run *designRun) stopBeforeAdding(iteration *Iteration) (StopReason, error) {
	if run.certified() {
		return Certified, nil
	}
	improved, err := run.validate(iteration)
	switch {
	case err != nil:
		return 0, err
	case !improved || run.design.Stop == EarlyValidation:
		return EarlyValidation, nil
	case len(run.probes.atoms) >= run.budget:
		return BudgetExhausted, nil
	}
	return 0, nil
}

// certified tests the part of the certificate that atoms can change.
func (run *designRun) certified() bool {
	s := run.design.Solution
	return s.FullFeasible() && s.Certificate.Certifies(run.options.Tolerance*s.size)
}

// solved tests the other part: what the solver left open.
func (run *designRun) solved() bool {
	s := run.design.Solution
	return s.Result.Gap <= run.options.Tolerance && !math.IsInf(s.LowerBound, -1)
}

// validate evaluates the risk and reports whether it improved.
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

// calibrate asks for the radius of the present atoms and moves to it.
func (run *designRun) calibrate() error {
	radius, err := run.options.Calibrate(slices.Clone(run.probes.atoms))
	if err != nil {
		return fmt.Errorf("robust: Calibrate for %d atoms: %w", len(run.probes.atoms), err)
	}
	if _, err := run.problem.restrictedSet(run.probes.atoms, radius); err != nil {
		return fmt.Errorf("robust: Calibrate returned radius %g for %d atoms: %w", radius, len(run.probes.atoms), err)
	}
	run.calibrated = true
	run.risk = math.Inf(1) // risks at two radii are not compared
	return run.setRadius(radius)
}

// setRadius opens the model of the present atoms at a radius.
func (run *designRun) setRadius(radius float64) error {
	m, err := run.problem.newMaster(run.probes.atoms, radius, run.solver)
	if err != nil {
		return err
	}
	run.master, run.radius = m, radius
	return nil
}

// solve solves for the present atoms and starts the iteration's log entry.
func (run *designRun) solve(ctx context.Context) (Iteration, error) {
	s, err := run.master.solveRestricted(ctx)
	if err != nil {
		return Iteration{}, err
	}
	run.design.Solution = s
	run.design.Solves++
	run.design.OracleCalls += len(run.problem.exposures())
	return run.newIteration(s), nil
}

// revealSolution adds q(x_t), for every exposure, to T. With robust constraints, whose units
// have nothing to do with each other, directions count as if the worst alignment in each
// were of about the size of 1, by a power of two.
func (run *designRun) revealSolution() {
	for _, e := range run.design.Solution.exposed {
		if len(run.problem.constraints) > 0 {
			_, exponent := math.Frexp(math.Max(0, slices.Max(e.alignments)))
			e = e.scaled(-exponent)
		}
		run.probes.reveal(e)
	}
}

// add reveals the solution and adds the atom that the rule prefers, NullAtom if none gains.
func (run *designRun) add() int {
	run.revealSolution()
	atom, gain := run.next()
	if !(gain > 0) {
		return sparsero.NullAtom
	}
	run.picks = append(run.picks, pick{atom, gain, len(run.probes.revealed)})
	run.choose(atom)
	return atom
}

// choose adds an atom to S and to the open model.
func (run *designRun) choose(atom int) {
	run.probes.choose(atom)
	run.master.addAtom(atom)
}

// finish collects the outcome.
func (run *designRun) finish() *Design {
	d := run.design
	d.Solution.proveBound()
	d.Atoms, d.Radius = d.Solution.Atoms, d.Solution.Radius
	d.Certified = run.certified() && run.solved()
	if d.Stop == Certified && !d.Certified {
		d.Stop = GapLeft
	}
	d.Directions = run.probes.matrix()
	d.Elapsed = time.Since(run.started)
	o := &run.options
	d.request = designRequest{
		Rule: o.Rule, Start: o.Start, Given: o.Directions != nil, Tolerance: o.Tolerance, Calibrate: o.Calibrate != nil,
		Validate: o.Validate != nil, Solver: run.solver, Budget: run.budget, RowBudgets: o.RowBudgets,
	}
	return d
}
