package robust_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// everyAtom is an instance on which the full model is solved: min ⟨c, x⟩ + r M_N(x)
// over the box [-1,1]^n with N atoms in dimension n.
type everyAtomInstance struct {
	atoms, n, clusters int
	radius             float64
}

// everyAtomInstances are the sizes that the speed is quoted for.
func everyAtomInstances(atoms, n int) []everyAtomInstance {
	var all []everyAtomInstance
	for _, clusters := range []int{0, 200} {
		for _, radius := range []float64{1, 4} {
			all = append(all, everyAtomInstance{atoms, n, clusters, radius})
		}
	}
	return all
}

// String names the instance in benchmarks.
func (e everyAtomInstance) String() string {
	kind := "isotropic"
	if e.clusters > 0 {
		kind = "clustered"
	}
	return fmt.Sprintf("N=%d,n=%d,%s,r=%g", e.atoms, e.n, kind, e.radius)
}

// problem draws standard Gaussian costs and atoms. Clustered atoms are a centre,
// drawn like an atom, plus half a Gaussian.
func (e everyAtomInstance) problem(t testing.TB) *robust.Problem {
	source := rand.New(rand.NewPCG(uint64(e.atoms), uint64(e.clusters)))
	gaussian := func(rows int) *mat.Dense {
		m := mat.NewDense(max(rows, 1), e.n, nil)
		for i := range rows {
			for j := range e.n {
				m.Set(i, j, source.NormFloat64())
			}
		}
		return m
	}
	region := solver.NewModel("box")
	for range e.n {
		region.AddColumn(solver.Column{Bounds: solver.Between(-1, 1), Cost: source.NormFloat64()})
	}
	atoms, centres := gaussian(e.atoms), gaussian(e.clusters)
	if e.clusters > 0 {
		atoms.Scale(0.5, atoms)
		for i := range e.atoms {
			row := atoms.RawRowView(i)
			for j, v := range centres.RawRowView(source.IntN(e.clusters)) {
				row[j] += v
			}
		}
	}
	d := must(sparsero.NewDictionary(atoms, nil))(t)
	return must(robust.NewProblem(d, region, sparsero.Identity(e.n)))(t)
}

// The full model by cutting planes in pure Go: the same bits in every run, and a
// certificate of the optimum that owes nothing to the solver.
func TestEveryAtomInPureGo(t *testing.T) {
	for _, e := range everyAtomInstances(2000, 50) {
		p := e.problem(t)
		pure := &robust.Options{Solver: &solver.Options{Backend: solver.PureGo}}
		s := must(p.SolveFull(ctx, e.radius, pure))(t)
		if gap := s.Value - s.LowerBound.Float(); gap < 0 || gap > 1e-7*(1+math.Abs(s.Value)) || s.Partial {
			t.Errorf("%v: value %v, lower bound %v", e, s.Value, s.LowerBound.Float())
		}
		again := must(p.SolveFull(ctx, e.radius, pure))(t)
		if again.Value != s.Value || again.Rounds != s.Rounds {
			t.Errorf("%v: %v in %d rounds, then %v in %d", e, s.Value, s.Rounds, again.Value, again.Rounds)
		}
		dual := must(must(p.SolveFull(ctx, e.radius, pure))(t).Dual())(t)
		if difference := math.Abs(dual.Value.Float() - s.Value); difference > 1e-7*(1+math.Abs(s.Value)) {
			t.Errorf("%v: value %v, dual value %v", e, s.Value, dual.Value)
		}
	}
}

// BenchmarkEveryAtomInPureGo solves the full model by cutting planes without cgo.
func BenchmarkEveryAtomInPureGo(b *testing.B) {
	for _, e := range append(everyAtomInstances(2000, 50), everyAtomInstances(15000, 512)...) {
		b.Run(e.String(), func(b *testing.B) {
			benchmarkEveryAtom(b, e, solver.PureGo, false)
		})
	}
}

// benchmarkEveryAtom solves by cutting planes, or with all rows at once.
func benchmarkEveryAtom(b *testing.B, e everyAtomInstance, backend solver.Backend, allRows bool) {
	p := e.problem(b)
	o := &robust.Options{Solver: &solver.Options{Backend: backend}}
	var s *robust.Solution
	for b.Loop() {
		if allRows {
			s = must(p.Solve(ctx, everyAtom(p.Dictionary()), e.radius, o))(b)
		} else {
			s = must(p.SolveFull(ctx, e.radius, o))(b)
		}
	}
	b.ReportMetric(float64(s.Rounds), "rounds")
	b.ReportMetric(float64(s.Rows), "rows")
}
