package selection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// maxRays bounds the distinct probe directions of the planar program, whose
// table of arcs takes up to 8·maxRays² bytes.
const maxRays = 4000

// arcSlack lets an arc of half a turn pass when its angle is rounded up.
const arcSlack = 1e-12

// ExactPlanar finds a set of B atoms with the largest coverage when the atoms
// have dimension 1 or 2. NP-hard in general (Theorem 4.2), the problem is easy
// in the plane: sorted by angle, the probe directions that a chosen atom serves
// best form one arc of at most half a turn, so the optimum is
//
//	max over at most B disjoint arcs of sum_arcs h(sum of the directions in the arc),
//	h(v) = max(0, max_i <d_i,v>),
//
// which dynamic programming finds in O(B|T|³) time at most. Directions outside
// all arcs are left to the null atom.
//
// The last prefix of the selection is optimal. The prefixes before it order the
// same atoms by gain, and their Bounds are the exact optima of their sizes. Fewer
// than B atoms are returned if fewer reach the optimum. A cancelled run returns
// the best set found.
type ExactPlanar struct{}

// Name returns "exact planar".
func (ExactPlanar) Name() string { return "exact planar" }

// Select implements [Policy]. It is an error if the atoms have a dimension above
// 2, or if there are more than 4000 distinct probe directions.
func (e ExactPlanar) Select(ctx context.Context, o Objective, budget int) (*Selection, error) {
	p, c, err := newCoveragePath(e.Name(), o, budget)
	if err != nil {
		return nil, err
	}
	if c.Dictionary() == nil {
		return nil, errors.New("selection: the planar program needs the atoms in memory; build the coverage from a sparsero.Dictionary")
	}
	if dim := c.atoms.Dim(); dim > 2 {
		return nil, fmt.Errorf("selection: the planar program needs atoms of dimension at most 2, got %d; use ExactInteger", dim)
	}
	program, err := newPlanarProgram(ctx, c, budget)
	if err != nil {
		return nil, err
	}
	atoms := program.solve(ctx, p)
	p.takeByGain(atoms)
	if p.selection.Partial {
		return p.finish(ctx)
	}
	return p.finish(ctx, program.bounds()...)
}

// bounds returns for b = 1, 2, ... an upper bound of the optimum, with what the sums of
// the program may have lost.
func (p *planarProgram) bounds() []float64 {
	m := float64(p.coverage.probes())
	rounding := p.coverage.rounding()
	lost := directed.ProductUpper(m+float64(p.budget)+4, rounding.Absolute) // each direction enters a sum of at most so many terms
	bounds := make([]float64, p.budget)
	for b := range bounds {
		bounds[b] = directed.SumUpper(relatively(rounding, p.optimum[b+1]/m), lost)
	}
	return bounds
}

// takeByGain takes a set of atoms in the order of greedy, without those that add
// nothing to the others.
func (p *path) takeByGain(atoms []int) {
	rest := slices.Sorted(slices.Values(atoms))
	for len(rest) > 0 {
		best := 0
		for k, i := range rest {
			if p.state.Gain(i) > p.state.Gain(rest[best]) {
				best = k
			}
		}
		if p.state.Gain(rest[best]) == 0 {
			return
		}
		p.take(rest[best])
		rest = slices.Delete(rest, best, best+1)
	}
}

// ray is the sum of all probe directions of one angle.
type ray struct{ x, y, angle float64 }

// plus adds two rays; the angle of a sum is not needed.
func (r ray) plus(other ray) ray { return ray{x: r.x + other.x, y: r.y + other.y} }

// planarAtom is an atom of the plane.
type planarAtom struct {
	x, y  float64
	index int
}

// planarProgram holds the arcs of consecutive rays and what one atom gains on
// each of them.
type planarProgram struct {
	coverage *Coverage
	budget   int
	atoms    []planarAtom // the vertices of conv(D ∪ {0}); no other atom is needed
	rays     []ray
	arcs     [][]float64 // arcs[i][l] is h of the sum of rays i, ..., i+l
	optimum  []float64   // |T| times the optimum with at most b arcs
}

func newPlanarProgram(ctx context.Context, c *Coverage, budget int) (*planarProgram, error) {
	x, y := unitsOf(c)
	program := &planarProgram{coverage: c, budget: budget, optimum: make([]float64, budget+1), rays: probeRays(c, x, y)}
	vertices, err := c.Dictionary().SupportVertices(ctx)
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	for _, i := range vertices {
		r := asRay(c.Dictionary().RawRowView(i))
		program.atoms = append(program.atoms, planarAtom{x: r.x / x, y: r.y / y, index: i})
	}
	n := len(program.rays)
	if n > maxRays {
		return nil, fmt.Errorf("selection: the planar program is limited to %d distinct probe directions, got %d; use ExactInteger or fewer directions", maxRays, n)
	}
	program.arcs = make([][]float64, n)
	err = parallel.Blocks(ctx, runtime.GOMAXPROCS(0), n, 1, func(_, i, _ int) error {
		program.arcs[i] = make([]float64, program.reach(i))
		sum := ray{}
		for l := range program.arcs[i] {
			sum = sum.plus(program.rays[(i+l)%n])
			_, program.arcs[i][l] = program.serve(sum)
		}
		return nil
	})
	if err != nil { // the context has ended; without arcs the best set is empty
		program.rays = nil
	}
	return program, nil
}

// unitsOf returns the powers of two that bring the largest coordinates of the probe
// directions to about one, so that angles do not depend on their units.
func unitsOf(c *Coverage) (x, y float64) {
	for j := range c.probes() {
		r := asRay(c.directions.RawRowView(j))
		x, y = max(x, math.Abs(r.x)), max(y, math.Abs(r.y))
	}
	unit := func(largest float64) float64 {
		_, exponent := math.Frexp(largest)
		return math.Ldexp(1, -exponent)
	}
	return unit(x), unit(y)
}

// probeRays sorts the non-zero probe directions by angle, in the given units, and adds up
// those of equal angle.
func probeRays(c *Coverage, x, y float64) []ray {
	var rays []ray
	for j := range c.probes() {
		if r := asRay(c.directions.RawRowView(j)); r.x != 0 || r.y != 0 {
			r.x, r.y = r.x*x, r.y*y
			r.angle = math.Atan2(r.y, r.x)
			rays = append(rays, r)
		}
	}
	slices.SortStableFunc(rays, func(a, b ray) int { return cmp.Compare(a.angle, b.angle) })
	var merged []ray
	for _, r := range rays {
		if last := len(merged) - 1; last >= 0 && merged[last].angle == r.angle {
			merged[last].x += r.x
			merged[last].y += r.y
			continue
		}
		merged = append(merged, r)
	}
	return turned(merged)
}

// turned starts the numbering after the widest gap, so that few arcs that start elsewhere
// contain ray 0 and few cuts have to be tried.
func turned(rays []ray) []ray {
	first, widest := 0, 0.0
	for k, r := range rays {
		gap := r.angle - rays[(k+len(rays)-1)%len(rays)].angle
		if k == 0 {
			gap += 2 * math.Pi
		}
		if gap > widest {
			first, widest = k, gap
		}
	}
	return append(slices.Clone(rays[first:]), rays[:first]...)
}

// asRay reads a vector of dimension 1 or 2.
func asRay(v []float64) ray {
	if len(v) == 1 {
		return ray{x: v[0]}
	}
	return ray{x: v[0], y: v[1]}
}

// span returns the angle from ray i counterclockwise to ray k, in [0,2π).
func (p *planarProgram) span(i, k int) float64 {
	span := p.rays[k].angle - p.rays[i].angle
	if span < 0 {
		span += 2 * math.Pi
	}
	return span
}

// reach returns the number of rays in the longest arc that starts at ray i.
func (p *planarProgram) reach(i int) int {
	n := len(p.rays)
	length := 1
	for length < n && p.span(i, (i+length)%n) <= math.Pi+arcSlack {
		length++
	}
	return length
}

// serve returns the atom best aligned with a sum of rays, the lowest index among
// equals, and h of the sum.
func (p *planarProgram) serve(sum ray) (index int, value float64) {
	index = -1
	for _, atom := range p.atoms {
		if alignment := math.FMA(atom.y, sum.y, atom.x*sum.x); alignment > value {
			index, value = atom.index, alignment
		}
	}
	return index, value
}

// solve tries every cut of the circle that an optimal set of arcs may need and
// returns the atoms of the best one.
func (p *planarProgram) solve(ctx context.Context, path *path) []int {
	n := len(p.rays)
	path.stopped(ctx)
	bestCut, best := 0, math.Inf(-1)
	for cut := range n {
		// An arc that contains ray 0 starts there or at a ray whose arcs reach it.
		if cut > 0 && cut+p.reach(cut) <= n {
			continue
		}
		if path.stopped(ctx) {
			break
		}
		values, _ := p.table(cut)
		for b, value := range values {
			p.optimum[b] = max(p.optimum[b], value)
		}
		if values[p.budget] > best {
			bestCut, best = cut, values[p.budget]
		}
	}
	return p.optimal(bestCut)
}

// table runs the dynamic program over the rays cut, cut+1, ..., around to cut.
// It returns the best value of at most b arcs for b = 0, ..., B and, for each b and end,
// the start of the last arc that ends there, or -1 where the ray before the end is left out.
func (p *planarProgram) table(cut int) (totals []float64, from [][]int) {
	n := len(p.rays)
	previous, current := make([]float64, n+1), make([]float64, n+1)
	totals, from = make([]float64, p.budget+1), make([][]int, p.budget+1)
	for b := 1; b <= p.budget; b++ {
		clear(current)
		from[b] = slices.Repeat([]int{-1}, n+1)
		for start := range n {
			if current[start] > current[start+1] { // ray start is left out
				current[start+1], from[b][start+1] = current[start], -1
			}
			base := previous[start]
			arcs := p.arcs[(cut+start)%n]
			for l, value := range arcs[:min(len(arcs), n-start)] {
				if end := start + l + 1; base+value > current[end] {
					current[end], from[b][end] = base+value, start
				}
			}
		}
		totals[b] = current[n]
		previous, current = current, previous
	}
	return totals, from
}

// optimal repeats the table of one cut and returns the atoms of its optimum.
func (p *planarProgram) optimal(cut int) []int {
	n := len(p.rays)
	_, from := p.table(cut)
	var atoms []int
	for b, end := p.budget, n; b > 0 && end > 0; {
		start := from[b][end]
		if start < 0 {
			end--
			continue
		}
		sum := ray{}
		for k := start; k < end; k++ {
			sum = sum.plus(p.rays[(cut+k)%n])
		}
		if atom, _ := p.serve(sum); atom >= 0 && !slices.Contains(atoms, atom) {
			atoms = append(atoms, atom)
		}
		b, end = b-1, start
	}
	return atoms
}
