package certificate

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
)

// errEmptyRegion says that X has no point.
var errEmptyRegion = fmt.Errorf("certificate: region X is empty, so there is nothing to certify; call solver.Explain to see which of its rows and bounds conflict: %w", solver.ErrInfeasible)

// unboundedRegion says that the variable, or the expression, has no finite range over X.
func unboundedRegion(what string) error {
	return fmt.Errorf("certificate: region X is unbounded in %s, but certificates need a compact X; give it finite bounds: %w", what, solver.ErrUnbounded)
}

// checkRegion validates a region and the map that starts from it, which ends in the space of
// the atoms if there is a dictionary.
func checkRegion(d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap) error {
	if region == nil {
		return errors.New("certificate: region is nil; describe X with solver.NewModel")
	}
	if err := region.Validate(); err != nil {
		return fmt.Errorf("certificate: region: %w", err)
	}
	if region.Columns() == 0 {
		return errors.New("certificate: region has no columns; add the decision variables with AddColumn")
	}
	if _, err := sparsero.NewAffineMap(q.Matrix, q.Constant); err != nil {
		return fmt.Errorf("certificate: q: %w; build it with sparsero.NewAffineMap", err)
	}
	p, n := q.Dims()
	rows := p
	if d != nil {
		rows = d.Dim()
	}
	if p != rows || n != region.Columns() {
		return fmt.Errorf("certificate: q is %d×%d but the atoms have dimension %d and the region has %d columns; give a %d×%d matrix",
			p, n, rows, region.Columns(), rows, region.Columns())
	}
	return nil
}

// polyhedron copies the columns and rows of a region without its objective, to be
// maximised over; integrality, whose loss can only raise a bound, is kept on request only.
func polyhedron(region *solver.Model, keepIntegers bool) *solver.Model {
	m := region.WithoutObjective()
	m.SetMaximize(true)
	for j := range m.Columns() {
		m.SetInteger(j, m.Column(j).Integer && keepIntegers)
	}
	return m
}

// DirectionNorm returns a bound on ‖q(x)‖₂ over a polyhedron X,
//
//	(Σ_k max_x q_k(x)²)^½,
//
// by two linear programs per coordinate of q. It is proven like BoundingBox, and exact up
// to the accuracy of the solver when the extremes of all coordinates are attained
// together, as on a box with a diagonal q. The errors are those of BoundingBox and of a
// q that does not fit the region.
func DirectionNorm(ctx context.Context, region *solver.Model, q sparsero.AffineMap, o *solver.Options) (float64, error) {
	if err := checkRegion(nil, region, q); err != nil {
		return 0, err
	}
	e, err := newExtremes(polyhedron(region, false), o)
	if err != nil {
		return 0, err
	}
	p, _ := q.Dims()
	largest := make([]float64, p)
	for k := range p {
		lower, upper, err := e.extent(ctx, mat.Row(nil, k, q.Matrix), fmt.Sprintf("coordinate %d of q", k))
		if err != nil {
			return 0, err
		}
		constant := constantOf(q, k)
		largest[k] = max(0, directed.SumUpper(upper, constant), directed.SumUpper(-lower, -constant))
	}
	return Euclidean.of(largest), nil
}

func constantOf(q sparsero.AffineMap, k int) float64 {
	if q.Constant == nil {
		return 0
	}
	return q.Constant[k]
}
