package interior

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/internal/program"
)

// form is a convex quadratic program in the form of the method,
//
//	min 1/2 x'Hx + g'x,  E x = b,  C x >= d,
//
// where the rows of C are one-sided rows of the program followed by its bounds,
// the latter not stored as a matrix.
type form struct {
	hessian  *mat.SymDense
	gradient []float64

	equal  sides // E, b
	above  sides // rows of C, d
	bounds []bound
}

// sides are one-sided or equality constraints taken from rows and, as unit rows,
// from fixed columns.
type sides struct {
	matrix *mat.Dense // nil when empty
	lines  []float64  // its rows while they are added
	rhs    []float64
	row    []int     // row of the program, -1 for a fixed column
	sign   []float64 // line = sign * row of the program
}

// bound is sign*x_column >= rhs.
type bound struct {
	column    int
	sign, rhs float64
}

func newForm(p *program.Program) *form {
	n := len(p.Cost)
	f := &form{gradient: p.Cost, hessian: mat.NewSymDense(n, nil)}
	for _, q := range p.Quadratic {
		value := q.Value
		if q.I == q.J {
			value *= 2
		}
		f.hessian.SetSym(q.I, q.J, value)
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		switch {
		case len(r.Columns) == 0:
		case r.Lower == r.Upper:
			f.equal.add(n, r, i, 1, r.Lower)
		default:
			if !math.IsInf(r.Lower, -1) {
				f.above.add(n, r, i, 1, r.Lower)
			}
			if !math.IsInf(r.Upper, 1) {
				f.above.add(n, r, i, -1, r.Upper)
			}
		}
	}
	for j := range n {
		lower, upper := p.Lower[j], p.Upper[j]
		if lower == upper {
			f.equal.add(n, &program.Row{Columns: []int{j}, Values: []float64{1}}, -1, 1, lower)
			continue
		}
		if !math.IsInf(lower, -1) {
			f.bounds = append(f.bounds, bound{j, 1, lower})
		}
		if !math.IsInf(upper, 1) {
			f.bounds = append(f.bounds, bound{j, -1, -upper})
		}
	}
	f.equal.close(n)
	f.above.close(n)
	return f
}

// add appends sign * (row, rhs).
func (s *sides) add(n int, r *program.Row, row int, sign, rhs float64) {
	line := make([]float64, n)
	for k, j := range r.Columns {
		line[j] = sign * r.Values[k]
	}
	s.lines = append(s.lines, line...)
	s.rhs, s.row, s.sign = append(s.rhs, sign*rhs), append(s.row, row), append(s.sign, sign)
}

// close builds the matrix once all rows are added.
func (s *sides) close(n int) {
	if len(s.rhs) > 0 {
		s.matrix, s.lines = mat.NewDense(len(s.rhs), n, s.lines), nil
	}
}

// times returns the matrix times x.
func (s *sides) times(x []float64) []float64 {
	out := make([]float64, len(s.rhs))
	if s.matrix != nil {
		mat.NewVecDense(len(out), out).MulVec(s.matrix, mat.NewVecDense(len(x), x))
	}
	return out
}

// addTransposed adds factor times the transposed matrix times y to out.
func (s *sides) addTransposed(out []float64, factor float64, y []float64) {
	if s.matrix == nil {
		return
	}
	var product mat.VecDense
	product.MulVec(s.matrix.T(), mat.NewVecDense(len(y), y))
	floats.AddScaled(out, factor, product.RawVector().Data)
}

// timesC returns C x.
func (f *form) timesC(x []float64) []float64 {
	out := f.above.times(x)
	for _, b := range f.bounds {
		out = append(out, b.sign*x[b.column])
	}
	return out
}

// addTransposedC adds factor times C'z to out.
func (f *form) addTransposedC(out []float64, factor float64, z []float64) {
	rows := len(f.above.rhs)
	f.above.addTransposed(out, factor, z[:rows])
	for k, b := range f.bounds {
		out[b.column] += factor * b.sign * z[rows+k]
	}
}

// rhsC returns d.
func (f *form) rhsC() []float64 {
	d := append([]float64(nil), f.above.rhs...)
	for _, b := range f.bounds {
		d = append(d, b.rhs)
	}
	return d
}

// timesH returns H x.
func (f *form) timesH(x []float64) []float64 {
	out := make([]float64, len(x))
	mat.NewVecDense(len(out), out).MulVec(f.hessian, mat.NewVecDense(len(x), x))
	return out
}

// answer translates a point with multipliers y of E and z of C into the rows of the program.
func (f *form) answer(p *program.Program, x, y, z []float64) program.Answer {
	x, rowDuals := append([]float64(nil), x...), make([]float64, len(p.Rows))
	for k, i := range f.equal.row {
		if i >= 0 {
			rowDuals[i] += y[k]
		}
	}
	for k, i := range f.above.row {
		rowDuals[i] += f.above.sign[k] * z[k]
	}
	return program.Answer{X: x, RowDuals: rowDuals, ColumnDuals: p.ReducedCosts(x, rowDuals)}
}
