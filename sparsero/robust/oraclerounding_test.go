package robust_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
	"gonum.org/v1/gonum/mat"
)

// TestSupportOverAnOracleCountsRoundedDirections: where q(x) is rounded, the support of the whole set is no less than
// that in fractions, though every atom came from the oracle.
func TestSupportOverAnOracleCountsRoundedDirections(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	normals := func(rows, columns int) *mat.Dense {
		m := mat.NewDense(rows, columns, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, m)
		return m
	}
	for range 60 {
		d := must(sparsero.NewDictionary(normals(4, 2), nil))(t)
		region := solver.NewModel("one point")
		for range 3 {
			region.AddColumn(solver.Column{Bounds: solver.Equal(random.NormFloat64())})
		}
		q := sparsero.AffineMap{Matrix: normals(2, 3)}
		p := must(robust.NewProblem(d, region, q))(t)
		s := must(must(over(elsewhere{d, 4}, p))(t).SolveFull(ctx, 1, nil))(t)
		full := exactSupport(d, everyAtom(d), q, s.X)
		if exactly(s.Certificate.Full).Cmp(full) < 0 {
			t.Fatalf("full %v; want at least %s", s.Certificate.Full, full.FloatString(20))
		}
	}
}

// TestAtomsOfAnOracleComeOnce: an atom that is the worst of two exposures, and in many rounds, is one.
func TestAtomsOfAnOracleComeOnce(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1}, []float64{0.75, 0.75})
	load := robust.Constraint{Name: "load", Map: sparsero.Identity(2), Limit: 0.5}
	p := must(robust.NewProblem(d, box(0, 1, -3, -3), sparsero.Identity(2), load))(t)
	s := must(must(over(elsewhere{d, 3}, p))(t).SolveFull(ctx, 1, nil))(t)
	if came := s.Problem().Dictionary(); came.Size() > 3 {
		t.Errorf("%d atoms of 3 came: %v", came.Size(), came.Labels())
	}
}
