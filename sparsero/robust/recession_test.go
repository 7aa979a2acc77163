package robust_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Over an unbounded X cutting planes and all rows at once agree on whether there is a
// minimum, and on its value, although b alone often has none.
func TestFullModelOverUnboundedRegions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawDictionary(t)
		n := rapid.IntRange(1, 3).Draw(t, "n")
		region := solver.NewModel("open")
		for range n {
			c := solver.Column{Bounds: solver.Between(-1, 2), Cost: number(t, "cost")}
			if rapid.Bool().Draw(t, "no lower bound") {
				c.Bounds = solver.AtMost(2)
			}
			if rapid.Bool().Draw(t, "no upper bound") {
				c.Bounds = solver.Between(c.Lower(), math.Inf(1))
			}
			region.AddColumn(c)
		}
		if rapid.Bool().Draw(t, "row") {
			row := solver.Row{Bounds: solver.AtLeast(-2), Values: numbers(t, n, "row")}
			for j := range n {
				row.Columns = append(row.Columns, j)
			}
			region.AddRow(row)
		}
		p := get(robust.NewProblem(d, region, drawMap(t, d.Dim(), n)))(t)
		radius := drawRadius(t)
		all, allErr := p.Solve(ctx, everyAtom(d), radius, nil)
		cuts, cutsErr := p.SolveFull(ctx, radius, &robust.Options{CutsPerRound: 1})
		if errors.Is(allErr, solver.ErrUnbounded) != errors.Is(cutsErr, solver.ErrUnbounded) {
			t.Fatalf("all rows: %v\ncutting planes: %v", allErr, cutsErr)
		}
		if allErr != nil {
			return
		}
		if cutsErr != nil || !near(all.Value, cuts.Value) {
			t.Fatalf("all rows: %v\ncutting planes: %v, %v", all.Value, cuts, cutsErr)
		}
	})
}

// A robust constraint whose coefficients are rounded bounds an open column as one of whole numbers does.
func TestRoundedCoefficientsBoundTheModel(t *testing.T) {
	for _, test := range [][2]float64{{1, 1}, {1.1, 1.3}, {0.1, 0.3}, {7e-9, 0.3}} {
		for _, bounds := range []solver.Bounds{solver.AtLeast(0), {}} {
			region := solver.NewModel("X")
			region.AddColumn(solver.Column{Bounds: bounds, Cost: -1})
			p := must(robust.NewProblem(dictionary(t, test[:1]), region, sparsero.AffineMap{}, robust.Constraint{Map: sparsero.AffineMap{Matrix: matrix(test[1:])}, Limit: 1}))(t)
			s, err := p.SolveFull(ctx, 1, nil)
			if want := 1 / (test[0] * test[1]); err != nil || math.Abs(s.X[0]-want) > 1e-9*want || !certified(s, 1e-9*want) {
				t.Errorf("%v over %v: %v, %v", test, bounds, s, err)
			}
		}
	}
}

// Work that ends early is no proof that the full model is unbounded.
func TestCancelledWorkDoesNotSayUnbounded(t *testing.T) {
	region := solver.NewModel("X")
	region.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1})
	p := must(robust.NewProblem(dictionary(t, []float64{2}), region, sparsero.Identity(1)))(t)
	for questions := range 40 {
		inner, cancel := context.WithCancel(ctx)
		_, err := p.SolveFull(&fuse{Context: inner, cancel: cancel, left: questions}, 1, nil)
		if errors.Is(err, solver.ErrUnbounded) {
			t.Errorf("context that ends after %d questions: %v", questions, err)
		}
		cancel()
	}
}

// fuse is a context that ends when it has been asked some times whether it has.
type fuse struct {
	context.Context
	cancel context.CancelFunc
	left   int
}

func (f *fuse) Err() error {
	if f.left--; f.left < 0 {
		f.cancel()
	}
	return f.Context.Err()
}

// min x/2 + |x| has its minimum at 0, but x/2 has none; with a radius of 1/4 there is none either.
func TestAtomsThatBoundTheModel(t *testing.T) {
	region := solver.NewModel("line")
	region.AddColumn(solver.Column{Cost: 0.5})
	p := must(robust.NewProblem(dictionary(t, []float64{1}, []float64{-1}), region, sparsero.Identity(1)))(t)
	s := must(p.SolveFull(ctx, 1, nil))(t)
	if s.Value != 0 || s.X[0] != 0 || s.LowerBound.Float() != 0 || s.Partial {
		t.Errorf("value %v at %v, lower bound %v; want 0", s.Value, s.X, s.LowerBound.Float())
	}
	if _, err := p.SolveFull(ctx, 0.25, nil); !errors.Is(err, solver.ErrUnbounded) {
		t.Errorf("radius 1/4: %v, want ErrUnbounded", err)
	}
}

// TestSmallHarmBoundsTheModel: the atom harms by 1e-20 x0 where x0 costs -1, so that the minimum is -1e20. Along x0 that harm is within
// the tolerance, and the model was once called unbounded.
func TestSmallHarmBoundsTheModel(t *testing.T) {
	row := robust.Constraint{Nominal: []float64{0, 1}, Map: sparsero.AffineMap{Matrix: matrix([]float64{1e-20, 0})}, Limit: 1}
	p := must(robust.NewProblem(dictionary(t, []float64{1}), box(0, math.Inf(1), -1, 0), sparsero.AffineMap{}, row))(t)
	if s := must(p.SolveFull(ctx, 1, nil))(t); !near(s.Value, -1e20) {
		t.Errorf("%v, want the value -1e20", s)
	}
}

// TestRoundedRowsProveNoFall: beside coefficients of 1e199 float64 loses those of 1, by which the two atoms bound the model.
// That it falls without end is not said.
func TestRoundedRowsProveNoFall(t *testing.T) {
	region := box(-1, math.Inf(1), 0)
	region.AddColumn(solver.Column{Cost: -0.2})
	atoms := dictionary(t, []float64{2, 0.6, -1, 2}, []float64{-2, -3, -0.1, 2})
	q := sparsero.AffineMap{Matrix: matrix([]float64{4.000000000000001e+198, -7.000000000000002e+198}, []float64{-2, 2}, []float64{-3, 1}, []float64{0, 0})}
	if _, err := must(robust.NewProblem(atoms, region, q))(t).SolveFull(ctx, 1, nil); err == nil || errors.Is(err, solver.ErrUnbounded) {
		t.Errorf("%v", err)
	}
}

// TestSetsThatBoundTheModel: min x/2 + |x| again, over a set without a list of atoms. Its program as one proves no bound where a
// whole number stands in a row of decimals, and an ellipsoid has no such program; neither says that Φ falls without end.
func TestSetsThatBoundTheModel(t *testing.T) {
	region := solver.NewModel("line")
	region.AddColumn(solver.Column{Cost: 0.5})
	ball := must(robust.NewConvex(must(convex.NewEllipsoid(mat.NewSymDense(1, []float64{1}), 1))(t), region, sparsero.Identity(1)))(t)
	if _, err := ball.SolveFull(ctx, 1, nil); err == nil || errors.Is(err, solver.ErrUnbounded) {
		t.Errorf("ball: %v, want an error that leaves open whether there is a minimum", err)
	}
	if _, err := ball.SolveFull(ctx, 0, nil); !errors.Is(err, solver.ErrUnbounded) {
		t.Errorf("ball of radius 0: %v, want ErrUnbounded", err)
	}
	if !solvesIntegers {
		return
	}
	region = solver.NewModel("pieces and a balance")
	region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Integer: true})
	region.AddColumn(solver.Column{Cost: 1})
	row := robust.Constraint{Nominal: []float64{-1, 0.7}, Map: sparsero.AffineMap{Matrix: matrix([]float64{0.2, -0.3}), Constant: []float64{-1}}, Limit: 12.5}
	q := sparsero.AffineMap{Matrix: matrix([]float64{0, 1})}
	budget := must(robust.NewConvex(must(convex.NewBudget([]float64{4.99}, 1))(t), region, q, row))(t)
	if s := must(budget.SolveFull(ctx, 1, nil))(t); !near(s.Value, 0) {
		t.Errorf("%v, want the value 0", s)
	}
}
