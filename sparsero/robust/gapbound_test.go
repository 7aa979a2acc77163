package robust_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// Of two atoms 1 and 1 + δ the first is chosen, and min -cost x with x u <= 1 reaches x = 1. For
// both atoms x is 1/(1+δ): the decision misses that by less than the tolerance, and the bound
// on the gap includes what it costs.
func TestGapBoundPaysForMissedConstraints(t *testing.T) {
	for _, delta := range []float64{0x1p-22, 0x1p-30, 0x1p-40} {
		for _, cost := range []float64{1, 1000} {
			region := solver.NewModel("X")
			region.AddColumn(solver.Column{Bounds: solver.Between(0, 10), Cost: -cost})
			d := dictionary(t, []float64{1}, []float64{1 + delta})
			q := sparsero.AffineMap{Matrix: matrix([]float64{1})}
			p := must(robust.NewProblem(d, region, sparsero.AffineMap{}, robust.Constraint{Map: q, Limit: 1}))(t)
			s := must(p.Solve(ctx, []int{0}, 1, nil))(t)
			gap := cost * delta / (1 + delta)
			if bound := must(s.GapBound())(t).Float(); bound < gap || bound > 4*gap {
				t.Errorf("δ = %g at cost %g: gap bound %g, the gap is %g", delta, cost, bound, gap)
			}
		}
	}
}

// No gap is below 0: over a box the decision of the whole set, which misses its limit by rounding, costs less than the optimum.
func TestGapBoundIsNotBelowZero(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.Between(-0.4, 0.19999999999999996)})
	q := func(constant []float64, column ...float64) sparsero.AffineMap {
		return sparsero.AffineMap{Matrix: mat.NewDense(len(column), 1, column), Constant: constant}
	}
	limit := robust.Constraint{Nominal: []float64{2.7}, Map: q([]float64{-0.3, 2, -1.8}, 2.4, -1.9, 1.2), Limit: 20.743552066450015}
	set := must(convex.NewBudget([]float64{3, 2.8, 2.2}, 3))(t)
	p := must(robust.NewConvex(set, region, q(nil, -0.1, -2.9, -3), limit))(t)
	s := must(p.SolveFull(ctx, 2, &robust.Options{Solver: &solver.Options{Backend: solver.PureGo}}))(t)
	if bound := must(s.GapBound())(t).Float(); !(bound >= 0 && bound <= 1e-14) {
		t.Errorf("value %v, lower bound %v, gap bound %v", s.Value, s.LowerBound.Float(), bound)
	}
}

// The units of the columns change nothing: two atoms that are far from parallel stay two.
func TestReduceInOtherUnits(t *testing.T) {
	for _, unit := range []float64{1, 0x1p-36, 0x1p-300, 0x1p300} {
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Between(-1/unit, 1/unit), Cost: -0.5 * unit})
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: -0.5})
		d := dictionary(t, []float64{1, 0.5}, []float64{0.5, 1}, []float64{0.2, 0.2})
		q := sparsero.AffineMap{Matrix: matrix([]float64{unit, 0}, []float64{0, 1})}
		p := must(robust.NewProblem(d, region, q))(t)
		full := must(must(p.SolveFull(ctx, 1, nil))(t).Dual())(t)
		if atoms, _ := full.Reduce(); len(atoms) != 2 {
			t.Errorf("unit %g: atoms %v, want two (from %v)", unit, atoms, full.Relevant)
		}
	}
}

// A quadratic objective in another unit has the same decision, value and bound, times the unit.
func TestQuadraticObjectiveInOtherUnits(t *testing.T) {
	solve := func(exponent int) *robust.Solution {
		region := solver.NewModel("X")
		region.AddColumn(solver.Column{Bounds: solver.Equal(3)})
		region.AddQuadratic(0, 0, math.Ldexp(4.5, exponent))
		d := dictionary(t, []float64{-3, -3, 2, 0.4}, []float64{-3, -3, 0.9, -2}, []float64{0.7000000000000001, 0.2, 3, 1})
		unit := math.Ldexp(1, exponent)
		q := sparsero.AffineMap{Matrix: matrix([]float64{unit}, []float64{-unit}, []float64{3 * unit}, []float64{-0.2 * unit})}
		p := must(robust.NewProblem(d, region, q))(t)
		return must(p.SolveFull(ctx, 1, &robust.Options{Solver: &solver.Options{Backend: solver.PureGo}}))(t)
	}
	one := solve(0)
	if one.LowerBound.Float() < one.Value*(1-1e-14) {
		t.Errorf("value %v, lower bound %v", one.Value, one.LowerBound.Float())
	}
	for _, exponent := range []int{-300, -60, 60, 300} {
		s := solve(exponent)
		if math.Ldexp(one.Value, exponent) != s.Value || math.Ldexp(one.LowerBound.Float(), exponent) != s.LowerBound.Float() {
			t.Errorf("2^%d: value %v, bound %v, want those of %v and %v", exponent, s.Value, s.LowerBound.Float(), one.Value, one.LowerBound.Float())
		}
	}
}
