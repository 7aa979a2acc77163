package large

import (
	"context"

	"github.com/sparsero/directions/sparsero/selection"
)

// Greedy adds at each step the atom with the largest marginal gain of F(·;T), the
// lowest index among equals: the rule of [selection.Greedy], with its guarantee and
// its choices. The zero value starts from the empty set.
type Greedy struct {
	// Warm lists atoms that are taken first, in this order. They count towards the
	// budget. Default none.
	Warm []int
	// StopAtFull ends the path when no atom has a positive gain. Default false.
	StopAtFull bool
	// SkipBounds leaves Selection.Bounds at F([N];T). Computing them takes several
	// times as long as the choice. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(selection.Step)
}

// Select chooses at most budget atoms, 1 <= budget <= N. OracleCalls counts the
// gains that were bounded. If the context ends first the selection is shorter and
// marked Partial, and the error is nil.
func (g Greedy) Select(ctx context.Context, c *Coverage, budget int) (*selection.Selection, error) {
	p, err := newPath("greedy", c, budget, g.Warm, g.Progress)
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, !g.SkipBounds, g.fill(ctx, p))
}

// fill makes the choice.
func (g Greedy) fill(ctx context.Context, p *path) error {
	if err := p.takeAll(ctx, g.Warm); err != nil {
		return err
	}
	search := p.state.NewSearch()
	for p.len() < p.budget {
		best, gain, err := search.Best(ctx)
		if err != nil {
			return err
		}
		if g.StopAtFull && gain == 0 {
			return nil
		}
		if err := p.take(best, search.Calls()); err != nil {
			return err
		}
	}
	return nil
}
