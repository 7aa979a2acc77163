package robust

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Explanation says, in the words of the model, why it is or is not feasible.
type Explanation struct {
	// Atoms and Radius are those of the model that was examined.
	Atoms  []int
	Radius float64
	// Feasible tells that some x in X satisfies every robust constraint, up to a share of 1e-9 of the terms of each row as
	// Problem.Model writes it.
	Feasible bool
	// RegionEmpty tells that X itself has no point: no atom and no radius is to blame.
	RegionEmpty bool
	// Conflict is a minimal set of robust rows that no x in X satisfies together:
	// leaving out any one of them would make the rest feasible, unless a limit of Options.Solver ended the search for fewer.
	// Nil if Feasible or RegionEmpty.
	Conflict []Demand
	// LargestRadius is the largest radius at which the model with these atoms is feasible, by a bisection down to a
	// millionth unless UnattainedRadius is farther away: some x attains it, as Feasible counts. It is +Inf if every radius is
	// feasible, as far as float64 tells, -Inf if not even radius 0 is, or is known to be.
	LargestRadius proof.Lower
	// UnattainedRadius is the smallest radius that was found to be too large: the largest one lies below it, up to
	// tolerances of the solver where it finds a radius infeasible without a proof. It is +Inf if none was found, and 0
	// if not even radius 0 is feasible.
	UnattainedRadius proof.Upper
	// Unknown tells what the solver could not decide where the two radii are farther apart than a millionth. Nil if they are
	// not, or if a point attains all between them up to the tolerance, but none of them for certain.
	Unknown error
}

// String tells what conflicts and what to change.
func (e *Explanation) String() string {
	model := fmt.Sprintf("the model with %s at radius %g", input.Count(len(e.Atoms), "atom"), e.Radius)
	switch {
	case e.RegionEmpty:
		return model + " is infeasible because X itself is empty: ask solver.Explain which bounds and rows of the region contradict each other, and relax one of them"
	case e.Feasible && math.IsInf(e.LargestRadius.Float(), 1):
		return model + " is feasible, and so it is at every radius"
	case e.Feasible:
		return fmt.Sprintf("%s is feasible, up to radius %.6g%s", model, e.LargestRadius, e.doubt())
	}
	demands := make([]string, len(e.Conflict))
	for k, d := range e.Conflict {
		demands[k] = d.words()
	}
	text := model + " is infeasible: no x in X satisfies " + strings.Join(demands, ", ")
	if math.IsInf(e.LargestRadius.Float(), -1) && e.Unknown != nil {
		return fmt.Sprintf("%s; whether a radius below %.6g is feasible is not known (%v)", text, proof.AtLeast(e.UnattainedRadius.Float()), e.Unknown)
	}
	if math.IsInf(e.LargestRadius.Float(), -1) {
		return text + "; this holds at radius 0 too, so relax the limits of these constraints"
	}
	return fmt.Sprintf("%s; the largest feasible radius is %.6g%s, so lower the radius to that, drop one of these atoms, or relax a limit", text, e.LargestRadius, e.doubt())
}

// doubt says what is not known of the largest radius.
func (e *Explanation) doubt() string {
	largest, unattained := e.LargestRadius.Float(), e.UnattainedRadius.Float()
	switch {
	case e.Unknown == nil && largest >= unattained*(1-3*radiusAccuracy):
		return ""
	case e.Unknown == nil:
		return fmt.Sprintf(" for certain, and below %.6g up to the tolerance", e.UnattainedRadius)
	case math.IsInf(unattained, 1):
		return fmt.Sprintf(" or more (%v)", e.Unknown)
	}
	return fmt.Sprintf(" or more, but below %.6g (%v)", e.UnattainedRadius, e.Unknown)
}

// Explain examines the feasibility of the restricted model: which constraints and atoms conflict, and the largest radius
// that is still feasible. It costs a few dozen feasibility solves. What the solver cannot decide in the search for the
// largest radius is said by Unknown; other errors are those of a bad argument, of the solver and of the context.
func (p *Problem) Explain(ctx context.Context, indices []int, radius float64, o *Options) (*Explanation, error) {
	return p.examine(ctx, &feasibility{problem: p, indices: slices.Clone(indices)}, radius, o)
}

// ExplainFull examines the full model as Explain does the restricted one. The explanation holds for all atoms of the
// dictionary; its Atoms are those that are to blame: Options.Start and, in rising order, the ones that a point without them
// missed. It has the errors of Explain.
func (p *Problem) ExplainFull(ctx context.Context, radius float64, o *Options) (*Explanation, error) {
	x := &feasibility{problem: p, full: true}
	if o != nil {
		x.indices = slices.Clone(o.Start)
	}
	return p.examine(ctx, x, radius, o)
}

func (p *Problem) examine(ctx context.Context, x *feasibility, radius float64, o *Options) (*Explanation, error) {
	ctx = input.Context(ctx)
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := p.checkSet(x.indices, radius); err != nil {
		return nil, err
	}
	decisive := *cmp.Or(options.Solver, &solver.Options{})
	decisive.RelativeGap = 0 // questions of feasibility have no answer that is nearly right
	x.options = &decisive
	e := &Explanation{Radius: radius, UnattainedRadius: proof.AtMost(0)}
	e.Feasible, err = x.feasible(ctx, radius)
	if err == nil && !e.Feasible {
		result, failed := x.solve(ctx, p.region.WithoutObjective())
		e.RegionEmpty, err = failed == nil && result.X == nil, failed
		if err == nil && !e.RegionEmpty {
			e.Conflict, err = x.conflict(ctx, radius)
		}
	}
	if err == nil && !e.RegionEmpty {
		e.LargestRadius, e.UnattainedRadius, err = x.largestRadius(ctx, radius, e.Feasible)
		if ctx.Err() == nil && undecided(err) {
			e.Unknown, err = err, nil
		}
	}
	if err != nil {
		return nil, err
	}
	x.sort()
	e.Atoms = x.indices
	return e, nil
}
