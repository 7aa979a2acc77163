package selection

import (
	"context"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Greedy adds at each step the atom with the largest marginal gain of F(·;T), the lowest index among equals. For a
// fixed T its coverage is at least 1-(1-1/B)^B > 1-1/e of the optimum at every budget B (Theorem 4.4; Nemhauser, Wolsey
// and Fisher 1978), and no polynomial rule has a better worst case unless P = NP. The zero value is lazy greedy from
// the empty set.
type Greedy struct {
	// Plain evaluates every atom at every step, N oracle calls a step, rather than only those whose old gain could still be the
	// largest (lazy greedy: Minoux 1978). Picks and gains are the same. Default false.
	Plain bool
	// Start lists atoms that are taken first, in this order; greedy continues
	// from there. They count towards the budget. Default none.
	Start []int
	// StopAtFull ends the path when no atom has a positive gain instead of
	// filling the budget with atoms that add nothing. Default false.
	StopAtFull bool
	// SkipBounds leaves Selection.Bounds at F([N];T), which saves their time. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(Step)
}

// Select implements [Policy]. It costs O(NB|T|) at most, usually far less when lazy.
func (g Greedy) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "greedy", c, budget)
	if err != nil {
		return nil, err
	}
	p.progress, p.skipBounds = g.Progress, g.SkipBounds
	if err := p.warm(ctx, g.Start); err != nil {
		return nil, err
	}
	var search *screen.Search
	p.fillBy(ctx, func() (i int, err error) {
		var gain float64
		if g.Plain {
			i, gain = p.plainBest(ctx)
		} else {
			if search == nil {
				search = p.state.NewSearch()
			}
			i, gain, err = search.Best(ctx)
			p.calls = search.Calls()
		}
		if g.StopAtFull && gain == 0 {
			i = nothing
		}
		return i, err
	})
	return p.finish(ctx)
}

// nothing ends a path instead of an atom.
const nothing = -1

// plainBest evaluates all atoms and returns the best one outside S.
func (p *path) plainBest(ctx context.Context) (int, float64) {
	gains := make([]float64, len(p.chosen))
	p.state.AllGains(ctx, gains)
	p.calls += len(gains)
	i := best(gains, func(i int) bool { return !p.chosen[i] })
	return i, gains[i]
}
