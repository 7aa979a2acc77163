package robust

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Around moves a mean of the perturbations into the nominal part: what it returns has b(x) + ⟨mean, q(x)⟩ as its
// objective and likewise for each constraint without a Dictionary of its own, whose atoms are those of other
// perturbations, so that sets and atoms describe deviations from the mean. The new numbers are rounded once. It is an
// error if the mean has not the dimension of the maps, or a constant or a nominal part not the length that it should
// have; what else does not fit is left to the constructor of the problem.
func Around(mean []float64, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*solver.Model, []Constraint, error) {
	if region == nil {
		return nil, nil, errors.New("robust: region is nil; describe X and b(x) with solver.NewModel")
	}
	moved, constraints := region.Clone(), slices.Clone(constraints)
	shift := func(name string, q sparsero.AffineMap) (coefficients []float64, constant float64, err error) {
		rows, columns := q.Dims()
		if err := input.CheckVector("the mean", mean, rows); err != nil || rows == 0 || columns != region.Columns() {
			return nil, 0, fmt.Errorf("robust: %s is %d×%d, the mean has %d numbers and the region %d columns; make them fit", name, rows, columns, len(mean), region.Columns())
		}
		if q.Constant != nil {
			if err := input.CheckVector("the constant of "+name, q.Constant, rows); err != nil {
				return nil, 0, fmt.Errorf("robust: %w", err)
			}
		}
		prepared := newPullback(q)
		coefficients, constant = prepared.of(mean)
		return coefficients, constant, nil
	}
	if q.Matrix != nil {
		coefficients, constant, err := shift("q", q)
		if err != nil {
			return nil, nil, err
		}
		for j, v := range coefficients {
			moved.SetCost(j, moved.Column(j).Cost+v)
		}
		moved.SetOffset(moved.Offset() + constant)
	}
	for k := range constraints {
		c := &constraints[k]
		if c.Dictionary != nil {
			continue
		}
		name := cmp.Or(c.Name, fmt.Sprintf("constraint %d", k))
		coefficients, constant, err := shift("q of "+name, c.Map)
		if err != nil {
			return nil, nil, err
		}
		if c.Nominal != nil {
			if err := input.CheckVector("the nominal part of "+name, c.Nominal, region.Columns()); err != nil {
				return nil, nil, fmt.Errorf("robust: %w", err)
			}
		}
		for j, v := range c.Nominal {
			coefficients[j] += v
		}
		c.Nominal, c.Limit = coefficients, c.Limit-constant
	}
	return moved, constraints, nil
}
