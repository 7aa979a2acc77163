package lifted

import (
	"math/big"
	"slices"
)

// Add adds a multiplier that belongs to an index.
func (m *Multipliers) Add(of int, value float64) {
	m.Of, m.Values = append(m.Of, of), append(m.Values, Float(value))
}

// multipliers lists all of a leaf: those of the rows, of the objective, and of each constraint.
func (l *Leaf) multipliers() (all []*Number) {
	for _, m := range l.lists() {
		for k := range m.Values {
			all = append(all, &m.Values[k])
		}
	}
	return all
}

func (l *Leaf) lists() []*Multipliers {
	lists := []*Multipliers{&l.Rows, &l.Objective}
	for k := range l.Constraints {
		lists = append(lists, &l.Constraints[k])
	}
	return lists
}

// clone copies the multipliers, and not what they belong to.
func (l *Leaf) clone() *Leaf {
	clone := *l
	clone.Constraints = slices.Clone(l.Constraints)
	for _, m := range clone.lists() {
		m.Values = slices.Clone(m.Values)
	}
	return &clone
}

// alone is an empty leaf with the k-th multiplier alone.
func (l *Leaf) alone(k int) *Leaf {
	alone := l.clone()
	alone.Empty = true
	for other, n := range alone.multipliers() {
		if other != k {
			*n = Number{}
		}
	}
	return alone
}

// write sets numbers to values times a scale, by which all of them are float64 or whole.
func write(numbers []*Number, values []*big.Rat) (scale Number) {
	common := exactly(1)
	if slices.ContainsFunc(values, func(v *big.Rat) bool { _, fits := newNumber(v); return !fits }) {
		whole := big.NewInt(1)
		for _, v := range values {
			whole = commonMultiple(whole, v.Denom())
		}
		common.SetInt(whole)
	}
	for k, v := range values {
		*numbers[k], _ = newNumber(new(big.Rat).Mul(v, common))
	}
	scale, _ = newNumber(common)
	return scale
}
