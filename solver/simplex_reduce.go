package solver

import "math"

// reduced is a linear program without the parts that need no simplex method:
// fixed columns, columns in no row, rows without entries and rows without
// bounds. columns and rows hold the original indices of what is left.
type reduced struct {
	source  *linear
	columns []int
	rows    []int
	entries [][]entry // one list per kept row, over kept column positions
	lower   []float64 // bounds of kept rows, with fixed columns moved over
	upper   []float64
	fixed   []float64 // value of every removed column
}

type entry struct {
	index int
	value float64
}

// reduce removes what it can. It returns false when a removed part alone shows
// that there is no optimum.
func reduce(p *linear, tolerance float64) (*reduced, bool) {
	r := &reduced{source: p, fixed: make([]float64, len(p.cost))}
	used := make([]bool, len(p.cost))
	for _, row := range p.rows {
		if math.IsInf(row.lower, -1) && math.IsInf(row.upper, 1) {
			continue
		}
		for _, column := range row.columns {
			used[column] = true
		}
	}
	position := make([]int, len(p.cost))
	for j := range p.cost {
		position[j] = -1
		switch {
		case p.lower[j] == p.upper[j]:
			r.fixed[j] = p.lower[j]
		case used[j]:
			position[j] = len(r.columns)
			r.columns = append(r.columns, j)
		default:
			if r.fixed[j] = bestValue(p.cost[j], p.lower[j], p.upper[j]); math.IsInf(r.fixed[j], 0) {
				return nil, false
			}
		}
	}
	for i, row := range p.rows {
		if math.IsInf(row.lower, -1) && math.IsInf(row.upper, 1) {
			continue
		}
		if !r.addRow(i, row, position, tolerance) {
			return nil, false
		}
	}
	return r, true
}

// bestValue is the value of a column that appears in no row.
func bestValue(cost, lower, upper float64) float64 {
	switch {
	case cost > 0:
		return lower
	case cost < 0:
		return upper
	}
	return math.Min(math.Max(0, lower), upper)
}

// addRow keeps row i unless fixed columns are all it has.
func (r *reduced) addRow(i int, row rowData, position []int, tolerance float64) bool {
	entries := make([]entry, 0, len(row.columns))
	constant, scale := 0.0, 1.0
	for k, column := range row.columns {
		if position[column] < 0 {
			term := row.values[k] * r.fixed[column]
			constant += term
			scale = math.Max(scale, math.Abs(term))
			continue
		}
		entries = append(entries, entry{position[column], row.values[k]})
	}
	if len(entries) == 0 {
		return outside(constant, row.lower, row.upper) <= tolerance*scale
	}
	r.rows = append(r.rows, i)
	r.entries = append(r.entries, entries)
	r.lower = append(r.lower, row.lower-constant)
	r.upper = append(r.upper, row.upper-constant)
	return true
}

// restore puts values of kept columns and of removed columns together.
func (r *reduced) restore(kept []float64) []float64 {
	x := append([]float64(nil), r.fixed...)
	for k, j := range r.columns {
		x[j] = kept[k]
	}
	return x
}
