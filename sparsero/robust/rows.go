package robust

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

var infinity = math.Inf(1)

const (
	// epigraphName is the name of the column t that stands for the worst alignment.
	epigraphName = "worst alignment"
	// robustGroup is the row group of the objective's robust rows.
	robustGroup = "robust objective"
)

// nominalRow is the row of a robust constraint for the null atom.
func (p *Problem) nominalRow(k int) solver.Row {
	c := &p.Constraints[k]
	columns, values := sparse(p.nominalCoefficients(k))
	return solver.Row{Name: c.Name + ": nominal", Group: c.Name, Lower: -infinity, Upper: c.Limit, Columns: columns, Values: values}
}

func (p *Problem) nominalCoefficients(k int) []float64 {
	coefficients := make([]float64, p.Region.Columns())
	copy(coefficients, p.Constraints[k].Nominal)
	return coefficients
}

// robustRow is the row that protects an exposure against an atom.
func (p *Problem) robustRow(c cut, radius float64) solver.Row {
	coefficients, constant := p.pulls[c.exposure+1].back(p.Dictionary.RawRowView(c.atom))
	name := fmt.Sprintf("%s: atom %s", p.exposureName(c.exposure), p.Dictionary.Label(c.atom))
	if c.exposure == objectiveExposure {
		columns, values := sparse(coefficients)
		columns, values = append(columns, p.Region.Columns()), append(values, -1)
		return solver.Row{Name: name, Group: robustGroup, Lower: -infinity, Upper: -constant, Columns: columns, Values: values}
	}
	total := p.nominalCoefficients(c.exposure)
	for j, v := range coefficients {
		total[j] += radius * v
	}
	columns, values := sparse(total)
	constraint := &p.Constraints[c.exposure]
	return solver.Row{Name: name, Group: constraint.Name, Lower: -infinity, Upper: constraint.Limit - radius*constant, Columns: columns, Values: values}
}

// pull is q(x) = Matrix x + Constant prepared for many calls of back.
type pull struct {
	sparsero.AffineMap
	columns [][]int // positions of the nonzeros of each row, nil if the matrix is dense
}

// sparseShare is the share of nonzeros below which a matrix counts as sparse.
const sparseShare = 0.25

func newPull(q sparsero.AffineMap) pull {
	rows, n := q.Dims()
	columns, nonzeros := make([][]int, rows), 0
	for k := range columns {
		columns[k], _ = sparse(q.Matrix.RawRowView(k))
		nonzeros += len(columns[k])
	}
	if float64(nonzeros) > sparseShare*float64(rows*n) {
		columns = nil
	}
	return pull{q, columns}
}

// back writes ⟨atom, q(x)⟩ as ⟨coefficients, x⟩ + constant.
func (q *pull) back(atom []float64) (coefficients []float64, constant float64) {
	p, n := q.Dims()
	coefficients = make([]float64, n)
	if q.columns == nil {
		mat.NewVecDense(n, coefficients).MulVec(q.Matrix.T(), mat.NewVecDense(p, atom))
	}
	for k, columns := range q.columns {
		row := q.Matrix.RawRowView(k)
		for _, j := range columns {
			coefficients[j] += atom[k] * row[j]
		}
	}
	for i, v := range q.Constant {
		constant += v * atom[i]
	}
	return coefficients, constant
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
// column bounds, or +Inf if one of them is infinite. As an upper bound on t it never
// binds, but quadratic codes that meet a column without one may give up.
func (p *Problem) alignmentCeiling() float64 {
	rows, n := p.Map.Dims()
	squares := 0.0
	for k := range rows {
		reach := 0.0
		if p.Map.Constant != nil {
			reach = math.Abs(p.Map.Constant[k])
		}
		for j := range n {
			if a := math.Abs(p.Map.Matrix.At(k, j)); a > 0 {
				c := p.Region.Column(j)
				reach += a * math.Max(math.Abs(c.Lower), math.Abs(c.Upper))
			}
		}
		squares += reach * reach
	}
	return 1 + 2*p.Dictionary.MaxNorm()*math.Sqrt(squares)
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
	for j := range p.Region.Columns() {
		c := p.Region.Column(j)
		if math.IsInf(c.Lower, 0) || math.IsInf(c.Upper, 0) {
			name := c.Name
			if name == "" {
				name = fmt.Sprintf("column %d", j)
			}
			open = append(open, name)
		}
	}
	return open
}
