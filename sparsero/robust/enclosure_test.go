package robust_test

import (
	"errors"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"pgregory.net/rapid"
)

// The inner and the outer model enclose the full value, and the decision of the
// outer one satisfies the constraints of the full model.
func TestSolveSafeEnclosesTheFullModel(t *testing.T) {
	enclosed := 0
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		if rapid.Bool().Draw(t, "constrained") {
			p = drawConstrained(t)
		}
		indices, radius := drawSubset(t, p.Dictionary().Size()), drawRadius(t)
		e, err := p.SolveSafe(ctx, indices, radius, nil)
		if errors.Is(err, certificate.ErrOutsideCone) || errors.Is(err, solver.ErrInfeasible) {
			return
		}
		e = get(e, err)(t)
		full := get(p.SolveFull(ctx, radius, nil))(t)
		if e.Inner.Value > full.Value+tolerance*(1+math.Abs(full.Value)) || e.Outer.Value < full.Value-tolerance*(1+math.Abs(full.Value)) {
			t.Fatalf("full value %v outside [%v, %v]", full.Value, e.Inner.Value, e.Outer.Value)
		}
		if e.Safe.Result != nil {
			t.Fatalf("the safe decision has the solver's result of another: %v", e.Safe.Result)
		}
		bound := get(e.Safe.GapBound())(t).Float()
		regret := e.Safe.FullValue() - full.Value
		if regret < -tolerance || regret > bound+tolerance {
			t.Fatalf("regret %v, proven bound %v", regret, bound)
		}
		if e.Safe.FullValue() > e.Outer.Value+tolerance*(1+math.Abs(e.Outer.Value)) {
			t.Fatalf("full value %v of the safe decision above the outer value %v", e.Safe.FullValue(), e.Outer.Value)
		}
		enclosed++
	})
	if enclosed == 0 && !testing.Short() { // short runs draw too few cases to count on one
		t.Fatal("no instance with a finite factor was drawn")
	}
}

func TestEvaluateAgreesWithTheSolution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, radius := drawProblem(t), drawRadius(t)
		indices := drawSubset(t, p.Dictionary().Size())
		s := get(p.Solve(ctx, indices, radius, nil))(t)
		e := get(p.Evaluate(indices, radius, s.X))(t)
		if e.Value != s.Value || e.Certificate != s.Certificate || !math.IsInf(e.LowerBound.Float(), -1) {
			t.Fatalf("evaluated %+v, solved %+v", e, s)
		}
	})
	p := must(robust.NewProblem(dictionary(t, []float64{1}), box(0, 1, 1), sparsero.Identity(1)))(t)
	_, err := p.Evaluate(nil, 1, []float64{1, 2})
	checkMessage(t, "long x", err, "x")
	_, err = p.Evaluate(nil, 1, []float64{math.NaN()})
	checkMessage(t, "NaN", err, "x")
	_, err = p.Evaluate([]int{4}, 1, []float64{1})
	checkMessage(t, "index", err, "indices")
	_, err = p.SolveSafe(ctx, nil, 1, nil)
	if !errors.Is(err, certificate.ErrOutsideCone) {
		t.Fatalf("no atoms chosen: %v", err)
	}
}
