package robust_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// regression is a robust L1 regression with free coefficients.
func regression(t testing.TB, n int) *robust.Problem {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	region := solver.NewModel("L1")
	for range n {
		region.AddColumn(solver.Column{})
	}
	for range n + n/2 {
		b := random.NormFloat64()
		u := region.AddColumn(solver.Column{Cost: 1, Bounds: solver.AtLeast(0)})
		columns, plus, minus := []int{u}, []float64{1}, []float64{1}
		for j := range n {
			if random.Float64() < 10/float64(n) {
				v := random.NormFloat64()
				columns, plus, minus = append(columns, j), append(plus, v), append(minus, -v)
			}
		}
		region.AddRow(solver.Row{Bounds: solver.AtLeast(b), Columns: columns, Values: plus})
		region.AddRow(solver.Row{Bounds: solver.AtLeast(-b), Columns: columns, Values: minus})
	}
	const dim = 6
	q := mat.NewDense(dim, region.Columns(), nil)
	for k := range dim {
		for j := range n {
			q.Set(k, j, 0.1*random.NormFloat64())
		}
	}
	atoms := mat.NewDense(60, dim, nil)
	for i := range 60 {
		for k := range dim {
			atoms.Set(i, k, random.NormFloat64())
		}
	}
	d, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := robust.NewProblem(d, region, sparsero.AffineMap{Matrix: q})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// riskOfFreeColumns is a quadratic problem of free columns, a rounded map and nothing else.
func riskOfFreeColumns(t testing.TB, n int) *robust.Problem {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	const dim = 6
	region, q := solver.NewModel("free"), mat.NewDense(dim, n, nil)
	for j := range n {
		region.AddColumn(solver.Column{Cost: random.NormFloat64()})
		region.AddQuadratic(j, j, 0.1+random.Float64())
		for k := range dim {
			q.Set(k, j, 0.1*random.NormFloat64())
		}
	}
	atoms := mat.NewDense(60, dim, nil)
	for i := range 60 {
		for k := range dim {
			atoms.Set(i, k, random.NormFloat64())
		}
	}
	d := must(sparsero.NewDictionary(atoms, nil))(t)
	return must(robust.NewProblem(d, region, sparsero.AffineMap{Matrix: q}))(t)
}

// Columns without bounds whose coefficients are rounded leave no gap: their reduced costs are made 0 in fractions.
func TestFreeColumnsHaveABound(t *testing.T) {
	for name, p := range map[string]*robust.Problem{"linear": regression(t, 20), "quadratic": riskOfFreeColumns(t, 39)} {
		full := must(p.SolveFull(ctx, 0.2, nil))(t)
		few := must(p.Solve(ctx, full.Atoms, 0.2, nil))(t)
		for _, s := range []*robust.Solution{full, few} {
			if !certified(s, 1e-6*(1+math.Abs(s.Value))) {
				t.Errorf("%s: lower bound %v of %v", name, s.LowerBound.Float(), s)
			}
		}
	}
}

// Beyond the size of exact elimination nothing is proven, nothing is called certified, and the text asks for bounds.
func TestTooManyFreeColumnsAreNotCertified(t *testing.T) {
	p := riskOfFreeColumns(t, 41)
	s := must(p.SolveFull(ctx, 0.2, nil))(t)
	gap, err := s.GapBound()
	if err != nil || !math.IsInf(gap.Float(), 1) || !math.IsInf(s.LowerBound.Float(), -1) || certified(s, 1e6) {
		t.Errorf("lower bound %v, gap bound %v, %v", s.LowerBound.Float(), gap, err)
	}
	design := must(p.Design(ctx, p.Dictionary().Size(), 0.2, nil))(t)
	if design.Certified || design.Stop != "gap left by the solver" {
		t.Errorf("certified %v, stopped as %v, lower bound %v", design.Certified, design.Stop, design.Solution.LowerBound.Float())
	}
	for _, text := range []string{s.String(), design.Solution.String()} {
		if !strings.Contains(text, "columns without a bound are in the way: give finite bounds to") {
			t.Errorf("%q does not say what helps", text)
		}
	}
}

// TestNothingIsBest: where free columns with squares had better stay at 0, solves come to their end and designs are
// certified.
func TestNothingIsBest(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3, 4, 5, 6, 7, 8} {
		r := rand.New(rand.NewPCG(seed, 99))
		n, region := 1+r.IntN(4), solver.NewModel("hedge")
		for j := range n {
			region.AddColumn(solver.Column{Cost: r.NormFloat64() * .1})
			region.AddQuadratic(j, j, 2+r.Float64())
			if j > 0 {
				region.AddQuadratic(j-1, j, r.NormFloat64())
			}
		}
		atoms := mat.NewDense(4+r.IntN(10), n, nil)
		atoms.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, atoms)
		d := must(sparsero.NewDictionary(atoms, nil))(t)
		p := must(robust.NewProblem(d, region, sparsero.Identity(n), robust.Constraint{Name: "c", Map: sparsero.Identity(n)}))(t)
		full, design := must(p.SolveFull(ctx, 1, nil))(t), must(p.Design(ctx, d.Size(), 1, nil))(t)
		if full.Partial || full.Value > 0 || !design.Certified {
			t.Errorf("seed %d: %v; %v", seed, full, design)
		}
	}
}

// TestNothingIsLeftWhereTheBoundMeetsTheValue: 0, and work that a solver did not call finished was not cut short.
func TestNothingIsLeftWhereTheBoundMeetsTheValue(t *testing.T) {
	for _, seed := range []uint64{990, 362, 616} {
		r := rand.New(rand.NewPCG(seed, 99))
		n, region := 1+r.IntN(4), solver.NewModel("squares alone")
		for j := range n {
			r.NormFloat64()
			q := 2 + r.Float64()
			region.AddQuadratic(region.AddColumn(solver.Column{}), j, q)
			if j > 0 {
				region.AddQuadratic(j-1, j, r.NormFloat64()*q/3)
			}
		}
		atoms := mat.NewDense(4+r.IntN(10), n, nil)
		atoms.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, atoms)
		p := must(robust.NewProblem(must(sparsero.NewDictionary(atoms, nil))(t), region, sparsero.Identity(n), robust.Constraint{Name: "c", Map: sparsero.Identity(n)}))(t)
		if s := must(p.SolveFull(ctx, 1, nil))(t); s.Partial || s.Value != 0 || s.LowerBound.Float() != 0 {
			t.Errorf("seed %d: %v, bound %v", seed, s, s.LowerBound)
		}
	}
}
