package robust

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// boundingAtoms returns atoms with which the restricted model has a minimum, when
// the full model has one although b alone falls without end over an unbounded X. They are
// those that cutting planes need for the recession problem
//
//	min b∞(y) + r M_N(q∞(y))   y a recession direction of X, -1 <= y <= 1,
//
// with the linear parts b∞ and q∞: its minimum is 0 exactly when no direction improves
// the full model. It returns nil when some direction does, and an error when the problem
// could not be solved.
func (p *Problem) boundingAtoms(ctx context.Context, radius float64, o Options) ([]int, error) {
	recession := p.recession()
	if recession == nil {
		return nil, nil
	}
	o.Start, o.Progress = nil, nil
	rays, err := recession.SolveFull(ctx, radius, &o)
	switch {
	case err == nil && rays.Value < -o.Tolerance*rays.size:
		return nil, nil
	case err == nil && !rays.Partial:
		return rays.Atoms, nil
	}
	return nil, fmt.Errorf("robust: b(x) alone has no minimum over X, and the work ended before it was known whether the atoms give one; raise the limits, or give every column finite bounds: %w",
		cmp.Or(err, ctx.Err(), solver.ErrLimit))
}

// recession is the problem of the directions in which one can go on for ever, or nil if
// there are none.
func (p *Problem) recession() *Problem {
	region, open := solver.NewModel("recession of "+p.region.Name()), false
	for j := range p.region.Columns() {
		c := p.region.Column(j)
		lower, upper := towards(c.Lower()), towards(c.Upper())
		open = open || lower < upper
		region.AddColumn(solver.Column{Bounds: solver.Between(lower, upper), Cost: c.Cost})
	}
	if !open {
		return nil
	}
	for i := range p.region.Rows() {
		row := p.region.Row(i)
		row.Bounds = solver.Between(coneSide(row.Lower()), coneSide(row.Upper()))
		region.AddRow(row)
	}
	curvature := make([]solver.Row, p.region.Columns()) // H y = 0: along y the objective is linear
	for _, term := range p.region.Quadratic() {
		for _, entry := range [2][2]int{{term.I, term.J}, {term.J, term.I}} {
			row := &curvature[entry[0]]
			row.Columns, row.Values = append(row.Columns, entry[1]), append(row.Values, term.Value)
		}
	}
	for _, row := range curvature {
		if row.Columns != nil {
			row.Bounds = solver.Equal(0)
			region.AddRow(row)
		}
	}
	constraints := make([]Constraint, len(p.constraints))
	for k, c := range p.constraints {
		constraints[k] = Constraint{Name: c.Name, Nominal: c.Nominal, Map: sparsero.AffineMap{Matrix: c.Map.Matrix}}
	}
	recession, err := NewProblem(p.dictionary, region, sparsero.AffineMap{Matrix: p.q.Matrix}, constraints...)
	if err != nil {
		return nil
	}
	return recession
}

// towards is how far a recession direction may go to the side of a column's bound.
func towards(bound float64) float64 {
	if math.IsInf(bound, 0) {
		return math.Copysign(1, bound)
	}
	return 0
}

// coneSide replaces a finite bound of a row by 0.
func coneSide(bound float64) float64 {
	if math.IsInf(bound, 0) {
		return bound
	}
	return 0
}
