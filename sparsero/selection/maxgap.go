package selection

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// TieRule decides between atoms that reduce the worst deficit equally.
type TieRule int

const (
	// LowestIndex takes the atom with the lowest index.
	LowestIndex TieRule = iota
	// CoverageGain takes the atom with the largest marginal gain of F, then the
	// lowest index. Ties are common in the first steps, where one atom cannot
	// mend the worst direction of every lobe, and this rule then needs far fewer
	// atoms.
	CoverageGain
)

// String returns the name of the rule.
func (r TieRule) String() string { return enum.Name(r, "lowest index", "coverage gain") }

// MaxGap adds at each step the atom that minimises the worst deficit,
//
//	argmin_i max_{s in T} Δ_{S ∪ {i}}(s),
//
// the worst-case baseline of the paper. It is a heuristic without a guarantee:
// there are instances where two atoms suffice and it needs more than a hundred
// (see the tests). [SetCover] aims at the same quantity with a guarantee.
// The zero value breaks ties by the lowest index.
type MaxGap struct {
	// Tie decides between equally good atoms. Default LowestIndex.
	Tie TieRule
	// Start lists atoms that are taken first, in this order. They count towards
	// the budget. Default none.
	Start []int
	// SkipBounds leaves Selection.Bounds at F([N];T). Computing them takes several
	// times as long as the choice. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(Step)
}

// Name returns "max-gap", with the tie rule if it is not the default.
func (m MaxGap) Name() string {
	if m.Tie == LowestIndex {
		return "max-gap"
	}
	return "max-gap (ties by " + m.Tie.String() + ")"
}

// Select implements [Policy]; the objective must be a [Coverage]. Every step is an
// exact minimum over all atoms, O(N|T|) at worst; probe directions are scanned in
// falling order of their deficit, and an atom is dropped as soon as it is beaten.
func (m MaxGap) Select(ctx context.Context, o Objective, budget int) (*Selection, error) {
	p, _, err := newCoveragePath(m.Name(), o, budget)
	if err != nil {
		return nil, err
	}
	if m.Tie != LowestIndex && m.Tie != CoverageGain {
		return nil, fmt.Errorf("selection: unknown tie rule %v; use LowestIndex or CoverageGain", m.Tie)
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
	search := p.state.(*screen.State).NewGapSearch(m.Tie == CoverageGain)
	before := p.calls
	p.fillBy(ctx, func() (int, error) {
		i, err := search.Best(ctx)
		p.calls = before + search.Calls()
		return i, err
	})
}
