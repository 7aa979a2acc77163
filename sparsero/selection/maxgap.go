package selection

import "context"

// MaxGap adds at each step the atom that minimises the worst deficit,
//
//	argmin_i max_{s in T} Δ_{S ∪ {i}}(s),
//
// the worst-case baseline of the paper. It is a heuristic without a guarantee: there are instances where two atoms
// suffice and it needs more than a hundred (see the tests). [SetCover] aims at the same quantity with a guarantee. The
// zero value decides between equally good atoms by the lowest index.
type MaxGap struct {
	// ByGain takes of equally good atoms the one with the largest marginal gain of F, then the lowest index. Ties are common in
	// the first steps, where one atom cannot mend the worst direction of every lobe, and this rule then needs far fewer atoms.
	// Default false.
	ByGain bool
	// Start lists atoms that are taken first, in this order. They count towards the budget. Default none.
	Start []int
	// SkipBounds leaves Selection.Bounds at F([N];T), which saves their time. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(Step)
}

// Select implements [Policy]. Every step is an
// exact minimum over all atoms, O(N|T|) at worst; probe directions are scanned in
// falling order of their deficit, and an atom is dropped as soon as it is beaten.
func (m MaxGap) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	name := "max-gap"
	if m.ByGain {
		name = "max-gap (ties by coverage gain)"
	}
	ctx, p, err := newPath(ctx, name, c, budget)
	if err != nil {
		return nil, err
	}
	p.progress, p.skipBounds = m.Progress, m.SkipBounds
	if err := p.warm(ctx, m.Start); err != nil {
		return nil, err
	}
	m.fill(ctx, p)
	return p.finish(ctx)
}

// fill takes atoms until the budget is used up.
func (m MaxGap) fill(ctx context.Context, p *path) {
	search := p.state.NewGapSearch(m.ByGain)
	before := p.calls
	p.fillBy(ctx, func() (int, error) {
		i, err := search.Best(ctx)
		p.calls = before + search.Calls()
		return i, err
	})
}
