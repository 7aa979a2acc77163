package robust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// SolveFull minimises Φ_N over X, the model with all N atoms, by cutting planes: it solves with the atoms it has, adds the
// most violated ones, and starts the next solve from the last basis. Each round costs one warm solve and at most O(Np)
// for the oracle, which passes over atoms that cannot have come above the others; at most N rounds are needed, in
// practice a few dozen atoms.
//
// An unbounded X is fine as long as Φ_N has a minimum: where b alone has none, the atoms that bound the model come first.
//
// The solution's Atoms are those with a multiplier, on which its LowerBound rests, in the order in which they came; for
// integer models all that were added. The errors are those of Solve. When the context, MaxRounds or a limit of the
// solver ends the work after the first round, the best point is returned as Partial with a valid LowerBound: the one
// that violates robust constraints least while none keeps to them, as FullFeasible tells.
func (p *Problem) SolveFull(ctx context.Context, radius float64, o *Options) (*Solution, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return p.solveFull(ctx, nil, radius, options)
}

// solveFull is SolveFull over the set of an oracle, too. The whole is the full model as one program, nil for none;
// cutting planes finish what its solution leaves open.
func (p *Problem) solveFull(ctx context.Context, whole *compactProgram, radius float64, options Options) (*Solution, error) {
	ctx = input.Context(ctx)
	if err := p.checkSet(nil, radius); err != nil {
		return nil, err
	}
	if err := p.checkSet(options.Start, radius); err != nil {
		return nil, fmt.Errorf("robust: Start: %w", err)
	}
	m := p.resumed(radius, options)
	if m == nil {
		var err error
		if m, err = p.newMaster(options.Start, radius, options.Solver); err != nil {
			return nil, err
		}
	}
	run := &cuttingPlanes{master: m, options: options}
	done, err := run.atOnce(ctx, whole)
	if err == nil && !done {
		err = run.loop(ctx)
	}
	if err == nil && !run.partial && !run.near() {
		err = run.tidy(ctx)
	}
	if err != nil {
		return nil, err
	}
	return run.solution()
}

type cuttingPlanes struct {
	master      *master
	options     Options
	whole       proof.Lower // what the full model as one program proves
	lower       proof.Lower
	multipliers multipliers // those of lower
	best        *Solution   // the point that misses the constraints least, of the smallest value among those that keep to them
	missed      float64     // what it misses relative to what counts as none, at least 1
	rounds      int
	partial     bool
	result      *solver.Result
	open        error // why the full model as one program has no point, nil if it was not tried or has one
}

// atOnce solves the full model where it is one program, and reports whether that settles it. Its point has the worst atoms as rows.
func (run *cuttingPlanes) atOnce(ctx context.Context, whole *compactProgram) (done bool, err error) {
	if whole == nil {
		return false, nil
	}
	result, err := solver.Solve(ctx, whole.Model, run.options.Solver)
	if err != nil || result.X == nil {
		if run.open = err; err == nil {
			run.open = result.Check()
		}
		return false, nil // the loop says why there is none
	}
	run.rounds, run.result, run.whole = 1, result, result.Lower
	run.lower = run.whole
	missing, err := run.separate(ctx, run.master.decision(result))
	if err != nil {
		return true, run.ended(ctx, err)
	}
	for _, c := range missing {
		run.master.add(c)
	}
	run.report()
	return run.near(), nil
}

// near tells whether the best point keeps to the constraints and is within the tolerance of the bound.
func (run *cuttingPlanes) near() bool {
	return run.best != nil && run.missed == 1 && run.best.Value-run.lower.Float() <= run.options.Tolerance*run.best.Size
}

func (run *cuttingPlanes) loop(ctx context.Context) error {
	for {
		result, err := run.master.solve(ctx)
		if errors.Is(err, solver.ErrUnbounded) && run.rounds == 0 {
			result, err = run.solveBounded(ctx, err)
		}
		if err != nil {
			return run.ended(ctx, err)
		}
		run.rounds++
		run.result = result
		if result.Lower.Float() > run.lower.Float() || run.lower == (proof.Lower{}) {
			run.lower, run.multipliers = result.Lower, run.master.multipliers(result.RowDuals)
		}
		missing, err := run.separate(ctx, run.master.decision(result))
		if err != nil {
			return run.ended(ctx, err)
		}
		run.report()
		switch {
		case len(missing) == 0:
			run.partial = result.Status != solver.Optimal
			return nil
		case run.near():
			return nil
		case ctx.Err() != nil || run.rounds == run.options.MaxRounds:
			run.partial = true
			return nil
		}
		for _, c := range missing {
			run.master.add(c)
		}
	}
}

// tidy compares the best point with the one that has 0 where a solver may have left a rounding error of it: where doing
// nothing is best, no term of the value says how small that error is. A point that misses X by more is none: beside
// wide bounds everything is small.
func (run *cuttingPlanes) tidy(ctx context.Context) error {
	region := run.master.problem.region
	missed, _ := region.Violation(run.best.X)
	for _, clean := range run.master.problem.points(run.best.X)[1:] {
		if more, _ := region.Violation(clean); more > missed {
			continue
		}
		if _, err := run.separate(ctx, clean); err != nil {
			return run.ended(ctx, err)
		}
	}
	return nil
}

// ended ends the work at an error, without one if the context or a limit ended it after a point was found. Over a
// convex set the last point is evaluated for that; an oracle is not asked again.
func (run *cuttingPlanes) ended(ctx context.Context, err error) error {
	if errors.Is(err, solver.ErrUnbounded) && run.best != nil {
		run.partial = run.result.Status != solver.Optimal
		return nil // the program of the whole set was solved, and few atoms need not give a minimum
	}
	if ctx.Err() == nil && !errors.Is(err, solver.ErrLimit) {
		return err
	}
	if run.best == nil && run.result != nil && run.master.problem.set != nil {
		_, _ = run.separate(context.WithoutCancel(ctx), run.master.decision(run.result)) // which keeps the point
	}
	if run.best == nil {
		return err
	}
	run.partial = true
	return nil
}

// solveBounded adds atoms that bound the model, if there are any. That b alone has no minimum says nothing of a set
// that has no list of atoms, unless its own program says it too.
func (run *cuttingPlanes) solveBounded(ctx context.Context, unbounded error) (*solver.Result, error) {
	m := run.master
	if m.problem.oracle != nil && m.radius > 0 && !errors.Is(run.open, solver.ErrUnbounded) {
		return nil, unknownMinimum(cmp.Or(run.open, solver.ErrUnproven))
	}
	before := len(m.cuts)
	atoms, err := m.problem.boundingAtoms(ctx, m.radius, run.options)
	if err != nil && !errors.Is(err, solver.ErrUnbounded) {
		return nil, err
	}
	for _, atom := range atoms {
		m.addAtom(atom)
	}
	switch {
	case len(m.cuts) > before:
		result, failed := m.solve(ctx)
		if err == nil && errors.Is(failed, solver.ErrUnbounded) && !m.falls(ctx) { // maybe by the rounding of rows alone
			failed = unknownMinimum(solver.ErrUnproven)
		}
		return result, failed
	case err == nil && m.problem.oracle == nil:
		return nil, unknownMinimum(solver.ErrLimit)
	}
	return nil, unbounded
}

// falls tells whether the ray of an unbounded model is proven to improve the problem of all atoms. With robust constraints that
// is not asked, as the problem may have no point.
func (m *master) falls(ctx context.Context) bool {
	result, err := m.session.Solve(ctx) // once more, for its ray
	if err != nil || result.Ray == nil || m.problem.oracle != nil || len(m.problem.constraints) > 0 {
		return false
	}
	linear, ray := m.problem.recession(), result.Ray[:m.problem.region.Columns()]
	return linear.level(objectiveExposure, m.radius, ray).Value.Float() < 0
}

// unknownMinimum is the error where b alone has no minimum, and nobody knows whether the atoms give one.
func unknownMinimum(cause error) error {
	return fmt.Errorf("robust: b(x) alone has no minimum over X, and the work ended before it was known whether the atoms give one; raise the limits, or give every column finite bounds: %w", cause)
}

// separate evaluates the full model at x, keeps x if it is the best point so far,
// and returns the most violated rows that are not in the model yet.
func (run *cuttingPlanes) separate(ctx context.Context, x []float64) ([]cut, error) {
	m := run.master
	exposed, err := m.worst(ctx, x, run.options.cuts(m.problem.dictionary.size))
	if err != nil {
		return nil, err
	}
	compared := m.problem.exposures()
	if m.certifiesLater() {
		compared = compared[:len(compared)-len(m.problem.constraints)] // the objective, if it is uncertain
	}
	here, err := (&Solution{Atoms: m.atoms, Radius: m.radius, Full: true}).comparing(m.problem, x, exposed, compared)
	if err != nil {
		return nil, err
	}
	var missing []cut
	covered := m.covered(here.exposed)
	for k, exposure := range m.problem.exposures() {
		threshold := covered[k]
		if exposure == objectiveExposure {
			threshold += run.options.Tolerance * here.Size / m.radius
		} else {
			c := here.Constraints[exposure]
			threshold = math.Max(threshold, (c.Limit+run.allowed(c)-c.nominal)/m.radius)
		}
		if m.radius > 0 {
			missing = append(missing, run.mostViolated(exposure, here.exposed[k], threshold)...)
		}
	}
	missed := 1.0
	for _, c := range here.Constraints {
		if violation := c.violation(); violation > 0 {
			missed = math.Max(missed, violation/run.allowed(c))
		}
	}
	if run.best == nil || missed < run.missed || missed == run.missed && here.Value < run.best.Value {
		run.best, run.missed = here, missed
	}
	return missing, nil
}

// certifiesLater tells whether rows are certified once, at the best point; those of an oracle are in every round.
func (m *master) certifiesLater() bool {
	return m.problem.oracle == nil && len(m.problem.constraints) > 0
}

// allowed is the violation of a constraint below which no further row is asked for.
func (run *cuttingPlanes) allowed(c ConstraintReport) float64 {
	return run.options.violation / limitTolerance * c.allowed()
}

// covered returns the largest alignment of the rows that protect each exposure, at least 0.
func (m *master) covered(at []exposed) []float64 {
	covered, first := make([]float64, len(at)), m.problem.exposures()[0]
	for _, c := range m.cuts {
		k := c.exposure - first
		covered[k] = math.Max(covered[k], at[k].alignment(c.atom))
	}
	return covered
}

// mostViolated returns the best scored atoms above a threshold, best first, ties to the lowest index.
func (run *cuttingPlanes) mostViolated(exposure int, at exposed, threshold float64) []cut {
	most := run.options.cuts(len(at.alignments))
	var found []aligned
	keepBest := func() {
		slices.SortFunc(found, func(a, b aligned) int { return rank.Compare(a.value, a.atom, b.value, b.atom) })
		found = found[:min(most, len(found))]
	}
	for i, score := range at.alignments {
		if !(score > threshold) {
			continue // as nearly all are
		}
		if atom := at.atom + i; !run.master.known[cut{exposure, atom}] {
			found = append(found, aligned{atom, score})
		}
		if len(found)/2 == most {
			keepBest()
			threshold = found[most-1].value // a later atom of this score stands behind it
		}
	}
	keepBest()
	cuts := make([]cut, len(found))
	for k, a := range found {
		cuts[k] = cut{exposure, a.atom}
	}
	return cuts
}

func (run *cuttingPlanes) report() {
	if run.options.Progress == nil {
		return
	}
	round := Round{Number: run.rounds, Size: len(run.master.atoms), Rows: len(run.master.cuts), Lower: run.proven(), Best: math.Inf(1)}
	if run.best != nil && run.best.FullFeasible() {
		round.Best = run.best.Value
	}
	run.options.Progress(round)
}

// proven is the best lower bound of the exact model until now.
func (run *cuttingPlanes) proven() proof.Lower {
	return proof.AtLeast(math.Max(run.whole.Float(), run.master.exactBound(run.lower).Float()))
}

// needed lists the atoms on which the lower bound rests, all where it rests on no multipliers.
func (run *cuttingPlanes) needed() []int {
	if run.multipliers.Rows == nil {
		return run.master.atoms
	}
	return slices.DeleteFunc(slices.Clone(run.master.atoms), func(atom int) bool {
		return !slices.ContainsFunc(run.multipliers.Robust, func(m robustMultiplier) bool { return m.Atom == atom })
	})
}

func (run *cuttingPlanes) solution() (*Solution, error) {
	m, solution, atoms := run.master, run.best, run.needed()
	if m.certifiesLater() || m.problem != solution.problem || !slices.Equal(atoms, solution.Atoms) {
		var err error
		solved := &Solution{Atoms: atoms, Radius: m.radius, Full: true}
		if solution, err = solved.within(m.problem, run.best.X, run.best.exposedIn(m.problem, atoms)); err != nil {
			return nil, err
		}
	}
	solution.LowerBound = proof.AtLeast(math.Min(run.proven().Float(), solution.Value))
	solution.Rounds, solution.Rows = run.rounds, len(m.cuts)
	solution.Result, solution.multipliers, solution.options = run.result, run.multipliers, m.options
	solution.proveBound()
	solution.Partial = run.partial && (run.missed > 1 || solution.Value > solution.LowerBound.Float())
	if m.problem.oracle == nil && !run.partial && run.multipliers.Rows != nil && run.lower == run.result.Lower && solution.LowerBound != (proof.Lower{}) {
		solution.optimum = newOptimum(solution)
	}
	return solution, nil
}

// boundingAtoms returns atoms with which the restricted model has a minimum, when the full model has one although b alone
// falls without end over an unbounded X. They are those that cutting planes need for the recession problem
//
//	min b∞(y) + r M_[N](q∞(y))   y a recession direction of X, -1 <= y <= 1,
//
// with the linear parts b∞ and q∞: its minimum is 0 exactly when no direction improves the full model. The error wraps
// solver.ErrUnbounded when some direction does up to tolerances, with the atoms that do it harm, however little, among
// the others; and another one when the problem could not be solved.
func (p *Problem) boundingAtoms(ctx context.Context, radius float64, o Options) ([]int, error) {
	recession := p.recession()
	o.Start, o.Progress = nil, nil
	rays, err := recession.SolveFull(ctx, radius, &o)
	switch {
	case err == nil && rays.FullFeasible() && rays.Value < -o.Tolerance*recession.objectiveReach(radius):
		return append(rays.Atoms, rays.harmful()...), solver.ErrUnbounded
	case err == nil && !rays.Partial:
		return rays.Atoms, nil
	}
	return nil, unknownMinimum(cmp.Or(err, ctx.Err(), solver.ErrLimit))
}

// recession is the problem of directions: without constants, over the recession cone of X.
func (p *Problem) recession() *Problem {
	recession := *p
	recession.oracle, recession.set, recession.last = nil, nil, nil // rays are sought among the atoms alone
	recession.region, recession.q.Constant, recession.constraints = p.region.Recession(), nil, slices.Clone(p.constraints)
	for k := range recession.constraints {
		c := &recession.constraints[k]
		c.Limit, c.Map.Constant = 0, nil
	}
	recession.pullBack()
	if p.q.Matrix != nil {
		recession.ceiling = recession.alignmentCeiling(p.dictionary.at(objectiveExposure).dictionary)
	}
	return &recession
}

// harmful lists the atoms outside of a solution that are the worst of a constraint which X may miss, by however little.
func (s *Solution) harmful() (atoms []int) {
	for k := range s.Constraints {
		level := s.problem.level(k, s.Radius, s.X)
		if level.Value.Float() > level.Limit && level.Atom != sparsero.NullAtom && !slices.Contains(s.Atoms, level.Atom) {
			atoms = append(atoms, level.Atom)
		}
	}
	return atoms
}
