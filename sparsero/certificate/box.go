package certificate

import (
	"context"
	"errors"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// box is the product of the intervals [Lower[j], Upper[j]].
type box struct {
	Lower, Upper []float64
}

// BoundingBox returns the lower and the upper ends of a box around the polyhedron X, by two linear programs per
// variable, one polyhedron with changing objectives. It contains X: each bound is proven by the multipliers of its
// program and rounded outwards; it is the smallest box up to the accuracy of the solver. Integrality is dropped, so for
// integer variables the box may be larger than necessary. Errors: solver.ErrInfeasible, solver.ErrUnbounded, one that
// names a variable whose range the multipliers do not prove, and the context's.
func BoundingBox(ctx context.Context, region *solver.Model, o *solver.Options) (lower, upper []float64, err error) {
	ctx = input.Context(ctx)
	if region == nil {
		return nil, nil, errors.New("certificate: region is nil; describe X with solver.NewModel")
	}
	b, err := boundingBox(ctx, region, o, true)
	return b.Lower, b.Upper, err
}

// boundingBox computes the bounds of all columns, or of those alone that have an infinite one.
func boundingBox(ctx context.Context, region *solver.Model, o *solver.Options, all bool) (box, error) {
	n := region.Columns()
	b := box{Lower: make([]float64, n), Upper: make([]float64, n)}
	e, err := newExtremes(polyhedron(region), o)
	if err != nil {
		return box{}, err
	}
	for j := range n {
		c, name := region.Column(j), region.ColumnName(j)
		if b.Lower[j], b.Upper[j] = c.Lower(), c.Upper(); !all && !math.IsInf(c.Lower(), 0) && !math.IsInf(c.Upper(), 0) {
			continue
		}
		costs := make([]float64, n)
		costs[j] = 1
		lower, upper, err := e.extent(ctx, costs, name)
		if err != nil {
			return box{}, err
		}
		b.Lower[j], b.Upper[j] = max(b.Lower[j], lower), min(b.Upper[j], upper)
	}
	return b, nil
}
