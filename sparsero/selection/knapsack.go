package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Knapsack is greedy for atoms that cost something, such as the price of a
// sensor: the chosen atoms may cost no more than the capacity in all. At each
// step it takes the affordable atom with the largest gain per cost, the lowest
// index among equals, and stops when no affordable atom has a gain. If the best
// single affordable atom beats the whole path, the path starts with that atom
// instead. With a budget of N the coverage is at least (1-1/e)/2 of the optimum
// (Khuller, Moss and Naor 1999). With unit costs it is greedy.
type Knapsack struct {
	// Costs are the costs of the N atoms, finite and at least 0.
	Costs []float64
	// Capacity is the largest total cost, finite and at least 0.
	Capacity float64
}

// Name returns "knapsack".
func (Knapsack) Name() string { return "knapsack" }

// Select implements [Policy]: at most budget atoms whose costs sum to at most
// the capacity. The Bounds of the selection hold for sets within the capacity.
// It is an error if not a single atom is affordable.
func (k Knapsack) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	best, err := newPath(k.Name(), c, budget)
	if err != nil {
		return nil, err
	}
	if err := k.check(c.Size()); err != nil {
		return nil, err
	}
	k.run(ctx, best, budget, nil)
	if single := k.bestSingle(c); !best.interrupted(ctx) && best.state.Value() < c.Value([]int{single}) {
		calls, start := best.state.OracleCalls(), best.start
		if best, err = newPath(k.Name(), c, budget); err != nil {
			return nil, err
		}
		best.calls, best.start = calls, start // the first attempt counts
		k.run(ctx, best, budget, []int{single})
	}
	s := best.finish(ctx)
	k.tighten(ctx, c, s)
	return s, nil
}

func (k Knapsack) check(n int) error {
	if len(k.Costs) != n {
		return fmt.Errorf("selection: got %d costs for %d atoms; give one cost per atom", len(k.Costs), n)
	}
	for i, cost := range k.Costs {
		if !(cost >= 0) || math.IsInf(cost, 1) {
			return fmt.Errorf("selection: atom %d costs %v; costs must be finite and at least 0", i, cost)
		}
	}
	if !(k.Capacity >= 0) || math.IsInf(k.Capacity, 1) {
		return fmt.Errorf("selection: capacity %v is not a finite number >= 0; give the total cost that is allowed", k.Capacity)
	}
	if cheapest := slices.Min(k.Costs); cheapest > k.Capacity {
		return fmt.Errorf("selection: no atom fits the capacity %v; the cheapest costs %v, so give at least that", k.Capacity, cheapest)
	}
	return nil
}

// run builds the path that starts with the given atoms and continues by gain per
// cost.
func (k Knapsack) run(ctx context.Context, p *path, budget int, start []int) {
	spent := 0.0
	take := func(i int) {
		spent += k.Costs[i]
		p.take(i)
		p.selection.Cost = append(p.selection.Cost, spent)
	}
	for _, i := range start {
		take(i)
	}
	gains := make([]float64, len(p.chosen))
	for p.len() < budget && !p.interrupted(ctx) {
		p.state.gains(gains)
		i := k.next(p.chosen, gains, spent)
		if i < 0 {
			return
		}
		take(i)
	}
}

// next returns the affordable atom with the largest positive gain per cost, or
// -1. A free atom with a gain comes before all others.
func (k Knapsack) next(chosen []bool, gains []float64, spent float64) int {
	best, bestRatio := -1, 0.0
	for i, gain := range gains {
		if chosen[i] || gain == 0 || spent+k.Costs[i] > k.Capacity {
			continue
		}
		if ratio := gain / k.Costs[i]; best < 0 || ratio > bestRatio {
			best, bestRatio = i, ratio
		}
	}
	return best
}

// bestSingle returns the affordable atom with the largest coverage.
func (k Knapsack) bestSingle(c *Coverage) int {
	state := c.NewState()
	best := -1
	for i := range c.Size() {
		if k.Costs[i] <= k.Capacity && (best < 0 || state.gain(i) > state.gain(best)) {
			best = i
		}
	}
	return best
}

// tighten lowers the bounds by what the capacity allows,
//
//	max F(S;T) <= min_t [ F(S_t;T) + fractional knapsack of the gains at S_t ],
//
// which holds for every set within the capacity whatever its size.
func (k Knapsack) tighten(ctx context.Context, c *Coverage, s *Selection) {
	state := c.NewState()
	gains := make([]float64, c.Size())
	bound := c.Full()
	for t := 0; ; t++ {
		state.gains(gains)
		bound = min(bound, state.Value()+k.fractional(gains))
		if t == s.Len() || ctx.Err() != nil {
			break
		}
		state.Add(s.Atoms[t])
	}
	for b, value := range s.Coverage {
		s.Bounds[b] = max(value, min(s.Bounds[b], bound))
	}
}

// fractional returns the optimum of the knapsack over the gains when atoms may
// be taken in part.
func (k Knapsack) fractional(gains []float64) float64 {
	order := make([]int, 0, len(gains))
	for i, gain := range gains {
		if gain > 0 && k.Costs[i] <= k.Capacity {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		// gain/cost falling, without dividing by a cost of zero
		left, right := gains[a]*k.Costs[b], gains[b]*k.Costs[a]
		switch {
		case left > right:
			return -1
		case left < right:
			return 1
		}
		return a - b
	})
	total, left := 0.0, k.Capacity
	for _, i := range order {
		if k.Costs[i] > left {
			return total + gains[i]*left/k.Costs[i]
		}
		total += gains[i]
		left -= k.Costs[i]
	}
	return total
}
