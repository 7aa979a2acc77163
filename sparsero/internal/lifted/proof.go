package lifted

import (
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/proof/exact"
)

// Proof proves a lower bound on min Φ_N: the least bound of its leaves, which together cover all of X.
type Proof struct {
	Implied   []Implied  `json:"implied"`
	Curvature *Curvature `json:"curvature"` // nil if b is linear
	// Branches split the region, and Leaves bound the parts. Both are nodes: the branches have the numbers from 0 on, in
	// their order, and the leaves the next ones. Node 0 is the whole region, and every other node is a part of one branch
	// with a smaller number.
	Branches []Branch `json:"branches"`
	Leaves   []Leaf   `json:"leaves"`
}

// Implied is row, column and side: the row and the bounds of its other columns imply a bound of the column, an upper one for
// side 1, a lower one for -1, which is rounded outwards to a float64.
type Implied [3]int

// Branch is column, at, below and above: it splits an integer column into x <= at in the node below, x >= at+1 in the node above.
type Branch [4]int

// Leaf holds the multipliers of one application of weak duality, each times Scale.
type Leaf struct {
	Scale       Number        `json:"scale"` // > 0
	Rows        Multipliers   `json:"rows"`
	Objective   Multipliers   `json:"objective"`   // of atoms
	Constraints []Multipliers `json:"constraints"` // of atoms, and the null atom -1, for each robust constraint
	Tangent     []Number      `json:"tangent"`     // the point at which b is replaced by its tangent, times Scale; X if empty
	Empty       bool          `json:"empty"`       // the leaf proves that no decision is feasible in its part
}

// Multipliers are values for some rows, or for some atoms.
type Multipliers struct {
	Of     []int    `json:"of"`
	Values []Number `json:"values"`
}

// Curvature proves that the quadratic part of b, with Slack[k] x² added for each of its columns, is a sum of squares and
// of a rest that is convex because its diagonal dominates.
type Curvature struct {
	Columns []int     `json:"columns"` // those with quadratic terms
	Slack   []float64 `json:"slack"`   // >= 0 for each of them
	Squares []Square  `json:"squares"`
}

// Square is (Σ_k Values[k] x_k)² / Divisor over the last len(Values) of the columns of its Curvature.
type Square struct {
	Divisor Number   `json:"divisor"` // > 0
	Values  []Number `json:"values"`
}

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
	common := Rational(1)
	if slices.ContainsFunc(values, func(v *big.Rat) bool { _, fits := newNumber(v); return !fits }) {
		common.SetInt(exact.CommonDenominator(values))
	}
	for k, v := range values {
		*numbers[k], _ = newNumber(new(big.Rat).Mul(v, common))
	}
	scale, _ = newNumber(common)
	return scale
}
