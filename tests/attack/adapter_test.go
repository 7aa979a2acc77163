package attack

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// library is a problem in the library's own types. All calls of the library about models are in this file and in
// adaptersets_test.go.
type library struct {
	context    context.Context
	problem    *problem
	dictionary *sparsero.Dictionary
	set        *sparsero.AtomicSet
	region     *solver.Model
	objective  sparsero.AffineMap
	robust     *robust.Problem
	options    *solver.Options
	model      error // why there is no region or no problem
}

// newLibrary returns an error if there is no set; what is wrong with the rest waits until it is needed.
func newLibrary(ctx context.Context, p *problem) (*library, error) {
	l := &library{context: ctx, problem: p, options: &solver.Options{
		RelativeGap: p.RelativeGap, NodeLimit: p.NodeLimit, IterationLimit: p.IterationLimit,
		FeasibilityTolerance: p.Tolerance, OptimalityTolerance: p.Tolerance,
	}}
	if p.Pure {
		l.options.Backend = solver.PureGo
	}
	var err error
	if l.dictionary, err = sparsero.NewDictionary(dense(p.Atoms), nil); err != nil {
		return nil, err
	}
	if l.set, err = sparsero.NewAtomicSet(l.dictionary, p.Chosen, p.Radius); err != nil {
		return nil, err
	}
	l.model = l.addModel(p)
	return l, nil
}

func (l *library) addModel(p *problem) (err error) {
	l.region = region(p)
	if err = l.region.Validate(); err != nil {
		return err
	}
	if p.Map != nil {
		if l.objective, err = sparsero.NewAffineMap(dense(p.Map), p.Shift); err != nil {
			return err
		}
	}
	if p.Blocks != nil {
		return l.addBlocks(p)
	}
	var constraints []robust.Constraint
	for _, c := range p.Constraints {
		q, err := sparsero.NewAffineMap(dense(c.Map), c.Shift)
		if err != nil {
			return err
		}
		constraints = append(constraints, robust.Constraint{Nominal: c.Nominal, Map: q, Limit: c.Limit})
	}
	l.robust, err = robust.NewProblem(l.dictionary, l.region, l.objective, constraints...)
	return err
}

// addBlocks gives each row the dictionary of its block, in the coordinates of that block alone.
func (l *library) addBlocks(p *problem) (err error) {
	var dictionaries []*sparsero.Dictionary
	var from []int
	atom, coordinate := 0, 0
	for _, b := range p.Blocks {
		if atom+b.Atoms > len(p.Atoms) || coordinate+b.Coordinates > p.dimension() {
			return errors.New("atoms outside of the blocks")
		}
		rows := mat.DenseCopyOf(dense(p.Atoms).Slice(atom, atom+b.Atoms, coordinate, coordinate+b.Coordinates))
		rows.Scale(1/b.Radius, rows)
		d, err := sparsero.NewDictionary(rows, nil)
		if err != nil {
			return err
		}
		dictionaries, from = append(dictionaries, d), append(from, coordinate)
		atom, coordinate = atom+b.Atoms, coordinate+b.Coordinates
	}
	mapOf := func(m [][]float64, shift []float64, of int) (q sparsero.AffineMap, err error) {
		if m == nil {
			return q, nil
		}
		end := from[of] + p.Blocks[of].Coordinates
		if shift != nil {
			shift = shift[from[of]:end]
		}
		return sparsero.NewAffineMap(dense(m[from[of]:end]), shift)
	}
	objective, err := mapOf(p.Map, p.Shift, 0)
	if err != nil {
		return err
	}
	var constraints []robust.Constraint
	for _, c := range p.Constraints {
		row := robust.Constraint{Nominal: c.Nominal, Limit: c.Limit}
		if row.Map, err = mapOf(c.Map, c.Shift, c.Block); err != nil {
			return err
		}
		if c.Block > 0 {
			row.Dictionary, row.Radius = dictionaries[c.Block], p.Blocks[c.Block].Radius
		}
		constraints = append(constraints, row)
	}
	if l.robust, err = robust.NewProblem(dictionaries[0], l.region, objective, constraints...); err != nil {
		return err
	}
	if !mat.Equal(l.robust.Dictionary().Matrix(), dense(p.Atoms)) {
		return errors.New("the blocks are not the atoms")
	}
	return nil
}

// region writes X and b. Infinite bounds are written out, since a bound that is left out may mean something else.
func region(p *problem) *solver.Model {
	m := solver.NewModel("X")
	for _, c := range p.Columns {
		m.AddColumn(solver.Column{Bounds: solver.Between(float64(c.Lower), float64(c.Upper)), Cost: c.Cost, Integer: c.Integer})
	}
	for _, r := range p.Rows {
		m.AddRow(solver.Row{Bounds: solver.Between(float64(r.Lower), float64(r.Upper)), Columns: names(0, len(r.Values)), Values: r.Values})
	}
	for i, line := range p.Quadratic {
		for j := i; j < len(line); j++ {
			if line[j] != 0 {
				m.AddQuadratic(i, j, line[j])
			}
		}
	}
	m.SetOffset(p.Offset)
	return m
}

func dense(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}

// status is what the library says about a model.
type status int

const (
	answered status = iota
	saysInfeasible
	saysUnbounded
	saysNothing // an error of another kind
)

func statusOf(err error) status {
	switch {
	case err == nil:
		return answered
	case errors.Is(err, solver.ErrInfeasible):
		return saysInfeasible
	case errors.Is(err, solver.ErrUnbounded):
		return saysUnbounded
	}
	return saysNothing
}

// decision is what the library says about a decision.
type decision struct {
	x            []float64
	value, full  float64 // under the model's atoms and under all
	lower        float64
	gap          float64
	gapRefused   error
	fullFeasible bool
	partial      bool
	ofSet        bool // over a convex set, which no dictionary lists
	printed      printed
	bounds       []float64 // below the minimum of the full model, round by round
}

// printed is what a decision's bounds say in words, read back.
type printed struct{ lower, gap float64 }

func decisionOf(s *robust.Solution) *decision {
	d := &decision{x: s.X, value: s.Value, full: s.FullValue(), lower: s.LowerBound.Float(), fullFeasible: s.FullFeasible(), partial: s.Partial}
	gap, refused := s.GapBound()
	d.gap, d.gapRefused = gap.Float(), refused
	d.printed = printed{asPrinted(s.LowerBound), asPrinted(gap)}
	return d
}

// asPrinted reads back a bound that was printed with few digits.
func asPrinted(bound any) float64 {
	value, err := strconv.ParseFloat(fmt.Sprintf("%.3g", bound), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // 1.8e308 is above all of float64
		return math.NaN()
	}
	return value
}

func (l *library) robustOptions() *robust.Options {
	return &robust.Options{Solver: l.options}
}

func (l *library) solve() (*decision, error) {
	s, err := l.robust.Solve(l.context, l.problem.Chosen, l.problem.Radius, l.robustOptions())
	if err != nil {
		return nil, err
	}
	return decisionOf(s), nil
}

// required returns the decision and the radius that it needs for each probe.
func (l *library) required() (x, radii []float64, err error) {
	s, err := l.robust.Solve(l.context, l.problem.Chosen, l.problem.Radius, l.robustOptions())
	if err != nil {
		return nil, nil, err
	}
	radii, err = s.RequiredRadii(calibration.Fresh(dense(l.problem.Probes))) // a probe may equal an atom
	return s.X, radii, err
}

func (l *library) solveFull() (*decision, error) {
	o := l.robustOptions()
	var bounds []float64
	o.Progress = func(round robust.Round) { bounds = append(bounds, round.Lower.Float()) }
	s, err := l.robust.SolveFull(l.context, l.problem.Radius, o)
	if err != nil {
		return nil, err
	}
	d := decisionOf(s)
	d.bounds = bounds
	return d, nil
}

// designed is what a design says.
type designed struct {
	*decision
	atoms     []int
	radius    float64
	certified bool
	reached   []float64 // value and certificate together, step by step
}

func (l *library) design(printed bool) (*designed, error) {
	d, err := l.robust.Design(l.context, l.problem.Budget, l.problem.Radius, &robust.DesignOptions{Solver: l.options, AsPrinted: printed})
	if err != nil {
		return nil, err
	}
	found := &designed{decision: decisionOf(d.Solution), atoms: d.Atoms, radius: d.Radius, certified: d.Certified}
	for _, step := range d.Iterations {
		found.reached = append(found.reached, step.Bound.Plus(proof.AtMost(step.Value)).Float())
	}
	return found, nil
}

// designTolerance is the default tolerance of a design.
const designTolerance = 1e-6

// solveSafe returns the factor and the safe decision.
func (l *library) solveSafe() (factor float64, safe *decision, err error) {
	e, err := l.robust.SolveSafe(l.context, l.problem.Chosen, l.problem.Radius, l.robustOptions())
	if err != nil {
		return 0, nil, err
	}
	return e.Factor.Float(), decisionOf(e.Safe), nil
}

// duals returns the dual values of the restricted and of the full model, and the multipliers of the full one.
func (l *library) duals() (restricted, full float64, multipliers []float64, err error) {
	dual := func(s *robust.Solution, err error) (*robust.Dual, error) {
		if err != nil {
			return nil, err
		}
		return s.Dual()
	}
	few, err := dual(l.robust.Solve(l.context, l.problem.Chosen, l.problem.Radius, l.robustOptions()))
	if err != nil {
		return 0, 0, nil, err
	}
	all, err := dual(l.robust.SolveFull(l.context, l.problem.Radius, l.robustOptions()))
	if err != nil {
		return 0, 0, nil, err
	}
	return few.Value.Float(), all.Value.Float(), all.Mu, nil
}

// dualSupport returns the reduced atoms of the full model, and by how much their multipliers miss its value.
func (l *library) dualSupport() (atoms []int, missed float64, err error) {
	s, err := l.robust.SolveFull(l.context, l.problem.Radius, l.robustOptions())
	if err != nil {
		return nil, 0, err
	}
	d, err := s.Dual()
	if err != nil {
		return nil, 0, err
	}
	atoms, _ = d.Reduce()
	return atoms, math.Max(0, s.Value-d.Value.Float()), nil
}

// explained is what an explanation says.
type explained struct {
	feasible, empty bool
	largest         float64
	unattained      float64 // the upper end of the search for it
	demands         []demand
}

// demand is a robust row: a constraint and an atom, -1 for none.
type demand struct{ constraint, atom int }

func (l *library) explain(full bool) (*explained, error) {
	var e *robust.Explanation
	var err error
	if full {
		e, err = l.robust.ExplainFull(l.context, l.problem.Radius, l.robustOptions())
	} else {
		e, err = l.robust.Explain(l.context, l.problem.Chosen, l.problem.Radius, l.robustOptions())
	}
	if err != nil {
		return nil, err
	}
	x := &explained{feasible: e.Feasible, empty: e.RegionEmpty, largest: e.LargestRadius.Float(), unattained: e.UnattainedRadius.Float()}
	for _, d := range e.Conflict {
		for k := range l.robust.Constraints() {
			if l.robust.Constraints()[k].Name == d.Constraint {
				x.demands = append(x.demands, demand{k, max(d.Atom, -1)})
			}
		}
	}
	return x, nil
}

// ladderPoints bounds the net of a ladder, which is the dearest part of it.
const ladderPoints = 200

// rung is a bound on the value gap. Decision is the point of a solver that it rests on, nil for none.
type rung struct {
	name     string
	bound    float64
	decision []float64
}

func (l *library) ladder() ([]rung, error) {
	found, err := l.robust.Ladder(l.context, l.problem.Chosen, l.problem.Radius, &robust.LadderOptions{Solver: l.options, MaxPoints: ladderPoints})
	if err != nil {
		return nil, err
	}
	decisions := map[string][]float64{"value gap": found.Full.X, "pointwise": found.Restricted.X}
	if pointwise, err := found.Restricted.GapBound(); err == nil && found.Rungs[0].Bound == pointwise { // the lesser of the two
		decisions["value gap"] = found.Restricted.X
	}
	if f, err := certificate.SolveInflation(l.context, l.set); err == nil && !math.IsInf(f.Factor.Float(), 1) {
		outer, err := l.robust.Solve(l.context, l.problem.Chosen, f.Factor.Times(l.problem.Radius).Float(), &robust.Options{Solver: l.options})
		if err != nil {
			return nil, err
		}
		decisions["inflation"] = outer.X
	}
	var rungs []rung
	for _, r := range found.Rungs {
		rungs = append(rungs, rung{r.Name, r.Bound.Float(), decisions[r.Name]})
	}
	return rungs, nil
}

// program is a plain solve of the region.
type program struct {
	status           status
	limited          bool
	x                []float64
	objective, bound float64
	err              error
}

// solveRegion solves the region's own program with one of the solvers.
func (l *library) solveRegion(name string) program {
	o := *l.options
	switch name {
	case "HiGHS":
		o.Backend = highs.Backend{}
	case "dual simplex":
		o.Backend = solver.DualSimplex
	case "interior point":
		o.Backend = solver.InteriorPoint
	}
	r, err := solver.Solve(l.context, l.region, &o)
	if err != nil {
		return program{status: saysNothing, err: err}
	}
	p := program{x: r.X, objective: r.Objective, bound: r.Lower.Float(), err: r.Check(), limited: r.Status == solver.FeasibleLimit}
	if l.region.Maximizes() {
		p.bound = r.Upper.Float()
	}
	if p.status = statusOf(p.err); p.limited {
		p.status = answered
	}
	return p
}

// uniform returns the exact uniform bound, and the deficit that it says is attained at x.
func (l *library) uniform() (bound, attained float64, x []float64, err error) {
	u, err := certificate.SolveUniform(l.context, l.set, l.region, l.objective, &certificate.Options{Solver: l.options})
	if err != nil {
		return 0, 0, nil, err
	}
	return u.Bound.Float(), u.Value, u.X, nil
}

func (l *library) boundingBox() (lower, upper []float64, err error) {
	return certificate.BoundingBox(l.context, l.region, l.options)
}

func (l *library) directionNorm() (float64, error) {
	norm, err := certificate.DirectionNorm(l.context, l.region, l.objective, l.options)
	return norm.Float(), err
}
