package certificate

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// pulledBack holds every atom as an affine function of the decision,
// ⟨d_i, q(x)⟩ = ⟨rows[i], x⟩ + constants[i].
type pulledBack struct {
	rows      [][]float64
	constants []float64
}

func newPulledBack(d *sparsero.Dictionary, q sparsero.AffineMap) *pulledBack {
	p, n := q.Dims()
	pull := &pulledBack{rows: make([][]float64, d.Size()), constants: make([]float64, d.Size())}
	flat := make([]float64, d.Size()*n)
	for i := range pull.rows {
		pull.rows[i] = flat[i*n : (i+1)*n]
		atom := d.RawRowView(i)
		mat.NewVecDense(n, pull.rows[i]).MulVec(q.Matrix.T(), mat.NewVecDense(p, atom))
		if q.Constant != nil {
			pull.constants[i] = floats.Dot(atom, q.Constant)
		}
	}
	return pull
}

// affine is x ↦ ⟨gradient, x⟩ + constant.
type affine struct {
	gradient []float64
	constant float64
}

// combine returns Σ_k weights[k] ⟨d_{indices[k]}, q(x)⟩.
func (pull *pulledBack) combine(indices []int, weights []float64) affine {
	sum := affine{gradient: make([]float64, len(pull.rows[0]))}
	for k, w := range weights {
		if w == 0 {
			continue
		}
		for j, v := range pull.rows[indices[k]] {
			sum.gradient[j] += w * v
		}
		sum.constant += w * pull.constants[indices[k]]
	}
	return sum
}

// lagrangian is the part ⟨y, Bx⟩ of the region's rows with multipliers y, and the
// largest value Σ_i max(y_i lower_i, y_i upper_i) that it can take on X.
type lagrangian struct {
	gradient []float64
	largest  float64
}

// newLagrangian drops the multipliers that would lean on an infinite row bound.
func newLagrangian(region *solver.Model, multipliers []float64) *lagrangian {
	l := &lagrangian{gradient: make([]float64, region.Columns())}
	for i, y := range multipliers {
		lower, upper := region.RowBounds(i)
		bound := upper
		if y < 0 {
			bound = lower
		}
		if y == 0 || math.IsInf(bound, 0) {
			continue
		}
		columns, values := region.RowTerms(i)
		for k, j := range columns {
			l.gradient[j] += y * values[k]
		}
		l.largest += y * bound
	}
	return l
}

// maximum bounds ⟨d_i, q(x)⟩ - subtracted(x) over X: the maximum over the box of
// what the rows leave (all of it without rows), plus the most the rows can add.
func (pull *pulledBack) maximum(i int, subtracted affine, rows *lagrangian, box Box) float64 {
	value := pull.constants[i] - subtracted.constant
	if rows != nil {
		value += rows.largest
	}
	for j, g := range pull.rows[i] {
		g -= subtracted.gradient[j]
		if rows != nil {
			g -= rows.gradient[j]
		}
		switch {
		case g > 0:
			value += g * box.Upper[j]
		case g < 0:
			value += g * box.Lower[j]
		}
	}
	return value
}
