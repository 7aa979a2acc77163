package selection

import "context"

// SetCover chooses atoms for a small worst deficit by covering the probe directions. For a threshold τ, atom i covers
//
//	{ s in T : <d_i,s> >= M_[N](s) - τ },
//
// directions with M_[N](s) <= τ need no atom, and max_T Δ_S <= τ exactly when S
// covers the rest. Greedy set cover is tried for thresholds found by bisection,
// and the atoms of the smallest threshold it meets within the budget are taken.
//
// Unlike [MaxGap] this has a guarantee: the worst deficit is no larger, up to a millionth of the largest M_[N](s), than
// the least that B/(1+ln|T|) atoms can reach (Chvátal 1979). Atoms left in the budget are added by [MaxGap] with ties
// by coverage gain. The path is made for the full budget: for another budget call Select again.
type SetCover struct {
	// SkipBounds leaves Selection.Bounds at F([N];T), which saves their time. Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each atom.
	Progress func(Step)
}

// resolution is the width of the final interval for τ relative to the largest M_[N](s).
const resolution = 1e-6

// Select implements [Policy]. A threshold costs at most O(N|T|) time, less the closer it is to the one before, and all
// need N|T|/8 bytes; OracleCalls counts the N candidates of each. About 20 thresholds are tried.
func (sc SetCover) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "set-cover", c, budget)
	if err != nil {
		return nil, err
	}
	p.progress, p.skipBounds = sc.Progress, sc.SkipBounds
	cover, err := bisect(ctx, p)
	if err := ended(ctx, err); err != nil {
		return nil, err
	}
	p.selection.Partial = err != nil // a smaller threshold was not looked for
	for _, i := range cover {
		p.take(i)
	}
	MaxGap{ByGain: true}.fill(ctx, p)
	return p.finish(ctx)
}

// bisect returns the cover with the smallest threshold found. The upper end of the interval always belongs to a cover
// within the budget; at first that is the empty one. A cover lowers it to the worst deficit it really has. The interval
// is never finer than float64 can halve it.
func bisect(ctx context.Context, p *path) (best []int, err error) {
	search := p.coverage.screen.NewCoverSearch()
	within := func(tau float64) ([]int, bool, error) {
		p.calls += p.coverage.Size()
		return search.Within(ctx, tau, p.budget)
	}
	if cover, ok, err := within(0); ok || err != nil { // a bisection would only approach zero
		return cover, err
	}
	lower, upper := 0.0, p.state.WorstDeficit()
	for width := resolution * upper; upper-lower > width; {
		middle := lower + float64((upper-lower)/2) // not fused: the half of the last step rounds to 0
		if middle <= lower {
			break
		}
		cover, ok, err := within(middle)
		if err != nil {
			return best, err
		}
		if !ok {
			lower = middle
			continue
		}
		state, err := p.coverage.set(cover)
		if err != nil {
			return best, err
		}
		best, upper = cover, state.WorstDeficit()
	}
	return best, nil
}
