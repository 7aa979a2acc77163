package grid

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// ErrSplits is wrapped where an outage cuts the grid in two, so that no factors say where its flow goes.
var ErrSplits = errors.New("grid: the outage splits the grid")

// negligibleFactor is a distribution factor that is taken for 0: rounding leaves about 1e-16 where nothing passes, as
// on a branch to a single bus, and such coefficients would only trouble solvers.
const negligibleFactor = 1e-12

// Network is the linear power flow of a grid. NewNetwork makes it; it does not change. Methods of an empty one panic.
type Network struct {
	Grid *Grid // must not be changed
	// susceptance b and shift φ of each branch, in MW per radian and in radians: its flow is b (θ_from - θ_to - φ).
	susceptance, shift []float64
	// island is the connected part of the grid to which a bus belongs, named by one of its buses.
	island []int
	// ptdf is L×B: the flow on each branch for 1 MW into a bus that the bus which names its island takes out.
	ptdf *mat.Dense
	// response ((L+G)×G) and base: response x + base are the flows and the outputs of the generators, when these give x.
	response *mat.Dense
	base     []float64
}

// NewNetwork computes the power transfer distribution factors of a grid with B buses and L branches. O(B³ + B² L).
// Grids in several parts are fine: each balances itself. It is an error if the grid has no branch or generator, a
// number out of range, or susceptances that cancel, which only series capacitors can cause.
func NewNetwork(g *Grid) (*Network, error) {
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("grid: %w", err)
	}
	n := &Network{Grid: g, island: islands(g, nil)}
	for _, branch := range g.Branches {
		r, x := branch.Resistance, branch.Reactance
		if g.SeriesAdmittance {
			n.susceptance, n.shift = append(n.susceptance, g.Base*x/(r*r+x*x)), append(n.shift, 0)
			continue
		}
		n.susceptance = append(n.susceptance, g.Base/(x*branch.Tap))
		n.shift = append(n.shift, branch.Shift*math.Pi/180)
	}
	if err := n.computePTDF(); err != nil {
		return nil, err
	}
	n.computeResponse()
	return n, nil
}

// islands returns the connected part of each bus without some branches, named by its first bus.
func islands(g *Grid, without []int) []int {
	part := make([]int, len(g.Buses))
	for bus := range part {
		part[bus] = bus
	}
	root := func(bus int) int {
		for part[bus] != bus {
			part[bus] = part[part[bus]]
			bus = part[bus]
		}
		return bus
	}
	for k, branch := range g.Branches {
		if !slices.Contains(without, k) {
			a, b := root(branch.From), root(branch.To)
			part[max(a, b)] = min(a, b)
		}
	}
	for bus := range part {
		part[bus] = root(bus)
	}
	return part
}

// computePTDF solves (Aᵀ diag(b) A) ptdfᵀ = Aᵀ diag(b) for the incidence matrix A without the buses that name the islands.
func (n *Network) computePTDF() error {
	var inner []int // buses that do not name an island
	at := map[int]int{}
	for bus, part := range n.island {
		if part != bus {
			at[bus], inner = len(inner), append(inner, bus)
		}
	}
	incidence := mat.NewDense(len(n.Grid.Branches), len(inner), nil)
	for k, branch := range n.Grid.Branches {
		if from, is := at[branch.From]; is {
			incidence.Set(k, from, 1)
		}
		if to, is := at[branch.To]; is {
			incidence.Set(k, to, -1)
		}
	}
	var weighted, laplacian, factors mat.Dense
	weighted.Apply(func(k, _ int, v float64) float64 { return n.susceptance[k] * v }, incidence)
	laplacian.Mul(incidence.T(), &weighted)
	if err := factors.Solve(&laplacian, weighted.T()); err != nil {
		return fmt.Errorf("grid: the susceptances of the branches cancel (%w); look for series capacitors that cancel a line", err)
	}
	n.ptdf = mat.NewDense(len(n.Grid.Branches), len(n.Grid.Buses), nil)
	for row, bus := range inner {
		for k := range n.Grid.Branches {
			if factor := factors.At(row, k); math.Abs(factor) > negligibleFactor {
				n.ptdf.Set(k, bus, factor)
			}
		}
	}
	return nil
}

func (n *Network) computeResponse() {
	injection := make([]float64, len(n.Grid.Buses))
	for bus := range n.Grid.Buses {
		injection[bus] = -n.Grid.Buses[bus].Demand
	}
	shifted := make([]float64, len(n.Grid.Branches)) // the flow that the phase shift drives through its branch
	for k, branch := range n.Grid.Branches {
		shifted[k] = -n.susceptance[k] * n.shift[k]
		injection[branch.From] -= shifted[k]
		injection[branch.To] += shifted[k]
	}
	n.base = n.transfer(injection)
	n.response = mat.NewDense(len(n.base), len(n.Grid.Generators), nil)
	for g, generator := range n.Grid.Generators {
		n.response.Set(len(shifted)+g, g, 1)
		for k := range shifted {
			n.response.Set(k, g, n.ptdf.At(k, generator.Bus))
		}
	}
	floats.Add(n.base[:len(shifted)], shifted)
}

// transfer returns the flows of injections (length B), ptdf times them, and a zero for each generator.
func (n *Network) transfer(injection []float64) []float64 {
	var flows mat.VecDense
	flows.MulVec(n.ptdf, mat.NewVecDense(len(injection), injection))
	return append(flows.RawVector().Data, make([]float64, len(n.Grid.Generators))...)
}

// made panics for a network that NewNetwork did not make.
func (n *Network) made() *Grid {
	if n.Grid == nil || n.ptdf == nil {
		panic("grid: the network is empty; make it with NewNetwork")
	}
	return n.Grid
}

// LODF returns the line outage distribution factors of branches that fail together (L×M for M outages): the share of the flow of
// each that passes to every branch,
//
//	H_M (I - H_MM)⁻¹,   H_lc = PTDF_l,from(c) - PTDF_l,to(c),
//
// and -I in the rows of the outages. O(L M²). The error wraps [ErrSplits] where the grid falls apart without them, and
// names an outage that is no branch or given twice.
func (n *Network) LODF(outages ...int) (*mat.Dense, error) {
	branches := n.made().Branches
	for k, c := range outages {
		if c < 0 || c >= len(branches) || slices.Contains(outages[:k], c) {
			return nil, fmt.Errorf("grid: the outage %d is given twice or is none of the %d branches; give positions in Branches", c, len(branches))
		}
	}
	if len(outages) == 0 {
		return nil, errors.New("grid: there is no outage; give the position of at least one branch")
	}
	if !slices.Equal(islands(n.Grid, outages), n.island) {
		return nil, fmt.Errorf("%w: without %s a part of it is cut off; plan it as a grid of its own", ErrSplits, n.names(outages))
	}
	transfers := mat.NewDense(len(branches), len(outages), nil)
	remaining := mat.NewDense(len(outages), len(outages), nil)
	for j, c := range outages {
		for l := range branches {
			transfers.Set(l, j, n.ptdf.At(l, branches[c].From)-n.ptdf.At(l, branches[c].To))
		}
		for i, other := range outages {
			remaining.Set(i, j, -transfers.At(other, j))
		}
		remaining.Set(j, j, 1+remaining.At(j, j))
	}
	var solved mat.Dense
	if err := solved.Solve(remaining.T(), transfers.T()); err != nil {
		return nil, fmt.Errorf("grid: the factors of the outage %s do not exist (%w); its susceptance cancels that of the others", n.names(outages), err)
	}
	factors := mat.DenseCopyOf(solved.T())
	for i, c := range outages {
		clear(factors.RawRowView(c))
		factors.Set(c, i, -1)
	}
	return factors, nil
}

func (n *Network) names(branches []int) string {
	names := make([]string, len(branches))
	for k, branch := range branches {
		names[k] = n.Grid.BranchName(branch)
	}
	return strings.Join(names, ", ")
}
