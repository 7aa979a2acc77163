package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/cmd/internal/document"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// asked is what the flags of design say, and what the document of a problem says where they do not.
type asked struct {
	gap, violations, delta fraction
	budget                 int
	budgets                map[string]int // for each uncertain row
	radius                 float64
	radii                  numbers // to compare, nil for those of the library
	out, model, labels     string
	prices                 *priceFile
}

// task is a robust problem with what is known of new draws.
type task struct {
	asked
	problem   *robust.Problem
	over      *robust.OracleProblem // over a convex set, in the place of problem
	samples   mat.Matrix            // fresh draws, nil for none
	sharedOut bool                  // days were dealt to atoms and samples by -split
	listed    int                   // the atoms that are not those of a row alone, which come first
	record    robust.Record
}

func design(c *call) (value, words any, unmet error) {
	a := asked{gap: 0.01, delta: 0.001, radius: 1}
	c.flags.Var(&a.gap, "gap", "`fraction` of the value that may be lost at most against all atoms, such as 1% or 0.01; 0 stands for 1e-6")
	c.flags.Var(&a.violations, "violations", "`fraction` of new draws that may exceed what is guaranteed; 0 asks for no guarantee")
	c.flags.Var(&a.delta, "delta", "`probability` with which the samples may mislead, for -violations")
	c.flags.Var((*whole)(&a.budget), "budget", "largest `number` of atoms in all; 0 for any (\"budgets\" of a document are for single rows)")
	c.flags.Func("radius", "`radius` without -violations, which chooses one itself (default 1)", func(text string) (err error) {
		if a.radius, err = input.Number(text); err != nil {
			return errors.New("give a number that float64 holds, such as 0.5")
		}
		return nil
	})
	c.flags.StringVar(&a.out, "o", "design.json", "design `file` to write")
	c.flags.StringVar(&a.model, "model", "", "`file` with X and b(x), .mps, .lp or the JSON that PROBLEM.md describes under \"model\"; then the other file holds the atoms, which are added to the costs and have to be independent draws for -violations")
	c.flags.StringVar(&a.labels, "labels", "", "`column` of the table of atoms that holds their labels, for -model (default the first one if it is called label, date or day, has no name, or begins with a letter or a day)")
	c.flags.Var(&a.radii, "radii", "`list` of radii to compare for -violations, such as 0.5,1,2; without fresh draws a guarantee at r is about r times a draw")
	a.prices = pricesFlags(c)
	c.flags.Var((*whole)(&a.prices.stress), "stress-days", "`number` of worst days that are atoms, at most those of the first part of -split")
	c.flags.Var(&a.prices.shares, "split", "`fractions` of days, in percent: for means and atoms, fresh for the guarantee, unseen")
	c.parse(1, 1)
	given := map[string]bool{}
	c.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	written := a.document(c, given)
	a.check(given)
	target("o", a.out, []string{c.files[0], a.model}, ".json")
	t := &task{}
	if written == nil {
		t = a.prices.portfolio(c, c.files[0])
	} else {
		withoutPrices(c, c.files[0])
		if t.over = must(written.Over(c)); t.over == nil {
			var err error
			t.problem, t.samples, err = written.Problem(a.violations > 0)
			fail(err)
			t.listed = written.Atoms
		}
	}
	if t.asked = a; t.sharedOut && len(a.radii) == 0 {
		t.radii = numbers{0.2, 0.4, 0.6, 0.8, 1}
	}
	switch {
	case t.over != nil:
		return t.overSet(c)
	case a.violations > 0:
		return t.promised(c)
	}
	return t.fixed(c)
}

// document reads the document of a problem, or makes that of a model and atoms, nil for prices. Demands of the document
// stand for flags that were not given.
func (a *asked) document(c *call, given map[string]bool) *document.Document {
	switch {
	case a.labels != "" && (extension(c.files[0]) == ".json" || a.model == ""):
		fail(errors.New("-labels is for a table of atoms beside -model; in the document of a problem write \"labels\" beside \"values\"; prices have their days in the first column"))
	case extension(c.files[0]) != ".json" && a.model == "":
		return nil
	case extension(c.files[0]) != ".json":
		return document.OfFiles(a.model, c.files[0], a.labels)
	case a.model != "":
		fail(fmt.Errorf("%s is the document of a problem, which names its model; leave -model out", c.files[0]))
	}
	d := must(document.Read(c.files[0]))
	a.model, a.budgets = d.Model.Path, d.Demands.Budgets
	listed := numbers(d.Demands.Radii)
	for name, value := range map[string]string{
		"radius": string(d.Radius), "gap": string(d.Demands.Gap), "violations": string(d.Demands.Violations), "delta": string(d.Demands.Delta),
		"budget": string(d.Demands.Budget), "radii": listed.String(),
	} {
		if value == "" || given[name] {
			continue
		}
		given[name] = true
		if err := c.flags.Set(name, value); err != nil {
			fail(fmt.Errorf("%s: %s is %v: %w", c.files[0], name, value, err))
		}
	}
	return d
}

func (a *asked) check(given map[string]bool) {
	outside := func(v float64) bool { return !(v >= 0) || math.IsInf(v, 1) }
	switch {
	case a.gap == 1 || a.violations == 1 || a.delta == 1 || a.delta == 0:
		fail(fmt.Errorf("-gap %v, -violations %v, -delta %v: give less than 100%%, and a delta above 0, such as 0.1%%", a.gap.String(), a.violations.String(), a.delta.String()))
	case outside(a.radius) || slices.ContainsFunc(a.radii, outside):
		fail(fmt.Errorf("-radius %v, -radii %v: give finite numbers of at least 0, in units of the atoms", a.radius, a.radii.String()))
	case a.violations > 0 && given["radius"]:
		fail(errors.New("-radius is for designs without -violations, which chooses a radius itself; list radii to compare with -radii, or leave one of the two out"))
	case a.violations == 0 && (given["radii"] || given["delta"]):
		fail(errors.New("-radii and -delta are for -violations; give it, such as -violations 5%, or -radius alone"))
	case a.violations > 0 && a.budgets != nil:
		fail(errors.New("budgets of rows are for designs without violations; give one budget for all rows"))
	}
}

// remedies say with which flags and keys a promise is to be had.
var remedies = map[error]string{
	calibration.ErrInfiniteRadius: "at no radius do the atoms cover enough of the fresh draws, as too few lie in the cone of the atoms; list radii with -radii, which asks for less, add atoms, or give a larger fraction with -violations",
	calibration.ErrReuse:          "samples hold rows of the dictionary; leave them out if the atoms are independent draws, or give other draws",
	robust.ErrNoPromise:           "-violations needs fresh draws where constraints have dictionaries of their own; give samples, whose coordinates are those of the dictionaries one after the other",
}

// promised asks for the gap and the share of violations.
func (t *task) promised(c *call) (value, words any, unmet error) {
	defer t.working(c)()
	demands := robust.Demands{Gap: float64(t.gap), Violation: float64(t.violations), Delta: float64(t.delta), Atoms: t.budget}
	tuned, err := t.problem.Tune(c, t.samples, demands, &robust.TuneOptions{Radii: t.radii, Progress: func(s robust.TuneStep) {
		more := fmt.Sprintf("costs at most %.6g, gap at most %.3g %%", s.Value, s.RelativeGap.Times(100))
		if math.IsInf(s.Gap.Float(), 1) {
			more = "a constraint is missed, or nothing is proven"
		}
		c.say("%s at radius %.4g: %s", input.Count(len(s.Atoms), "atom"), s.Radius, more)
	}})
	if tuned == nil {
		for refused, remedy := range remedies {
			if errors.Is(err, refused) {
				err = fmt.Errorf("%s (%w)", remedy, refused)
			}
		}
		return nil, nil, t.explained(c, err)
	}
	var missed *robust.UnmetError
	if errors.As(err, &missed) && missed.Samples > tuned.Samples && t.sharedOut {
		err = fmt.Errorf("%w; samples are the days of the second part of -split %v", err, t.prices.shares.String())
	}
	return t.finish(c, &answer{Solution: tuned.Solution, partial: tuned.Partial, statement: tuned.String(), save: tuned.Save}, err)
}

func (t *task) fixed(c *call) (value, words any, unmet error) {
	defer t.working(c)()
	budget := cmp.Or(t.budget, t.problem.Dictionary().Size())
	d, err := t.problem.Design(c, budget, t.radius, &robust.DesignOptions{Tolerance: float64(t.gap), RowBudgets: t.budgets, Progress: progress(c)})
	fail(t.explained(c, err))
	if !d.Certified || !t.met(d.Solution, d.Iterations) {
		stop, remedy := d.Stop, "allow more with -budget"
		if d.Certified {
			stop = "certified as a fraction of the terms, not of the value"
		}
		switch {
		case d.Partial:
			remedy = "give it more time"
		case t.budgets != nil && (t.budget == 0 || len(d.Atoms) < t.budget):
			remedy = "allow more in budgets, or a larger -gap where no row is missed"
		case t.budgets != nil:
			remedy = "allow more with -budget, which is for all rows together, and what budgets leave to each"
		case len(d.Atoms) < budget: // no atom is missing
			remedy = "allow a larger -gap"
		}
		unmet = fmt.Errorf("%w: -gap is not reached with %s, %s; %s, or accept what is reached", errUnmet, input.Count(len(d.Atoms), "atom"), stop, remedy)
	}
	return t.finish(c, &answer{Solution: d.Solution, partial: d.Partial, statement: d.Solution.String() + ".", save: d.Solution.Save}, unmet)
}

// share is the share of the value that may be lost, 1e-6 for 0 as in the library.
func (t *task) share() float64 { return cmp.Or(float64(t.gap), 1e-6) }

// met tells that the proven gap is at most the share of the value that is asked for, or what rounding leaves of the
// largest cost on the way to it. A value near 0 counts as 1e-6 of the largest on the way, and where there was no way as
// 1e-5 of its terms; where all of these are 0, a complete solve is enough.
func (t *task) met(s *robust.Solution, log []robust.Iteration) bool {
	size, largest := math.Abs(s.FullValue()), 0.0
	for _, i := range log {
		size = math.Max(size, 1e-6*math.Abs(i.Value))
		if cost := i.Value + i.Bound.Float(); !math.IsInf(cost, 1) {
			largest = math.Max(largest, math.Abs(cost))
		}
	}
	if log == nil {
		size = math.Max(size, 1e-5*s.Size)
	}
	gap, err := s.GapBound()
	solved := log == nil && size == 0 && !s.Partial && !math.IsInf(gap.Float(), 1)
	return err == nil && (solved || gap.Float() <= math.Max(t.share()*size, roundingShare*largest))
}

func (t *task) explained(c *call, err error) error {
	if !errors.Is(err, solver.ErrInfeasible) {
		return err
	}
	why, failed := t.problem.ExplainFull(c, t.radius, nil)
	var words any = why
	if failed == nil && why.RegionEmpty {
		words, failed = solver.Explain(c, t.problem.Region(), nil)
	}
	if failed != nil {
		return err
	}
	if largest := why.LargestRadius.Float(); t.violations > 0 && largest >= 0 && !math.IsInf(largest, 1) {
		return fmt.Errorf("no radius that was tried has a feasible decision (%w); against all atoms those up to the largest feasible radius %.6g have one: list smaller radii with -radii, relax a limit, or leave atoms out", solver.ErrInfeasible, why.LargestRadius)
	}
	said := strings.TrimPrefix(fmt.Sprint(words), solver.ErrInfeasible.Error()+"; ")
	return fmt.Errorf("there is no feasible decision (%w): %s", solver.ErrInfeasible, said)
}

func (t *task) working(c *call) (finished func()) {
	return c.working("solving with %s and %s", input.Count(t.problem.Region().Columns(), "column"), input.Count(t.problem.Dictionary().Size(), "atom"))
}

func progress(c *call) func(robust.Iteration) {
	return func(i robust.Iteration) {
		more := fmt.Sprintf("at most %.3g more against all atoms", i.Bound)
		if math.IsInf(i.Bound.Float(), 1) && i.Violation > 0 {
			more = fmt.Sprintf("a constraint is missed by %.3g against all atoms", i.Violation)
		}
		c.say("%s: value %.6g, %s", input.Count(i.Size, "atom"), i.Value, more)
	}
}

// overSet asks for the gap over a convex set: of the full problem, or with a budget of a few points of the set.
func (t *task) overSet(c *call) (value, words any, unmet error) {
	switch {
	case t.violations > 0:
		fail(errors.New("-violations needs a dictionary, and the problem has a set; calibrate its radius on draws, or give the draws as the dictionary"))
	case t.budgets != nil:
		fail(errors.New("budgets of rows need a dictionary, and the problem has a set; give one budget for all rows"))
	}
	defer c.working("solving over the set")()
	var s *robust.Solution
	var log []robust.Iteration
	remedy, partial := "allow a larger -gap", false
	if t.budget > 0 {
		d := must(t.over.Design(c, t.budget, t.radius, &robust.DesignOptions{Tolerance: float64(t.gap), Progress: progress(c)}))
		s, log, partial = d.Solution, d.Iterations, d.Partial
		if len(s.Atoms) >= t.budget {
			remedy = "allow more with -budget"
		}
	} else {
		// What a row is missed by may cost many times as much.
		s = must(t.over.SolveFull(c, t.radius, &robust.Options{Tolerance: math.Min(1e-7, t.share()/100)}))
		partial = s.Partial
	}
	if partial && c.Err() != nil {
		remedy = "give it more time"
	}
	if !t.met(s, log) {
		unmet = fmt.Errorf("%w: %v; %s", errUnmet, s, remedy)
	}
	return t.finish(c, &answer{Solution: s, partial: partial, save: s.Save, statement: s.String() + "."}, unmet)
}
