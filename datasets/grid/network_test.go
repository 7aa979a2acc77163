package grid_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets/grid"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// flowTolerance is in MW, for flows of some hundred MW in small grids.
const flowTolerance = 1e-7

// The two conventions of the linear power flow, see grid.Grid.
const lossless, seriesAdmittance = false, true

// flows are those without an event.
func flows(t interface{ Fatal(...any) }, n *grid.Network, dispatch []float64) []float64 {
	flows, err := n.FlowsAfter(dispatch, grid.Event{})
	if err != nil {
		t.Fatal(err)
	}
	return flows
}

func network(t interface{ Fatal(...any) }, g *grid.Grid, series bool) *grid.Network {
	copied := *g
	copied.SeriesAdmittance = series
	n, err := grid.NewNetwork(&copied)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFlowsObeyKirchhoff: the flows leave at each bus what it gives, and around each loop the angles that they cause add up to 0.
func TestFlowsObeyKirchhoff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		n, dispatch := network(t, g, lossless), drawDispatch(t, g)
		flows := flows(t, n, dispatch)
		left := make([]float64, len(g.Buses))
		for bus := range g.Buses {
			left[bus] = -g.Buses[bus].Demand
		}
		for k, generator := range g.Generators {
			left[generator.Bus] += dispatch[k]
		}
		angle := make([]float64, len(g.Buses)) // radians, from bus to bus along the first branches that reach them
		known := make([]bool, len(g.Buses))
		for bus, part := range connected(g) {
			known[bus] = part == bus
		}
		drop := func(k int) float64 {
			branch := g.Branches[k]
			return flows[k]*branch.Reactance*branch.Tap/g.Base + branch.Shift*math.Pi/180
		}
		for range g.Buses {
			for k, branch := range g.Branches {
				switch {
				case known[branch.From] && !known[branch.To]:
					angle[branch.To], known[branch.To] = angle[branch.From]-drop(k), true
				case known[branch.To] && !known[branch.From]:
					angle[branch.From], known[branch.From] = angle[branch.To]+drop(k), true
				}
			}
		}
		for k, branch := range g.Branches {
			left[branch.From] -= flows[k]
			left[branch.To] += flows[k]
			if miss := angle[branch.From] - angle[branch.To] - drop(k); math.Abs(miss) > 1e-9 {
				t.Fatalf("the angles miss branch %s by %g", g.BranchName(k), miss)
			}
		}
		for bus, power := range left {
			if math.Abs(power) > flowTolerance {
				t.Fatalf("%g MW are left at bus %d", power, bus)
			}
		}
	})
}

// TestFlowsAfterAnOutage: the factors give the flows of the grid without the branches that failed, other injections included; and
// where they refuse, the grid does fall apart.
func TestFlowsAfterAnOutage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		n, dispatch := network(t, g, lossless), drawDispatch(t, g)
		outages := rapid.SliceOfNDistinct(rapid.IntRange(0, len(g.Branches)-1), 0, min(3, len(g.Branches)-1), rapid.ID[int]).Draw(t, "outages")
		event := grid.Event{Outages: outages}
		if rapid.Bool().Draw(t, "wind") {
			event.Injection = rapid.SliceOfN(rapid.Float64Range(-10, 10), len(g.Buses), len(g.Buses)).Draw(t, "injection")
		}
		rest := without(g, outages)
		after, err := n.FlowsAfter(dispatch, event)
		if err != nil {
			if !errors.Is(err, grid.ErrSplits) || slices.Equal(connected(rest), connected(g)) {
				t.Fatal(err)
			}
			return
		}
		rest.Buses = slices.Clone(g.Buses)
		surplus, part, capacity := map[int]float64{}, connected(g), map[int]float64{}
		for bus, power := range event.Injection {
			rest.Buses[bus].Demand -= power
			surplus[part[bus]] += power
		}
		for _, generator := range g.Generators {
			capacity[part[generator.Bus]] += generator.Max
		}
		balanced := slices.Clone(dispatch)
		for k, generator := range g.Generators {
			balanced[k] -= surplus[part[generator.Bus]] * generator.Max / capacity[part[generator.Bus]]
		}
		want := restore(flows(t, network(t, rest, lossless), balanced), outages, len(g.Branches))
		for k := range want {
			if math.Abs(after[k]-want[k]) > flowTolerance {
				t.Fatalf("after the outage of %v branch %d carries %g, by factors %g", outages, k, want[k], after[k])
			}
		}
	})
}

// TestOneBalanceForEachPart: what is generated in a connected part is what is taken there, said once.
func TestOneBalanceForEachPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGrid(t)
		demand := map[int]float64{}
		for bus, part := range connected(g) {
			demand[part] += g.Buses[bus].Demand
		}
		model, balances := network(t, g, lossless).Dispatch(), 0
		for i := range model.Rows() {
			row := model.Row(i)
			if row.Group != "balance" {
				continue
			}
			balances++
			part := connected(g)[g.Generators[row.Columns[0]].Bus]
			if math.Abs(row.Lower()-demand[part]) > flowTolerance || row.Lower() != row.Upper() {
				t.Fatalf("%+v, the part takes %v", row, demand[part])
			}
		}
		if balances != len(demand) {
			t.Fatalf("%d balances of %d parts", balances, len(demand))
		}
	})
}

// TestPTDFDoesNotDependOnTheReference: a transfer between two buses loads the branches alike from whichever bus the factors count.
func TestPTDFDoesNotDependOnTheReference(t *testing.T) {
	g := grid.IEEE30()
	last := len(g.Buses) - 1
	swapped := *g
	swapped.Buses, swapped.Branches, swapped.Generators = slices.Clone(g.Buses), slices.Clone(g.Branches), slices.Clone(g.Generators)
	swap := func(bus int) int { return last - bus }
	slices.Reverse(swapped.Buses)
	for k := range swapped.Branches {
		swapped.Branches[k].From, swapped.Branches[k].To = swap(g.Branches[k].From), swap(g.Branches[k].To)
	}
	for k := range swapped.Generators {
		swapped.Generators[k].Bus = swap(g.Generators[k].Bus)
	}
	idle := make([]float64, len(g.Generators))
	transfer := func(n *grid.Network, from, to int) []float64 {
		event := grid.Event{Injection: make([]float64, len(g.Buses))}
		event.Injection[from]++
		event.Injection[to]--
		after, err := n.FlowsAfter(idle, event)
		if err != nil {
			t.Fatal(err)
		}
		floats.Sub(after, flows(t, n, idle))
		return after
	}
	before, after := network(t, g, lossless), network(t, &swapped, lossless)
	for bus := range g.Buses {
		if here, there := transfer(before, bus, 7), transfer(after, swap(bus), swap(7)); !floats.EqualApprox(here, there, 1e-11) {
			t.Fatalf("bus %d: %g and %g", bus, here, there)
		}
	}
}

// TestAnglesBoundFlows: cheap power flows through a transformer of 1000 MW per radian, or a capacitor, as far as the angles allow it.
func TestAnglesBoundFlows(t *testing.T) {
	for _, test := range []struct {
		cheap              int
		reactance, degrees float64
	}{
		{0, 0.1, 10 - 2}, {1, 0.1, 4 + 2}, {0, -0.1, 4 + 2}, {1, -0.1, 10 - 2}, {0, 200, 10 - 2},
	} {
		demanding := 1 - test.cheap
		g := &grid.Grid{Base: 100, Buses: []grid.Bus{{Number: 1}, {Number: 2}},
			Branches:   []grid.Branch{{From: 0, To: 1, Reactance: test.reactance, Tap: 1, Shift: 2, Rating: math.Inf(1), MinAngle: -4, MaxAngle: 10}},
			Generators: []grid.Generator{{Bus: test.cheap, Max: 400, Linear: 1}, {Bus: demanding, Max: 400, Linear: 2}}}
		g.Buses[demanding].Demand = 400
		check := func() {
			if flow := 2*400 - optimum(t, g, lossless); math.Abs(flow-100/math.Abs(test.reactance)*test.degrees*math.Pi/180) > flowTolerance {
				t.Errorf("%+v: %v MW flow", test, flow)
			}
		}
		check()
		if test.degrees == 10-2 { // the other angle does not count
			g.Branches[0].MinAngle = math.Inf(-1)
		} else {
			g.Branches[0].MaxAngle = math.Inf(1)
		}
		check()
	}
}

// TestDispatchOfBranchesWithoutLimits: they have no rows, and columns are named after generators, counted from 1, and their buses.
func TestDispatchOfBranchesWithoutLimits(t *testing.T) {
	model := network(t, grid.IEEE14(), lossless).Dispatch()
	if model.Rows() != 1 {
		t.Errorf("%d rows, want that of the balance", model.Rows())
	}
	if name := model.Column(1).Name; name != "generator 2 at bus 2" {
		t.Errorf("the second column is called %s", name)
	}
	for k := range grid.IEEE14().Branches {
		g := grid.IEEE14()
		g.Branches[k].Rating = 100
		if model := network(t, g, lossless).Dispatch(); model.Rows() != 2 {
			t.Errorf("%d rows with a rating of branch %d alone, want its row and that of the balance", model.Rows(), k)
		}
	}
}

// TestNamesOfBranches: what is no branch, or no dispatch, is told so.
func TestNamesOfBranches(t *testing.T) {
	g := grid.IEEE14()
	for _, k := range []int{-1, len(g.Branches)} {
		if said := panicked(func() { g.BranchName(k) }); !strings.Contains(said, fmt.Sprintf("there is no branch %d", k)) {
			t.Errorf("branch %d: %s", k, said)
		}
	}
	half := grid.IEEE14()
	half.Branches[3].To = len(half.Buses)
	if said := panicked(func() { half.BranchName(3) }); !strings.Contains(said, "there is no branch 3") {
		t.Errorf("a branch to nowhere: %s", said)
	}
	said := panicked(func() { _, _ = network(t, g, lossless).FlowsAfter(make([]float64, 6), grid.Event{}) })
	if !strings.Contains(said, "dispatch has 6 entries") {
		t.Errorf("six of five generators: %s", said)
	}
}

// TestEmptyNetwork: a network that nobody made is told so.
func TestEmptyNetwork(t *testing.T) {
	if said := panicked(func() { _, _ = new(grid.Network).LODF(0) }); !strings.Contains(said, "NewNetwork") {
		t.Error(said)
	}
}

// panicked returns what a call panics with.
func panicked(call func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	call()
	return ""
}

func TestSeriesCapacitorThatCancelsALine(t *testing.T) {
	g := grid.IEEE14()
	twin := g.Branches[13] // 7-8, the only branch to bus 8
	twin.Reactance = -twin.Reactance
	g.Branches = append(g.Branches, twin)
	if _, err := grid.NewNetwork(g); err == nil {
		t.Error("a bus behind susceptances that cancel has factors")
	}
}

// TestSeriesAdmittance: branches of the series susceptance x/(r² + x²) share a flow by it, lossless ones by 1/x.
func TestSeriesAdmittance(t *testing.T) {
	inf := math.Inf(1)
	g := &grid.Grid{Base: 0.5, Buses: []grid.Bus{{Number: 1}, {Number: 2, Demand: 9}}, Generators: []grid.Generator{{Max: 9}},
		Branches: []grid.Branch{
			{To: 1, Resistance: 0.1, Reactance: 0.2, Tap: 1, Rating: inf, MinAngle: -inf, MaxAngle: inf},
			{To: 1, Reactance: 0.25, Tap: 1, Rating: inf, MinAngle: -inf, MaxAngle: inf},
		}}
	for series, want := range map[bool][]float64{seriesAdmittance: {4.5, 4.5}, lossless: {5, 4}} {
		if got := flows(t, network(t, g, series), []float64{9}); !floats.EqualApprox(got, want, flowTolerance) {
			t.Errorf("series admittance %v: flows %v, want %v", series, got, want)
		}
	}
	g.Branches[0].MinAngle, g.Branches[0].MaxAngle = 1, 1
	if _, err := grid.NewNetwork(g); err != nil {
		t.Errorf("one angle alone: %v", err)
	}
}

func TestBadGrids(t *testing.T) {
	for name, spoil := range map[string]func(*grid.Grid){
		"no base":        func(g *grid.Grid) { g.Base = 0 },
		"no branches":    func(g *grid.Grid) { g.Branches = nil },
		"no generators":  func(g *grid.Grid) { g.Generators = nil },
		"branch outside": func(g *grid.Grid) { g.Branches[3].To = 14 },
		"loop":           func(g *grid.Grid) { g.Branches[3].To = g.Branches[3].From },
		"no reactance":   func(g *grid.Grid) { g.Branches[3].Reactance = 0 },
		"no tap":         func(g *grid.Grid) { g.Branches[3].Tap = 0 },
		"shift NaN":      func(g *grid.Grid) { g.Branches[3].Shift = math.NaN() },
		"shift infinite": func(g *grid.Grid) { g.Branches[3].Shift = math.Inf(1) },
		"tap infinite":   func(g *grid.Grid) { g.Branches[3].Tap = math.Inf(1) },
		"demand NaN":     func(g *grid.Grid) { g.Buses[3].Demand = math.NaN() },
		"generator":      func(g *grid.Grid) { g.Generators[1].Bus = -1 },
		"concave cost":   func(g *grid.Grid) { g.Generators[1].Quadratic = -1 },
	} {
		g := grid.IEEE14()
		spoil(g)
		if _, err := grid.NewNetwork(g); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := grid.NewNetwork(nil); err == nil {
		t.Error("no grid: no error")
	}
	cancelling := &grid.Grid{Base: 100, Buses: []grid.Bus{{Number: 1}, {Number: 2}}, Generators: []grid.Generator{{Max: 1}}}
	for _, reactance := range []float64{0.5, 0.25, -0.25} {
		cancelling.Branches = append(cancelling.Branches, grid.Branch{To: 1, Reactance: reactance, Tap: 1, Rating: 1, MinAngle: math.Inf(-1), MaxAngle: math.Inf(1)})
	}
	if factors, err := network(t, cancelling, lossless).LODF(0); err == nil || errors.Is(err, grid.ErrSplits) || !strings.Contains(err.Error(), "1-2") {
		t.Errorf("beside susceptances that cancel an outage has the factors %v, %v", factors, err)
	}
	n := network(t, grid.IEEE14(), lossless)
	for _, outages := range [][]int{nil, {-1}, {20}, {3, 3}} {
		if _, err := n.LODF(outages...); err == nil || errors.Is(err, grid.ErrSplits) {
			t.Errorf("outages %v give %v", outages, err)
		}
	}
	if _, err := n.LODF(13); !errors.Is(err, grid.ErrSplits) {
		t.Errorf("the outage of the only branch to bus 8 gives %v", err)
	}
}
