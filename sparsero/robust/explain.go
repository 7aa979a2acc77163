package robust

import (
	"context"
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
	// feasible, to about six digits: +Inf if every radius is, as far as float64 tells (a harm of a share
	// of 1e-16 of its terms is none), NaN if not even radius 0 is.
	LargestRadius float64
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
	return p.examine(ctx, &examination{problem: p, indices: slices.Clone(indices)}, radius, o)
}

// ExplainFull examines the full model as Explain does the restricted one. The explanation holds for all atoms of the
// dictionary; its Atoms are those that are to blame: Options.Start and, in rising order, the ones that a point without them
// missed. It has the errors of Explain.
func (p *Problem) ExplainFull(ctx context.Context, radius float64, o *Options) (*Explanation, error) {
	x := &examination{problem: p, full: true}
	if o != nil {
		x.indices = slices.Clone(o.Start)
	}
	return p.examine(ctx, x, radius, o)
}

func (p *Problem) examine(ctx context.Context, x *examination, radius float64, o *Options) (*Explanation, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := p.restrictedSet(x.indices, radius); err != nil {
		return nil, err
	}
	x.options = decisive(options.Solver)
	e := &Explanation{Radius: radius, LargestRadius: math.NaN()}
	e.Feasible, err = x.feasible(ctx, radius)
	if err == nil && !e.Feasible {
		e.RegionEmpty, err = x.regionEmpty(ctx)
		if err == nil && !e.RegionEmpty {
			e.Conflict, err = x.conflict(ctx, radius)
		}
	}
	if err == nil && !e.RegionEmpty {
		e.LargestRadius, err = x.largestRadius(ctx, radius)
	}
	if err != nil {
		return nil, err
	}
	x.sort()
	e.Atoms = x.indices
	return e, nil
}

// missedAtoms returns, for each constraint, the worst atom of the dictionary at a point, if it is missed and has no rows
// yet.
func (x *examination) missedAtoms(point []float64, radius float64) []int {
	p := x.problem
	var atoms []int
	for k := range p.constraints {
		worst, _ := p.dictionary.ActiveAtom(p.constraints[k].Map.Apply(point))
		if worst == sparsero.NullAtom || slices.Contains(x.indices, worst) || slices.Contains(atoms, worst) {
			continue
		}
		if x.missed(cut{k, worst}, radius, point) > slackTolerance {
			atoms = append(atoms, worst)
		}
	}
	return atoms
}

// examination answers questions of feasibility about one set of atoms, or about all of them with the rows of few.
type examination struct {
	problem *Problem
	indices []int // the atoms that have rows
	full    bool  // atoms that a point misses get rows
	options *solver.Options
}

// sort puts the atoms of the full model in order: in which order points asked for them is not for a report.
func (x *examination) sort() {
	if x.full {
		slices.Sort(x.indices)
	}
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

// row writes a demand at a radius, an infinite one as that the atom does no harm. A nominal one has no part in the radius.
func (x *examination) row(c cut, radius float64) solver.Row {
	switch {
	case c.atom == sparsero.NullAtom:
		return x.problem.robustRow(c, 0)
	case !math.IsInf(radius, 1):
		return x.problem.robustRow(c, radius)
	}
	pulled := x.problem.pulls[c.exposure+1].back(x.problem.dictionary.RawRowView(c.atom))
	columns, values := sparse(pulled.coefficients)
	return solver.Row{Bounds: solver.AtMost(-pulled.constant), Columns: columns, Values: values}
}

// slackTolerance is the negative slack, relative to the terms of a row, that still counts as
// satisfied: far above rounding errors.
const slackTolerance = 1e-9

// feasible reports whether some x in X satisfies the demands at a radius. It asks for the
// largest least slack first, a question with a clear answer even where feasibility
// hangs by a thread.
func (x *examination) feasible(ctx context.Context, radius float64) (bool, error) {
	result, err := x.slackest(ctx, radius)
	if err != nil || x.keeps(result) {
		return err == nil, err
	}
	return false, decided(result)
}

// decided is an error where a limit left the point that has the most slack unknown: the one at hand shows what is possible,
// never what is not. A slack that is known up to the tolerance is known.
func decided(slackest *solver.Result) error {
	if slackest.Status != solver.FeasibleLimit || slackest.Bound-slackest.Objective <= slackTolerance {
		return nil
	}
	return fmt.Errorf("robust: feasibility: %w", slackest.Check())
}

// regionEmpty reports whether X has no point at all.
func (x *examination) regionEmpty(ctx context.Context) (bool, error) {
	result, err := x.solve(ctx, x.problem.region.WithoutObjective())
	return err == nil && result.X == nil, err
}

// slackest finds the point with the most slack in the demands at a radius; for the full model, once no atom misses it or
// those with rows leave no point.
func (x *examination) slackest(ctx context.Context, radius float64) (*solver.Result, error) {
	for {
		result, err := x.solve(ctx, x.withSlack(radius))
		if err != nil || !x.full || !x.keeps(result) {
			return result, err
		}
		missed := x.missedAtoms(result.X[:x.problem.region.Columns()], radius)
		if len(missed) == 0 {
			return result, nil
		}
		x.indices = append(x.indices, missed...)
	}
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
	}
	return nil, fmt.Errorf("robust: feasibility: %w", result.Check())
}

// conflict returns a minimal set of demands that no x in X satisfies together.
func (x *examination) conflict(ctx context.Context, radius float64) ([]Demand, error) {
	x.sort()
	model, demands := x.problem.region.WithoutObjective(), x.demands()
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
