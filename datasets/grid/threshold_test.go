package grid_test

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
	"gonum.org/v1/gonum/floats"
)

// thinned is the optimal power flow with rows for some pairs of a branch and an outage only, as planners' tools thin them out: those
// with an outage factor of at least threshold, 0 for all pairs,
//
//	|f_l(x) + LODF_lc f_c(x)| <= emergency Rating_l  where |LODF_lc| >= threshold.
func thinned(t *testing.T, n *grid.Network, outages []grid.Event, emergency, threshold float64) *solver.Model {
	t.Helper()
	var limited []int // the branches with a rating, of which each has two constraints
	for l, branch := range n.Grid.Branches {
		if !math.IsInf(branch.Rating, 1) {
			limited = append(limited, l)
		}
	}
	problem, err := n.Security(outages, emergency)
	if err != nil {
		t.Fatal(err)
	}
	model := n.Dispatch()
	for k, outage := range outages {
		factors, err := n.LODF(outage.Outages[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range problem.Constraints() {
			if math.Abs(factors.At(limited[i/2], 0)) < threshold {
				continue
			}
			thin := solver.Row{Bounds: solver.AtMost(row.Limit - row.Map.Constant[k])}
			for column, value := range floats.AddTo(make([]float64, len(row.Nominal)), row.Nominal, row.Map.Matrix.RawRowView(k)) {
				if value != 0 {
					thin.Columns, thin.Values = append(thin.Columns, column), append(thin.Values, value)
				}
			}
			model.AddRow(thin)
		}
	}
	return model
}

// TestThinned: with all pairs the thinned model is the secure one, built without factors of outages; with fewer pairs it is never
// dearer, and what it leaves out shows as an overload of its optimum.
func TestThinned(t *testing.T) {
	g := grid.IEEE30()
	for k := range g.Buses {
		g.Buses[k].Demand *= 1.2
	}
	g.Branches[39].Rating = math.Inf(1) // 8-28, which never carries much
	n := network(t, g, lossless)
	kept, _, err := n.Survivable(context.Background(), outages(n), 1)
	if err != nil {
		t.Fatal(err)
	}
	solve := func(model *solver.Model) *solver.Result {
		r, err := solver.Solve(context.Background(), model, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	secure, last := solve(explicit(t, g, lossless, kept, 1)).Objective, math.Inf(1)
	for _, threshold := range []float64{0, 0.1, 0.3, 0.5, 0.9, 2} {
		r := solve(thinned(t, n, kept, 1, threshold))
		over, event, branch, err := n.Overload(r.X, kept, 1)
		if err != nil {
			t.Fatal(err)
		}
		if r.Objective > last+1e-6 {
			t.Errorf("threshold %g costs %.9g, more than a lower threshold", threshold, r.Objective)
		}
		last = r.Objective
		if short := secure - r.Objective; (short > 1e-4) != (over > 1e-4) || (threshold <= 0.3) != (math.Abs(short) < 1e-6*secure) {
			t.Errorf("threshold %g is %g too cheap and leaves %g MW", threshold, short, over)
		}
		if event < 0 {
			continue
		}
		after, err := n.FlowsAfter(r.X, kept[event])
		if err != nil {
			t.Fatal(err)
		}
		if got := math.Abs(after[branch]) - g.Branches[branch].Rating; math.Abs(got-over) > 1e-9 {
			t.Errorf("branch %s is %g MW over after event %d, not %g", g.BranchName(branch), got, event, over)
		}
	}
	if cost := solve(thinned(t, n, kept, 1, 2)).Objective; math.Abs(cost-solve(n.Dispatch()).Objective) > 1e-6 {
		t.Errorf("without any pair the cost is %g, not that of the dispatch", cost)
	}
	wind := grid.Event{Injection: make([]float64, len(g.Buses))}
	if over, event, branch, err := n.Overload(solve(n.Dispatch()).X, []grid.Event{wind}, 1); over > 1e-6 || err != nil {
		t.Errorf("as planned: %g MW over, event %d, branch %d, %v", over, event, branch, err)
	}
	if over, event, branch, err := n.Overload(make([]float64, len(g.Generators)), []grid.Event{wind}, 1e6); over != 0 || event != -1 || branch != -1 || err != nil {
		t.Errorf("below a million times the ratings: %g MW over, event %d, branch %d, %v", over, event, branch, err)
	}
}
