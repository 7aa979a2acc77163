package robust

import (
	"fmt"
	"math"

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

// robustRow is the row that protects an exposure against an atom. It is relaxed by what the
// rounding errors of its coefficients can move its activity by over the bounds of the columns,
// so that the model admits all that the exact one admits, and a lower bound for it holds for
// the exact one. For columns without bounds there is no such number; there the coefficients
// are right to the last bit or so and stand as they are.
func (p *Problem) robustRow(c cut, radius float64) solver.Row {
	row := solver.Row{Name: p.exposureName(c.exposure) + ": nominal", Group: robustGroup}
	var atom []float64 // the null atom
	if c.atom != sparsero.NullAtom {
		row.Name, atom = fmt.Sprintf("%s: atom %s", p.exposureName(c.exposure), p.dictionary.Label(c.atom)), p.dictionary.RawRowView(c.atom)
	}
	form := p.pulls[c.exposure+1].back(atom)
	factor, limit, nominal := 1.0, 0.0, make([]float64, len(form.coefficients))
	if c.exposure != objectiveExposure {
		constraint := &p.constraints[c.exposure]
		row.Group, factor, limit = constraint.Name, radius, constraint.Limit
		copy(nominal, constraint.Nominal)
	}
	upper, reach := fused(-factor, form.constant, form.constantError, limit)
	for j, v := range form.coefficients {
		value, err := fused(factor, v, form.errors[j], nominal[j])
		if value != 0 {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, value)
		}
		column := p.region.Column(j)
		if size := math.Max(math.Abs(column.Lower()), math.Abs(column.Upper())); err > 0 && !math.IsInf(size, 1) {
			reach = directed.SumUpper(reach, directed.ProductUpper(err, size))
		}
	}
	if c.exposure == objectiveExposure {
		row.Columns, row.Values = append(row.Columns, p.region.Columns()), append(row.Values, -1)
	}
	row.Bounds = solver.AtMost(directed.SumUpper(upper, reach))
	return row
}

// fused returns factor v + addend and a bound on its error, v itself being off by at most
// the given error.
func fused(factor, v, err, addend float64) (value, bound float64) {
	var sum directed.Sum
	sum.Add(addend)
	sum.AddProduct(factor, v)
	value, bound = sum.Rounded()
	return value, directed.SumUpper(bound, directed.ProductUpper(math.Abs(factor), err))
}

// affineForm is x ↦ ⟨coefficients, x⟩ + constant in float64 with bounds on the errors.
type affineForm struct {
	coefficients, errors    []float64
	constant, constantError float64
}

// pull is q(x) = Matrix x + Constant prepared for many calls of back.
type pull struct {
	sparsero.AffineMap
	columns [][]int // positions of the nonzeros of each row
}

func newPull(q sparsero.AffineMap) pull {
	rows, _ := q.Dims()
	columns := make([][]int, rows)
	for k := range columns {
		columns[k], _ = sparse(q.Matrix.RawRowView(k))
	}
	return pull{q, columns}
}

// meets tells whether ⟨atom, q(x)⟩ is anything but 0: an atom in coordinates that q leaves at 0 is the null atom there.
func (q *pull) meets(atom []float64) bool {
	for k, v := range atom {
		if v != 0 && (len(q.columns[k]) > 0 || q.Constant != nil && q.Constant[k] != 0) {
			return true
		}
	}
	return false
}

// back writes ⟨atom, q(x)⟩ as ⟨coefficients, x⟩ + constant.
func (q *pull) back(atom []float64) affineForm {
	_, n := q.Dims()
	sums, constant := make([]directed.Sum, n), directed.Sum{}
	for k, v := range atom {
		if v == 0 {
			continue
		}
		row := q.Matrix.RawRowView(k)
		for _, j := range q.columns[k] {
			sums[j].AddProduct(v, row[j])
		}
		if q.Constant != nil {
			constant.AddProduct(v, q.Constant[k])
		}
	}
	form := affineForm{coefficients: make([]float64, n), errors: make([]float64, n)}
	for j := range sums {
		form.coefficients[j], form.errors[j] = sums[j].Rounded()
	}
	form.constant, form.constantError = constant.Rounded()
	return form
}

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
	farthest := make([]float64, p.region.Columns())
	for j := range farthest {
		c := p.region.Column(j)
		farthest[j] = math.Max(math.Abs(c.Lower()), math.Abs(c.Upper()))
	}
	return 2 * p.dictionary.AlignmentReach(termSizes(p.q, farthest))
}

// termSizes returns the sizes of the terms of each coordinate of q(x), |c_k| + Σ_j |a_kj x_j|.
func termSizes(q sparsero.AffineMap, x []float64) []float64 {
	rows, _ := q.Dims()
	sizes := make([]float64, rows)
	for k := range sizes {
		if q.Constant != nil {
			sizes[k] = math.Abs(q.Constant[k])
		}
		for j, a := range q.Matrix.RawRowView(k) {
			if a != 0 { // x_j may be infinite
				sizes[k] += math.Abs(a * x[j])
			}
		}
	}
	return sizes
}

// openColumns names the columns of the region that lack a finite bound.
func (p *Problem) openColumns() []string {
	var open []string
	for j := range p.region.Columns() {
		if c := p.region.Column(j); math.IsInf(c.Lower(), 0) || math.IsInf(c.Upper(), 0) {
			open = append(open, p.region.ColumnName(j))
		}
	}
	return open
}
