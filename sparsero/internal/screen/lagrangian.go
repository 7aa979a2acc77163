package screen

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

const (
	// firstOpen is how many atoms whose bounds leave them open are settled at first; then twice as many each time.
	firstOpen = 16
	// manyOpen is the share of all atoms, as a divisor, from which on bounding them takes longer than one more look at
	// the bounds of all.
	manyOpen = 8
	// fewLeaders is how many atoms are sorted at a time at least, to find those that fill a budget.
	fewLeaders = 64
)

// Lagrangian bounds what a set within a budget covers. For multipliers u_s >= 0 of the directions and the gains
//
//	g_i(u) = (1/M) sum_s max(0, <d_i,s> - u_s)
//
// any set S covers at most mean(u) + sum_{i in S} g_i(u) (Cornuéjols, Fisher and Nemhauser 1977), which is largest for
// the atoms that gain most for their cost. Bounds of the gains rule out most atoms, as in a [Search]. It must not be used by
// several goroutines at once.
type Lagrangian struct {
	state  *State    // its support is u
	upper  []float64 // upper bounds of the gains at u
	all    []int32   // 0, ..., N-1
	stamp  []int32   // now where upper is the float64 gain, -now where it was bounded at u
	now    int32
	risen  bool                  // whether no multiplier fell in the last move
	looked bool                  // whether all bounds are of u
	fresh  bool                  // whether those that count are no worse than the alignments tell
	rows   map[int32]*alignedRow // of the atoms that were settled
	room   int                   // for rows
	known  []int32               // atoms that are settled at u
	calls  int
	list   []int32
	last   []int32 // see leaders
}

// NewLagrangian starts at multipliers 0.
func (s *Screen) NewLagrangian() *Lagrangian {
	return &Lagrangian{
		state: s.NewState(), upper: slices.Clone(s.empty), all: rank.Indices[int32](s.n), stamp: make([]int32, s.n), now: 1, rows: map[int32]*alignedRow{},
		room: rowMemory / (12*s.m + 2*s.columns),
	}
}

// Calls returns the number of gains that were bounded or computed so far.
func (l *Lagrangian) Calls() int { return l.calls }

// Move sets the multipliers, M numbers of at least 0.
func (l *Lagrangian) Move(u []float64) {
	s, drift := l.state.screen, 0.0
	for j, value := range u {
		drift += max(0, l.state.current[j]-value)
	}
	l.stand(u)
	if l.risen = drift == 0; l.risen {
		return
	}
	// Where a multiplier falls, a gain rises by no more.
	drift = float64(drift*((1+slack)/float64(s.m))) + math.SmallestNonzeroFloat64 // which three roundings next to 0 may have taken off
	for i, bound := range l.upper {
		l.upper[i] = min(s.empty[i], float64(bound*(1+l.margin()))+drift)
	}
}

// stand takes over multipliers at which the bounds hold.
func (l *Lagrangian) stand(u []float64) {
	copy(l.state.current, u)
	l.state.screen.setFloor(l.state.floor, u)
	l.now++
	l.known, l.looked, l.fresh = l.known[:0], false, false
}

// margin is more than what a gain in float64 errs, relative to itself.
func (l *Lagrangian) margin() float64 { return float64(4*l.state.screen.m+32) * unit }

// Largest returns the atoms that fill the budget best at the multipliers, the atom at which it ends included, with their
// float64 gains in falling order of gain per cost, the lowest index first among equals. No other atom gains more for its
// cost than the last of them if they exceed the budget, and none gains anything if they do not.
func (l *Lagrangian) Largest(ctx context.Context, budget Budget) (atoms []int32, gains []float64, err error) {
	atoms, open, err := l.rivals(ctx, budget)
	for more := firstOpen; err == nil && len(open) > 0; more *= 2 {
		block := open[:min(more, len(open))]
		err = l.settle(ctx, block)
		atoms = l.fill(budget, append(atoms, block...))
		open = open[len(block):]
		price := l.price(budget, atoms)
		open = open[:sort.Search(len(open), func(k int) bool { return budget.ratio(open[k], l.upper[open[k]]) < price })]
	}
	for _, i := range atoms {
		if l.upper[i] == 0 {
			break // whether an atom without a gain was settled depends on the kernel
		}
		gains = append(gains, l.upper[i])
	}
	return atoms[:len(gains)], gains, err
}

// rivals settles the atoms that would fill the budget if every bound were attained. It returns the best that are
// settled, and all other allowed atoms that may gain as much for their cost as the last of these, the largest bounds
// first.
func (l *Lagrangian) rivals(ctx context.Context, budget Budget) (atoms, open []int32, err error) {
	for left := budget; ; {
		if err := l.settle(ctx, l.leaders(left)); err != nil {
			return nil, nil, err
		}
		atoms = l.fill(budget, slices.DeleteFunc(slices.Clone(l.known), func(i int32) bool { return !budget.allows(i) }))
		price := l.price(budget, atoms)
		reaching := l.reaching(left, price)
		open = slices.DeleteFunc(slices.Clone(reaching), func(i int32) bool { return l.stamp[i] == l.now })
		if l.fresh {
			l.sort(budget, open)
			return atoms, open, nil
		}
		left.Among = append([]int32{}, reaching...) // no other atom may be a leader any more; nil would stand for all
		if err := l.look(ctx, budget, open, price); err != nil {
			return nil, nil, err
		}
	}
}

// look bounds the gains of open atoms at u: by the levels of all, if these are many, and then by their alignments.
func (l *Lagrangian) look(ctx context.Context, budget Budget, open []int32, price float64) error {
	c := l.state.screen.newCovered()
	if c == nil || l.looked || len(open) <= len(l.all)/manyOpen {
		return l.bound(ctx, l.stale(budget, open, price))
	}
	l.looked = true
	return c.lower(ctx, l.upper, l.state.current)
}

// unbounded tells whether the gain of an atom at u was not bounded by its alignments.
func (l *Lagrangian) unbounded(i int32) bool { return l.stamp[i] != l.now && l.stamp[i] != -l.now }

// bound bounds the gains of the listed atoms by their alignments where that was not done.
func (l *Lagrangian) bound(ctx context.Context, list []int32) error {
	stale := make([]int32, 0, len(list))
	for _, i := range list {
		if l.unbounded(i) {
			l.stamp[i] = -l.now
			stale = append(stale, i)
		}
	}
	l.calls += len(stale)
	return l.state.Bound(ctx, l.upper, stale)
}

// stale returns those of the open atoms that are to be bounded at u. In search of one atom at multipliers that have only
// risen, bounds from before tell which may gain most: those in the upper half between the price and the largest come
// first, as they may raise the price.
func (l *Lagrangian) stale(budget Budget, open []int32, price float64) []int32 {
	few := len(l.all) / manyOpen
	if l.fresh = budget.Count != 1 || !l.risen || len(open) <= few; l.fresh {
		return open
	}
	list, largest := make([]int32, 0, len(open)), price
	for _, i := range open {
		if l.stamp[i] != -l.now {
			list, largest = append(list, i), max(largest, budget.ratio(i, l.upper[i]))
		}
	}
	if l.fresh = len(list) <= few; !l.fresh {
		bar := price + (largest-price)/2
		list = slices.DeleteFunc(list, func(i int32) bool { return budget.ratio(i, l.upper[i]) < bar })
	}
	return list
}

// reaching returns the allowed atoms that may gain as much as the price, in increasing order.
func (l *Lagrangian) reaching(budget Budget, price float64) []int32 {
	list := l.list[:0]
	for _, i := range l.among(budget) {
		bound := l.upper[i]
		if bound == 0 || budget.Costs == nil && bound < price || budget.ratio(i, bound) < price || budget.Cost(i) > budget.Capacity {
			continue
		}
		list = append(list, i)
	}
	l.list = list
	return list
}

// leaders returns the atoms that would fill the budget if every bound were attained.
func (l *Lagrangian) leaders(budget Budget) []int32 {
	l.last = slices.DeleteFunc(l.last, func(i int32) bool { return !budget.allows(i) })
	list, least, most := l.list[:0], min(l.price(budget, l.fill(budget, l.last)), math.MaxFloat64), fewLeaders // the leaders before raise the bar
	for _, i := range l.among(budget) {
		bound := l.upper[i]
		if budget.Costs == nil && bound <= least || bound == 0 || budget.ratio(i, bound) <= least || budget.Cost(i) > budget.Capacity {
			continue
		}
		if list = append(list, i); len(list) >= most {
			list = l.fill(budget, list)
			most = max(fewLeaders, 2*len(list))
			if _, _, filled := budget.fill(list); filled {
				last := list[len(list)-1]
				least = budget.ratio(last, l.upper[last]) // a later atom with as much stands behind it
			}
		}
	}
	l.list = list
	l.last = append(l.last[:0], l.fill(budget, list)...)
	return slices.Clone(l.last)
}

// Leaders returns the atoms that would fill the budget if every bound by their alignments were attained, and their
// bounds, in falling order of bound per cost.
func (l *Lagrangian) Leaders(ctx context.Context, budget Budget) (atoms []int32, bounds []float64, err error) {
	for atoms = l.leaders(budget); slices.ContainsFunc(atoms, l.unbounded); atoms = l.leaders(budget) {
		if err := l.bound(ctx, atoms); err != nil {
			return nil, nil, err
		}
		if err := l.bound(ctx, l.reaching(budget, l.price(budget, l.fill(budget, atoms)))); err != nil {
			return nil, nil, err
		}
	}
	for _, i := range atoms {
		bounds = append(bounds, l.upper[i])
	}
	return atoms, bounds, nil
}

// Looseness returns a share of the alignments that exceed the multipliers, and a gain, by which a bound of
// [Lagrangian.Leaders] may exceed the gain in all.
func (s *Screen) Looseness() (share, gain float64) {
	const half, least = 0x1p-9, 0x1p-23 // twice the steps of half precision, relative and next to zero
	tolerances, weights := float64(slices.Max(s.tolerance)), 0.0
	for _, weight := range s.weight[:s.m] {
		weights += float64(weight)
	}
	stored := (float64(4*tolerances*weights)/float64(s.m) + least) * s.unit
	return half, stored + float64(2*(s.kernel.SumBound(s.columns)+slack)*slices.Max(s.empty))
}

// among returns the atoms that a budget names.
func (l *Lagrangian) among(budget Budget) []int32 {
	if budget.Among == nil {
		return l.all
	}
	return budget.Among
}

// sort orders atoms by bound per cost.
func (l *Lagrangian) sort(budget Budget, list []int32) {
	slices.SortFunc(list, func(i, j int32) int {
		return rank.Compare(budget.ratio(i, l.upper[i]), i, budget.ratio(j, l.upper[j]), j)
	})
}

// fill sorts the listed atoms and returns the first that fill the budget, the one at which it ends included.
func (l *Lagrangian) fill(budget Budget, list []int32) []int32 {
	l.sort(budget, list)
	l.state.screen.costs.sorted.Add(int64(len(list)))
	count, _, _ := budget.fill(list)
	return list[:count]
}

// price returns the gain per cost of the last of the atoms, or somewhat less, as a bound errs, if they fill the budget;
// 0 if they do not.
func (l *Lagrangian) price(budget Budget, atoms []int32) float64 {
	if _, _, filled := budget.fill(atoms); !filled {
		return 0
	}
	last := atoms[len(atoms)-1]
	return budget.ratio(last, l.upper[last]) * (1 - l.margin())
}

// settle sets the bounds of the listed atoms to their gains.
func (l *Lagrangian) settle(ctx context.Context, list []int32) error {
	s := l.state.screen
	list = slices.DeleteFunc(slices.Clone(list), func(i int32) bool { return l.stamp[i] == l.now })
	if err := l.keep(ctx, list); err != nil {
		return err
	}
	err := parallel.Blocks(ctx, s.workers, len(list), firstOpen, func(worker, from, to int) error {
		b := l.state.block(worker)
		defer b.charge()
		for _, i := range list[from:to] {
			if err := l.evaluate(b, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, i := range list {
		l.stamp[i] = l.now
	}
	l.known = append(l.known, list...)
	l.calls += len(list)
	return nil
}

// Candidates returns the atoms that may be part of a set whose bound at the multipliers falls by no more than a loss,
// at most 0, when it takes the place of the last of those that fill the budget, in increasing order.
func (l *Lagrangian) Candidates(ctx context.Context, budget Budget, loss float64) ([]int, error) {
	_, gains, err := l.Largest(ctx, budget)
	if err != nil {
		return nil, err
	}
	least := loss
	if len(gains) == budget.Count {
		least += gains[len(gains)-1]
	}
	var names []int
	err = l.each(ctx, func() float64 { return least }, func(i int32) { names = append(names, int(i)) })
	slices.Sort(names)
	return names, err
}

// Slope adds to the entries of a subgradient of the bound, times M, at the multipliers: what the atoms returned by Largest take
// off each direction.
func (l *Lagrangian) Slope(slope []float64, budget Budget, atoms []int32) {
	_, share, _ := budget.fill(atoms)
	for k, i := range atoms {
		part, row := 1.0, l.rows[i]
		if k == len(atoms)-1 {
			part = share
		}
		for at, j := range row.columns {
			if row.values[at] > l.state.current[j] {
				slope[j] -= part
			}
		}
	}
}

// Total returns an upper bound, in exact arithmetic, of a value plus the gains of any atoms within the budget, where the
// listed ones, as [Lagrangian.Largest] returns them, gain most for their cost:
//
//	value + price · capacity + sum_i max(0, gain_i - price · cost_i)
//
// at the gain per cost of the atom that fills the budget. Any price gives a bound; no other atom exceeds this one.
// Costs that round to at most the capacity are below the next float64 above it, and ratios that float64 takes for equal
// next to 0 differ by no more than the least number.
func Total(r Rounding, value float64, budget Budget, atoms []int32, gains []float64) float64 {
	price, total := 0.0, r.AtMost(value)
	if count, _, filled := budget.fill(atoms); filled {
		price = r.GainAtMost(gains[count-1])/budget.Cost(atoms[count-1]) + math.SmallestNonzeroFloat64
	}
	total = directed.SumUpper(total, directed.ProductUpper(price, min(math.Nextafter(budget.Capacity, math.Inf(1)), math.MaxFloat64)))
	for k, i := range atoms {
		excess := directed.SumUpper(r.GainAtMost(gains[k]), -directed.ProductLower(price, budget.Cost(i)))
		total = directed.SumUpper(total, max(0, excess))
	}
	return total
}

// AtMultipliers returns the rounding of bounds at any multipliers of m directions, whose sums need not be exact where those of
// alignments are.
func (r Rounding) AtMultipliers(m int) Rounding {
	r.Relative = max(r.Relative, float64(m+8)*unit)
	return r
}
