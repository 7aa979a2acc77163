package gauge

import (
	"context"
	"math"
	"testing"
)

// All atoms are columns at once where they are few, for their dimension too, or their units far apart.
func TestFewAtomsAreColumnsAtOnce(t *testing.T) {
	for _, test := range []struct {
		n, p, unit int
		whole      bool
	}{
		{256, 2, 0, true}, {257, 2, 0, false}, {400, 100, 0, true}, {401, 100, 0, false},
		{300, 2, 299, false}, {300, 2, 300, true}, {300, 2, -301, false}, {300, 2, -302, true},
	} {
		atoms := rows{test.p, make([]float64, test.n*test.p)}
		for k := range test.n {
			atoms.data[k*test.p+k%test.p] = 1
		}
		atoms.data[0] = math.Ldexp(1, max(0, test.unit))
		for k := range test.n {
			atoms.data[k*test.p+1] = math.Ldexp(atoms.data[k*test.p+1], min(0, test.unit))
		}
		if g := New(atoms, test.p); g.whole != test.whole || test.whole && len(g.pool) != test.n {
			t.Errorf("%+v: %d columns, whole %v", test, len(g.pool), g.whole)
		}
	}
}

// A context that has ended stops the method before its first pivot.
func TestEndedContextsStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, n := range []int{2, 300} {
		atoms := rows{2, make([]float64, 2*n)}
		for k := range n {
			atoms.data[2*k], atoms.data[2*k+1] = math.Cos(float64(k)), math.Sin(float64(k))
		}
		g := New(atoms, 2)
		if answer := g.Solve(ctx, []float64{1, 0.1}); answer.Outcome != Stopped || g.Pivots > 0 {
			t.Errorf("%d atoms: outcome %v after %d pivots", n, answer.Outcome, g.Pivots)
		}
	}
}
