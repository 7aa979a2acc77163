package selection

import (
	"context"
	"fmt"
	"math/bits"
)

// SetCover chooses atoms for a small worst deficit by covering the probe
// directions. For a threshold τ, atom i covers
//
//	{ s in T : <d_i,s> >= M_N(s) - τ },
//
// directions with M_N(s) <= τ need no atom, and max_T Δ_S <= τ exactly when S
// covers the rest. Greedy set cover is tried for thresholds found by bisection,
// and the atoms of the smallest threshold it meets within the budget are taken.
//
// Unlike [MaxGap] this has a guarantee: the worst deficit is no larger, up to
// the resolution of the bisection, than the least that B/(1+ln|T|) atoms can
// reach (Chvátal 1979). Atoms left in the budget are added by [MaxGap] with ties
// by coverage gain. The path is made for the full budget: for another budget
// call Select again.
type SetCover struct {
	// Resolution is the width of the final interval for τ relative to the
	// largest M_N(s), in (0,1). Default 1e-6.
	Resolution float64
}

// defaultResolution resolves τ to a millionth of the largest support.
const defaultResolution = 1e-6

// Name returns "set-cover".
func (SetCover) Name() string { return "set-cover" }

// Select implements [Policy]. A threshold costs O(N|T|) time and N|T|/8 bytes of
// bit sets, of which OracleCalls counts the N candidates; about 20 thresholds
// are tried.
func (sc SetCover) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	p, err := newPath(sc.Name(), c, budget)
	if err != nil {
		return nil, err
	}
	resolution := sc.Resolution
	if resolution == 0 {
		resolution = defaultResolution
	}
	if !(resolution > 0 && resolution < 1) {
		return nil, errResolution(sc.Resolution)
	}
	atoms := sc.bisect(ctx, c, budget, resolution, p)
	for _, i := range atoms {
		p.take(i)
	}
	fill := MaxGap{Tie: CoverageGain}
	for p.len() < budget && !p.interrupted(ctx) {
		p.take(fill.next(p))
	}
	return p.finish(ctx), nil
}

// bisect returns the cover with the smallest threshold found. The upper end of
// the interval always belongs to a cover within the budget; at first that is
// the empty one. A cover lowers it to the worst deficit it really has.
func (sc SetCover) bisect(ctx context.Context, c *Coverage, budget int, resolution float64, p *path) []int {
	if p.interrupted(ctx) {
		return nil
	}
	var best []int
	upper := c.WorstDeficit(nil)
	lower, width := 0.0, resolution*upper
	if cover, ok := coverWithin(c, 0, budget, p); ok { // a bisection would only approach zero
		return cover
	}
	for upper-lower > width && !p.interrupted(ctx) {
		middle := lower + (upper-lower)/2
		if cover, ok := coverWithin(c, middle, budget, p); ok {
			best, upper = cover, c.WorstDeficit(cover)
		} else {
			lower = middle
		}
	}
	return best
}

// coverWithin runs greedy set cover at threshold tau: the atom that covers most
// uncovered directions, the lowest index among equals. It fails when the budget
// does not suffice.
func coverWithin(c *Coverage, tau float64, budget int, p *path) (cover []int, ok bool) {
	p.calls += c.Size()
	words := (c.probes() + 63) / 64
	sets := make([]uint64, c.Size()*words)
	forEachBlock(c.Size(), c.probes(), func(from, to int) {
		for i := from; i < to; i++ {
			for j, alignment := range c.row(i) {
				if c.full[j]-alignment <= tau {
					sets[i*words+j/64] |= 1 << (j % 64)
				}
			}
		}
	})
	open := make([]uint64, words)
	left := 0
	for j, full := range c.full {
		if full > tau {
			open[j/64] |= 1 << (j % 64)
			left++
		}
	}
	for left > 0 {
		best, bestCount := -1, 0
		for i := range c.Size() {
			count := 0
			for w, word := range sets[i*words : (i+1)*words] {
				count += bits.OnesCount64(word & open[w])
			}
			if count > bestCount {
				best, bestCount = i, count
			}
		}
		if len(cover) == budget {
			return nil, false
		}
		cover = append(cover, best)
		left -= bestCount
		for w, word := range sets[best*words : (best+1)*words] {
			open[w] &^= word
		}
	}
	return cover, true
}

func errResolution(resolution float64) error {
	return fmt.Errorf("selection: resolution %v is outside (0,1); use 0 for the default %v", resolution, defaultResolution)
}
