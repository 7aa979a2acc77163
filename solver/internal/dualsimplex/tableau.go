package dualsimplex

import (
	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/floats"
)

// tableau writes a linear program with its basic variables in terms of the others,
//
//	x_basic = T x_nonbasic,   objective = reduced'x_nonbasic + constant.
//
// Variables 0..n-1 are the columns of the program, variable n+i is the activity of row i.
type tableau struct {
	columns           int // n
	cost              []float64
	lower, upper      []float64 // one per variable
	value             []float64 // one per variable
	place             []int     // k >= 0: nonbasic at position k; ^i < 0: basic in row i
	nonbasic, basic   []int     // variables by position and by row
	rows              [][]float64
	reduced           []float64
	infeasibleRow     int  // shows that there is no point
	cold              bool // no solve has ended yet
	buffer            []float64
	breakpoints       breakpoints
	edgeWeights       []float64
	degenerate, limit int
}

// newTableau starts with n nonbasic columns and no rows.
func newTableau(n int) *tableau {
	t := &tableau{columns: n, cold: true, nonbasic: make([]int, n), place: make([]int, n)}
	for j := range n {
		t.nonbasic[j], t.place[j] = j, j
	}
	for _, v := range []*[]float64{&t.cost, &t.reduced, &t.buffer, &t.lower, &t.upper, &t.value} {
		*v = make([]float64, n)
	}
	return t
}

// synchronise takes over what has changed in the program: new rows enter the basis, costs and bounds are read anew.
func (t *tableau) synchronise(p *program.Program) {
	for i := len(t.basic); i < len(p.Rows); i++ {
		t.addRow(&p.Rows[i])
	}
	copy(t.cost, p.Cost)
	copy(t.lower, p.Lower)
	copy(t.upper, p.Upper)
	for i, r := range p.Rows {
		t.lower[t.columns+i], t.upper[t.columns+i] = r.Lower, r.Upper
	}
}

// addRow appends a row; its activity enters the basis.
func (t *tableau) addRow(r *program.Row) {
	clear(t.buffer)
	for k, column := range r.Columns {
		t.buffer[column] = r.Values[k]
	}
	t.place = append(t.place, ^len(t.basic))
	t.basic = append(t.basic, t.columns+len(t.basic))
	t.lower, t.upper, t.value = append(t.lower, 0), append(t.upper, 0), append(t.value, 0)
	t.rows = append(t.rows, t.inBasis(t.buffer))
}

// inBasis writes a combination of columns in terms of the nonbasic variables.
func (t *tableau) inBasis(combination []float64) []float64 {
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
func (t *tableau) price() { t.reduced = t.inBasis(t.cost) }

// evaluate computes the values of the basic variables.
func (t *tableau) evaluate() {
	for k, v := range t.nonbasic {
		t.buffer[k] = t.value[v]
	}
	for i, v := range t.basic {
		t.value[v] = floats.Dot(t.rows[i], t.buffer)
	}
}

// pivot exchanges the basic variable of a row with the nonbasic one at a position.
func (t *tableau) pivot(row, position int) {
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
