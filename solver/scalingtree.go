package solver

import "slices"

// scalingTree chooses exponents such that the numbers along a spanning tree of the model
// have exponent 0: its nodes are the rows, the columns, the objective and the
// right-hand side, its edges the numbers that are not zero. Which edges the tree has
// depends on where zeros are and on nothing else, so that scaled versions of a model
// meet in the same exponents.
type scalingTree struct {
	model       *Model
	scaling     *scaling
	row, column []bool // nodes in the tree
	objective   bool
	terms       []Term
}

func newScalingTree(m *Model, s *scaling) *scalingTree {
	return &scalingTree{
		model: m, scaling: s, terms: m.Quadratic(),
		row: make([]bool, len(m.rows)), column: make([]bool, len(m.columns)),
	}
}

// grow starts at the right-hand side, whose unit is that of the integer columns, and goes
// on wherever a part of the model is connected with nothing so far.
func (t *scalingTree) grow() {
	for j, c := range t.model.columns {
		if c.Integer {
			t.column[j] = true
		}
	}
	for j, c := range t.model.columns {
		if bound, found := firstBound(c.Lower(), c.Upper()); found && !t.column[j] {
			t.setColumn(j, exponent(bound))
		}
	}
	for {
		for t.sweep() {
		}
		if t.addOpenRow() {
			continue
		}
		next := t.nextSeed()
		if next < 0 {
			return
		}
		t.seed(next)
	}
}

// nextSeed is the first column that is not in the tree, where there is a choice one that has
// both a cost and a square, because they settle its unit.
func (t *scalingTree) nextSeed() int {
	if !t.objective {
		for _, q := range t.terms {
			if q.I == q.J && !t.column[q.I] && t.model.columns[q.I].Cost != 0 {
				return q.I
			}
		}
	}
	return slices.Index(t.column, false)
}

// addOpenRow adds the first row that has a bound and entries. A bound comes after the
// columns, because it may be a rounding error of zero.
func (t *scalingTree) addOpenRow() bool {
	for i, r := range t.model.rows {
		if bound, found := firstBound(r.Lower, r.Upper); found && !t.row[i] && len(r.Columns) > 0 {
			t.row[i], t.scaling.row[i] = true, -exponent(bound)
			return true
		}
	}
	return false
}

// seed starts a part of the model that no bound is connected with. Its unit is free, but
// for the ratio of linear to quadratic costs: the first of each get the same exponent.
func (t *scalingTree) seed(j int) {
	rows, columns := slices.Clone(t.row), slices.Clone(t.column)
	t.setColumn(j, 0)
	if t.objective || len(t.terms) == 0 {
		return
	}
	for grown := true; grown; {
		grown = false
		for i := range t.model.rows {
			grown = t.sweepRow(i) || grown
		}
	}
	isNew := func(j int) bool { return t.column[j] && !columns[j] }
	s := t.scaling
	cost := -1
	for j := len(columns) - 1; j >= 0; j-- {
		if isNew(j) && t.model.columns[j].Cost != 0 {
			cost = j
		}
	}
	square := slices.IndexFunc(t.terms, func(q Term) bool { return q.I == q.J && isNew(q.I) })
	if cost < 0 || square < 0 {
		return
	}
	q := t.terms[square]
	shift := exponent(t.model.columns[cost].Cost) + s.column[cost] - exponent(q.Value) - 2*s.column[q.I]
	for j := range columns {
		if isNew(j) {
			s.column[j] += shift
		}
	}
	for i := range rows {
		if t.row[i] && !rows[i] {
			s.row[i] -= shift
		}
	}
}

func firstBound(lower, upper float64) (float64, bool) {
	if scaledNumber(lower) {
		return lower, true
	}
	return upper, scaledNumber(upper)
}

func (t *scalingTree) setColumn(j, exponent int) {
	t.column[j], t.scaling.column[j] = true, exponent
}

// sweep adds nodes next to the tree and tells whether there were any.
func (t *scalingTree) sweep() bool {
	grown := false
	for i := range t.model.rows {
		grown = t.sweepRow(i) || grown
	}
	return t.sweepCosts() || t.sweepTerms() || grown
}

func (t *scalingTree) sweepRow(i int) bool {
	r, s, grown := &t.model.rows[i], t.scaling, false
	if !t.row[i] {
		for k, j := range r.Columns {
			if t.column[j] {
				t.row[i], s.row[i], grown = true, -exponent(r.Values[k])-s.column[j], true
				break
			}
		}
	}
	if !t.row[i] {
		return false
	}
	for k, j := range r.Columns {
		if !t.column[j] {
			t.setColumn(j, -exponent(r.Values[k])-s.row[i])
			grown = true
		}
	}
	return grown
}

func (t *scalingTree) sweepCosts() bool {
	s, grown := t.scaling, false
	for j, c := range t.model.columns {
		if c.Cost == 0 || t.column[j] == t.objective {
			continue
		}
		if grown = true; t.objective {
			t.setColumn(j, -exponent(c.Cost)-s.objective)
		} else {
			t.objective, s.objective = true, -exponent(c.Cost)-s.column[j]
		}
	}
	return grown
}

// sweepTerms follows a quadratic term from two known nodes to the third. The exponent of
// a square may be odd; then the term keeps the exponent 1.
func (t *scalingTree) sweepTerms() bool {
	s := t.scaling
	for _, q := range t.terms {
		e, first, second := exponent(q.Value), t.column[q.I], t.column[q.J]
		switch {
		case first && second && !t.objective:
			t.objective, s.objective = true, -e-s.column[q.I]-s.column[q.J]
		case t.objective && q.I == q.J && !first:
			t.setColumn(q.I, -((e + s.objective) >> 1))
		case t.objective && first && !second:
			t.setColumn(q.J, -e-s.objective-s.column[q.I])
		case t.objective && second && !first:
			t.setColumn(q.I, -e-s.objective-s.column[q.J])
		default:
			continue
		}
		return true
	}
	return false
}
