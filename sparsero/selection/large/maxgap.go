package large

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/sparsero/selection"
)

// MaxGap adds at each step the atom that minimises the worst deficit, the rule and
// the choices of [selection.MaxGap]. The zero value breaks ties by the lowest index.
type MaxGap struct {
	// Tie decides between equally good atoms. Default selection.LowestIndex.
	Tie selection.TieRule
	// Warm lists atoms that are taken first, in this order. They count towards the
	// budget. Default none.
	Warm []int
	// SkipBounds leaves Selection.Bounds at F([N];T). Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(selection.Step)
}

// Select chooses at most budget atoms, 1 <= budget <= N. A streamed coverage
// recomputes all alignments at every step. If the context ends first the selection
// is shorter and marked Partial, and the error is nil.
func (m MaxGap) Select(ctx context.Context, c *Coverage, budget int) (*selection.Selection, error) {
	name := selection.MaxGap{Tie: m.Tie}.Name()
	if m.Tie != selection.LowestIndex && m.Tie != selection.CoverageGain {
		return nil, fmt.Errorf("large: unknown tie rule %v; use selection.LowestIndex or selection.CoverageGain", m.Tie)
	}
	p, err := newPath(name, c, budget, m.Warm, m.Progress)
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, !m.SkipBounds, fillByGap(ctx, p, m.Tie, m.Warm))
}

// fillByGap takes the given atoms, then fills the budget by the max-gap rule.
func fillByGap(ctx context.Context, p *path, tie selection.TieRule, first []int) error {
	if err := p.takeAll(ctx, first); err != nil {
		return err
	}
	search := p.state.NewGapSearch(tie == selection.CoverageGain)
	for p.len() < p.budget {
		best, err := search.Best(ctx)
		if err != nil {
			return err
		}
		if err := p.take(best, search.Calls()); err != nil {
			return err
		}
	}
	return nil
}
