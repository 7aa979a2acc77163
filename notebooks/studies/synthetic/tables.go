package synthetic

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/notebooks/studies/internal/paper"
	"github.com/sparsero/directions/notebooks/studies/internal/tally"
	"github.com/sparsero/directions/notebooks/studies/study"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Tables returns all tables of the study, in the order of the paper, then those it does not have. Their names start
// with the name of the study. In each, a row is one quantity: the first columns say which, paper_value is what the
// paper prints, p05, median and p95 are quantiles over the seeds, inside says whether the paper's value lies in that
// band up to its rounding, and seeds is the number of seeds that have the quantity. On partial results the tables
// describe the finished seeds.
func (r *Results) Tables() []study.Table {
	table := func(name, title, keys string, observe func(*Outcome, table)) study.Table {
		return r.Table(name, title, r.bands(name, keys, observe))
	}
	return []study.Table{
		table("support", "Support error in direction (1,0) by budget.", "Policy,B", r.support),
		table("alignment", "Surrogate against certificate over all methods and budgets.", "Quantity", alignment),
		table("divergence", "Share of seeds, in percent, in which greedy coverage and max-gap diverge at a budget.", "B", r.divergence),
		table("comparison", "Greedy coverage against max-gap at representative budgets.", "B,Quantity", r.comparison),
		table("endpoints", "Endpoints of the method trajectories.", "Method,Quantity", r.endpoints),
		table("trajectories", "Every method at every budget in normalized surrogate and certificate coordinates.", "Policy,B,Quantity", r.trajectories),
		table("epsilon", "The net estimate and the true net radius on the circle.", "Quantity", r.epsilon),
		table("refinement", "The net estimate and the true net radius along the refinement path.", "|T|,Quantity", refinement),
		table("decomposition", "The terms of Theorem 3.1, with the trivial bound and the exact certificate on the circle.", "Policy,B,Quantity", r.decomposition),
		table("zero", "The smallest budget without a deficit on T.", "Policy", zero),
		table("radius", "Calibrated radius by budget at alpha = 0.05 and delta = 1e-5.", "B,Method", radius),
		table("calibration", "Calibration ablation, all settings.", "Scale,B,alpha,delta,Method,Quantity", ablation),
		table("calibration_delta", "Calibration ablation by method and confidence parameter.", "Scale,Method,delta,Quantity", byDelta),
		table("calibration_budget", "Calibration ablation by budget and method.", "Scale,B,Method,Quantity", r.byBudget),
		r.Table("seeds", "The deterministic quantities of every seed.", r.Seeds()),
	}
}

// table takes the quantities of outcomes.
type table struct{ *tally.Groups }

// add adds the quantity with the given keys of an outcome; NaN means that the seed does not have it.
func (t table) add(value float64, keys ...any) { t.Add(keys, value, 0) }

// addShare adds a number of which the table tells how often it is above zero, in percent
// of the seeds that have it: one number, which no band surrounds.
func (t table) addShare(value float64, keys ...any) { t.Add(keys, value, 1) }

// bands is a table of the quantities that observe adds for each finished seed; the keys
// are the columns that say which. The name is without that of the study, as in paperText.
func (r *Results) bands(name, keys string, observe func(*Outcome, table)) dataframe.DataFrame {
	return r.Summarise(keys+",paper_value,p05,median,p95,inside,seeds", func(o *Outcome, g *tally.Groups) {
		observe(o, table{g})
	}, func(keys []any, numbers [][]float64) []any {
		present, p := slices.DeleteFunc(numbers[0], math.IsNaN), printed.Number(name, keys...)
		if isShare := numbers[1][0] == 1; isShare {
			above := floats.Count(func(v float64) bool { return v > 0 }, present)
			share := 100 * float64(above) / float64(len(present))
			return []any{p.Value, share, share, share, "", len(present)}
		}
		low, high := tally.Quantile(present, 0.05), tally.Quantile(present, 0.95)
		return []any{p.Value, low, tally.Median(present), high, verdict(p, low, high), len(present)}
	})
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

// support is the support error z_N - z_S in direction x_eval at r = 1. The paper has it as a figure only.
func (r *Results) support(o *Outcome, t table) {
	for k, b := range r.config.Budgets {
		for _, p := range o.Paths {
			t.add(p.Error[k], p.Policy, b)
		}
		t.add(o.CoverError[k], setCover, b)
		t.add(o.RandomError[k], randomPolicy, b)
	}
}

// alignment is the summary of surrogate against certificate, over four methods and all budgets.
func alignment(o *Outcome, t table) {
	pearson, spearman, points := o.correlations()
	budgets := append([]int{0}, o.divergences()...)
	t.add(float64(points), "number of points")
	t.add(pearson, "Pearson correlation of F and -G")
	t.add(spearman, "Spearman correlation of F and -G")
	t.add(float64(len(budgets)-1), "number of divergence budgets")
	t.add(float64(budgets[len(budgets)-1]), "largest divergence budget")
}

// divergence is the share of seeds that diverge at each budget, in percent. The paper's one
// instance counts as 0 or 100; all of ours is one number, so that the band is a point.
func (r *Results) divergence(o *Outcome, t table) {
	for b := 1; b <= r.config.PathBudget; b++ {
		diverging := 0.0
		if o.diverges(b) {
			diverging = 1
		}
		t.addShare(diverging, b)
	}
}

// comparison is the table of greedy coverage against max-gap: ΔF, ΔG_score and the ratios of both.
func (r *Results) comparison(o *Outcome, t table) {
	for _, b := range upTo(r.config.PathBudget, representativeBudgets) {
		f, g := o.differences(b)
		coverage, gap := o.Paths[0], o.Paths[1]
		t.add(f, b, "Delta F")
		t.add(g, b, "Delta G_score")
		t.add(coverage.F[b-1], b, "GC F_ratio")
		t.add(coverage.G[b-1], b, "GC G_ratio")
		t.add(gap.F[b-1], b, "GM F_ratio")
		t.add(gap.G[b-1], b, "GM G_ratio")
	}
}

// endpoints is the table of the first and last point of each method.
func (r *Results) endpoints(o *Outcome, t table) {
	last := r.config.PathBudget - 1
	for _, p := range o.Paths {
		t.add(p.F[0], p.Policy, "F_ratio start")
		t.add(p.F[last], p.Policy, "F_ratio end")
		t.add(p.G[0], p.Policy, "G_ratio start")
		t.add(p.G[last], p.Policy, "G_ratio end")
	}
}

// trajectories are all points of the comparison of surrogate and certificate, four methods by
// all budgets. The paper has them as a figure, and some of them in its tables.
func (r *Results) trajectories(o *Outcome, t table) {
	for _, p := range o.Paths[:comparedPaths] {
		for b := 1; b <= r.config.PathBudget; b++ {
			t.add(p.F[b-1], p.Policy, b, "F_ratio")
			t.add(p.G[b-1], p.Policy, b, "G_ratio")
		}
	}
}

// lastNet returns the whole of T as a net.
func (o *Outcome) lastNet() netPoint { return o.Net[len(o.Net)-1] }

// epsilon is the summary of the net of all directions. The estimate is a maximum over probes and
// so at most the true radius.
func (r *Results) epsilon(o *Outcome, t table) {
	last := o.lastNet()
	t.add(float64(last.Size), "|T|")
	t.add(float64(r.probes), "|T_probe|")
	t.add(float64(o.SymmetricHull), "metric atoms: vertices of conv(D and -D)")
	t.add(last.Estimate, "estimate")
	t.add(2*last.Estimate, "2 estimate")
	t.add(last.Mean, "mean nearest net distance")
	t.add(last.Quantile95, "95th percentile nearest net distance")
	t.add(100*(1-last.Estimate/o.Net[0].Estimate), "reduction of the estimate along the path (%)")
	t.add(last.Circle, "true radius on the circle")
	t.add(last.Circle/last.Estimate, "true radius / estimate")
}

// refinement is the estimate by the size of the net, with the true radius on the circle beside it.
func refinement(o *Outcome, t table) {
	for _, point := range o.Net {
		t.add(point.Estimate, point.Size, "estimate")
		t.add(point.Circle, point.Size, "true radius on the circle")
		t.add(point.Mean, point.Size, "mean nearest net distance")
		t.add(point.Quantile95, point.Size, "95th percentile nearest net distance")
	}
}

// decomposition is the table of the terms of Theorem 3.1. The sum with the estimate is what the
// paper prints and no bound; the proven one has the true radius. Both stand beside the trivial bound
// Δ_S <= M_N and the exact supremum of Δ_S on the circle.
func (r *Results) decomposition(o *Outcome, t table) {
	estimate, circle := o.lastNet().Estimate, o.lastNet().Circle
	for _, p := range o.Paths[:2] {
		for k, b := range upTo(r.config.PathBudget, decompositionBudgets) {
			deficit := p.G[b-1] * o.LargestOnNet
			t.add(deficit, p.Policy, b, "max deficit on T")
			t.add(deficit+2*estimate, p.Policy, b, "deficit + 2 estimate")
			t.add(2*estimate, p.Policy, b, "2 estimate")
			t.add(deficit+2*circle, p.Policy, b, "deficit + 2 true radius")
			t.add(o.LargestOnNet, p.Policy, b, "trivial bound on T")
			t.add(o.LargestOnCircle, p.Policy, b, "trivial bound on the circle")
			t.add(min(o.LargestOnCircle, deficit+2*circle), p.Policy, b, "smaller of the two bounds")
			t.add(p.Circle[k], p.Policy, b, "exact certificate on the circle")
		}
	}
}

// zero is the smallest budget without a deficit on T; a seed that has none up to
// Config.SearchBudget counts as infinite.
func zero(o *Outcome, t table) {
	for _, p := range o.Paths {
		t.add(tally.OrInfinite(p.Zero), p.Policy)
	}
	t.add(tally.OrInfinite(o.CoverZero), setCover)
}

// radius is the calibrated radius by budget. The paper has it as a figure only. A method that
// refuses the sample has no seeds.
func radius(o *Outcome, t table) {
	for _, c := range o.Radii {
		t.add(tally.ValueIf(!c.Refused, c.Radius), c.B, c.Method)
	}
}

// gap is the observed share of violations minus the target, NaN when refused.
func (c ablationCell) gap() float64 { return tally.ValueIf(!c.Refused, c.Violation-c.Alpha) }

// ablation has all settings. The paper prints the rows at alpha = 0.05, on data (scale 1). A rule that refuses the
// sample has no seeds. "Above alpha (%)" is the share of seeds whose observed violation exceeds alpha.
func ablation(o *Outcome, t table) {
	for _, c := range o.Calibration {
		keys := func(quantity string) []any {
			return []any{c.Scale, c.B, c.Alpha, c.Delta, c.Method, quantity}
		}
		t.add(tally.ValueIf(!c.Refused, c.Quantile), keys("Quantile")...)
		t.add(tally.ValueIf(!c.Refused, c.Correction), keys("Corr.")...)
		t.add(tally.ValueIf(!c.Refused, c.Radius), keys("Radius")...)
		t.add(tally.ValueIf(!c.Refused, c.Violation), keys("Viol.")...)
		t.add(c.gap(), keys("Gap")...)
		t.addShare(c.gap(), keys("Above alpha (%)")...)
	}
}

// byDelta is the summary by method and confidence parameter.
func byDelta(o *Outcome, t table) {
	for _, scale := range scales {
		for _, m := range methods {
			for _, delta := range deltas {
				t.summary(o, func(c ablationCell) bool {
					return c.Scale == scale && c.Method == m && c.Delta == delta
				}, scale, m, delta)
			}
		}
	}
}

// byBudget is the summary by budget and method.
func (r *Results) byBudget(o *Outcome, t table) {
	for _, scale := range scales {
		for _, b := range r.config.CalibrationBudgets {
			for _, m := range methods {
				t.summary(o, func(c ablationCell) bool {
					return c.Scale == scale && c.Method == m && c.B == b
				}, scale, b, m)
			}
		}
	}
}

// summary adds the summary of some settings of a seed: means over those that
// were not refused, NaN when all were, and their number.
func (t table) summary(o *Outcome, belongs func(ablationCell) bool, keys ...any) {
	var corrections, radii, violations, gaps []float64
	for _, c := range o.Calibration {
		if belongs(c) && !c.Refused {
			corrections, radii = append(corrections, c.Correction), append(radii, c.Radius)
			violations, gaps = append(violations, c.Violation), append(gaps, c.gap())
		}
	}
	largest, smallest := math.NaN(), math.NaN()
	if len(gaps) > 0 {
		largest, smallest = floats.Max(gaps), floats.Min(gaps)
	}
	add := func(value float64, quantity string) { t.add(value, append(slices.Clip(keys), quantity)...) }
	add(stat.Mean(corrections, nil), "Mean corr.")
	add(stat.Mean(radii, nil), "Mean radius")
	add(stat.Mean(violations, nil), "Mean viol.")
	add(stat.Mean(gaps, nil), "Mean gap")
	add(largest, "Max gap")
	add(smallest, "Min gap")
	add(float64(len(gaps)), "Settings")
}

// Seeds lists quantities of every seed without aggregation: columns Seed, GC zero, GM zero, GM gain zero, Cover zero (0
// where there is none), Pearson, Spearman, Divergence budgets, Estimate, Circle (the true radius), max M_N, Support,
// and Radius (DKW union at the first budget).
func (r *Results) Seeds() dataframe.DataFrame {
	rows := sparsero.NewRows("Seed,GC zero,GM zero,GM gain zero,Cover zero,Pearson,Spearman,Divergence budgets,Estimate,Circle,max M_N,Support,Radius")
	for k := range r.Units {
		o := &r.Units[k].Result
		pearson, spearman, _ := o.correlations()
		differ := "{" + strings.ReplaceAll(strings.Trim(fmt.Sprint(o.divergences()), "[]"), " ", ",") + "}"
		rows.Add(
			strconv.FormatUint(o.Seed, 10), o.Paths[0].Zero, o.Paths[1].Zero, o.Paths[4].Zero, o.CoverZero,
			pearson, spearman, differ, o.lastNet().Estimate, o.lastNet().Circle, o.LargestOnNet, o.Full,
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

// paperText holds what section 5.1 and appendix F print.
//
//go:embed paper.tsv
var paperText string

var printed = paper.ReadPaper(paperText)

// The budgets of the tables of appendix F.2 and F.3.
var (
	representativeBudgets = []int{1, 3, 4, 5, 9, 19, 29}
	decompositionBudgets  = []int{3, 5, 9, 19, 29}
)

// upTo returns the increasing budgets that are at most the largest.
func upTo(largest int, budgets []int) []int {
	found, _ := slices.BinarySearch(budgets, largest+1)
	return budgets[:found]
}
