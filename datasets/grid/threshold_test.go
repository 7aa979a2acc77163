package grid_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
)

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
		model, err := n.Thinned(kept, 1, threshold)
		if err != nil {
			t.Fatal(err)
		}
		r := solve(model)
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
	if cost := solve(must(n.Thinned(kept, 1, 2))).Objective; math.Abs(cost-solve(n.Dispatch()).Objective) > 1e-6 {
		t.Errorf("without any pair the cost is %g, not that of the dispatch", cost)
	}
	wind := grid.Event{Injection: make([]float64, len(g.Buses))}
	if _, err := n.Thinned([]grid.Event{wind}, 1, 0.1); err == nil || !strings.Contains(err.Error(), "events[0]") {
		t.Errorf("an event without an outage: %v", err)
	}
	if over, event, branch, err := n.Overload(solve(n.Dispatch()).X, []grid.Event{wind}, 1); over > 1e-6 || err != nil {
		t.Errorf("as planned: %g MW over, event %d, branch %d, %v", over, event, branch, err)
	}
}

func must(model *solver.Model, err error) *solver.Model {
	if err != nil {
		panic(err)
	}
	return model
}
