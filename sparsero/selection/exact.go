package selection

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

const (
	// rootSteps and nodeSteps are the subgradient steps before the first branch and at each node.
	rootSteps, nodeSteps = 400, 25
	// exactGap is by how much, relative to it, a set may exceed the best one found without being looked for.
	exactGap = 1e-12
	// exactMemory is how many bytes the alignments of the atoms that are left may take.
	exactMemory = 1 << 30
)

// Exact finds a set of at most B atoms, each of which adds something, with the largest coverage by branch and bound on
// the bound of [Selection.Tighten]: an atom that cannot be part of a better set than the one that Swap found is left
// out, one of the others is taken or not, and the bound is lowered again in either case (Beasley 1985 for p-medians).
// No solver is needed. It is meant for small and middle-sized problems: up to some thousand atoms if the bound is
// nearly tight, some dozen if it is not; the time can grow exponentially.
//
// The last prefix of the selection is optimal; the prefixes before it order the same atoms by gain. When the context ends, the
// selection is the best set found, at least as good as that of [Swap], with a bound that holds, and marked Partial; so it is
// where the atoms that are left need more than a gigabyte.
type Exact struct {
	// Progress, if not nil, is called at each node: Number counts them, Coverage is that of the best set.
	Progress func(Step)
}

// Select implements [Policy].
func (e Exact) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "exact", c, budget)
	if err != nil {
		return nil, err
	}
	start, err := Swap{}.Select(ctx, c, budget)
	if err != nil {
		return nil, err
	}
	p.selection.Partial = start.Partial
	atoms, bound := start.Atoms, math.Inf(1)
	if !p.stopped(ctx) {
		value, err := c.mean(atoms)
		if err != nil {
			return nil, err
		}
		tree := &branching{coverage: c, budget: budget, atoms: atoms, value: value, progress: e.Progress}
		if err := ended(ctx, tree.search(ctx, start)); err != nil {
			return nil, err
		}
		atoms, bound = tree.atoms, tree.bound()
		p.selection.Partial = !tree.complete
		p.calls = tree.nodes
	}
	p.takeByGain(atoms)
	s, err := p.finish(ctx)
	if err != nil {
		return nil, err
	}
	for b := range s.Bounds {
		s.tighten(b, min(bound, start.Bounds[b].Float()))
	}
	return s, nil
}

// branching is a search through all sets of at most so many atoms.
type branching struct {
	coverage *Coverage
	budget   int
	atoms    []int   // the best set found
	value    float64 // its coverage
	open     float64 // the largest bound of what was not looked at, in float64
	complete bool    // whether nothing is left open
	nodes    int
	progress func(Step)

	names []int       // atoms that are left
	rows  [][]float64 // their alignments
}

// bound returns an upper bound of every set, in exact arithmetic.
func (t *branching) bound() float64 {
	const sums = 4 // with as many terms go into a bound that leaves out a set
	return t.coverage.screen.Rounding.AtMultipliers(sums * (t.coverage.probes() + t.budget)).AtMost(max(t.open, t.cut()))
}

// search looks at the whole dictionary, leaves out what cannot be part of a better set, and branches on the others.
func (t *branching) search(ctx context.Context, start *Selection) error {
	c := t.coverage
	b := newBounding(c, start, c.screen.NewLagrangian())
	k := start.Len() - 1
	b.starts[k] = start.multipliers
	t.open = c.Full()
	if _, err := b.descend(ctx, k, rootSteps, func() bool { return false }); err != nil {
		return err
	}
	u := b.starts[k]
	_, bound, err := b.look(ctx, k, u, b.rounding.AtMultipliers(len(u)))
	if err != nil {
		return err
	}
	t.open = bound
	if bound <= t.cut() {
		t.complete = true
		return nil
	}
	t.names, err = b.lagrangian.Candidates(ctx, screen.Cardinality(t.budget), t.cut()-bound)
	if err != nil {
		return err
	}
	if !fits(len(t.names), len(u)) {
		return nil
	}
	for _, i := range t.names {
		row, err := c.screen.Row(make([]float64, len(u)), i)
		if err != nil {
			return err
		}
		t.rows = append(t.rows, row)
	}
	t.open, t.complete = 0, true
	t.visit(ctx, node{u: u, bound: bound, cover: make([]float64, len(u)), out: make([]bool, len(t.names))})
	return nil
}

// fits tells whether the alignments of so many atoms with so many directions may be held.
func fits(atoms, directions int) bool { return 8*atoms*directions <= exactMemory }

// cut is the bound at which sets need not be looked at.
func (t *branching) cut() float64 { return t.value * (1 + exactGap) }

// node is the part of all sets that contains some atoms and none of others.
type node struct {
	in    []int     // positions of the atoms that are taken
	out   []bool    // atoms that are taken or not allowed
	cover []float64 // the support of the atoms taken
	u     []float64 // multipliers of a good bound
	bound float64   // of the parent
}

// visit searches a node. If the context ends, what is open counts with its bound.
func (t *branching) visit(ctx context.Context, n node) {
	if t.nodes++; t.progress != nil {
		t.progress(Step{Number: t.nodes, Budget: t.budget, Coverage: t.value, FullCoverage: t.coverage.Full()})
	}
	if ctx.Err() != nil {
		t.open, t.complete = max(t.open, n.bound), false
		return
	}
	least, top, gains := t.descend(&n)
	if least <= t.cut() || len(top) == 0 {
		return
	}
	// An atom beside the best ones whose place costs too much is in no better set.
	last := 0.0
	if left := t.budget - len(n.in); len(top) == left {
		last = gains[top[left-1]]
	}
	for i, gain := range gains {
		if !n.out[i] && !slices.Contains(top, i) && least-last+gain <= t.cut() {
			n.out[i] = true
		}
	}
	branch := top[0]
	n.out[branch] = true
	with := node{in: append(slices.Clone(n.in), branch), out: slices.Clone(n.out), cover: slices.Clone(n.cover), u: n.u, bound: n.bound}
	for j, value := range t.rows[branch] {
		with.cover[j] = max(with.cover[j], value)
	}
	t.visit(ctx, with)
	t.visit(ctx, node{in: n.in, out: n.out, cover: n.cover, u: n.u, bound: n.bound})
}

// descend lowers the bound of a node by subgradient steps and tries the sets it meets. It returns the least bound with the
// atoms that fill the budget best there and the gains of all; no atoms where none adds anything to those taken.
func (t *branching) descend(n *node) (least float64, best []int, bestGains []float64) {
	m, left := len(n.cover), t.budget-len(n.in)
	if left == 0 {
		t.try(n, nil)
		return screen.Mean(n.cover), nil, nil
	}
	u, d := slices.Clone(n.u), newDescent(m)
	for j := range u {
		u[j] = max(u[j], n.cover[j])
	}
	least = math.Inf(1)
	for step := 0; step < nodeSteps && u != nil && least > t.cut(); step++ {
		top, gains := t.largest(n, u, left)
		bound, slope := screen.Mean(u), make([]float64, m)
		for _, i := range top {
			bound += gains[i]
			for j, value := range t.rows[i] {
				if value > u[j] {
					slope[j]--
				}
			}
		}
		t.try(n, top)
		if bound < least {
			least, best, bestGains, n.u = bound, top, gains, u
		}
		u = d.step(u, n.cover, slope, bound, t.value)
	}
	if len(best) == 0 { // no atom exceeds the multipliers: those of the atoms taken decide
		n.u = n.cover
		best, bestGains = t.largest(n, n.u, left)
		least = screen.Mean(n.u)
		for _, i := range best {
			least += bestGains[i]
		}
	}
	n.bound = min(n.bound, least)
	return least, best, bestGains
}

// largest returns the free atoms that gain most at the multipliers, at most so many, and the gains of all.
func (t *branching) largest(n *node, u []float64, most int) (top []int, gains []float64) {
	gains = make([]float64, len(t.rows))
	for i, row := range t.rows {
		if n.out[i] {
			continue
		}
		sum := 0.0
		for j, value := range row {
			if more := value - u[j]; more > 0 {
				sum += more
			}
		}
		if gains[i] = sum / float64(len(u)); sum > 0 {
			top = append(top, i)
		}
	}
	slices.SortFunc(top, func(a, b int) int { return rank.Compare(gains[a], a, gains[b], b) })
	return top[:min(most, len(top))], gains
}

// try takes the atoms of a node and some others for the best set if they cover more.
func (t *branching) try(n *node, others []int) {
	support := slices.Clone(n.cover)
	for _, i := range others {
		for j, value := range t.rows[i] {
			support[j] = max(support[j], value)
		}
	}
	if value := screen.Mean(support); value > t.value {
		t.value, t.atoms = value, nil
		for _, i := range append(slices.Clone(n.in), others...) {
			t.atoms = append(t.atoms, t.names[i])
		}
	}
}
