package selection

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/screen"
)

// Knapsack is greedy for atoms that cost something, such as the price of a sensor: the chosen atoms may cost no more
// than the capacity in all, up to rounding of the sum: it counts as the float64 next to it, so that ten costs of 0.1
// fit a capacity of 1, although the float64 of 0.1 is above 0.1. At each step it takes the affordable atom with the
// largest gain per cost, the lowest index among equals, and stops when no affordable atom has a gain. If the best
// single affordable atom beats the whole path, the path starts with that atom instead. With a budget of N the coverage
// is at least (1-1/e)/2 of the optimum (Khuller, Moss and Naor 1999). With unit costs it is greedy.
type Knapsack struct {
	// Costs are the costs of the N atoms, finite and at least 0.
	Costs []float64
	// Capacity is the largest total cost, finite and at least 0.
	Capacity float64
}

// Select implements [Policy]: at most budget atoms whose costs sum to at most the capacity. The Bounds of the selection
// hold for all sets within the capacity, whatever their size. It is an error if not a single atom is affordable.
func (k Knapsack) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "knapsack", c, budget)
	if err != nil {
		return nil, err
	}
	if err := k.check(c.Size()); err != nil {
		return nil, err
	}
	p.lagrangian = c.screen.NewLagrangian()
	single, value, err := p.bestRatio(ctx, screen.Budget{Capacity: math.Inf(1), Count: 1, Among: k.affordable(p.chosen, directed.Sum{})})
	if err := ended(ctx, err); err != nil {
		return nil, err
	}
	balanced := k.balanced(c.Full())
	k.run(ctx, p, balanced, nothing)
	if single != nothing && !p.stopped(ctx) && p.state.Value() < value {
		calls, lagrangian := p.calls, p.lagrangian
		_, p, _ = newPath(ctx, "knapsack", c, budget) // of arguments that were checked
		p.calls, p.lagrangian = calls, lagrangian     // the first attempt counts
		k.run(ctx, p, balanced, single)
	}
	p.selection.costs = balanced
	return p.finish(ctx)
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

// balanced returns the same knapsack in units of cost in which gains per cost stay within float64: the capacity is
// about the square root of all that can be covered. An atom whose cost vanishes there is as good as free.
func (k Knapsack) balanced(full float64) *Knapsack {
	_, covered := math.Frexp(full)
	_, capacity := math.Frexp(k.Capacity)
	b := &Knapsack{slices.Clone(k.Costs), math.Ldexp(k.Capacity, covered/2-capacity)}
	for i, cost := range b.Costs {
		b.Costs[i] = math.Ldexp(cost, covered/2-capacity)
	}
	return b
}

// budget returns the costs as the bounds know them.
func (k *Knapsack) budget() screen.Budget { return screen.Budget{Costs: k.Costs, Capacity: k.Capacity} }

// run builds the path that starts with the given atom, or nothing, and continues by gain per cost, in units in which it
// is balanced.
func (k Knapsack) run(ctx context.Context, p *path, balanced *Knapsack, start int) {
	var spent directed.Sum
	p.fillBy(ctx, func() (i int, err error) {
		if i = start; p.len() > 0 || start == nothing {
			i, _, err = p.bestRatio(ctx, screen.Budget{Costs: balanced.Costs, Capacity: math.Inf(1), Count: 1, Among: k.affordable(p.chosen, spent)})
		}
		if i != nothing {
			spent.Add(k.Costs[i])
			p.selection.Cost = append(p.selection.Cost, spent.Value())
		}
		return i, err
	})
	p.selection.Cost = p.selection.Cost[:p.len()]
}

// affordable returns the atoms that are not chosen and cost no more than what is left.
func (k Knapsack) affordable(chosen []bool, spent directed.Sum) []int32 {
	atoms := make([]int32, 0, len(chosen))
	for i, cost := range k.Costs {
		with := spent
		if with.Add(cost); !chosen[i] && with.Value() <= k.Capacity {
			atoms = append(atoms, int32(i))
		}
	}
	return atoms
}

// bestRatio returns the allowed atom with the largest positive gain per cost and its gain, or nothing. A free atom with a gain
// comes before all others.
func (p *path) bestRatio(ctx context.Context, budget screen.Budget) (atom int, gain float64, err error) {
	p.lagrangian.Move(p.state.Supports())
	atoms, gains, err := p.lagrangian.Largest(ctx, budget)
	p.calls = p.lagrangian.Calls()
	if err != nil || len(atoms) == 0 || gains[0] == 0 {
		return nothing, 0, err
	}
	return int(atoms[0]), gains[0], nil
}
