package synthetic

import (
	"math"

	"github.com/go-gota/gota/dataframe"
)

// Alignment is the summary of surrogate against certificate: key Quantity.
// F and G are compared over four methods and all budgets.
func (r *Results) Alignment() dataframe.DataFrame {
	t := newTable("Quantity")
	correlation := func(which int) []float64 {
		return r.each(func(o *Outcome) float64 {
			pearson, spearman, points := o.correlations()
			return []float64{float64(points), pearson, spearman}[which]
		})
	}
	t.add(paperPoints, correlation(0), "number of points")
	t.add(paperPearson, correlation(1), "Pearson correlation of F and -G")
	t.add(paperSpearman, correlation(2), "Spearman correlation of F and -G")
	t.add(paperDivergences, r.each(func(o *Outcome) float64 { return float64(len(o.divergences())) }), "number of divergence budgets")
	t.add("4", r.each(func(o *Outcome) float64 {
		largest := 0
		for _, b := range o.divergences() {
			largest = max(largest, b)
		}
		return float64(largest)
	}), "largest divergence budget")
	return t.Frame()
}

// Divergence is the share of seeds that diverge at each budget, in percent: key
// B. The paper's one instance counts as 0 or 100; all of ours is one number, so
// that the band is a point.
func (r *Results) Divergence() dataframe.DataFrame {
	t := newTable("B")
	for b := 1; b <= r.config.PathBudget; b++ {
		paper, diverging := paperDiverges[b], 0
		if paper == "" {
			paper = "0"
		}
		for k := range r.Units {
			if r.Units[k].Result.diverges(b) {
				diverging++
			}
		}
		t.addShare(paper, diverging, len(r.Units), b)
	}
	return t.Frame()
}

// Comparison is the table of greedy coverage against max-gap: keys B and
// Quantity (ΔF, ΔG_score and the ratios of both).
func (r *Results) Comparison() dataframe.DataFrame {
	t := newTable("B", "Quantity")
	for _, b := range representativeBudgets {
		if b > r.config.PathBudget {
			break
		}
		for k, q := range []struct {
			name  string
			value func(*Outcome) float64
		}{
			{"Delta F", func(o *Outcome) float64 { f, _ := o.differences(b); return f }},
			{"Delta G_score", func(o *Outcome) float64 { _, g := o.differences(b); return g }},
			{"GC F_ratio", func(o *Outcome) float64 { return o.Paths[0].F[b-1] }},
			{"GC G_ratio", func(o *Outcome) float64 { return o.Paths[0].G[b-1] }},
			{"GM F_ratio", func(o *Outcome) float64 { return o.Paths[1].F[b-1] }},
			{"GM G_ratio", func(o *Outcome) float64 { return o.Paths[1].G[b-1] }},
		} {
			t.add(paperComparison[b][k], r.each(q.value), b, q.name)
		}
	}
	return t.Frame()
}

// Endpoints is the table of the first and last point of each method: keys
// Method and Quantity.
func (r *Results) Endpoints() dataframe.DataFrame {
	t := newTable("Method", "Quantity")
	last := r.config.PathBudget - 1
	for p, path := range paths {
		for k, q := range []struct {
			name  string
			value func(Path) float64
		}{
			{"F_ratio start", func(p Path) float64 { return p.F[0] }},
			{"F_ratio end", func(p Path) float64 { return p.F[last] }},
			{"G_ratio start", func(p Path) float64 { return p.G[0] }},
			{"G_ratio end", func(p Path) float64 { return p.G[last] }},
		} {
			t.add(paperEndpoints[path.policy][k], r.each(func(o *Outcome) float64 { return q.value(o.Paths[p]) }), path.policy, q.name)
		}
	}
	return t.Frame()
}

// Trajectories are all points of the comparison of surrogate and certificate,
// four methods by all budgets: keys Policy, B and Quantity (F_ratio, G_ratio).
// The paper has them as a figure, and some of them in its tables.
func (r *Results) Trajectories() dataframe.DataFrame {
	t := newTable("Policy", "B", "Quantity")
	for p, path := range paths[:comparedPaths] {
		for b := 1; b <= r.config.PathBudget; b++ {
			var paper [2]string
			if printed := paperComparison[b]; p < 2 {
				paper = [2]string(printed[2+2*p:])
			}
			t.add(paper[0], r.each(func(o *Outcome) float64 { return o.Paths[p].F[b-1] }), path.policy, b, "F_ratio")
			t.add(paper[1], r.each(func(o *Outcome) float64 { return o.Paths[p].G[b-1] }), path.policy, b, "G_ratio")
		}
	}
	return t.Frame()
}

// lastNet returns the whole of T as a net.
func (o *Outcome) lastNet() NetPoint { return o.Net[len(o.Net)-1] }

// Epsilon is the summary of the net of all directions: key Quantity. The
// estimate is a maximum over probes and so at most the true radius.
func (r *Results) Epsilon() dataframe.DataFrame {
	t := newTable("Quantity")
	for _, q := range []struct {
		name, paper string
		value       func(*Outcome) float64
	}{
		{"|T|", paperDirections, func(o *Outcome) float64 { return float64(o.lastNet().Size) }},
		{"|T_probe|", paperProbes, func(*Outcome) float64 { return float64(r.probes) }},
		{"metric atoms: vertices of conv(D and -D)", paperMetricAtoms, func(o *Outcome) float64 { return float64(o.SymmetricHull) }},
		{"estimate", paperEstimate, func(o *Outcome) float64 { return o.lastNet().Estimate }},
		{"2 estimate", paperTwice, func(o *Outcome) float64 { return 2 * o.lastNet().Estimate }},
		{"mean nearest net distance", paperMean, func(o *Outcome) float64 { return o.lastNet().Mean }},
		{"95th percentile nearest net distance", paperQuantile, func(o *Outcome) float64 { return o.lastNet().Quantile95 }},
		{"reduction of the estimate along the path (%)", paperReduction, func(o *Outcome) float64 {
			return 100 * (1 - o.lastNet().Estimate/o.Net[0].Estimate)
		}},
		{"true radius on the circle", "", func(o *Outcome) float64 { return o.lastNet().Circle }},
		{"true radius / estimate", "", func(o *Outcome) float64 { return o.lastNet().Circle / o.lastNet().Estimate }},
	} {
		t.add(q.paper, r.each(q.value), q.name)
	}
	return t.Frame()
}

// Refinement is the estimate by the size of the net, with the true radius on
// the circle beside it: keys |T| and Quantity.
func (r *Results) Refinement() dataframe.DataFrame {
	t := newTable("|T|", "Quantity")
	for k, size := range r.config.Refinement {
		t.add(paperRefinement[size], r.each(func(o *Outcome) float64 { return o.Net[k].Estimate }), size, "estimate")
		t.add("", r.each(func(o *Outcome) float64 { return o.Net[k].Circle }), size, "true radius on the circle")
		t.add("", r.each(func(o *Outcome) float64 { return o.Net[k].Mean }), size, "mean nearest net distance")
		t.add("", r.each(func(o *Outcome) float64 { return o.Net[k].Quantile95 }), size, "95th percentile nearest net distance")
	}
	return t.Frame()
}

// Decomposition is the table of the terms of Theorem 3.1: keys Policy, B and
// Quantity. The sum with the estimate is what the paper prints and no bound;
// the proven one has the true radius. Both stand beside the trivial bound
// Δ_S <= M_N and the exact supremum of Δ_S on the circle.
func (r *Results) Decomposition() dataframe.DataFrame {
	t := newTable("Policy", "B", "Quantity")
	for p := range 2 {
		policy := paths[p].policy
		for k, b := range decompositionBudgets {
			if b > r.config.PathBudget {
				break
			}
			paper := paperDecomposition[policy][b]
			deficit := func(o *Outcome) float64 { return o.Paths[p].G[b-1] * o.LargestOnNet }
			for _, q := range []struct {
				name, paper string
				value       func(*Outcome) float64
			}{
				{"max deficit on T", paper[0], deficit},
				{"deficit + 2 estimate", paper[1], func(o *Outcome) float64 { return deficit(o) + 2*o.lastNet().Estimate }},
				{"2 estimate", paperTwice, func(o *Outcome) float64 { return 2 * o.lastNet().Estimate }},
				{"deficit + 2 true radius", "", func(o *Outcome) float64 { return deficit(o) + 2*o.lastNet().Circle }},
				{"trivial bound on T", paperImpliedNorm, func(o *Outcome) float64 { return o.LargestOnNet }},
				{"trivial bound on the circle", "", func(o *Outcome) float64 { return o.LargestOnCircle }},
				{"smaller of the two bounds", "", func(o *Outcome) float64 {
					return math.Min(o.LargestOnCircle, deficit(o)+2*o.lastNet().Circle)
				}},
				{"exact certificate on the circle", "", func(o *Outcome) float64 { return o.Paths[p].Circle[k] }},
			} {
				t.add(q.paper, r.each(q.value), policy, b, q.name)
			}
		}
	}
	return t.Frame()
}
