package certificate

import (
	"context"
	"fmt"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// DirectionNorm returns a bound on ‖q(x)‖₂ over a polyhedron X,
//
//	(Σ_k max_x q_k(x)²)^½,
//
// by two linear programs per coordinate of q. It is proven like BoundingBox, and exact up to the accuracy of the solver
// when the extremes of all coordinates are attained together, as on a box with a diagonal q. The errors are those of
// BoundingBox and of a q that does not fit the region.
func DirectionNorm(ctx context.Context, region *solver.Model, q sparsero.AffineMap, o *solver.Options) (proof.Upper, error) {
	ctx = input.Context(ctx)
	if err := checkRegion(nil, region, q); err != nil {
		return proof.Upper{}, err
	}
	e, err := newExtremes(polyhedron(region), o)
	if err != nil {
		return proof.Upper{}, err
	}
	p, _ := q.Dims()
	largest := make([]float64, p)
	for k := range p {
		lower, upper, err := e.extent(ctx, mat.Row(nil, k, q.Matrix), fmt.Sprintf("coordinate %d of q", k))
		if err != nil {
			return proof.Upper{}, err
		}
		constant := constantOf(q, k)
		largest[k] = max(directed.SumUpper(upper, constant), directed.SumUpper(-lower, -constant))
	}
	return proof.AtMost(directed.NormUpper(largest)), nil
}

func constantOf(q sparsero.AffineMap, k int) float64 {
	if q.Constant == nil {
		return 0
	}
	return q.Constant[k]
}
