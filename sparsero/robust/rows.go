package robust

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
)

const (
	// epigraphName is the name of the column t that stands for the worst alignment.
	epigraphName = "worst alignment"
	// robustGroup is the row group of the objective's robust rows.
	robustGroup = "robust objective"
)

// nominalRow is the row of a robust constraint for the null atom.
func (p *Problem) nominalRow(k int) solver.Row {
	c := &p.constraints[k]
	columns, values := sparse(p.nominalCoefficients(k))
	return solver.Row{Name: c.Name + ": nominal", Group: c.Name, Bounds: solver.AtMost(c.Limit), Columns: columns, Values: values}
}

func (p *Problem) nominalCoefficients(k int) []float64 {
	coefficients := make([]float64, p.region.Columns())
	copy(coefficients, p.constraints[k].Nominal)
	return coefficients
}

// robustRow is the row that protects an exposure against an atom.
func (p *Problem) robustRow(c cut, radius float64) solver.Row {
	pulled := p.pulls[c.exposure+1].back(p.dictionary.RawRowView(c.atom))
	name := fmt.Sprintf("%s: atom %s", p.exposureName(c.exposure), p.dictionary.Label(c.atom))
	if c.exposure == objectiveExposure {
		columns, values := sparse(pulled.coefficients)
		columns, values = append(columns, p.region.Columns()), append(values, -1)
		upper := directed.SumUpper(-pulled.constant, p.roundingReach(&pulled))
		return solver.Row{Name: name, Group: robustGroup, Bounds: solver.AtMost(upper), Columns: columns, Values: values}
	}
	constraint := &p.constraints[c.exposure]
	total := affineForm{coefficients: p.nominalCoefficients(c.exposure), errors: make([]float64, len(pulled.coefficients))}
	for j, v := range pulled.coefficients {
		total.coefficients[j], total.errors[j] = fused(radius, v, pulled.errorOf(j), total.coefficients[j])
	}
	total.constant, total.constantError = fused(-radius, pulled.constant, pulled.constantError, constraint.Limit)
	columns, values := sparse(total.coefficients)
	upper := directed.SumUpper(total.constant, p.roundingReach(&total))
	return solver.Row{Name: name, Group: constraint.Name, Bounds: solver.AtMost(upper), Columns: columns, Values: values}
}

// fused returns factor v + addend and a bound on its error, v itself being off by at most
// the given error.
func fused(factor, v, err, addend float64) (value, bound float64) {
	var sum directed.Sum
	sum.Add(addend)
	sum.AddProduct(factor, v)
	value = sum.Value()
	bound = math.Max(directed.SumUpper(sum.Upper(), -value), directed.SumUpper(value, -sum.Lower()))
	return value, directed.SumUpper(bound, directed.ProductUpper(math.Abs(factor), err))
}

// roundingReach bounds what the rounding errors of a row can move its activity by over the
// bounds of the columns. A row is relaxed by it, so that the model with its rounded
// coefficients admits all that the exact one admits, and a lower bound for it holds for the
// exact one. For columns without bounds there is no such number; there the coefficients
// are right to the last bit or so and stand as they are.
func (p *Problem) roundingReach(form *affineForm) float64 {
	reach := form.constantError
	for j, e := range form.errors {
		if e == 0 {
			continue
		}
		c := p.region.Column(j)
		if size := math.Max(math.Abs(c.Lower()), math.Abs(c.Upper())); !math.IsInf(size, 1) {
			reach = directed.SumUpper(reach, directed.ProductUpper(e, size))
		}
	}
	return reach
}

// affineForm is x ↦ ⟨coefficients, x⟩ + constant in float64 with bounds on the errors.
type affineForm struct {
	coefficients, errors    []float64 // errors may be nil for none
	constant, constantError float64
}

func (f *affineForm) errorOf(j int) float64 {
	if f.errors == nil {
		return 0
	}
	return f.errors[j]
}

// pull is q(x) = Matrix x + Constant prepared for many calls of back.
type pull struct {
	sparsero.AffineMap
	columns [][]int    // positions of the nonzeros of each row, nil if the matrix is large and dense
	sizes   *mat.Dense // |Matrix|, where columns are nil
}

// smallMatrix is the number of entries up to which a matrix is gone through entry by entry,
// with errors known to the bit, even where it is dense.
const smallMatrix = 4096

// sparseShare is the share of nonzeros below which a matrix counts as sparse.
const sparseShare = 0.25

func newPull(q sparsero.AffineMap) pull {
	rows, n := q.Dims()
	columns, nonzeros := make([][]int, rows), 0
	for k := range columns {
		columns[k], _ = sparse(q.Matrix.RawRowView(k))
		nonzeros += len(columns[k])
	}
	if rows*n > smallMatrix && float64(nonzeros) > sparseShare*float64(rows*n) {
		sizes := mat.NewDense(rows, n, nil)
		sizes.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, q.Matrix)
		return pull{q, nil, sizes}
	}
	return pull{q, columns, nil}
}

// back writes ⟨atom, q(x)⟩ as ⟨coefficients, x⟩ + constant.
func (q *pull) back(atom []float64) affineForm {
	p, n := q.Dims()
	form := affineForm{coefficients: make([]float64, n), errors: make([]float64, n)}
	if q.columns == nil {
		size := make([]float64, p)
		for k, v := range atom {
			size[k] = math.Abs(v)
		}
		mat.NewVecDense(n, form.coefficients).MulVec(q.Matrix.T(), mat.NewVecDense(p, atom))
		mat.NewVecDense(n, form.errors).MulVec(q.sizes.T(), mat.NewVecDense(p, size))
		for j := range form.errors {
			form.errors[j] *= float64(p+1) * productError
		}
	}
	for k, columns := range q.columns {
		if atom[k] == 0 {
			continue
		}
		row := q.Matrix.RawRowView(k)
		for _, j := range columns {
			var err float64
			form.coefficients[j], err = fused(atom[k], row[j], 0, form.coefficients[j])
			form.errors[j] = directed.SumUpper(form.errors[j], err)
		}
	}
	var constant directed.Sum
	for i, v := range q.Constant {
		constant.AddProduct(v, atom[i])
	}
	form.constant = constant.Value()
	form.constantError = math.Max(directed.SumUpper(constant.Upper(), -form.constant), directed.SumUpper(form.constant, -constant.Lower()))
	return form
}

// productError is the relative error of one product or sum, with a reserve for the error
// of the error.
const productError = 0x1p-52

// sparse keeps the coefficients that are not zero.
func sparse(dense []float64) (columns []int, values []float64) {
	for j, v := range dense {
		if v != 0 {
			columns, values = append(columns, j), append(values, v)
		}
	}
	return columns, values
}

// alignmentCeiling is a number that no alignment ⟨d_i, q(x)⟩ over X reaches, from the
// column bounds, or +Inf if one of them is infinite where it matters. As an upper bound on
// t it never binds, but quadratic codes that meet a column without one may give up.
func (p *Problem) alignmentCeiling() float64 {
	rows, n := p.q.Dims()
	reach := make([]float64, rows)
	for k := range rows {
		if p.q.Constant != nil {
			reach[k] = math.Abs(p.q.Constant[k])
		}
		for j := range n {
			if a := math.Abs(p.q.Matrix.At(k, j)); a > 0 {
				c := p.region.Column(j)
				reach[k] += a * math.Max(math.Abs(c.Lower()), math.Abs(c.Upper()))
			}
		}
	}
	return 2 * p.dictionary.AlignmentReach(reach)
}

// feasibilityModel copies columns, rows and integrality and drops the objective.
func feasibilityModel(m *solver.Model) *solver.Model {
	copied := solver.NewModel("feasibility of " + m.Name())
	for j := range m.Columns() {
		column := m.Column(j)
		column.Cost = 0
		copied.AddColumn(column)
	}
	for i := range m.Rows() {
		copied.AddRow(m.Row(i))
	}
	return copied
}

// openColumns names the columns of the region that lack a finite bound.
func (p *Problem) openColumns() []string {
	var open []string
	for j := range p.region.Columns() {
		c := p.region.Column(j)
		if math.IsInf(c.Lower(), 0) || math.IsInf(c.Upper(), 0) {
			name := c.Name
			if name == "" {
				name = fmt.Sprintf("column %d", j)
			}
			open = append(open, name)
		}
	}
	return open
}
