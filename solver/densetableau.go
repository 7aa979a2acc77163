package solver

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// denseTableau writes a linear program with its basic variables in terms of the
// others,
//
//	x_basic = T x_nonbasic,   objective = reduced'x_nonbasic + constant.
//
// Variables 0..n-1 are the columns of the program, variable n+i is the activity
// of row i. Rows and columns are scaled by powers of two, so that the largest
// coefficients are about 1.
type denseTableau struct {
	columns           int       // n
	cost              []float64 // scaled, one per column
	lower, upper      []float64 // scaled, one per variable
	value             []float64 // one per variable
	place             []int     // k >= 0: nonbasic at position k; ^i < 0: basic in row i
	nonbasic, basic   []int     // variables by position and by row
	rows              [][]float64
	reduced           []float64
	columnScale       []float64 // x = columnScale * scaled x
	rowScale          []float64 // scaled activity = rowScale * activity
	costScale         float64   // scaled cost = costScale * columnScale * cost
	infeasibleRow     int       // shows that there is no point; -1 for a claim that there is no bound
	cold              bool      // no solve has ended yet
	buffer            []float64
	candidates        []breakpoint
	edgeWeights       []float64
	degenerate, limit int
}

// newDenseTableau starts with all rows basic.
func newDenseTableau(m *Model) *denseTableau {
	n := len(m.columns)
	t := &denseTableau{
		columns: n, cost: make([]float64, n), reduced: make([]float64, n), columnScale: columnScales(m),
		nonbasic: make([]int, n), buffer: make([]float64, n), cold: true,
	}
	for j := range n {
		t.nonbasic[j] = j
		t.place = append(t.place, j)
	}
	t.lower, t.upper, t.value = make([]float64, n), make([]float64, n), make([]float64, n)
	return t
}

// columnScales brings the largest coefficient of every column near 1, after each
// row has been brought there.
func columnScales(m *Model) []float64 {
	largest := make([]float64, len(m.columns))
	for i := range m.rows {
		r := &m.rows[i]
		if size := maxAbs(r.values); size > 0 {
			for k, column := range r.columns {
				largest[column] = math.Max(largest[column], math.Abs(r.values[k])/size)
			}
		}
	}
	for j, size := range largest {
		largest[j] = 1
		if size > 0 {
			largest[j] = powerOfTwo(1 / size)
		}
	}
	return largest
}

// synchronise takes over what has changed in the program: new rows enter the basis,
// costs and bounds are read anew.
func (t *denseTableau) synchronise(p *linear) {
	for i := len(t.rowScale); i < len(p.rows); i++ {
		t.addRow(&p.rows[i])
	}
	t.costScale = 1
	for j := range t.cost {
		t.cost[j] = p.cost[j] * t.columnScale[j]
	}
	if size := maxAbs(t.cost); size > 0 {
		t.costScale = powerOfTwo(1 / size)
		floats.Scale(t.costScale, t.cost)
	}
	for j := range t.columns {
		t.lower[j], t.upper[j] = p.lower[j]/t.columnScale[j], p.upper[j]/t.columnScale[j]
	}
	for i, scale := range t.rowScale {
		t.lower[t.columns+i], t.upper[t.columns+i] = p.rows[i].lower*scale, p.rows[i].upper*scale
	}
}

// addRow appends a row; its activity enters the basis.
func (t *denseTableau) addRow(r *rowData) {
	row, scale := make([]float64, t.columns), 1.0
	for k, column := range r.columns {
		row[column] = r.values[k] * t.columnScale[column]
	}
	if size := maxAbs(row); size > 0 {
		scale = powerOfTwo(1 / size)
		floats.Scale(scale, row)
	}
	t.place = append(t.place, ^len(t.basic))
	t.basic = append(t.basic, t.columns+len(t.rowScale))
	t.rowScale = append(t.rowScale, scale)
	t.lower, t.upper, t.value = append(t.lower, 0), append(t.upper, 0), append(t.value, 0)
	t.rows = append(t.rows, t.inBasis(row))
}

// inBasis writes a combination of columns in terms of the nonbasic variables.
func (t *denseTableau) inBasis(combination []float64) []float64 {
	row := make([]float64, t.columns)
	for j, v := range combination {
		switch place := t.place[j]; {
		case v == 0:
		case place >= 0:
			row[place] += v
		default:
			floats.AddScaled(row, v, t.rows[^place])
		}
	}
	return row
}

// price computes the reduced costs from the costs.
func (t *denseTableau) price() { t.reduced = t.inBasis(t.cost) }

// evaluate computes the values of the basic variables.
func (t *denseTableau) evaluate() {
	for k, v := range t.nonbasic {
		t.buffer[k] = t.value[v]
	}
	for i, v := range t.basic {
		t.value[v] = floats.Dot(t.rows[i], t.buffer)
	}
}

// pivot exchanges the basic variable of a row with the nonbasic one at a position.
func (t *denseTableau) pivot(row, position int) {
	pivotRow := t.rows[row]
	inverse := 1 / pivotRow[position]
	floats.Scale(-inverse, pivotRow)
	pivotRow[position] = inverse
	for i, other := range t.rows {
		if i != row {
			substitute(other, pivotRow, position)
		}
	}
	substitute(t.reduced, pivotRow, position)
	entering, leaving := t.nonbasic[position], t.basic[row]
	t.nonbasic[position], t.basic[row] = leaving, entering
	t.place[leaving], t.place[entering] = position, ^row
}

// substitute replaces the entry at a position by that multiple of the pivot row.
func substitute(row, pivotRow []float64, position int) {
	if factor := row[position]; factor != 0 {
		row[position] = 0
		floats.AddScaled(row, factor, pivotRow)
	}
}

// rebuild computes the tableau of the present basis from the rows of the program,
// which removes the rounding errors of earlier pivots. It returns false when the
// basis has become singular.
func (t *denseTableau) rebuild(p *linear) bool {
	wanted := make([]bool, len(t.place)) // basic variables
	for _, v := range t.basic {
		wanted[v] = true
	}
	fresh := &denseTableau{
		columns: t.columns, reduced: make([]float64, t.columns), columnScale: t.columnScale, nonbasic: make([]int, t.columns),
		buffer: t.buffer, value: make([]float64, t.columns), lower: make([]float64, t.columns), upper: make([]float64, t.columns),
	}
	for j := range t.columns {
		fresh.nonbasic[j], fresh.place = j, append(fresh.place, j)
	}
	for i := range t.rowScale {
		fresh.addRow(&p.rows[i])
	}
	for row, leaving := range fresh.basic {
		if wanted[leaving] {
			continue
		}
		best, size := -1, pivotTolerance
		for k, v := range fresh.nonbasic {
			if a := math.Abs(fresh.rows[row][k]); wanted[v] && v < t.columns && a > size {
				best, size = k, a
			}
		}
		if best < 0 {
			return false
		}
		fresh.pivot(row, best)
	}
	t.rows, t.basic, t.nonbasic, t.place = fresh.rows, fresh.basic, fresh.nonbasic, fresh.place
	return true
}
