package synthetic

import (
	_ "embed"
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/notebooks/studies/paper"
	"github.com/sparsero/directions/notebooks/studies/study"
)

// Tables returns all tables of the study, in the order of the paper, then
// those it does not have. Their names start with the name of the study. In
// each, a row is one quantity: the first columns say which, paper_value is what
// the paper prints, p05, median and p95 are quantiles over the seeds, inside
// says whether the paper's value lies in that band up to its rounding, and
// seeds is the number of seeds that have the quantity. On partial results the
// tables describe the finished seeds.
func (r *Results) Tables() []study.Table {
	name := func(suffix string) string { return r.Study + "_" + suffix }
	return []study.Table{
		{Name: name("support"), Title: "Support error in direction (1,0) by budget.", Frame: r.Support()},
		{Name: name("alignment"), Title: "Surrogate against certificate over all methods and budgets.", Frame: r.Alignment()},
		{Name: name("divergence"), Title: "Share of seeds, in percent, in which greedy coverage and max-gap diverge at a budget.", Frame: r.Divergence()},
		{Name: name("comparison"), Title: "Greedy coverage against max-gap at representative budgets.", Frame: r.Comparison()},
		{Name: name("endpoints"), Title: "Endpoints of the method trajectories.", Frame: r.Endpoints()},
		{Name: name("trajectories"), Title: "Every method at every budget in normalized surrogate and certificate coordinates.", Frame: r.Trajectories()},
		{Name: name("epsilon"), Title: "The net estimate and the true net radius on the circle.", Frame: r.Epsilon()},
		{Name: name("refinement"), Title: "The net estimate and the true net radius along the refinement path.", Frame: r.Refinement()},
		{Name: name("decomposition"), Title: "The terms of Theorem 3.1, with the trivial bound and the exact certificate on the circle.", Frame: r.Decomposition()},
		{Name: name("zero"), Title: "The smallest budget without a deficit on T.", Frame: r.Zero()},
		{Name: name("radius"), Title: "Calibrated radius by budget at alpha = 0.05 and delta = 1e-5.", Frame: r.Radius()},
		{Name: name("calibration"), Title: "Calibration ablation, all settings.", Frame: r.Calibration()},
		{Name: name("calibration_delta"), Title: "Calibration ablation by method and confidence parameter.", Frame: r.CalibrationByDelta()},
		{Name: name("calibration_budget"), Title: "Calibration ablation by budget and method.", Frame: r.CalibrationByBudget()},
		{Name: name("calibration_pairs"), Title: "DKW union against Split at the same setting.", Frame: r.CalibrationPairs()},
		{Name: name("seeds"), Title: "The deterministic quantities of every seed.", Frame: r.Seeds()},
	}
}

// table collects the quantities of outcomes.
type table struct {
	study.Groups
	name string // without that of the study, as in paperText
}

// add adds the quantity with the given keys of an outcome; NaN means that the seed does not have it.
func (t *table) add(value float64, keys ...any) {
	p := printed.Number(t.name, keys...)
	t.Add(keys, value, p.Value, p.Rounding, 0)
}

// addShare adds a number of which the table tells how often it is above zero, in percent
// of the seeds that have it: one number, which no band surrounds.
func (t *table) addShare(value float64, keys ...any) {
	t.Add(keys, value, printed.Number(t.name, keys...).Value, 0, 1)
}

// bands is a table of the quantities that observe adds for each finished seed; the keys
// are the columns that say which.
func (r *Results) bands(name string, keys []string, observe func(o *Outcome, t *table)) dataframe.DataFrame {
	t := table{name: name}
	for k := range r.Units {
		observe(&r.Units[k].Result, &t)
	}
	rows := study.NewRows(append(keys, "paper_value", "p05", "median", "p95", "inside", "seeds")...)
	for _, g := range t.List {
		present := slices.DeleteFunc(g.Numbers[0], math.IsNaN)
		p := paper.Number{Value: g.Numbers[1][0], Rounding: g.Numbers[2][0]}
		if isShare := g.Numbers[3][0] == 1; isShare {
			above := floats.Count(func(v float64) bool { return v > 0 }, present)
			share := 100 * float64(above) / float64(len(present))
			rows.Add(append(g.Keys, p.Value, share, share, share, "", len(present))...)
			continue
		}
		low, high := study.Quantile(present, 0.05), study.Quantile(present, 0.95)
		rows.Add(append(g.Keys, p.Value, low, study.Quantile(present, 0.5), high, verdict(p, low, high), len(present))...)
	}
	return rows.Frame()
}

// insideTolerance allows for rounding errors of ours beside those of print.
const insideTolerance = 1e-9

// verdict says whether a printed value lies in a band: "yes", "no", or "" when there is none.
func verdict(p paper.Number, low, high float64) string {
	switch slack := p.Rounding + insideTolerance; {
	case math.IsNaN(p.Value) || math.IsNaN(low):
		return ""
	case p.Value >= low-slack && p.Value <= high+slack:
		return "yes"
	}
	return "no"
}

// Support is the support error z_N - z_S in direction x_eval at r = 1: keys
// Policy and B. The paper has it as a figure only.
func (r *Results) Support() dataframe.DataFrame {
	return r.bands("support", []string{"Policy", "B"}, func(o *Outcome, t *table) {
		for k, b := range r.config.Budgets {
			for _, p := range o.Paths {
				t.add(p.Error[k], p.Policy, b)
			}
			t.add(o.CoverError[k], SetCover, b)
			t.add(o.RandomError[k], Random, b)
		}
	})
}

// Zero is the smallest budget without a deficit on T: key Policy; a seed that
// has none up to Config.SearchBudget counts as infinite.
func (r *Results) Zero() dataframe.DataFrame {
	return r.bands("zero", []string{"Policy"}, func(o *Outcome, t *table) {
		for _, p := range o.Paths {
			t.add(study.OrInfinite(p.Zero), p.Policy)
		}
		t.add(study.OrInfinite(o.CoverZero), SetCover)
	})
}

// Seeds lists quantities of every seed without aggregation: columns Seed, GC
// zero, GM zero, GM gain zero, Cover zero (0 where there is none), Pearson,
// Spearman, Divergence budgets, Estimate, Circle (the true radius), max M_N,
// Support, and Radius (DKW union at the first budget).
func (r *Results) Seeds() dataframe.DataFrame {
	rows := study.NewRows("Seed", "GC zero", "GM zero", "GM gain zero", "Cover zero", "Pearson", "Spearman", "Divergence budgets",
		"Estimate", "Circle", "max M_N", "Support", "Radius")
	for k := range r.Units {
		o := &r.Units[k].Result
		pearson, spearman, _ := o.correlations()
		last := o.Net[len(o.Net)-1]
		rows.Add(
			strconv.FormatUint(o.Seed, 10), o.Paths[0].Zero, o.Paths[1].Zero, o.Paths[4].Zero, o.CoverZero,
			pearson, spearman, budgetSet(o.divergences()), last.Estimate, last.Circle, o.LargestOnNet, o.Full,
			o.Radii[0].Radius,
		)
	}
	return rows.Frame()
}

// divergences returns the budgets at which greedy coverage and max-gap diverge.
func (o *Outcome) divergences() []int {
	var budgets []int
	for b := 1; b <= len(o.Paths[0].F); b++ {
		if o.diverges(b) {
			budgets = append(budgets, b)
		}
	}
	return budgets
}

// budgetSet prints a set of budgets as "{1,3,4}".
func budgetSet(budgets []int) string {
	text := "{"
	for k, b := range budgets {
		if k > 0 {
			text += ","
		}
		text += strconv.Itoa(b)
	}
	return text + "}"
}

// paperText holds what section 5.1 and appendix F print.
//
//go:embed paper.tsv
var paperText string

var printed = paper.Read(paperText)

// The budgets of the tables of appendix F.2 and F.3.
var (
	representativeBudgets = []int{1, 3, 4, 5, 9, 19, 29}
	decompositionBudgets  = []int{3, 5, 9, 19, 29}
)
