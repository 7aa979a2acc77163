package grid_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// explicit is the dispatch that survives all events as one model: for every event the rows of the grid as it then is, built
// without any factors of outages.
func explicit(t interface{ Fatal(...any) }, g *grid.Grid, series bool, events []grid.Event, emergency float64) *solver.Model {
	model := network(t, g, series).Dispatch()
	part, capacity := connected(g), map[int]float64{}
	for _, generator := range g.Generators {
		capacity[part[generator.Bus]] += max(generator.Max, 0)
	}
	all := make([]int, len(g.Generators))
	for k := range all {
		all[k] = k
	}
	for _, event := range events {
		rest := without(g, event.Outages)
		rest.Buses = slices.Clone(g.Buses)
		surplus := map[int]float64{}
		for bus, power := range event.Injection {
			rest.Buses[bus].Demand -= power
			surplus[part[bus]] += power
		}
		shift := make([]float64, len(g.Generators))
		for k, generator := range g.Generators {
			shift[k] = -surplus[part[generator.Bus]] * max(generator.Max, 0) / capacity[part[generator.Bus]]
			model.AddRow(solver.Row{Bounds: solver.Between(generator.Min-shift[k], generator.Max-shift[k]), Columns: []int{k}, Values: []float64{1}})
		}
		n := network(t, rest, series)
		base := flows(t, n, shift)
		columns := make([][]float64, len(g.Generators))
		for k := range g.Generators {
			shift[k]++
			columns[k] = flows(t, n, shift)
			shift[k]--
		}
		for l, branch := range rest.Branches {
			values := make([]float64, len(columns))
			for k := range columns {
				values[k] = columns[k][l] - base[l]
			}
			limit := emergency * branch.Rating
			model.AddRow(solver.Row{Bounds: solver.Between(-limit-base[l], limit-base[l]), Columns: all, Values: values})
		}
	}
	return model
}

// outages returns the events that leave a grid whole.
func outages(n *grid.Network) []grid.Event {
	events, _ := n.Outages()
	return events
}

// TestSecurityIsAllPairs: over drawn grids the robust problem has the cost of the model with a row for each branch and event.
func TestSecurityIsAllPairs(t *testing.T) {
	feasible := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		for k := range g.Branches {
			g.Branches[k].Rating = rapid.Float64Range(40, 300).Draw(t, "rating")
		}
		n := network(t, g, lossless)
		events := outages(n)
		if rapid.Bool().Draw(t, "wind") {
			wind := grid.Event{Name: "wind", Injection: rapid.SliceOfN(rapid.Float64Range(-10, 10), len(g.Buses), len(g.Buses)).Draw(t, "injection")}
			events = grid.Cross(events, []grid.Event{wind})
		}
		if len(events) == 0 {
			t.Skip("every branch splits the grid")
		}
		p, err := n.Security(events, 1.25)
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		whole, err := solver.Solve(ctx, explicit(t, g, lossless, events, 1.25), nil)
		if err != nil {
			t.Fatal(err)
		}
		full, err := p.SolveFull(ctx, 1, nil)
		if errors.Is(err, solver.ErrInfeasible) && whole.Status == solver.Infeasible {
			return
		}
		if err != nil {
			t.Fatal(err, whole)
		}
		feasible++
		if miss := math.Abs(full.Value - whole.Objective); miss > 1e-6*(1+math.Abs(whole.Objective)) {
			t.Fatalf("cost %.9g, with all pairs as rows %.9g", full.Value, whole.Objective)
		}
		for _, event := range events {
			after, err := n.FlowsAfter(full.X, event)
			if err != nil {
				t.Fatal(err)
			}
			for l, flow := range after {
				if over := math.Abs(flow) - 1.25*g.Branches[l].Rating; over > 1e-4 {
					t.Fatalf("branch %s is %g MW over after %v", g.BranchName(l), over, event)
				}
			}
		}
	})
	if feasible < 10 {
		t.Errorf("only %d of the drawn grids can be dispatched; the test says little", feasible)
	}
}

// Which outages decide the dispatch of the IEEE grid with the ratings of Alsac and Stott?
func Example() {
	n, err := grid.NewNetwork(grid.IEEE30())
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	planned, err := solver.Solve(ctx, n.Dispatch(), nil)
	if err != nil {
		panic(err)
	}
	outages, splitting := n.Outages()
	kept, lost, err := n.Survivable(ctx, outages, 1)
	if err != nil {
		panic(err)
	}
	problem, err := n.Security(kept, 1)
	if err != nil {
		panic(err)
	}
	design, err := problem.Design(ctx, len(kept), 1, &robust.DesignOptions{Rule: robust.MostViolated})
	if err != nil {
		panic(err)
	}
	fmt.Printf("without failures %.2f $/h; %v cut the grid\n", planned.Objective, splitting)
	fmt.Printf("%d outage that no dispatch survives: %s\n", len(lost), n.Grid.BranchName(lost[0].Outages[0]))
	fmt.Printf("%d of %d others decide: %v, certified %t\n", len(design.Atoms), len(kept), design.Solution.Labels(), design.Certified)
	fmt.Printf("safe against all %d: %.2f $/h\n", len(kept), design.Solution.Value)
	// Output:
	// without failures 767.60 $/h; [9-11 12-13 25-26] cut the grid
	// 1 outage that no dispatch survives: 28-27
	// 2 of 37 others decide: [outage 1-3 outage 2-5], certified true
	// safe against all 37: 793.36 $/h
}

// TestSurvivable: each kept outage has a dispatch of its own, each lost one has none, in the model without factors of outages.
func TestSurvivable(t *testing.T) {
	g := grid.IEEE30()
	n := network(t, g, lossless)
	for _, emergency := range []float64{1, 1.1} {
		kept, lost, err := n.Survivable(context.Background(), outages(n), emergency)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept)+len(lost) != 38 || (len(lost) > 0) != (emergency == 1) {
			t.Errorf("at %g times the ratings %d outages are kept and %d lost", emergency, len(kept), len(lost))
		}
		for _, list := range [][]grid.Event{kept, lost} {
			for k := range list {
				r, err := solver.Solve(context.Background(), explicit(t, g, lossless, list[k:k+1], emergency), nil)
				if err != nil {
					t.Fatal(err)
				}
				if survives := r.Status == solver.Optimal; survives != (&list[0] == &kept[0]) {
					t.Errorf("at %g times the ratings outage %v: %v", emergency, list[k].Outages, r.Status)
				}
			}
		}
	}
}

// TestGeneratorsKeepTheirLimitsAfterAnEvent: what an injection takes off or adds to their outputs may not lead beyond Min and Max.
func TestGeneratorsKeepTheirLimitsAfterAnEvent(t *testing.T) {
	for _, test := range []struct {
		demand, injection float64
		survives          bool
	}{{89, -10, true}, {91, -10, false}, {31, 10, true}, {29, 10, false}} {
		g := &grid.Grid{Base: 100, Buses: []grid.Bus{{Number: 1}, {Number: 2, Demand: test.demand}},
			Branches:   []grid.Branch{{To: 1, Reactance: 0.1, Tap: 1, Rating: 500, MinAngle: math.Inf(-1), MaxAngle: math.Inf(1)}},
			Generators: []grid.Generator{{Min: 20, Max: 100, Linear: 1}}}
		wind := []grid.Event{{Name: "wind", Injection: []float64{0, test.injection}}}
		kept, lost, err := network(t, g, lossless).Survivable(t.Context(), wind, 1)
		if err != nil || (len(kept) == 1) != test.survives || len(kept)+len(lost) != 1 {
			t.Errorf("%+v: kept %v, lost %v, %v", test, kept, lost, err)
		}
	}
}

// checkExplained: where no dispatch survives all outages, ExplainFull names branches and outages of which that is true in the model without
// factors of outages, and the largest radius.
func checkExplained(t *testing.T, g *grid.Grid, emergency float64) {
	t.Helper()
	n := network(t, g, seriesAdmittance)
	events := outages(n)
	p, err := n.Security(events, emergency)
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.ExplainFull(context.Background(), 1, nil)
	if err != nil {
		t.Fatalf("%s at %g: %v", g.Name, emergency, err)
	}
	if e.Feasible || e.RegionEmpty || len(e.Conflict) == 0 || !(e.LargestRadius.Float() > 0 && e.LargestRadius.Float() < 1) {
		t.Fatalf("%s at %g: %+v", g.Name, emergency, e)
	}
	var blamed []grid.Event
	for _, demand := range e.Conflict {
		if demand.Atom >= 0 {
			blamed = append(blamed, events[demand.Atom])
		}
	}
	r, err := solver.Solve(context.Background(), explicit(t, g, seriesAdmittance, blamed, emergency), nil)
	if err != nil || r.Status != solver.Infeasible {
		t.Errorf("%s at %g: the outages of %v are survived: %v, %v", g.Name, emergency, e.Conflict, r, err)
	}
	t.Logf("%s at %g: %v, largest radius %.3f", g.Name, emergency, e.Conflict, e.LargestRadius)
}

// TestSurvivableOfAnEndedContext is an error, not events that are neither kept nor lost.
func TestSurvivableOfAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	kept, lost, err := network(t, grid.IEEE30(), seriesAdmittance).Survivable(ctx, []grid.Event{{Outages: []int{0}}}, 1)
	if err == nil || kept != nil || lost != nil {
		t.Errorf("kept %v, lost %v, %v", kept, lost, err)
	}
}

func TestExplainEmbedded(t *testing.T) { checkExplained(t, grid.IEEE30(), 1) }

func TestExplainPGLib(t *testing.T) {
	checkExplained(t, pglib(t, "14_ieee"), 1)
	checkExplained(t, pglib(t, "30_ieee"), 1)
	if os.Getenv("DIRECTIONS_LONG") == "all" {
		checkExplained(t, pglib(t, "118_ieee"), 1)
		checkExplained(t, pglib(t, "118_ieee"), 1.3)
	}
}

func TestWindScenarios(t *testing.T) {
	g := grid.IEEE30()
	n := network(t, g, lossless)
	wind := make([]grid.Event, 3)
	for k := range wind {
		injection := make([]float64, len(g.Buses))
		injection[20], injection[29] = float64(5*k-4), float64(3-4*k) // more or less than expected at two buses
		wind[k] = grid.Event{Name: fmt.Sprintf("wind %d", k+1), Injection: injection}
	}
	events := grid.Cross(outages(n), wind)
	if len(events) != 38+3+3*38 {
		t.Fatalf("%d events", len(events))
	}
	p, err := n.Security(events, 1.4)
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[int]string{0: "outage 1-2", 38: "wind 1", 38 + 3: "wind 1, outage 1-2"} {
		if label := p.Dictionary().Label(k); label != want {
			t.Errorf("event %d is called %q, want %q", k, label, want)
		}
	}
	design, err := p.Design(context.Background(), len(events), 1, &robust.DesignOptions{Rule: robust.MostViolated})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := solver.Solve(context.Background(), explicit(t, g, lossless, events, 1.4), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !design.Certified || math.Abs(design.Solution.Value-whole.Objective) > 1e-6*whole.Objective {
		t.Errorf("cost %.9g, certified %t, with all pairs as rows %.9g", design.Solution.Value, design.Certified, whole.Objective)
	}
	t.Logf("%d of %d events decide: %v", len(design.Atoms), len(events), design.Solution.Labels())
}

func TestBadSecurity(t *testing.T) {
	n := network(t, grid.IEEE30(), lossless)
	good := outages(n)
	unrated, idle := network(t, grid.IEEE14(), lossless), grid.IEEE30()
	for k := range idle.Generators {
		idle.Generators[k].Min, idle.Generators[k].Max = -10, 0
	}
	surplus := make([]float64, 30)
	surplus[4] = 1
	for name, c := range map[string]struct {
		n         *grid.Network
		events    []grid.Event
		emergency float64
	}{
		"no events":          {n, nil, 1},
		"small emergency":    {n, good, 0.9},
		"NaN emergency":      {n, good, math.NaN()},
		"infinite emergency": {n, good, math.Inf(1)},
		"no ratings":         {unrated, outages(unrated), 1},
		"splits":             {n, []grid.Event{{Outages: []int{12}}}, 1},
		"short injection":    {n, []grid.Event{{Injection: []float64{1}}}, 1},
		"infinite injection": {n, []grid.Event{{Injection: slices.Repeat([]float64{math.Inf(1)}, 30)}}, 1},
		"nobody balances":    {network(t, idle, lossless), []grid.Event{{Injection: surplus}}, 1},
	} {
		_, err := c.n.Security(c.events, c.emergency)
		if err == nil || errors.Is(err, grid.ErrSplits) != (name == "splits") || strings.Contains(err.Error(), "give Ratings") != (name == "no ratings") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if flows, err := network(t, idle, lossless).FlowsAfter(make([]float64, len(idle.Generators)), grid.Event{Injection: surplus}); err == nil {
		t.Errorf("nobody balances, flows %v", flows)
	}
	if _, event, branch, err := n.Overload(make([]float64, 6), []grid.Event{good[0], {Outages: []int{12}}}, 1); !errors.Is(err, grid.ErrSplits) || event != -1 || branch != -1 {
		t.Errorf("overload of branch %d after event %d, %v", branch, event, err)
	}
	noon := grid.Event{Injection: make([]float64, 14)}
	noon.Injection[3] = 5
	if _, _, err := unrated.Survivable(t.Context(), []grid.Event{noon, outages(unrated)[0]}, 1); err == nil || !strings.Contains(err.Error(), "give Ratings; this is events[1:2]") {
		t.Errorf("of two events the second is limited by nothing: %v", err)
	}
	if _, _, _, err := n.Overload(make([]float64, 6), good, 0); err != nil {
		t.Errorf("ratings of which nothing is left: %v", err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), -1} {
		if _, event, branch, err := n.Overload(make([]float64, 6), good, v); err == nil || event != -1 || branch != -1 {
			t.Errorf("emergency %g: overload of branch %d after event %d, %v", v, branch, event, err)
		}
		if _, _, _, err := n.Overload(slices.Repeat([]float64{v}, 6), good, 1); (err == nil) != (v == -1) {
			t.Errorf("outputs of %g: %v", v, err)
		}
	}
}

// TestGeneratorsShareASurplus of their part in proportion to Max, those that only take power none of it, also where the
// generators of another part, which has nothing to balance, give nothing.
func TestGeneratorsShareASurplus(t *testing.T) {
	line := func(from, to int) grid.Branch {
		return grid.Branch{From: from, To: to, Reactance: 0.1, Tap: 1, Rating: 100, MinAngle: math.Inf(-1), MaxAngle: math.Inf(1)}
	}
	for _, idle := range []float64{0, -2, 0.5} {
		g := &grid.Grid{Base: 100, Buses: []grid.Bus{{Number: 1}, {Number: 2}, {Number: 3}, {Number: 4}, {Number: 5}, {Number: 6}}}
		g.Branches = []grid.Branch{line(0, 1), line(1, 2), line(2, 3), line(4, 5)}
		g.Generators = []grid.Generator{{Bus: 1, Max: 30}, {Bus: 2, Min: -9, Max: -3}, {Bus: 3, Max: 0.25}, {Bus: 4, Min: -5, Max: idle}}
		n := network(t, g, lossless)
		flows, err := n.FlowsAfter(make([]float64, 4), grid.Event{Injection: []float64{8, 0, 3, 0, 0, 0}})
		if err != nil {
			t.Fatal(err)
		}
		for l, want := range []float64{8, 8 - 11*30/30.25, 11 * 0.25 / 30.25, 0} {
			if !(math.Abs(flows[l]-want) <= 1e-12) {
				t.Errorf("Max %g in the other part: flow %g on branch %d, want %g", idle, flows[l], l, want)
			}
		}
	}
}
