package solver

import (
	"math"
)

// side says which bound of a row or column a standard-form column stands for.
type side uint8

const (
	lowerSide side = iota
	upperSide
	extraSide // slack of a box or of a two-sided row
)

// columnKey identifies a standard-form column across solves of a growing model.
type columnKey struct {
	row   bool
	index int // original row or column index
	side  side
}

// standard is the linear program min cost'w, G w = rhs, w >= 0, the form that
// gonum's simplex takes. G is stored by columns.
type standard struct {
	size    int       // equations
	columns [][]entry // entry index = equation
	cost    []float64
	rhs     []float64
	keys    []columnKey
}

func (s *standard) add(key columnKey, cost float64, column ...entry) int {
	s.columns = append(s.columns, column)
	s.cost = append(s.cost, cost)
	s.keys = append(s.keys, key)
	return len(s.columns) - 1
}

// form is a reduced linear program in standard form. Two forms are used:
//
//   - The dual form has one equation per column of the program and one
//     nonnegative variable per finite bound. Its optimal multipliers are -x.
//     New rows become new columns, so that an optimal basis stays feasible:
//     this is the warm start.
//   - The primal form has one equation per row, plus one per column with two
//     finite bounds and per row with two different finite bounds.
type form struct {
	*standard
	reduced  *reduced
	scale    scaling
	dual     bool
	objScale float64 // standard cost = scaled cost / objScale
	rhsScale float64
	plus     []int // primal form: column of the shifted variable
	minus    []int // primal form: column of the negative part of a free variable
}

// smallDual is the number of columns up to which the dual form is preferred
// whatever the number of rows, for the sake of warm starts.
const smallDual = 100

func newForm(r *reduced) *form {
	f := &form{standard: &standard{}, reduced: r, scale: newScaling(r)}
	equations := len(r.rows)
	for i := range r.rows {
		if r.lower[i] != r.upper[i] && !math.IsInf(r.lower[i], -1) && !math.IsInf(r.upper[i], 1) {
			equations++
		}
	}
	for _, j := range r.columns {
		if !math.IsInf(r.source.lower[j], -1) && !math.IsInf(r.source.upper[j], 1) {
			equations++
		}
	}
	f.dual = len(r.columns) <= max(smallDual, equations)
	if f.dual {
		f.buildDual()
	} else {
		f.buildPrimal()
	}
	f.normalise()
	return f
}

// buildDual writes min -(bounds)'w, G w = cost, w >= 0.
func (f *form) buildDual() {
	r, s := f.reduced, f.standard
	s.size = len(r.columns)
	for i, index := range r.rows {
		column := make([]entry, len(r.entries[i]))
		opposite := make([]entry, len(column))
		for k, e := range r.entries[i] {
			v := e.value * f.scale.rows[i] * f.scale.columns[e.index]
			column[k], opposite[k] = entry{e.index, v}, entry{e.index, -v}
		}
		if !math.IsInf(r.lower[i], -1) {
			s.add(columnKey{true, index, lowerSide}, -r.lower[i]*f.scale.rows[i], column...)
		}
		if !math.IsInf(r.upper[i], 1) {
			s.add(columnKey{true, index, upperSide}, r.upper[i]*f.scale.rows[i], opposite...)
		}
	}
	s.rhs = make([]float64, s.size)
	for k, j := range r.columns {
		s.rhs[k] = r.source.cost[j] * f.scale.columns[k]
		if lower := r.source.lower[j]; !math.IsInf(lower, -1) {
			s.add(columnKey{false, j, lowerSide}, -lower/f.scale.columns[k], entry{k, 1})
		}
		if upper := r.source.upper[j]; !math.IsInf(upper, 1) {
			s.add(columnKey{false, j, upperSide}, upper/f.scale.columns[k], entry{k, -1})
		}
	}
}

// buildPrimal shifts every variable to a finite bound (or splits it), and adds
// slacks and box rows.
func (f *form) buildPrimal() {
	r, s := f.reduced, f.standard
	f.plus, f.minus = make([]int, len(r.columns)), make([]int, len(r.columns))
	s.size = len(r.rows)
	s.rhs = make([]float64, s.size)
	byColumn := make([][]entry, len(r.columns))
	for i := range r.rows {
		for _, e := range r.entries[i] {
			byColumn[e.index] = append(byColumn[e.index], entry{i, e.value * f.scale.rows[i] * f.scale.columns[e.index]})
		}
	}
	shift := make([]float64, s.size)
	for k, j := range r.columns {
		f.addVariable(k, j, byColumn[k], shift)
	}
	for i, index := range r.rows {
		lower, upper := r.lower[i]*f.scale.rows[i]-shift[i], r.upper[i]*f.scale.rows[i]-shift[i]
		switch {
		case lower == upper:
			s.rhs[i] = lower
		case math.IsInf(upper, 1):
			s.rhs[i] = lower
			s.add(columnKey{true, index, lowerSide}, 0, entry{i, -1})
		case math.IsInf(lower, -1):
			s.rhs[i] = upper
			s.add(columnKey{true, index, upperSide}, 0, entry{i, 1})
		default:
			s.rhs[i] = lower
			s.add(columnKey{true, index, lowerSide}, 0, entry{i, -1}, entry{s.size, 1})
			s.add(columnKey{true, index, upperSide}, 0, entry{s.size, 1})
			s.equation(upper - lower)
		}
	}
}

// addVariable writes column k (original j) of the primal form.
func (f *form) addVariable(k, j int, column []entry, shift []float64) {
	r, s := f.reduced, f.standard
	unit := f.scale.columns[k]
	cost, lower, upper := r.source.cost[j]*unit, r.source.lower[j]/unit, r.source.upper[j]/unit
	f.minus[k] = -1
	move := func(by float64) {
		for _, e := range column {
			shift[e.index] += e.value * by
		}
	}
	switch {
	case !math.IsInf(lower, -1) && !math.IsInf(upper, 1):
		move(lower)
		f.plus[k] = s.add(columnKey{false, j, lowerSide}, cost, append(column, entry{s.size, 1})...)
		s.add(columnKey{false, j, extraSide}, 0, entry{s.size, 1})
		s.equation(upper - lower)
	case !math.IsInf(lower, -1):
		move(lower)
		f.plus[k] = s.add(columnKey{false, j, lowerSide}, cost, column...)
	case !math.IsInf(upper, 1):
		move(upper)
		f.minus[k] = s.add(columnKey{false, j, upperSide}, -cost, opposite(column)...)
		f.plus[k] = -1
	default:
		f.plus[k] = s.add(columnKey{false, j, lowerSide}, cost, column...)
		f.minus[k] = s.add(columnKey{false, j, upperSide}, -cost, opposite(column)...)
	}
}

// equation appends an equation with the given right-hand side.
func (s *standard) equation(rhs float64) {
	s.size++
	s.rhs = append(s.rhs, rhs)
}

func opposite(column []entry) []entry {
	out := make([]entry, len(column))
	for k, e := range column {
		out[k] = entry{e.index, -e.value}
	}
	return out
}

// normalise divides costs and right-hand sides by their largest magnitudes, as
// gonum's tolerances are absolute.
func (f *form) normalise() {
	f.objScale, f.rhsScale = maxAbs(f.cost), maxAbs(f.rhs)
	if f.objScale == 0 {
		f.objScale = 1
	}
	if f.rhsScale == 0 {
		f.rhsScale = 1
	}
	for k := range f.cost {
		f.cost[k] /= f.objScale
	}
	for k := range f.rhs {
		f.rhs[k] /= f.rhsScale
	}
}

// original translates a standard-form optimum into values of the kept columns
// and duals of all original rows.
func (f *form) original(s solution) (x, rowDuals []float64) {
	r := f.reduced
	x = make([]float64, len(r.columns))
	rowDuals = make([]float64, len(r.source.rows))
	if f.dual {
		position := make(map[int]int, len(r.rows))
		for i, index := range r.rows {
			position[index] = i
		}
		for k := range x {
			x[k] = -s.multipliers[k] * f.objScale * f.scale.columns[k]
		}
		for k, key := range f.keys {
			if !key.row || s.values[k] == 0 {
				continue
			}
			value := s.values[k] * f.rhsScale * f.scale.rows[position[key.index]]
			if key.side == upperSide {
				value = -value
			}
			rowDuals[key.index] += value
		}
		f.snap(x)
		return x, rowDuals
	}
	for k, j := range r.columns {
		unit := f.scale.columns[k]
		switch {
		case f.plus[k] < 0:
			x[k] = r.source.upper[j] - s.values[f.minus[k]]*f.rhsScale*unit
		case f.minus[k] < 0:
			x[k] = r.source.lower[j] + s.values[f.plus[k]]*f.rhsScale*unit
		default:
			x[k] = (s.values[f.plus[k]] - s.values[f.minus[k]]) * f.rhsScale * unit
		}
	}
	for i, index := range r.rows {
		rowDuals[index] = s.multipliers[i] * f.objScale * f.scale.rows[i]
	}
	f.snap(x)
	return x, rowDuals
}

// snap moves values that differ from a bound by rounding onto the bound.
func (f *form) snap(x []float64) {
	for k, j := range f.reduced.columns {
		for _, bound := range [2]float64{f.reduced.source.lower[j], f.reduced.source.upper[j]} {
			if !math.IsInf(bound, 0) && math.Abs(x[k]-bound) <= snapTolerance*math.Max(1, math.Abs(bound)) {
				x[k] = bound
			}
		}
	}
}

// snapTolerance is the relative distance to a bound that counts as rounding.
const snapTolerance = 1e-11

// scaling holds powers of two that bring the coefficients near 1: entry (i, j)
// becomes rows[i] * value * columns[j], and x_j = columns[j] * scaled x_j.
type scaling struct{ rows, columns []float64 }

// scalingPasses is the number of rounds of geometric scaling; more change
// little.
const scalingPasses = 4

func newScaling(r *reduced) scaling {
	s := scaling{ones(len(r.rows)), ones(len(r.columns))}
	for range scalingPasses {
		low, high := fill(len(r.columns), math.Inf(1)), make([]float64, len(r.columns))
		for i, entries := range r.entries {
			rowLow, rowHigh := math.Inf(1), 0.0
			for _, e := range entries {
				v := math.Abs(e.value) * s.columns[e.index]
				rowLow, rowHigh = math.Min(rowLow, v), math.Max(rowHigh, v)
			}
			s.rows[i] = powerOfTwo(1 / math.Sqrt(rowLow*rowHigh))
			for _, e := range entries {
				v := math.Abs(e.value) * s.rows[i]
				low[e.index], high[e.index] = math.Min(low[e.index], v), math.Max(high[e.index], v)
			}
		}
		for k := range s.columns {
			s.columns[k] = powerOfTwo(1 / math.Sqrt(low[k]*high[k]))
		}
	}
	return s
}

// powerOfTwo rounds to a power of two, so that scaling is exact.
func powerOfTwo(v float64) float64 { return math.Exp2(math.Round(math.Log2(v))) }

func ones(n int) []float64 { return fill(n, 1) }

func fill(n int, value float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = value
	}
	return v
}
