package robust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// Explanation says, in the words of the model, why it is or is not feasible.
type Explanation struct {
	// Atoms and Radius are those of the model that was examined.
	Atoms  []int
	Radius float64
	// Feasible tells that some x in X satisfies every robust constraint.
	Feasible bool
	// RegionEmpty tells that X itself has no point: no atom and no radius is to blame.
	RegionEmpty bool
	// Conflict is a minimal set of robust rows that no x in X satisfies together:
	// leaving out any one of them would make the rest feasible. Nil if Feasible or
	// RegionEmpty.
	Conflict []Demand
	// LargestRadius is the largest radius at which the model with these atoms is
	// feasible, to about six digits: +Inf if every radius is, NaN if not even radius 0 is.
	LargestRadius float64

	examined *examination
}

// Demand is one robust row: a constraint that has to hold against an atom.
type Demand struct {
	// Constraint is the constraint's name, Atom the atom or sparsero.NullAtom for
	// the nominal row, Label the atom's label.
	Constraint string
	Atom       int
	Label      string
}

// String tells what conflicts and what to change.
func (e *Explanation) String() string {
	model := fmt.Sprintf("the model with %d atoms at radius %g", len(e.Atoms), e.Radius)
	switch {
	case e.RegionEmpty:
		return model + " is infeasible because X itself is empty: ask solver.Explain which bounds and rows of the region contradict each other, and relax one of them"
	case e.Feasible && math.IsInf(e.LargestRadius, 1):
		return model + " is feasible, and so it is at every radius"
	case e.Feasible:
		return fmt.Sprintf("%s is feasible, up to radius %.6g", model, e.LargestRadius)
	}
	demands := make([]string, len(e.Conflict))
	for k, d := range e.Conflict {
		demands[k] = d.String()
	}
	text := model + " is infeasible: no x in X satisfies " + strings.Join(demands, ", ")
	if math.IsNaN(e.LargestRadius) {
		return text + "; this holds at radius 0 too, so relax the limits of these constraints"
	}
	return fmt.Sprintf("%s; the largest feasible radius is %.6g, so lower the radius to that, drop one of these atoms, or relax a limit", text, e.LargestRadius)
}

// String names the constraint and the atom.
func (d Demand) String() string {
	if d.Atom == sparsero.NullAtom {
		return fmt.Sprintf("%q without any uncertainty", d.Constraint)
	}
	return fmt.Sprintf("%q against atom %s", d.Constraint, d.Label)
}

// Explain examines the feasibility of the restricted model: which constraints and
// atoms conflict, and the largest radius that is still feasible. It costs a few
// dozen feasibility solves. The errors are those of a bad argument, of the solver and of the context.
func (p *Problem) Explain(ctx context.Context, indices []int, radius float64, o *Options) (*Explanation, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := p.restrictedSet(indices, radius); err != nil {
		return nil, err
	}
	x := &examination{problem: p, indices: indices, options: decisive(options.Solver)}
	e := &Explanation{Atoms: slices.Clone(indices), Radius: radius, LargestRadius: math.NaN(), examined: x}
	demands := x.demands()
	if e.Feasible, err = x.feasible(ctx, demands, radius); err != nil {
		return nil, err
	}
	if !e.Feasible {
		if possible, err := x.feasible(ctx, nil, radius); err != nil || !possible {
			e.RegionEmpty = err == nil
			return e, err
		}
		if e.Conflict, err = x.conflict(ctx, demands, radius); err != nil {
			return nil, err
		}
	}
	e.LargestRadius, err = x.largestRadius(ctx, radius)
	return e, err
}

// ExplainFull examines the full model. The explanation holds for all atoms of the
// dictionary; its Atoms are those that are to blame: the ones with which cutting planes
// found the model infeasible, or feasible, and those that limit the radius. It has the
// errors of SolveFull, but for infeasibility, which it explains.
func (p *Problem) ExplainFull(ctx context.Context, radius float64, o *Options) (*Explanation, error) {
	solution, err := p.SolveFull(ctx, radius, o)
	var infeasible *InfeasibleError
	switch {
	case errors.As(err, &infeasible):
		return p.explainWithAll(ctx, slices.Clone(infeasible.Atoms), radius, o)
	case err != nil:
		return nil, err
	}
	return p.explainWithAll(ctx, slices.Clone(solution.Atoms), radius, o)
}

// explainWithAll explains with some atoms and adds those that make the largest radius
// smaller, until no atom of the dictionary does. The atoms are in rising order: in which order
// the solver's points asked for them is not for a report.
func (p *Problem) explainWithAll(ctx context.Context, indices []int, radius float64, o *Options) (*Explanation, error) {
	for {
		slices.Sort(indices)
		e, err := p.Explain(ctx, indices, radius, o)
		if err != nil || e.RegionEmpty || math.IsNaN(e.LargestRadius) || len(p.constraints) == 0 {
			return e, err
		}
		limiting, err := e.limitingAtoms(ctx)
		if err != nil {
			return nil, err
		}
		if len(limiting) == len(indices) {
			return e, nil
		}
		indices = limiting
	}
}

// limitingAtoms adds to the atoms of an explanation those that its point of most slack at the
// largest radius misses, until they leave no point or miss none. An infinite radius stands for
// one at which the uncertain terms outweigh all others.
func (e *Explanation) limitingAtoms(ctx context.Context) ([]int, error) {
	x := *e.examined
	p := x.problem
	if x.harmlessPoint != nil {
		return append(e.Atoms, p.missedAtoms(e.Atoms, x.harmlessPoint, math.Inf(1))...), nil
	}
	radius := e.LargestRadius * (1 - 2*radiusAccuracy)
	for {
		slackest, err := x.solve(ctx, x.slackest(x.demands(), radius))
		if err != nil || !x.keeps(slackest) {
			return x.indices, err
		}
		missed := p.missedAtoms(x.indices, slackest.X[:p.region.Columns()], radius)
		if len(missed) == 0 {
			return x.indices, nil
		}
		x.indices = append(x.indices, missed...)
	}
}

// missedAtoms returns, for each constraint, the worst atom at a point, if it is missed by more
// than the slack that counts and is none of the given ones.
func (p *Problem) missedAtoms(indices []int, point []float64, radius float64) []int {
	var atoms []int
	for k := range p.constraints {
		c := &p.constraints[k]
		direction := c.Map.Apply(point)
		worst, alignment := p.dictionary.ActiveAtom(direction)
		missed, size := alignment, p.alignmentSize(direction, worst)
		if !math.IsInf(radius, 1) {
			missed = c.nominal(point) + radius*alignment - c.Limit
			size = p.constraintReach(k, 1, radius, p.reachOf(worst))
		}
		known := worst == sparsero.NullAtom || slices.Contains(indices, worst) || slices.Contains(atoms, worst)
		if missed > slackTolerance*size && !known {
			atoms = append(atoms, worst)
		}
	}
	return atoms
}

// examination answers questions of feasibility about one set of atoms.
type examination struct {
	problem *Problem
	indices []int
	options *solver.Options

	harmlessPoint []float64 // satisfies the constraints at every radius, if there is one
}

// decisive are settings without a gap that the caller allows decisions to have: questions of
// feasibility have no answer that is nearly right.
func decisive(o *solver.Options) *solver.Options {
	if o == nil {
		return nil
	}
	c := *o
	c.RelativeGap = 0
	return &c
}

// demands lists the rows of all constraints, the nominal ones first.
func (x *examination) demands() []cut {
	var rows []cut
	for _, atom := range append([]int{sparsero.NullAtom}, x.indices...) {
		for k := range x.problem.constraints {
			rows = append(rows, cut{exposure: k, atom: atom})
		}
	}
	return rows
}

// row writes a demand at a radius.
func (x *examination) row(c cut, radius float64) solver.Row {
	if c.atom == sparsero.NullAtom {
		return x.problem.nominalRow(c.exposure)
	}
	return x.problem.robustRow(c, radius)
}

// slackTolerance is the negative slack, relative to the terms of a row, that still counts as
// satisfied: far above rounding errors.
const slackTolerance = 1e-9

// feasible reports whether some x in X satisfies the given rows. It asks for the
// largest least slack first, a question with a clear answer even where feasibility
// hangs by a thread.
func (x *examination) feasible(ctx context.Context, rows []cut, radius float64) (bool, error) {
	result, err := x.solve(ctx, x.slackest(rows, radius))
	return err == nil && x.keeps(result), err
}

// keeps tells whether the slackest point keeps to its rows, up to the tolerance.
func (x *examination) keeps(slackest *solver.Result) bool {
	n := x.problem.region.Columns()
	return slackest.X != nil && (len(slackest.X) == n || slackest.X[n] >= -slackTolerance)
}

// solve returns a result that has a point or is infeasible.
func (x *examination) solve(ctx context.Context, model *solver.Model) (*solver.Result, error) {
	result, err := solver.Solve(ctx, model, x.options)
	if err != nil {
		return nil, fmt.Errorf("robust: feasibility: %w", err)
	}
	switch result.Status {
	case solver.Optimal, solver.FeasibleLimit, solver.Infeasible:
		return result, nil
	case solver.InfeasibleOrUnbounded: // the objectives here are bounded
		result.X = nil
		return result, nil
	}
	return nil, fmt.Errorf("robust: feasibility: %w", result.Check())
}

// conflict returns a minimal subset of demands that no x in X satisfies together.
func (x *examination) conflict(ctx context.Context, demands []cut, radius float64) ([]Demand, error) {
	model := x.problem.region.WithoutObjective()
	rows := make([]int, len(demands))
	for k, c := range demands {
		row := x.row(c, radius)
		row.Group = "" // each demand counts for itself
		rows[k] = model.AddRow(row)
	}
	conflict, err := solver.ExplainRows(ctx, model, rows, x.options)
	if err != nil {
		return nil, fmt.Errorf("robust: conflict: %w", err)
	}
	var minimal []Demand
	for _, member := range conflict.Members {
		for _, i := range member.Rows {
			c := demands[i-rows[0]]
			minimal = append(minimal, Demand{Constraint: x.problem.exposureName(c.exposure), Atom: c.atom, Label: x.problem.dictionary.Label(c.atom)})
		}
	}
	return minimal, nil
}
