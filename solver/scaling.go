package solver

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// scaling holds powers of two that bring a model to units in which its numbers are near 1: column x_j = 2^column[j] x'_j,
// row i times 2^row[i], the objective times 2^objective. Models that differ by powers of two in their rows, columns, costs
// or bounds alone have the same scaled model to the last bit, because the exponents are first chosen along a spanning tree
// of the numbers, in whole numbers. Integer columns keep their unit.
type scaling struct {
	row, column []int
	objective   int
	common      int  // added to the exponent of every column, so that bounds are near 1
	trusted     int  // a row or column is centred on its coefficients above the largest times 2^-trusted
	lossy       bool // some number is beyond the range of float64 in these units, or loses bits
}

// exponent returns e with |v| in [2^(e-1), 2^e), 0 for 0.
func exponent(v float64) int {
	const bits, bias, special = 52, 1022, 0x7ff
	if e := int(math.Float64bits(v)>>bits) & special; e != 0 && e != special {
		return e - bias
	}
	_, e := math.Frexp(v)
	return e
}

// scaledNumber tells whether a number has a say in the scaling.
func scaledNumber(v float64) bool { return v != 0 && !math.IsInf(v, 0) }

// newScaling chooses exponents for a valid model.
func newScaling(m *Model, trusted int) *scaling {
	tree := newScalingTree(m)
	tree.grow()
	s := &scaling{row: slices.Clone(tree.units[:len(m.rows)]), column: tree.units[tree.column(0):tree.objective()], trusted: trusted}
	for range equilibrations {
		for i := range m.rows {
			s.row[i] = s.rowExponent(&m.rows[i])
		}
		if !s.equilibrateColumns(m) {
			break // nor would a further pass change anything
		}
	}
	for i := range m.rows {
		s.row[i] = s.rowExponent(&m.rows[i])
	}
	s.update(m)
	return s
}

// unscaled keeps the units of a model.
func unscaled(m *Model) *scaling {
	return &scaling{row: make([]int, len(m.rows)), column: make([]int, len(m.columns))}
}

// equilibrations is the number of passes over rows and columns after the spanning tree; more change little.
const equilibrations = 6

const (
	// largestCounts brings the largest coefficient of rows and columns to size 1: small ones
	// have no say, because they may be rounding errors.
	largestCounts = 0
	// allCount lets coefficients down to 2^-20 of the largest have a say, which suits models
	// that are scaled badly throughout, such as scrs8 of Netlib.
	allCount = 20
)

// rowExponent returns the exponent that centres a row of scaled columns.
func (s *scaling) rowExponent(r *program.Row) int {
	var seen exponentRange
	for k, j := range r.Columns {
		seen.add(exponent(r.Values[k]) + s.column[j])
	}
	return -seen.middle(s.trusted)
}

// equilibrateColumns centres every column and tells whether one has changed. Bounds have no say where there are
// coefficients, because large ones often stand for none.
func (s *scaling) equilibrateColumns(m *Model) (changed bool) {
	seen := make([]exponentRange, len(m.columns))
	for i, r := range m.rows {
		for k, j := range r.Columns {
			seen[j].add(exponent(r.Values[k]) + s.row[i] + s.column[j])
		}
	}
	for j := range seen {
		if off := seen[j].middle(s.trusted); off != 0 && !m.columns[j].Integer {
			s.column[j] -= off
			changed = true
		}
	}
	return changed
}

// exponentRange is the range of some exponents, [0,0] for none.
type exponentRange struct {
	least, most int
	some        bool
}

func (r *exponentRange) add(e int) {
	if !r.some {
		r.least, r.most, r.some = e, e, true
	}
	r.least, r.most = min(r.least, e), max(r.most, e)
}

// middle returns the middle of the range above most - trusted.
func (r *exponentRange) middle(trusted int) int { return (max(r.least, r.most-trusted) + r.most) >> 1 }

// update gives new rows their exponents, adapts the common exponent of the columns to the
// bounds and that of the objective to the costs, and tells whether one of them changed.
func (s *scaling) update(m *Model) bool {
	before := *s
	for i := len(s.row); i < len(m.rows); i++ {
		s.row = append(s.row, s.rowExponent(&m.rows[i]))
	}
	if !m.IsInteger() {
		s.common = s.middleBound(m)
	}
	var sizes exponentRange // of the terms of the objective
	for j, c := range m.columns {
		if c.Cost != 0 {
			sizes.add(exponent(c.Cost) + s.column[j] + s.common)
		}
	}
	for _, q := range m.Quadratic() {
		sizes.add(exponent(q.Value) + s.column[q.I] + s.column[q.J] + 2*s.common)
	}
	s.objective = -sizes.most
	return s.common != before.common || s.objective != before.objective
}

// middleBound is the median of the exponents of all scaled bounds but those that are rounding errors.
func (s *scaling) middleBound(m *Model) int {
	var exponents []int
	add := func(bound float64, e, least int) {
		if scaledNumber(bound) && exponent(bound) >= least {
			exponents = append(exponents, exponent(bound)+e)
		}
	}
	for i := range m.rows {
		r := &m.rows[i]
		if len(r.Columns) == 0 || !scaledNumber(r.Lower) && !scaledNumber(r.Upper) {
			continue // its unit means nothing, or it has no bound to add
		}
		least := m.largestTerm(r) - noiseBits
		add(r.Lower, s.row[i], least)
		add(r.Upper, s.row[i], least)
	}
	for j, c := range m.columns {
		add(c.Lower(), -s.column[j], math.MinInt)
		add(c.Upper(), -s.column[j], math.MinInt)
	}
	if len(exponents) == 0 {
		return 0
	}
	slices.Sort(exponents)
	return exponents[(len(exponents)-1)/2]
}

// smallestTerm is the exponent below which no term of any row matters.
const smallestTerm = -4 * 1074

// largestTerm is the exponent of the largest term of a row at the finite bounds of its columns.
func (m *Model) largestTerm(r *program.Row) int {
	largest := smallestTerm
	for k, j := range r.Columns {
		c := &m.columns[j]
		for _, bound := range [2]float64{c.Lower(), c.Upper()} {
			if scaledNumber(bound) {
				largest = max(largest, exponent(r.Values[k])+exponent(bound))
			}
		}
	}
	return largest
}

// scaled returns the scaled model for a solver. Names and groups stay.
func (s *scaling) scaled(m *Model) *Model {
	c := *m
	c.offset, c.rows, c.columns = 0, nil, slices.Clone(m.columns)
	s.follow(&c, m)
	c.quadratic = make(map[[2]int]float64, len(m.quadratic))
	for _, q := range m.Quadratic() {
		c.quadratic[[2]int{q.I, q.J}] = s.scale(q.Value, s.column[q.I]+s.column[q.J]+2*s.common+s.objective)
	}
	return &c
}

// follow adds the rows to the scaled model that were added to the other one, and writes costs and bounds anew.
func (s *scaling) follow(scaled, m *Model) {
	scaled.labels = m.labels
	for i := len(scaled.rows); i < len(m.rows); i++ {
		row := m.rows[i] // shares the list of columns
		row.Values = make([]float64, len(row.Columns))
		for k, j := range row.Columns {
			row.Values[k] = s.scale(m.rows[i].Values[k], s.row[i]+s.column[j])
		}
		scaled.rows = append(scaled.rows, row)
	}
	for i, r := range m.rows {
		scaled.rows[i].Lower, scaled.rows[i].Upper = s.scaledBounds(r.Lower, r.Upper, s.row[i]-s.common)
	}
	for j, c := range m.columns {
		scaled.columns[j].Cost = s.scale(c.Cost, s.column[j]+s.common+s.objective)
		scaled.columns[j].Bounds = Between(s.columnBounds(j, &c))
	}
}

func (s *scaling) columnBounds(j int, c *Column) (float64, float64) {
	return s.scaledBounds(c.Lower(), c.Upper(), -s.column[j]-s.common)
}

// scaledBounds returns scaled bounds, of which one beyond float64 is still none of the other side.
func (s *scaling) scaledBounds(lower, upper float64, e int) (float64, float64) {
	return math.Min(s.scale(lower, e), math.MaxFloat64), math.Max(s.scale(upper, e), -math.MaxFloat64)
}

// scale returns v 2^e and remembers whether that was inexact.
func (s *scaling) scale(v float64, e int) float64 {
	scaled := math.Ldexp(v, e)
	s.lossy = s.lossy || math.Ldexp(scaled, -e) != v
	return scaled
}

// point and duals translate what a solver found back.

func (s *scaling) point(x []float64) {
	for j := range x {
		x[j] = math.Ldexp(x[j], s.column[j]+s.common)
	}
}

// ray translates a direction, whose length means nothing, so that it ends in the middle of the range of float64.
func (s *scaling) ray(d []float64) {
	var seen exponentRange
	for j, v := range d {
		if v != 0 {
			seen.add(exponent(v) + s.column[j])
		}
	}
	for j := range d {
		d[j] = math.Ldexp(d[j], s.column[j]-(seen.least+seen.most)>>1)
	}
}

func (s *scaling) rowDuals(y []float64) {
	for i := range y {
		y[i] = math.Ldexp(y[i], s.row[i]-s.common-s.objective)
	}
}

func (s *scaling) columnDuals(d []float64) {
	for j := range d {
		d[j] = math.Ldexp(d[j], -s.column[j]-s.common-s.objective)
	}
}
