package synthetic

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"

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
		{Name: name("geometry"), Title: "Support of the whole dictionary and of the ellipsoid, and the atoms that matter.", Frame: r.Geometry()},
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

// table collects rows of one quantity each.
type table struct{ *study.Rows }

// newTable starts a table; the keys are the columns that say which quantity.
func newTable(keys ...string) table {
	return table{study.NewRows(append(keys, "paper_value", "p05", "median", "p95", "inside", "seeds")...)}
}

// add adds the quantity with the given keys, printed in the paper as text, that
// takes the given values in the seeds; NaN means that a seed does not have it.
func (t table) add(paper string, values []float64, keys ...any) {
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	p := parse(paper)
	low, high := study.Quantile(present, 0.05), study.Quantile(present, 0.95)
	t.Add(append(study.Texts(keys), p.value, low, study.Quantile(present, 0.5), high, verdict(p, low, high), len(present))...)
}

// addShare adds a share of so many seeds, in percent: one number, which no band
// surrounds.
func (t table) addShare(paper string, part, seeds int, keys ...any) {
	share := 100 * float64(part) / float64(seeds)
	t.Add(append(study.Texts(keys), parse(paper).value, share, share, share, "", seeds)...)
}

// insideTolerance allows for rounding errors of ours beside those of print.
const insideTolerance = 1e-9

// verdict says whether a printed value lies in a band: "yes", "no", or "" when there is none.
func verdict(p printed, low, high float64) string {
	switch slack := p.rounding + insideTolerance; {
	case math.IsNaN(p.value) || math.IsNaN(low):
		return ""
	case p.value >= low-slack && p.value <= high+slack:
		return "yes"
	}
	return "no"
}

// each returns the value of a quantity in every finished seed.
func (r *Results) each(quantity func(*Outcome) float64) []float64 {
	values := make([]float64, len(r.Units))
	for k := range r.Units {
		values[k] = quantity(&r.Units[k].Result)
	}
	return values
}

// Support is the support error z_N - z_S in direction x_eval at r = 1: keys
// Policy and B. The paper has it as a figure only.
func (r *Results) Support() dataframe.DataFrame {
	t := newTable("Policy", "B")
	for k, b := range r.config.Budgets {
		for p, path := range paths {
			t.add("", r.each(func(o *Outcome) float64 { return o.Paths[p].Error[k] }), path.policy, b)
		}
		t.add("", r.each(func(o *Outcome) float64 { return o.CoverError[k] }), SetCover, b)
		t.add("", r.each(func(o *Outcome) float64 { return o.RandomError[k] }), Random, b)
	}
	return t.Frame()
}

// Geometry compares the whole dictionary with the ellipsoid and counts the
// atoms that matter: key Quantity. max_T M_N is implied by the paper's tables.
func (r *Results) Geometry() dataframe.DataFrame {
	t := newTable("Quantity")
	for _, q := range []struct {
		name, paper string
		value       func(*Outcome) float64
	}{
		{"support of the full dictionary in direction (1,0)", "", func(o *Outcome) float64 { return o.Full }},
		{"support of the 95 % ellipsoid in direction (1,0)", "", func(o *Outcome) float64 { return o.Ellipsoid }},
		{"max M_N on T", paperImpliedNorm, func(o *Outcome) float64 { return o.LargestOnNet }},
		{"max M_N on the circle", "", func(o *Outcome) float64 { return o.LargestOnCircle }},
		{"vertices of conv(D and -D)", paperMetricAtoms, func(o *Outcome) float64 { return float64(o.SymmetricHull) }},
		{"vertices of conv(D and 0)", paperMetricAtoms, func(o *Outcome) float64 { return float64(o.Hull) }},
		{"atoms active on T", paperMetricAtoms, func(o *Outcome) float64 { return float64(o.Active) }},
	} {
		t.add(q.paper, r.each(q.value), q.name)
	}
	return t.Frame()
}

// Zero is the smallest budget without a deficit on T: key Policy; a seed that
// has none up to Config.SearchBudget counts as infinite.
func (r *Results) Zero() dataframe.DataFrame {
	t := newTable("Policy")
	for p, path := range paths {
		t.add(paperZero[path.policy], r.each(func(o *Outcome) float64 { return study.OrInfinite(o.Paths[p].Zero) }), path.policy)
	}
	t.add("", r.each(func(o *Outcome) float64 { return study.OrInfinite(o.CoverZero) }), SetCover)
	return t.Frame()
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
