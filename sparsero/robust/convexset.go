package robust

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection/shard"
)

// NewConvex returns the robust program min b(x) + max_{u in r U} ⟨u, q(x)⟩ over X, constraints alike, for a convex set U in
// the place of atoms. Its atoms are points of U that the centre asks for: [Sharded.SolveFull] solves the full model
// by cutting planes, and [Sharded.Design] chooses few points, with the rule MostViolated. All bounds, GapBound among them,
// hold against the whole set. The parts are checked as by [NewProblem]; constraints share U and have no Dictionary. It is an
// error if the set is nil, of another dimension than the maps, or without a bound.
func NewConvex(set convex.Set, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*Sharded, error) {
	if input.Missing(set) || set.Dim() < 1 {
		return nil, errors.New("robust: the set is nil or of dimension 0; use one of package convex")
	}
	if slices.ContainsFunc(constraints, func(c Constraint) bool { return c.Dictionary != nil }) {
		return nil, errors.New("robust: a constraint has a Dictionary of its own beside a convex set; give all rows the set, or all of them atoms")
	}
	sizes := make([]float64, set.Dim())
	axis := make([]float64, set.Dim())
	for j := range sizes {
		for _, sign := range []float64{1, -1} {
			axis[j] = sign
			sizes[j] = math.Max(sizes[j], set.Support(axis))
		}
		if axis[j] = 0; math.IsInf(sizes[j], 1) || math.IsNaN(sizes[j]) {
			return nil, fmt.Errorf("robust: the set has no bound in coordinate %d; give a compact set", j)
		}
	}
	s, err := NewSharded(newOracle(set, sizes), nil, region, q, constraints...)
	if err == nil {
		s.parts.set, s.sizes = set, sizes
	}
	return s, err
}

// oracle is the engine of a convex set: the points of the set that it was asked for, the null atom the first of them.
type oracle struct {
	set    convex.Set
	points []float64 // one after the other
	sizes  []float64
}

func newOracle(set convex.Set, sizes []float64) *oracle {
	return &oracle{set, make([]float64, set.Dim()), sizes}
}

// Size implements [shard.Engine].
func (o *oracle) Size() int { return len(o.points) / o.set.Dim() }

// Dim implements [shard.Engine].
func (o *oracle) Dim() int { return o.set.Dim() }

// Run implements [shard.Engine]: the worst case in each direction is a point from now on, and all points answer as a
// block does.
func (o *oracle) Run(ctx context.Context, task *shard.Task) (*shard.Answer, error) {
	p := o.set.Dim()
	for from := 0; from < len(task.Directions); from += p {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		u := o.set.WorstCase(task.Directions[from : from+p])
		if err := input.CheckVector("WorstCase of the set", u, p); err != nil {
			return nil, fmt.Errorf("robust: %w", err)
		}
		if !o.has(u) {
			o.points = append(o.points, u...)
		}
	}
	points, err := sparsero.NewDictionary(mat.NewDense(o.Size(), p, slices.Clone(o.points)), nil)
	if err != nil {
		return nil, err
	}
	answer, err := shard.Work(ctx, points, 0, task, nil)
	if err == nil {
		answer.Sizes = o.sizes
	}
	return answer, err
}

func (o *oracle) has(u []float64) bool {
	for point := range slices.Chunk(o.points, len(u)) {
		if slices.Equal(point, u) {
			return true
		}
	}
	return false
}

// Around moves a mean of the perturbations into the nominal part: what it returns has b(x) + ⟨mean, q(x)⟩ as its objective and
// likewise for each constraint, so that sets and atoms describe deviations from the mean. The new numbers are
// rounded once. It is an error if the mean has not the dimension of the maps; what else does not fit is left to the
// constructor of the problem.
func Around(mean []float64, region *solver.Model, q sparsero.AffineMap, constraints ...Constraint) (*solver.Model, []Constraint, error) {
	if region == nil {
		return nil, nil, errors.New("robust: region is nil; describe X and b(x) with solver.NewModel")
	}
	moved, constraints := region.Clone(), slices.Clone(constraints)
	shift := func(name string, q sparsero.AffineMap) (affineForm, error) {
		rows, columns := q.Dims()
		if err := input.CheckVector("the mean", mean, rows); err != nil || rows == 0 || columns != region.Columns() {
			return affineForm{}, fmt.Errorf("robust: %s is %d×%d, the mean has %d numbers and the region %d columns; make them fit", name, rows, columns, len(mean), region.Columns())
		}
		prepared := newPull(q)
		return prepared.back(mean), nil
	}
	if q.Matrix != nil {
		form, err := shift("q", q)
		if err != nil {
			return nil, nil, err
		}
		for j, v := range form.coefficients {
			moved.SetCost(j, moved.Column(j).Cost+v)
		}
		moved.SetOffset(moved.Offset() + form.constant)
	}
	for k := range constraints {
		c := &constraints[k]
		form, err := shift("q of "+c.Name, c.Map)
		if err != nil {
			return nil, nil, err
		}
		for j, v := range c.Nominal {
			form.coefficients[j] += v
		}
		c.Nominal, c.Limit = form.coefficients, c.Limit-form.constant
	}
	return moved, constraints, nil
}
