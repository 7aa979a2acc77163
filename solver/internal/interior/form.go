package interior

import (
	"math"

	"github.com/sparsero/directions/solver/internal/program"
	"gonum.org/v1/gonum/mat"
)

// form is a convex quadratic program in the form of the method,
//
//	min 1/2 x'Hx + g'x,  E x = b,  C x >= d,
//
// where E and C hold the rows of the program and the bounds of its columns.
type form struct {
	hessian  *mat.SymDense
	gradient []float64
	equal    []side // E, b
	above    []side // C, d
}

// side is sign * Values'x = rhs, or >= rhs.
type side struct {
	*program.Row
	sign, rhs float64
	row       int // of the program, -1 for a column
}

func newForm(p *program.Program) *form {
	f := &form{gradient: p.Cost, hessian: mat.NewSymDense(len(p.Cost), nil)}
	for _, q := range p.Quadratic {
		value := q.Value
		if q.I == q.J {
			value *= 2
		}
		f.hessian.SetSym(q.I, q.J, value)
	}
	for i := range p.Rows {
		if r := &p.Rows[i]; len(r.Columns) > 0 {
			f.constrain(i, r, r.Lower, r.Upper)
		}
	}
	for j := range p.Cost {
		f.constrain(-1, &program.Row{Columns: []int{j}, Values: []float64{1}}, p.Lower[j], p.Upper[j])
	}
	return f
}

func (f *form) constrain(i int, r *program.Row, lower, upper float64) {
	if lower == upper {
		f.equal = append(f.equal, side{r, 1, lower, i})
		return
	}
	if !math.IsInf(lower, -1) {
		f.above = append(f.above, side{r, 1, lower, i})
	}
	if !math.IsInf(upper, 1) {
		f.above = append(f.above, side{r, -1, -upper, i})
	}
}

// times returns the matrix of the sides times x.
func times(sides []side, x []float64) []float64 {
	out := make([]float64, len(sides))
	for k, s := range sides {
		activity, _ := program.Activity(s.Row, x)
		out[k] = s.sign * activity
	}
	return out
}

// addTransposed adds factor times the transposed matrix of the sides times y to out.
func addTransposed(out []float64, factor float64, sides []side, y []float64) {
	for k, s := range sides {
		for e, j := range s.Columns {
			out[j] += factor * s.sign * y[k] * s.Values[e]
		}
	}
}

// answer translates a point with multipliers y of E and z of C into the rows of the program.
func (f *form) answer(p *program.Program, x, y, z []float64) program.Answer {
	rowDuals := make([]float64, len(p.Rows))
	add := func(sides []side, multipliers []float64) {
		for k, s := range sides {
			if s.row >= 0 {
				rowDuals[s.row] += s.sign * multipliers[k]
			}
		}
	}
	add(f.equal, y)
	add(f.above, z)
	return program.Answer{X: x, RowDuals: rowDuals, ColumnDuals: program.ReducedCosts(p, x, rowDuals)}
}
