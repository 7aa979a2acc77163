// Package grid reads power grids and writes their dispatch as linear, convex quadratic and robust programs: which generators
// should run, so that no line is overloaded, also after any one line has failed (N-1 security).
//
// Where things are:
//
//	grid      buses, branches, generators and their costs
//	matpower  how a case file is read
//	network   the linear power flow: PTDF, LODF, parts that an outage cuts off
//	dispatch  the optimal power flow without failures: balance, limits, costs
//	security  the robust dispatch against events
//
// [Read] reads a MATPOWER case file, [IEEE14] and [IEEE30] are two of the literature. [NewNetwork] computes the linear (DC)
// power flow, [Network.Dispatch] is a solver.Model, and [Network.Security] a robust.Problem whose atoms are the events that
// the dispatch must survive, so that Design tells which of them matter and proves that the others do not.
//
// Powers are in MW, angles in degrees, resistances and reactances per unit of a common base, costs in the currency of the
// case per hour. The linear model has no voltages, no reactive power and no losses.
package grid

import (
	_ "embed"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// Grid is what the linear power flow needs to know of a power grid; everything in it is in service.
type Grid struct {
	Name string
	// Base is the power in MW at which resistances and reactances are 1.
	Base       float64
	Buses      []Bus
	Branches   []Branch
	Generators []Generator
	// SeriesAdmittance gives a branch the susceptance x/(r²+x²) in the linear power flow, as DCPPowerModel in PowerModels does, by
	// which PGLib-OPF publishes its values; tap ratios and phase shifts are left out. Otherwise it is MATPOWER's, 1/(x τ) for
	// the reactance x and the tap ratio τ, and phase shifts count.
	SeriesAdmittance bool
	// Left names what the file has and the grid has not, because it is out of service or isolated.
	Left []string
}

// Bus is a node of the grid.
type Bus struct {
	// Number is its name in the file, unique.
	Number int
	// Demand is what is taken from the grid here in MW, the shunt's conductance at nominal voltage included.
	Demand float64
}

// Branch is a line, or a transformer at its From end.
type Branch struct {
	// From and To are positions in Buses; a positive flow goes from From to To.
	From, To int
	// Resistance and Reactance are per unit; the reactance is not 0, and negative for a series capacitor.
	Resistance, Reactance float64
	// Tap is the ratio of the transformer, 1 for a line; Shift its phase shift in degrees.
	Tap, Shift float64
	// Rating is the flow in MW that the branch carries for long, in either direction; +Inf if unlimited.
	Rating float64
	// MinAngle and MaxAngle bound the difference of the voltage angles at From and To in degrees; -Inf and +Inf if unbounded.
	MinAngle, MaxAngle float64
}

// Generator is a source of power; a negative Min makes it a load that can be shed.
type Generator struct {
	// Bus is a position in Buses.
	Bus int
	// Min and Max bound its output in MW.
	Min, Max float64
	// The cost per hour of an output of p MW is Quadratic p² + Linear p + Constant, with Quadratic >= 0.
	Quadratic, Linear, Constant float64
}

// check refuses what has no power flow.
func (g *Grid) check() error {
	if g == nil || len(g.Branches) == 0 || len(g.Generators) == 0 || !(g.Base > 0 && g.Base < math.Inf(1)) {
		return errors.New("the grid needs a finite base power, branches and generators")
	}
	for _, bus := range g.Buses {
		if bus.Demand-bus.Demand != 0 {
			return fmt.Errorf("bus %d has the demand %g; give a finite one", bus.Number, bus.Demand)
		}
	}
	for k, b := range g.Branches {
		switch {
		case g.outside(b.From) || g.outside(b.To) || b.From == b.To:
			return fmt.Errorf("branch %d of Branches goes from %d to %d; give two positions in Buses", k, b.From, b.To)
		case b.Reactance == 0 || b.Tap == 0 || !(floats.Norm([]float64{b.Reactance, b.Resistance, b.Tap, b.Shift}, 1) < math.Inf(1)):
			return fmt.Errorf("branch %s has the reactance %g, the tap ratio %g and the shift %g; give finite ones, the first two not 0", g.BranchName(k), b.Reactance, b.Tap, b.Shift)
		case !(b.Rating >= 0 && b.MinAngle <= b.MaxAngle):
			return fmt.Errorf("branch %s has the rating %g and angles from %g to %g; no flow is within them", g.BranchName(k), b.Rating, b.MinAngle, b.MaxAngle)
		}
	}
	for k, generator := range g.Generators {
		if g.outside(generator.Bus) {
			return fmt.Errorf("generator %d of Generators is at %d; give a position in Buses", k, generator.Bus)
		}
		if !(generator.Min <= generator.Max) {
			return fmt.Errorf("%s gives at least %g and at most %g MW; no output is within them", g.generatorName(k), generator.Min, generator.Max)
		}
		if generator.Quadratic < 0 {
			return fmt.Errorf("%s has the quadratic cost %g; only convex costs can be minimised", g.generatorName(k), generator.Quadratic)
		}
	}
	return nil
}

func (g *Grid) outside(bus int) bool { return bus < 0 || bus >= len(g.Buses) }

// BranchName names branch k by the numbers of its buses, such as "4-5", and counts parallel ones: "4-5 (2)" is the
// second. It panics if there is no branch k between two buses.
func (g *Grid) BranchName(k int) string {
	if k < 0 || k >= len(g.Branches) || g.outside(g.Branches[k].From) || g.outside(g.Branches[k].To) {
		panic(fmt.Sprintf("grid: there is no branch %d between two buses", k))
	}
	return g.direction(k, g.Branches[k].From, g.Branches[k].To)
}

// direction names branch k by its ends, in the order in which they are given.
func (g *Grid) direction(k, from, to int) string {
	name, parallel := fmt.Sprintf("%d-%d", g.Buses[from].Number, g.Buses[to].Number), 1
	for _, other := range g.Branches[:k] {
		if min(other.From, other.To) == min(from, to) && max(other.From, other.To) == max(from, to) {
			parallel++
		}
	}
	if parallel > 1 {
		return fmt.Sprintf("%s (%d)", name, parallel)
	}
	return name
}

func (g *Grid) generatorName(k int) string {
	return fmt.Sprintf("generator %d at bus %d", k+1, g.Buses[g.Generators[k].Bus].Number)
}

//go:embed cases/ieee14.m
var ieee14 string

//go:embed cases/ieee30.m
var ieee30 string

// IEEE14 returns the IEEE test case of 14 buses and 20 branches (University of Washington, 1993), with the limits and
// quadratic costs that MATPOWER's converter gives it. Its branches have no ratings.
func IEEE14() *Grid { return embedded(ieee14) }

// IEEE30 returns the IEEE test case of 30 buses, 41 branches and 6 generators with the ratings and quadratic costs of
// Alsac and Stott (1974), who posed the optimal power flow that survives outages.
func IEEE30() *Grid { return embedded(ieee30) }

func embedded(text string) *Grid {
	g, err := Read(strings.NewReader(text))
	if err != nil {
		panic(err) // the file is part of the program
	}
	return g
}
