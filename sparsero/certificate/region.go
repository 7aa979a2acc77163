package certificate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
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
	m.SetSense(solver.Maximize)
	for j := range m.Columns() {
		m.SetInteger(j, m.Column(j).Integer && keepIntegers)
	}
	return m
}

// extremes maximises changing linear objectives over one polyhedron; each solve
// starts from the basis of the one before.
type extremes struct {
	model   *solver.Model
	session *solver.Session
}

func newExtremes(model *solver.Model, o *solver.Options) (*extremes, error) {
	session, err := solver.Open(model, o)
	if err != nil {
		return nil, fmt.Errorf("certificate: region: %w", err)
	}
	return &extremes{model, session}, nil
}

// maximise solves for new costs. Its result has a point or the context was
// cancelled; everything else is an error.
func (e *extremes) maximise(ctx context.Context, costs []float64, what string) (*solver.Result, error) {
	for j, cost := range costs {
		e.model.SetCost(j, cost)
	}
	result, err := e.session.Solve(ctx)
	switch {
	case err != nil:
		return nil, fmt.Errorf("certificate: maximum of %s: %w", what, err)
	case result.X != nil || ctx.Err() != nil:
		return result, nil
	case result.Status == solver.Infeasible:
		return nil, errEmptyRegion
	case result.Status == solver.Unbounded:
		return nil, unboundedRegion(what)
	}
	return nil, fmt.Errorf("certificate: maximum of %s: %w", what, result.Check())
}

// Box is the product of the intervals [Lower[j], Upper[j]].
type Box struct {
	Lower, Upper []float64
}

// BoundingBox returns a box around the polyhedron X, by two linear programs per
// variable, one polyhedron with changing objectives. It contains X: each bound is proven
// by the multipliers of its program and rounded outwards; it is the smallest box up to
// the accuracy of the solver. Integrality is dropped, so for integer variables the box
// may be larger than necessary. Errors: solver.ErrInfeasible, solver.ErrUnbounded, one
// that names a variable whose range the multipliers do not prove, and the context's.
func BoundingBox(ctx context.Context, region *solver.Model, o *solver.Options) (Box, error) {
	if region == nil {
		return Box{}, errors.New("certificate: region is nil; describe X with solver.NewModel")
	}
	return boundingBox(ctx, region, o, func(int) bool { return true })
}

// finiteBox keeps the finite column bounds as they are and computes the others.
func finiteBox(ctx context.Context, region *solver.Model, o *solver.Options) (Box, error) {
	return boundingBox(ctx, region, o, func(j int) bool {
		c := region.Column(j)
		return math.IsInf(c.Lower(), 0) || math.IsInf(c.Upper(), 0)
	})
}

func boundingBox(ctx context.Context, region *solver.Model, o *solver.Options, tighten func(int) bool) (Box, error) {
	n := region.Columns()
	b := Box{Lower: make([]float64, n), Upper: make([]float64, n)}
	e, err := newExtremes(polyhedron(region, false), o)
	if err != nil {
		return Box{}, err
	}
	for j := range n {
		c, name := region.Column(j), region.ColumnName(j)
		if b.Lower[j], b.Upper[j] = c.Lower(), c.Upper(); !tighten(j) {
			continue
		}
		costs := make([]float64, n)
		costs[j] = 1
		lower, upper, err := e.extent(ctx, costs, name)
		if err != nil {
			return Box{}, err
		}
		b.Lower[j], b.Upper[j] = max(b.Lower[j], lower), min(b.Upper[j], upper)
	}
	return b, nil
}

// extent returns proven bounds on the minimum and the maximum for new costs.
func (e *extremes) extent(ctx context.Context, costs []float64, what string) (lower, upper float64, err error) {
	if upper, err = e.maximum(ctx, costs, what); err != nil {
		return 0, 0, err
	}
	floats.Scale(-1, costs)
	lower, err = e.maximum(ctx, costs, what)
	return -lower, upper, err
}

// maximum returns a proven upper bound on the maximum for new costs.
func (e *extremes) maximum(ctx context.Context, costs []float64, what string) (float64, error) {
	result, err := e.maximise(ctx, costs, what)
	switch {
	case err != nil:
		return 0, err
	case ctx.Err() != nil:
		return 0, fmt.Errorf("certificate: range of %s: %w", what, ctx.Err())
	case math.IsNaN(result.Bound) || math.IsInf(result.Bound, 0):
		return 0, errors.Join(fmt.Errorf("certificate: the multipliers of the solver do not prove a range of %s; give the column finite bounds", what), result.Check())
	}
	return result.Bound, nil
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
	return Euclidean.Of(largest), nil
}

func constantOf(q sparsero.AffineMap, k int) float64 {
	if q.Constant == nil {
		return 0
	}
	return q.Constant[k]
}
