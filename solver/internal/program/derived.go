package program

import (
	"math"
	"slices"
)

// Feasibility returns the program with the objective 0.
func Feasibility(p *Program) *Program {
	return &Program{Cost: make([]float64, len(p.Cost)), Lower: p.Lower, Upper: p.Upper, Rows: p.Rows}
}

// Falling returns the program of the points at which the linear part of the objective is at most a value.
func Falling(p *Program, most float64) *Program {
	f, row := Feasibility(p), Row{Lower: math.Inf(-1), Upper: most}
	for j, c := range p.Cost {
		if c != 0 {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, c)
		}
	}
	f.Rows = append(slices.Clip(p.Rows), row)
	return f
}

// Recession returns the program of the steepest recession direction: a minimisation over the directions d, -1 <= d <= 1,
// along which no bound is ever reached and the objective is linear. It always has an optimum, which is negative exactly
// when p is unbounded, if p is feasible.
func Recession(p *Program) *Program {
	cone := func(bound, open float64) float64 {
		if math.IsInf(bound, 0) {
			return open
		}
		return 0
	}
	q := &Program{Cost: p.Cost}
	for j := range p.Cost {
		q.Lower, q.Upper = append(q.Lower, cone(p.Lower[j], -1)), append(q.Upper, cone(p.Upper[j], 1))
	}
	for _, r := range p.Rows {
		q.Rows = append(q.Rows, Row{Lower: cone(r.Lower, math.Inf(-1)), Upper: cone(r.Upper, math.Inf(1)), Columns: r.Columns, Values: r.Values})
	}
	hessian := make([]map[int]float64, len(p.Cost))
	for _, t := range p.Quadratic {
		for _, pair := range [2][2]int{{t.I, t.J}, {t.J, t.I}} {
			if hessian[pair[0]] == nil {
				hessian[pair[0]] = make(map[int]float64)
			}
			hessian[pair[0]][pair[1]] += t.Value
		}
	}
	for _, entries := range hessian {
		if row := newRow(entries); row.Columns != nil {
			q.Rows = append(q.Rows, row)
		}
	}
	return q
}

// newRow is the row in which the sum of some entries, by column, is 0.
func newRow(entries map[int]float64) Row {
	var row Row
	for j := range entries {
		row.Columns = append(row.Columns, j)
	}
	slices.Sort(row.Columns)
	for _, j := range row.Columns {
		row.Values = append(row.Values, entries[j])
	}
	return row
}

// Elastic returns the program min t over (x, t), lower <= t <= upper, in which each finite side of a row may be violated by t
// times the row's largest coefficient, and for each row of p its rows there. Apart, each row has a t of its own, and their
// sum is minimised.
func Elastic(p *Program, lower, upper float64, apart bool) (*Program, [][]int) {
	e := &Program{Cost: make([]float64, len(p.Cost)), Lower: slices.Clone(p.Lower), Upper: slices.Clone(p.Upper)}
	t, sides := -1, make([][]int, len(p.Rows))
	for i, r := range p.Rows {
		weight := MaxAbs(r.Values)
		if weight == 0 {
			continue
		}
		if t < 0 || apart {
			t = len(e.Cost)
			e.Cost, e.Lower, e.Upper = append(e.Cost, 1), append(e.Lower, lower), append(e.Upper, upper)
		}
		add := func(weight, lower, upper float64) {
			sides[i] = append(sides[i], len(e.Rows))
			e.Rows = append(e.Rows, Row{Lower: lower, Upper: upper, Columns: append(slices.Clone(r.Columns), t), Values: append(slices.Clone(r.Values), weight)})
		}
		if !math.IsInf(r.Lower, -1) {
			add(weight, r.Lower, math.Inf(1))
		}
		if !math.IsInf(r.Upper, 1) {
			add(-weight, math.Inf(-1), r.Upper)
		}
	}
	return e, sides
}
