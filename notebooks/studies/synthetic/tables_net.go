package synthetic

import "github.com/go-gota/gota/dataframe"

// Alignment is the summary of surrogate against certificate: key Quantity.
// F and G are compared over four methods and all budgets.
func (r *Results) Alignment() dataframe.DataFrame {
	return r.bands("alignment", []string{"Quantity"}, func(o *Outcome, t *table) {
		pearson, spearman, points := o.correlations()
		budgets := o.divergences()
		largest := 0
		if len(budgets) > 0 {
			largest = budgets[len(budgets)-1]
		}
		t.add(float64(points), "number of points")
		t.add(pearson, "Pearson correlation of F and -G")
		t.add(spearman, "Spearman correlation of F and -G")
		t.add(float64(len(budgets)), "number of divergence budgets")
		t.add(float64(largest), "largest divergence budget")
	})
}

// Divergence is the share of seeds that diverge at each budget, in percent: key
// B. The paper's one instance counts as 0 or 100; all of ours is one number, so
// that the band is a point.
func (r *Results) Divergence() dataframe.DataFrame {
	return r.bands("divergence", []string{"B"}, func(o *Outcome, t *table) {
		for b := 1; b <= r.config.PathBudget; b++ {
			diverging := 0.0
			if o.diverges(b) {
				diverging = 1
			}
			t.addShare(diverging, b)
		}
	})
}

// Comparison is the table of greedy coverage against max-gap: keys B and
// Quantity (ΔF, ΔG_score and the ratios of both).
func (r *Results) Comparison() dataframe.DataFrame {
	return r.bands("comparison", []string{"B", "Quantity"}, func(o *Outcome, t *table) {
		for _, b := range representativeBudgets {
			if b > r.config.PathBudget {
				break
			}
			f, g := o.differences(b)
			coverage, gap := o.Paths[0], o.Paths[1]
			t.add(f, b, "Delta F")
			t.add(g, b, "Delta G_score")
			t.add(coverage.F[b-1], b, "GC F_ratio")
			t.add(coverage.G[b-1], b, "GC G_ratio")
			t.add(gap.F[b-1], b, "GM F_ratio")
			t.add(gap.G[b-1], b, "GM G_ratio")
		}
	})
}

// Endpoints is the table of the first and last point of each method: keys
// Method and Quantity.
func (r *Results) Endpoints() dataframe.DataFrame {
	last := r.config.PathBudget - 1
	return r.bands("endpoints", []string{"Method", "Quantity"}, func(o *Outcome, t *table) {
		for _, p := range o.Paths {
			t.add(p.F[0], p.Policy, "F_ratio start")
			t.add(p.F[last], p.Policy, "F_ratio end")
			t.add(p.G[0], p.Policy, "G_ratio start")
			t.add(p.G[last], p.Policy, "G_ratio end")
		}
	})
}

// Trajectories are all points of the comparison of surrogate and certificate,
// four methods by all budgets: keys Policy, B and Quantity (F_ratio, G_ratio).
// The paper has them as a figure, and some of them in its tables.
func (r *Results) Trajectories() dataframe.DataFrame {
	return r.bands("trajectories", []string{"Policy", "B", "Quantity"}, func(o *Outcome, t *table) {
		for _, p := range o.Paths[:comparedPaths] {
			for b := 1; b <= r.config.PathBudget; b++ {
				t.add(p.F[b-1], p.Policy, b, "F_ratio")
				t.add(p.G[b-1], p.Policy, b, "G_ratio")
			}
		}
	})
}

// lastNet returns the whole of T as a net.
func (o *Outcome) lastNet() NetPoint { return o.Net[len(o.Net)-1] }

// Epsilon is the summary of the net of all directions: key Quantity. The
// estimate is a maximum over probes and so at most the true radius.
func (r *Results) Epsilon() dataframe.DataFrame {
	return r.bands("epsilon", []string{"Quantity"}, func(o *Outcome, t *table) {
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
	})
}

// Refinement is the estimate by the size of the net, with the true radius on
// the circle beside it: keys |T| and Quantity.
func (r *Results) Refinement() dataframe.DataFrame {
	return r.bands("refinement", []string{"|T|", "Quantity"}, func(o *Outcome, t *table) {
		for _, point := range o.Net {
			t.add(point.Estimate, point.Size, "estimate")
			t.add(point.Circle, point.Size, "true radius on the circle")
			t.add(point.Mean, point.Size, "mean nearest net distance")
			t.add(point.Quantile95, point.Size, "95th percentile nearest net distance")
		}
	})
}

// Decomposition is the table of the terms of Theorem 3.1: keys Policy, B and
// Quantity. The sum with the estimate is what the paper prints and no bound;
// the proven one has the true radius. Both stand beside the trivial bound
// Δ_S <= M_N and the exact supremum of Δ_S on the circle.
func (r *Results) Decomposition() dataframe.DataFrame {
	return r.bands("decomposition", []string{"Policy", "B", "Quantity"}, func(o *Outcome, t *table) {
		estimate, circle := o.lastNet().Estimate, o.lastNet().Circle
		for _, p := range o.Paths[:2] {
			for k, b := range decompositionBudgets {
				if b > r.config.PathBudget {
					break
				}
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
	})
}
