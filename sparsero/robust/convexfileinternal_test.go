package robust

import (
	"context"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/convex"
	"github.com/sparsero/directions/sparsero/internal/lifted"
	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// TestInBallIsExact: the sum of the squares is at most 1 in fractions, and points move by no more than it takes.
func TestInBallIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 6).Draw(t, "w")
		if rapid.Bool().Draw(t, "at the sphere") && floats.Norm(w, 2) > 0 {
			floats.Scale(1/floats.Norm(w, 2), w)
		}
		z, squares := inBall(slices.Clone(w)), new(big.Rat)
		for _, v := range z {
			squares.Add(squares, new(big.Rat).Mul(lifted.Rational(v), lifted.Rational(v)))
		}
		if squares.Cmp(big.NewRat(1, 1)) > 0 {
			t.Fatalf("%v is outside", z)
		}
		floats.Scale(1/math.Max(1, floats.Norm(w, 2)), w)
		if floats.Distance(w, z, 2) > 1e-14 {
			t.Fatalf("%v became %v", w, z)
		}
	})
}

// TestProofsLeaveTheSolutionAsItIs: points that a proof adds to the decision of a file do not stand behind the atoms of the solution,
// where a longer list of the caller may go on.
func TestProofsLeaveTheSolutionAsItIs(t *testing.T) {
	set, err := convex.NewBudget([]float64{1, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	region := solver.NewModel("X")
	for range 2 {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 2), Cost: -1})
	}
	p, err := NewConvex(set, region, sparsero.Identity(2))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.SolveFull(context.Background(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Atoms = append(slices.Clone(s.Atoms), -7, -7, -7)[:len(s.Atoms)]
	file, decision, err := s.inFile()
	if err != nil {
		t.Fatal(err)
	}
	if d := &file.Dictionary; d.Labels != nil || d.Columns != nil {
		t.Errorf("points have the labels %v and the columns %v", d.Labels, d.Columns)
	}
	before := len(decision.Atoms)
	if x, leaf := s.compactRelaxation(file, decision)(context.Background(), []float64{-1, -1}, []float64{2, 2}); x == nil || leaf == nil || len(decision.Atoms) == before {
		t.Fatalf("%v, %v, atoms %v: no point was added", x, leaf, decision.Atoms)
	}
	if behind := s.Atoms[len(s.Atoms):cap(s.Atoms)]; slices.ContainsFunc(behind[:3], func(i int) bool { return i != -7 }) {
		t.Errorf("behind the atoms stand %v", behind)
	}
}
