package grid_test

import (
	"math"
	"slices"

	"github.com/sparsero/directions/datasets/grid"
	"pgregory.net/rapid"
)

// drawGrid draws a small grid in one or two parts: trees with further branches, parallel ones among them, transformers, phase shifters and
// generators in each part. Ratings are wide.
func drawGrid(t *rapid.T) *grid.Grid {
	g := &grid.Grid{Name: "drawn", Base: 100}
	parts := rapid.IntRange(1, 2).Draw(t, "parts")
	for range parts {
		first := len(g.Buses)
		size := rapid.IntRange(2, 6).Draw(t, "size")
		for k := range size {
			g.Buses = append(g.Buses, grid.Bus{Number: 10 * (first + k + 1), Demand: rapid.Float64Range(-20, 60).Draw(t, "demand")})
			if k > 0 {
				g.Branches = append(g.Branches, drawBranch(t, first+rapid.IntRange(0, k-1).Draw(t, "neighbour"), first+k))
			}
		}
		for range rapid.IntRange(0, 5).Draw(t, "further") {
			from := rapid.IntRange(0, size-1).Draw(t, "from")
			to := (from + rapid.IntRange(1, size-1).Draw(t, "step")) % size
			g.Branches = append(g.Branches, drawBranch(t, first+from, first+to))
		}
		for range rapid.IntRange(1, 3).Draw(t, "generators") {
			g.Generators = append(g.Generators, grid.Generator{Bus: first + rapid.IntRange(0, size-1).Draw(t, "bus"), Min: -100, Max: 400,
				Linear: rapid.Float64Range(1, 50).Draw(t, "cost")})
		}
	}
	return g
}

func drawBranch(t *rapid.T, from, to int) grid.Branch {
	branch := grid.Branch{From: from, To: to, Resistance: rapid.Float64Range(0, 0.1).Draw(t, "r"), Reactance: rapid.Float64Range(0.02, 0.5).Draw(t, "x"),
		Tap: 1, Rating: math.Inf(1), MinAngle: math.Inf(-1), MaxAngle: math.Inf(1)}
	if rapid.Bool().Draw(t, "transformer") {
		branch.Tap, branch.Shift = rapid.Float64Range(0.9, 1.1).Draw(t, "tap"), rapid.Float64Range(-5, 5).Draw(t, "shift")
	}
	return branch
}

// drawDispatch draws outputs that balance each part.
func drawDispatch(t *rapid.T, g *grid.Grid) []float64 {
	part := connected(g)
	dispatch, last, open := make([]float64, len(g.Generators)), map[int]int{}, map[int]float64{}
	for bus := range g.Buses {
		open[part[bus]] += g.Buses[bus].Demand
	}
	for k, generator := range g.Generators {
		dispatch[k] = rapid.Float64Range(0, 50).Draw(t, "output")
		last[part[generator.Bus]] = k
		open[part[generator.Bus]] -= dispatch[k]
	}
	for p, k := range last {
		dispatch[k] += open[p]
	}
	return dispatch
}

// connected numbers the part of each bus by spreading the smallest number.
func connected(g *grid.Grid) []int {
	part := make([]int, len(g.Buses))
	for bus := range part {
		part[bus] = bus
	}
	for range g.Buses {
		for _, branch := range g.Branches {
			least := min(part[branch.From], part[branch.To])
			part[branch.From], part[branch.To] = least, least
		}
	}
	return part
}

// without returns the grid without some branches.
func without(g *grid.Grid, outages []int) *grid.Grid {
	rest := *g
	rest.Branches = nil
	for k, branch := range g.Branches {
		if !slices.Contains(outages, k) {
			rest.Branches = append(rest.Branches, branch)
		}
	}
	return &rest
}

// restore puts the flows of the remaining branches at their places in the whole grid.
func restore(flows []float64, outages []int, branches int) []float64 {
	all := make([]float64, 0, branches)
	for k := range branches {
		if slices.Contains(outages, k) {
			all = append(all, 0)
			continue
		}
		all, flows = append(all, flows[0]), flows[1:]
	}
	return all
}
