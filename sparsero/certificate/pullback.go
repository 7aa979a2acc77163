package certificate

import (
	"context"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// pullback holds every atom as an affine function of the decision, ⟨d_i, q(x)⟩ = ⟨g_i, x⟩ + c_i. Coefficients that are
// all exact are stored once.
type pullback []proof.Affine

func newPullback(d *sparsero.Dictionary, q sparsero.AffineMap) pullback {
	p, n := q.Dims()
	coordinates := make([][]int, n) // where the columns of q are not 0
	for k := range p {
		for j, v := range q.Matrix.RawRowView(k) {
			if v != 0 {
				coordinates[j] = append(coordinates[j], k)
			}
		}
	}
	pull := make(pullback, d.Size())
	_ = parallel.Each(context.Background(), len(pull), func(i int) {
		atom, low, high := d.RawRowView(i), make([]float64, n), make([]float64, n)
		exact := true
		for j, rows := range coordinates {
			var sum directed.Sum
			for _, k := range rows {
				sum.AddProduct(atom[k], q.Matrix.At(k, j))
			}
			low[j], high[j] = sum.Lower(), sum.Upper()
			exact = exact && low[j] == high[j]
		}
		if exact {
			high = low
		}
		pull[i].Low, pull[i].High = low, high
		if q.Constant != nil {
			pull[i].ConstantLow, pull[i].ConstantHigh = directed.Dot(atom, q.Constant)
		}
	})
	return pull
}

// size is not below the size of a coefficient.
func (p pullback) size(atom, column int) float64 {
	return max(-p[atom].Low[column], p[atom].High[column])
}
