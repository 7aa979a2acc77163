package solver

import "slices"

// scalingTree chooses exponents such that the numbers along a spanning tree of the model have exponent 0: its nodes are the
// units of the rows, the columns and the objective and that of the right-hand side, which is 1, its edges the numbers that
// are not zero. Which edges the tree has depends on where zeros are and on nothing else, so that scaled versions of a model
// meet in the same exponents.
type scalingTree struct {
	model *Model
	terms []Term
	units []int // exponents of the rows, the columns and the objective
	known []bool
	left  int // units that are not known
}

func newScalingTree(m *Model) *scalingTree {
	n := len(m.rows) + len(m.columns) + 1
	return &scalingTree{model: m, terms: m.Quadratic(), units: make([]int, n), known: make([]bool, n), left: n}
}

func (t *scalingTree) column(j int) int { return len(t.model.rows) + j }

func (t *scalingTree) objective() int { return len(t.units) - 1 }

// grow starts at the right-hand side, whose unit is that of the integer columns, and goes
// on wherever a part of the model is connected with nothing so far.
func (t *scalingTree) grow() {
	for j, c := range t.model.columns {
		if bound, found := firstBound(c.Lower(), c.Upper()); c.Integer {
			t.set(t.column(j), 0)
		} else if found {
			t.set(t.column(j), exponent(bound))
		}
	}
	for again := true; again; again = t.addOpenRow() || t.seed() {
		for t.left > 0 && t.sweep() {
		}
	}
}

func (t *scalingTree) set(unit, exponent int) {
	t.known[unit], t.units[unit] = true, exponent
	t.left--
}

// addOpenRow adds the first row that has a bound and entries. A bound comes after the
// columns, because it may be a rounding error of zero.
func (t *scalingTree) addOpenRow() bool {
	for i, r := range t.model.rows {
		if bound, found := firstBound(r.Lower, r.Upper); found && !t.known[i] && len(r.Columns) > 0 {
			t.set(i, -exponent(bound))
			return true
		}
	}
	return false
}

// seed adds the first column of a part of the model that no bound is connected with. Its unit
// is free, unless it has both a cost and a square: they get the same exponent.
func (t *scalingTree) seed() bool {
	for _, q := range t.terms {
		cost := t.model.columns[q.I].Cost
		if q.I == q.J && cost != 0 && !t.known[t.objective()] && !t.known[t.column(q.I)] {
			t.set(t.column(q.I), exponent(cost)-exponent(q.Value))
			return true
		}
	}
	j := slices.Index(t.known[t.column(0):t.objective()], false)
	if j >= 0 {
		t.set(t.column(j), 0)
	}
	return j >= 0
}

func firstBound(lower, upper float64) (float64, bool) {
	if scaledNumber(lower) {
		return lower, true
	}
	return upper, scaledNumber(upper)
}

// sweep adds units next to the tree and tells whether there were any.
func (t *scalingTree) sweep() bool {
	grown := false
	for i, r := range t.model.rows {
		for range 2 { // the unit of the row from a column, then those of other columns from the row
			for k, j := range r.Columns {
				grown = t.follow(exponent(r.Values[k]), i, t.column(j)) || grown
			}
		}
	}
	for j, c := range t.model.columns {
		if c.Cost != 0 {
			grown = t.follow(exponent(c.Cost), t.objective(), t.column(j)) || grown
		}
	}
	for _, q := range t.terms {
		grown = t.follow(exponent(q.Value), t.objective(), t.column(q.I), t.column(q.J)) || grown
	}
	return grown
}

// follow goes from the known units of a number to the one that is not, and tells whether
// there is one. The exponent of a square may be odd; then the number keeps the exponent 1.
func (t *scalingTree) follow(exponent int, units ...int) bool {
	next, times := -1, 0
	for _, unit := range units {
		switch {
		case t.known[unit]:
			exponent += t.units[unit]
		case next < 0 || next == unit:
			next, times = unit, times+1
		default:
			return false
		}
	}
	if next < 0 {
		return false
	}
	t.set(next, -(exponent >> (times - 1)))
	return true
}
