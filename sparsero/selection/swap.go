package selection

import (
	"context"
	"fmt"
	"slices"
)

// Swap improves a set of fixed size: it starts from greedy's choice and exchanges one atom for another, the pair that gains
// most each time, until no exchange gains (Teitz and Bart 1968). The coverage is at least greedy's. It often is a few per cent
// above it, where [Selection.Tighten] shows how near both are to the optimum.
//
// Prefixes are not nested in those of other budgets: the rule makes one set. Its shorter prefixes order the same atoms by
// gain. For another budget call Select again.
type Swap struct {
	// Start lists the atoms to start from; greedy adds what the budget leaves. Default none.
	Start []int
	// SkipBounds leaves Selection.Bounds at F([N];T). Default false.
	SkipBounds bool
	// Progress, if not nil, is called after each exchange: Number counts them, Gain is what the exchange adds.
	Progress func(Step)
}

// Select implements [Policy]. An exchange costs O(N|T|) at worst; the look at an atom compares it with all atoms of the
// set (Schubert and Rousseeuw 2021). If the context ends, the selection is the best set found, at least greedy's.
func (w Swap) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "swap", c, budget)
	if err != nil {
		return nil, err
	}
	p.skipBounds = w.SkipBounds
	greedy, err := Greedy{Start: w.Start, SkipBounds: true}.Select(ctx, c, budget)
	if err != nil {
		return nil, err
	}
	atoms := greedy.Atoms
	if p.selection.Partial = greedy.Partial; !greedy.Partial {
		p.calls = greedy.OracleCalls[budget-1]
		if atoms, err = w.improve(ctx, p, c, atoms); err != nil {
			return nil, err
		}
	}
	p.takeByGain(atoms)
	for _, i := range atoms { // those that add nothing
		if !p.chosen[i] {
			p.take(i)
		}
	}
	return p.finish(ctx)
}

// improve exchanges atoms as long as the coverage in float64 rises.
func (w Swap) improve(ctx context.Context, p *path, c *Coverage, atoms []int) ([]int, error) {
	search, err := c.screen.NewSwapSearch(atoms)
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	value, err := c.mean(atoms)
	if err != nil {
		return nil, err
	}
	before := p.calls
	for number := 1; ; number++ {
		exchange, err := search.Best(ctx)
		if ctx.Err() != nil {
			p.selection.Partial = true
			return atoms, nil
		}
		if err == nil && exchange.Gain > 0 {
			err = search.Make(exchange)
		}
		if err != nil {
			return nil, fmt.Errorf("selection: %w", err)
		}
		p.calls = before + search.Calls()
		next, err := c.mean(search.Atoms())
		if err != nil || !(next > value) {
			return atoms, err
		}
		if w.Progress != nil {
			w.Progress(Step{Number: number, Budget: p.budget, Atom: exchange.In, Gain: next - value, Coverage: next, FullCoverage: c.Full()})
		}
		value, atoms = next, slices.Clone(search.Atoms())
	}
}
