package selection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// Knapsack is greedy for atoms that cost something, such as the price of a
// sensor: the chosen atoms may cost no more than the capacity in all, up to rounding
// of the sum: it counts as the float64 next to it, so that ten costs of 0.1 fit a
// capacity of 1, although the float64 of 0.1 is above 0.1. At each step it takes the affordable atom with the largest gain per cost, the lowest
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
func (k Knapsack) Select(ctx context.Context, o Objective, budget int) (*Selection, error) {
	p, err := newPath(k.Name(), o, budget)
	if err != nil {
		return nil, err
	}
	if err := k.check(o.Size()); err != nil {
		return nil, err
	}
	single, value := k.bestSingle(ctx, p)
	k.run(ctx, p, nil)
	if !p.stopped(ctx) && p.state.Value() < value {
		calls, start := p.calls, p.start
		if p, err = newPath(k.Name(), o, budget); err != nil {
			return nil, err
		}
		p.calls, p.start = calls, start // the first attempt counts
		k.run(ctx, p, []int{single})
	}
	bounds, err := k.bounds(ctx, o, p)
	if err != nil {
		return nil, err
	}
	return p.finish(ctx, bounds...)
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
func (k Knapsack) run(ctx context.Context, p *path, start []int) {
	var spent directed.Sum
	gains := make([]float64, len(p.chosen))
	p.fillBy(ctx, func() (i int, _ error) {
		if p.len() < len(start) {
			i = start[p.len()]
		} else {
			p.gains(ctx, gains)
			i = k.next(p.chosen, gains, spent)
		}
		if i != nothing {
			spent.Add(k.Costs[i])
			p.selection.Cost = append(p.selection.Cost, spent.Value())
		}
		return i, nil
	})
	p.selection.Cost = p.selection.Cost[:p.len()]
}

// next returns the affordable atom with the largest positive gain per cost, or
// nothing. A free atom with a gain comes before all others.
func (k Knapsack) next(chosen []bool, gains []float64, spent directed.Sum) int {
	ratios := make([]float64, len(gains))
	for i, gain := range gains {
		ratios[i] = gain / k.Costs[i]
	}
	return best(ratios, func(i int) bool {
		with := spent
		with.Add(k.Costs[i])
		return !chosen[i] && gains[i] > 0 && with.Value() <= k.Capacity
	})
}

// bestSingle returns the affordable atom with the largest gain at the empty set.
func (k Knapsack) bestSingle(ctx context.Context, p *path) (atom int, gain float64) {
	gains := make([]float64, len(p.chosen))
	allGains(ctx, p.state, gains)
	atom = best(gains, func(i int) bool { return k.Costs[i] <= k.Capacity })
	return atom, gains[atom]
}

// bounds returns for each atom taken what the capacity allows,
//
//	max F(S;T) <= min_t [ F(S_t;T) + fractional knapsack of the gains at S_t ],
//
// which holds for every set within the capacity, up to rounding of the sum, whatever its size.
func (k Knapsack) bounds(ctx context.Context, o Objective, p *path) ([]float64, error) {
	state, rounding := o.NewState(), roundingOf(o)
	gains := make([]float64, o.Size())
	bound := math.Inf(1)
	for t := range p.len() + 1 {
		allGains(ctx, state, gains)
		if err := readError(state); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			break
		}
		for i := range gains {
			gains[i] = rounding.GainAtMost(gains[i])
		}
		bound = min(bound, directed.SumUpper(rounding.AtMost(state.Value()), k.fractional(gains)))
		if t < p.len() {
			state.Add(p.atoms()[t])
		}
	}
	return slices.Repeat([]float64{bound}, p.len()), nil
}

// fractional returns an upper bound of the optimum of the knapsack over the gains when
// atoms may be taken in part,
//
//	price · capacity + sum_i max(0, gain_i - price · cost_i),
//
// at the next float64 above the capacity: a sum that rounds to at most the capacity is below that.
func (k Knapsack) fractional(gains []float64) float64 {
	order := make([]int, 0, len(gains))
	for i, gain := range gains {
		if gain > 0 && k.Costs[i] <= k.Capacity {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { // gain/cost falling, without dividing by a cost of zero
		return rank.Compare(gains[a]*k.Costs[b], a, gains[b]*k.Costs[a], b)
	})
	// Weak duality holds at any price, whatever rounding did to the order; the best is that
	// of the atom at which the capacity ends, the largest float64 where that overflows.
	price, left := 0.0, k.Capacity
	for _, i := range order {
		if k.Costs[i] > left {
			price = min(gains[i]/k.Costs[i], math.MaxFloat64)
			break
		}
		left -= k.Costs[i]
	}
	total := directed.ProductUpper(price, min(math.Nextafter(k.Capacity, math.Inf(1)), math.MaxFloat64))
	for _, i := range order {
		excess := directed.SumUpper(gains[i], -directed.ProductLower(price, k.Costs[i]))
		total = directed.SumUpper(total, max(0, excess))
	}
	return total
}
