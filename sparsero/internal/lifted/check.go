package lifted

import (
	"math"
	"slices"
)

// Check ends the check of a problem, a decision and a proof, nil for none, whose parts do not fit together.
func Check(p *Problem, d *Decision, proof *Proof) {
	n := len(p.Model.Columns)
	Need(n > 0, "the model has no columns")
	p.check(n)
	Need(len(d.X) == n, "the decision has %d numbers for %d columns", len(d.X), n)
	distinct("the atoms of the decision", d.Atoms, p.Dictionary.Atoms)
	if proof != nil {
		proof.check(p)
	}
}

func (p *Problem) check(n int) {
	d := &p.Dictionary
	Need(d.Atoms > 0 && d.Dimension > 0 && max(d.Atoms, d.Dimension) <= math.MaxInt32, "the dictionary has %d atoms of dimension %d", d.Atoms, d.Dimension)
	length("labels", len(d.Labels), d.Atoms)
	length("columns of the dictionary", len(d.Columns), d.Dimension)
	if len(d.Values) > 0 {
		Need(len(d.Values) == d.Atoms, "the dictionary has the values of %d atoms, not %d", len(d.Values), d.Atoms)
		for i, atom := range d.Values {
			Need(len(atom) == d.Dimension, "atom %d has %d numbers, not %d", i, len(atom), d.Dimension)
		}
	}
	p.Model.check(n)
	if p.Set != nil {
		p.Set.check(d.Dimension, len(p.Constraints))
	}
	if p.Objective != nil {
		p.Objective.check(p.coordinates(), n)
	}
	Need(p.allRows() || (1+len(p.Constraints))*p.coordinates() <= mostRows, "the maps of %d constraints stand for %d rows each, together more than %d", len(p.Constraints), p.coordinates(), mostRows)
	for k := range p.Constraints {
		p.Constraints[k].Map.check(p.coordinates(), n)
		length("nominal", len(p.Constraints[k].Nominal), n)
	}
	Need(p.Radius >= 0, "the radius is %v, below 0", p.Radius)
}

// mostRows bounds the rows of maps that leave some out.
const mostRows = 10_000_000

// allRows tells that no map leaves rows out.
func (p *Problem) allRows() bool {
	leavesOut := func(c Constraint) bool { return c.Map.First != nil }
	return (p.Objective == nil || p.Objective.First == nil) && !slices.ContainsFunc(p.Constraints, leavesOut)
}

func (m *Model) check(n int) {
	for j, c := range m.Columns {
		for _, side := range []*float64{c.Lower, c.Upper} {
			Need(!c.Integer || side == nil || *side == math.Trunc(*side), "the integer column %d has a bound that is not whole", j)
		}
	}
	for i, r := range m.Rows {
		entries("row", i, r.Columns, r.Values, n)
	}
	q := &m.Quadratic
	Need(len(q.I) == len(q.Values) && len(q.J) == len(q.Values), "the quadratic part has %d and %d columns for %d values", len(q.I), len(q.J), len(q.Values))
	for k, i := range q.I {
		Need(min(i, q.J[k]) >= 0 && max(i, q.J[k]) < n, "quadratic term %d names a column that is not there", k)
	}
}

func (q *Map) check(p, n int) {
	rows := len(q.Matrix)
	Need(rows == p || q.First != nil && rows > 0 && *q.First >= 0 && *q.First <= p-rows, "a map has %d rows from coordinate %d on, not all of %d or some of them", rows, q.first(), p)
	for k, row := range q.Matrix {
		entries("row of a map", k, row.Columns, row.Values, n)
	}
	length("constant", len(q.Constant), rows)
}

func (p *Proof) check(problem *Problem) {
	m := &problem.Model
	for _, b := range p.Implied {
		row, column, side := b[0], b[1], b[2]
		fits := row >= 0 && row < len(m.Rows) && (side == 1 || side == -1)
		Need(fits && m.Rows[row].coefficient(column) != 0, "the implied bound %v is not one of a row and a column in it", b)
	}
	if p.Curvature != nil {
		p.Curvature.check(m)
	}
	p.checkTree(m)
	for k := range p.Leaves {
		p.Leaves[k].check(problem)
	}
}

// mostBranches bounds the branches above a leaf.
const mostBranches = 2_000

// checkTree ends the check unless every node but the first is a part of one branch before it.
func (p *Proof) checkTree(m *Model) {
	nodes := len(p.Branches) + len(p.Leaves)
	depth := make([]int, nodes) // of those that are a part
	for id, b := range p.Branches {
		Need(b[0] >= 0 && b[0] < len(m.Columns) && m.Columns[b[0]].Integer, "branch %d splits no integer column", id)
		for _, part := range b[2:] {
			Need(part > id && part < nodes && depth[part] == 0, "branch %d has the part %d, which is not one that follows and belongs to it alone", id, part)
			depth[part] = depth[id] + 1
			Need(depth[part] <= mostBranches, "the proof has more than %d branches above a leaf", mostBranches)
		}
	}
	Need(len(p.Leaves) == len(p.Branches)+1, "the proof has %d branches and %d leaves, which make no tree", len(p.Branches), len(p.Leaves))
}

// mostLength bounds the hexadecimal digits of what a check keeps of a leaf, or of a curvature.
const mostLength = 100_000_000

func (l *Leaf) check(p *Problem) {
	n, longest := len(p.Model.Columns), l.Scale.digits
	Need(l.Scale.float().Sign() > 0, "the scale of a leaf is not above 0")
	multipliers := func(m Multipliers, from, to int) {
		Need(len(m.Of) == len(m.Values), "a leaf has %d multipliers for %d numbers", len(m.Values), len(m.Of))
		for k, index := range m.Of {
			Need(index >= from && index < to, "a multiplier of a leaf belongs to number %d of %d", index, to)
			longest = max(longest, m.Values[k].digits)
		}
	}
	multipliers(l.Rows, 0, len(p.Model.Rows))
	multipliers(l.Objective, 0, p.Dictionary.Atoms)
	length("constraints", len(l.Constraints), len(p.Constraints))
	for _, m := range l.Constraints {
		multipliers(m, -1, p.Dictionary.Atoms)
	}
	length("tangent", len(l.Tangent), n)
	for _, z := range l.Tangent {
		longest = max(longest, z.digits)
	}
	Need(longest*(n+p.Dictionary.Dimension) <= mostLength, "the whole numbers of a leaf are too long")
}

func (c *Curvature) check(m *Model) {
	distinct("the columns of the curvature", c.Columns, len(m.Columns))
	Need(len(c.Slack) == len(c.Columns) && (len(c.Slack) == 0 || slices.Min(c.Slack) >= 0), "the curvature has no slack of 0 or more for each of its columns")
	places := c.places()
	for _, j := range slices.Concat(m.Quadratic.I, m.Quadratic.J) {
		_, found := places[j]
		Need(found, "the curvature leaves a column with quadratic terms out")
	}
	total := 0
	for _, s := range c.Squares {
		Need(s.Divisor.float().Sign() > 0 && len(s.Values) <= len(c.Columns), "a square has a divisor of 0 or less, or too many values")
		total += s.Divisor.digits
		for _, v := range s.Values {
			total += v.digits
		}
	}
	Need(total*len(c.Columns) <= mostLength, "the whole numbers of the curvature are too long")
}

// coefficient returns that of a column in the row, 0 if it is not there.
func (r *Row) coefficient(column int) float64 {
	if k := slices.Index(r.Columns, column); k >= 0 {
		return r.Values[k]
	}
	return 0
}

func entries(name string, i int, columns []int, values []float64, n int) {
	distinct(name, columns, n)
	Need(len(values) == len(columns), "%s %d has %d values for %d columns", name, i, len(values), len(columns))
}

// distinct ends the check unless the indices are different ones from 0 to below a number.
func distinct(name string, indices []int, below int) {
	known := make(map[int]bool, len(indices))
	for _, i := range indices {
		Need(i >= 0 && i < below && !known[i], "%s are not different numbers from 0 to %d: %d", name, below-1, i)
		known[i] = true
	}
}

// length ends the check of a list that is neither empty nor of the right length.
func length(name string, got, want int) {
	Need(got == 0 || got == want, "%s has %d entries, not %d", name, got, want)
}
