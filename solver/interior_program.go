package solver

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// interiorProgram is a convex quadratic program in the form of the interior
// point method, scaled:
//
//	min 1/2 x'Hx + g'x,  E x = b,  C x >= d,
//
// where the rows of C are one-sided rows of the model followed by its bounds,
// the latter not stored as a matrix.
type interiorProgram struct {
	model    *Model
	columns  []float64 // scale: x_j = columns[j] * scaled x_j
	size     float64   // scale of the objective
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
	row    []int     // row of the model, -1 for a fixed column
	factor []float64 // scaled row = factor * row of the model
}

// bound is sign*x_column >= rhs.
type bound struct {
	column    int
	sign, rhs float64
}

// interiorPoint is a primal-dual point in the units and rows of the model, in
// its own sense.
type interiorPoint struct{ x, rowDuals, columnDuals []float64 }

func newInteriorProgram(m *Model) *interiorProgram {
	linear := newLinear(m)
	p := &interiorProgram{model: m, gradient: linear.cost}
	n := len(m.columns)
	p.hessian = mat.NewSymDense(n, nil)
	sign := 1.0
	if m.sense == Maximize {
		sign = -1
	}
	for _, t := range m.Quadratic() {
		value := sign * t.Value
		if t.I == t.J {
			value *= 2
		}
		p.hessian.SetSym(t.I, t.J, value)
	}
	p.scaleColumns(linear)
	for i, r := range linear.rows {
		entries := p.scaledEntries(r)
		factor := 0.0
		for _, e := range entries {
			factor = math.Max(factor, math.Abs(e.value))
		}
		if factor == 0 {
			continue
		}
		factor = powerOfTwo(1 / factor)
		switch {
		case r.lower == r.upper:
			p.equal.add(n, entries, i, factor, r.lower)
		default:
			if !math.IsInf(r.lower, -1) {
				p.above.add(n, entries, i, factor, r.lower)
			}
			if !math.IsInf(r.upper, 1) {
				p.above.add(n, entries, i, -factor, r.upper)
			}
		}
	}
	for j := range n {
		lower, upper := linear.lower[j]/p.columns[j], linear.upper[j]/p.columns[j]
		if lower == upper {
			p.equal.add(n, []entry{{j, 1}}, -1, 1, lower)
			continue
		}
		if !math.IsInf(lower, -1) {
			p.bounds = append(p.bounds, bound{j, 1, lower})
		}
		if !math.IsInf(upper, 1) {
			p.bounds = append(p.bounds, bound{j, -1, -upper})
		}
	}
	p.equal.close(n)
	p.above.close(n)
	return p
}

// scaleColumns chooses units in which the largest coefficient of each column is
// near 1, and scales the objective to largest coefficient 1.
func (p *interiorProgram) scaleColumns(linear *linear) {
	n := len(p.gradient)
	p.columns = make([]float64, n)
	for _, r := range linear.rows {
		for k, j := range r.columns {
			p.columns[j] = math.Max(p.columns[j], math.Abs(r.values[k])/maxAbs(r.values))
		}
	}
	for j := range n {
		if p.columns[j] == 0 {
			p.columns[j] = math.Sqrt(p.hessian.At(j, j))
		}
		if p.columns[j] == 0 {
			p.columns[j] = 1
		}
		p.columns[j] = powerOfTwo(1 / p.columns[j])
	}
	for j := range n {
		p.gradient[j] *= p.columns[j]
		p.size = math.Max(p.size, math.Abs(p.gradient[j]))
		for i := range j + 1 {
			value := p.hessian.At(i, j) * p.columns[i] * p.columns[j]
			p.hessian.SetSym(i, j, value)
			p.size = math.Max(p.size, math.Abs(value))
		}
	}
	if p.size == 0 {
		p.size = 1
	}
	p.size = powerOfTwo(p.size)
	p.hessian.ScaleSym(1/p.size, p.hessian)
	for j := range n {
		p.gradient[j] /= p.size
	}
}

func (p *interiorProgram) scaledEntries(r rowData) []entry {
	entries := make([]entry, len(r.columns))
	for k, j := range r.columns {
		entries[k] = entry{j, r.values[k] * p.columns[j]}
	}
	return entries
}

// add appends factor * (entries, rhs).
func (s *sides) add(n int, entries []entry, row int, factor, rhs float64) {
	line := make([]float64, n)
	for _, e := range entries {
		line[e.index] = factor * e.value
	}
	s.lines = append(s.lines, line...)
	s.rhs, s.row, s.factor = append(s.rhs, factor*rhs), append(s.row, row), append(s.factor, factor)
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
	for j := range out {
		out[j] += factor * product.AtVec(j)
	}
}

// timesC returns C x.
func (p *interiorProgram) timesC(x []float64) []float64 {
	out := p.above.times(x)
	for _, b := range p.bounds {
		out = append(out, b.sign*x[b.column])
	}
	return out
}

// addTransposedC adds factor times C'z to out.
func (p *interiorProgram) addTransposedC(out []float64, factor float64, z []float64) {
	rows := len(p.above.rhs)
	p.above.addTransposed(out, factor, z[:rows])
	for k, b := range p.bounds {
		out[b.column] += factor * b.sign * z[rows+k]
	}
}

// rhsC returns d.
func (p *interiorProgram) rhsC() []float64 {
	d := append([]float64(nil), p.above.rhs...)
	for _, b := range p.bounds {
		d = append(d, b.rhs)
	}
	return d
}

// timesH returns H x.
func (p *interiorProgram) timesH(x []float64) []float64 {
	out := make([]float64, len(x))
	mat.NewVecDense(len(out), out).MulVec(p.hessian, mat.NewVecDense(len(x), x))
	return out
}

// original translates a scaled point with multipliers y of E and z of C.
func (p *interiorProgram) original(x, y, z []float64) interiorPoint {
	m := p.model
	point := interiorPoint{make([]float64, len(x)), make([]float64, len(m.rows)), nil}
	for j := range x {
		point.x[j] = x[j] * p.columns[j]
	}
	snapToBounds(m, point.x)
	sign := p.size
	if m.sense == Maximize {
		sign = -sign
	}
	for k, i := range p.equal.row {
		if i >= 0 {
			point.rowDuals[i] += sign * p.equal.factor[k] * y[k]
		}
	}
	for k, i := range p.above.row {
		point.rowDuals[i] += sign * p.above.factor[k] * z[k]
	}
	point.columnDuals = m.gradient(point.x)
	for i, r := range m.rows {
		for k, j := range r.columns {
			point.columnDuals[j] -= point.rowDuals[i] * r.values[k]
		}
	}
	return point
}

// snapToBounds moves values that differ from a bound by rounding onto it.
func snapToBounds(m *Model, x []float64) {
	for j, c := range m.columns {
		for _, b := range [2]float64{c.Lower, c.Upper} {
			if !math.IsInf(b, 0) && math.Abs(x[j]-b) <= interiorSnap*math.Max(1, math.Abs(b)) {
				x[j] = b
			}
		}
	}
}

// interiorSnap is the relative distance to a bound that counts as rounding: an
// interior point never reaches a bound by itself.
const interiorSnap = 1e-9
