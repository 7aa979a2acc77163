package certificate

import (
	"fmt"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
)

// errEmptyRegion says that X has no point.
var errEmptyRegion = fmt.Errorf("certificate: region X is empty, so there is nothing to certify; call solver.Explain to see which of its rows and bounds conflict: %w", solver.ErrInfeasible)

// checkRegion validates a region and the map that starts from it, which ends in the space of
// the atoms if there is a dictionary.
func checkRegion(d *sparsero.Dictionary, region *solver.Model, q sparsero.AffineMap) error {
	if err := region.Validate(); err != nil {
		return fmt.Errorf("certificate: region: %w", err)
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
// maximised over, and without integrality, whose loss can only raise a bound.
func polyhedron(region *solver.Model) *solver.Model {
	m := region.WithoutObjective()
	m.SetMaximize(true)
	for j := range m.Columns() {
		m.SetInteger(j, false)
	}
	return m
}
