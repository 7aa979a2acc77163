package screen

import (
	"math"
	"slices"
)

// Budget is what a set of atoms may cost: Costs at least 0, one for each atom, or nil where each costs 1; Capacity at
// least 0 in all; and not more than Count atoms, 0 for any number. Atoms that cost more than the capacity, and those
// not in Among, in increasing order or nil for all, are not allowed.
type Budget struct {
	Costs    []float64
	Capacity float64
	Count    int
	Among    []int32
}

// Value returns the gains of the listed atoms, as [Lagrangian.Largest] returns them, as far as the budget allows.
func (b Budget) Value(atoms []int32, gains []float64) float64 {
	total := 0.0
	_, share, _ := b.fill(atoms)
	for k := range atoms {
		if k == len(atoms)-1 {
			total += float64(share * gains[k]) // not fused, so that every processor has the same bits
		} else {
			total += gains[k]
		}
	}
	return total
}

// Cardinality allows at most b atoms.
func Cardinality(b int) Budget { return Budget{Capacity: math.Inf(1), Count: b} }

// Cost returns the cost of an atom.
func (b Budget) Cost(i int32) float64 {
	if b.Costs == nil {
		return 1
	}
	return b.Costs[i]
}

// allows tells whether an atom may be chosen.
func (b Budget) allows(i int32) bool {
	if b.Among != nil {
		if _, found := slices.BinarySearch(b.Among, i); !found {
			return false
		}
	}
	return b.Cost(i) <= b.Capacity
}

// ratio returns gain per cost.
func (b Budget) ratio(i int32, gain float64) float64 {
	if gain == 0 || b.Costs == nil {
		return gain
	}
	return gain / b.Costs[i]
}

// fill returns how many of the atoms fill the budget in their order, the one at which it ends included, and the share of that
// one that fits; filled is false if all of them do not fill it.
func (b Budget) fill(atoms []int32) (count int, share float64, filled bool) {
	left := b.Capacity
	for k, i := range atoms {
		cost := b.Cost(i)
		if k+1 == b.Count || cost >= left && cost > 0 {
			if cost <= left {
				left, cost = 1, 1 // not the share 0/0 of what costs nothing
			}
			return k + 1, left / cost, true
		}
		left -= cost
	}
	return len(atoms), 1, false
}
