package robust

import (
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// pullback is q(x) = Matrix x + Constant prepared for many atoms.
type pullback struct {
	sparsero.AffineMap
	columns [][]int // positions of the nonzeros of each row
}

func newPullback(q sparsero.AffineMap) pullback {
	rows, _ := q.Dims()
	columns := make([][]int, rows)
	for k := range columns {
		columns[k], _ = sparse(q.Matrix.RawRowView(k))
	}
	return pullback{q, columns}
}

// meets tells whether ⟨atom, q(x)⟩ is anything but 0: an atom in coordinates that q leaves at 0 is the null atom there.
func (q *pullback) meets(atom []float64) bool {
	for k, v := range atom {
		if v != 0 && (len(q.columns[k]) > 0 || q.Constant != nil && q.Constant[k] != 0) {
			return true
		}
	}
	return false
}

// of writes ⟨atom, q(x)⟩ as ⟨coefficients, x⟩ + constant in float64.
func (q *pullback) of(atom []float64) (coefficients []float64, constant float64) {
	_, n := q.Dims()
	sums := make([]directed.Sum, n)
	rest := q.sums(atom, sums)
	coefficients = make([]float64, n)
	for j := range sums {
		coefficients[j] = sums[j].Value()
	}
	return coefficients, rest.Value()
}

// sums writes the coefficients of that form, with bounds on their errors, and returns the constant.
func (q *pullback) sums(atom []float64, coefficients []directed.Sum) (constant directed.Sum) {
	clear(coefficients)
	for k, v := range atom {
		if v == 0 {
			continue
		}
		row := q.Matrix.RawRowView(k)
		for _, j := range q.columns[k] {
			coefficients[j].AddProduct(v, row[j])
		}
		if q.Constant != nil {
			constant.AddProduct(v, q.Constant[k])
		}
	}
	return constant
}

func sparse(dense []float64) (columns []int, values []float64) {
	for j, v := range dense {
		if v != 0 {
			columns, values = append(columns, j), append(values, v)
		}
	}
	return columns, values
}
