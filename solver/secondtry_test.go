package solver_test

import (
	"context"
	"testing"

	"github.com/sparsero/directions/solver"
)

// moody fails at the first model that it gets, and solves all others.
type moody struct{ seen []*solver.Model }

func (b *moody) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	b.seen = append(b.seen, m.Clone())
	if len(b.seen) == 1 {
		return trouble{}, nil
	}
	return solver.DualSimplex.Open(m, o)
}

type trouble struct{}

func (trouble) Solve(context.Context) (*solver.Result, error) {
	return &solver.Result{Status: solver.NumericalTrouble, Solver: "moody"}, nil
}

// TestSecondTryInOtherUnits: what a backend cannot solve in one kind of units it gets in another, once, and the session
// stays with these.
func TestSecondTryInOtherUnits(t *testing.T) {
	m := gaussian(shape{Columns: 60, Rows: 40, Density: 1, Bounds: "box", Scale: 1000}, 1)
	backend := &moody{}
	session, err := solver.Open(m, &solver.Options{Backend: backend})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r, err := session.Solve(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		checkOptimum(t, m, r, 1e-6)
	}
	if len(backend.seen) != 2 {
		t.Fatalf("the backend was opened %d times, want 2", len(backend.seen))
	}
	same := true
	for i := range m.Rows() {
		_, first := backend.seen[0].RowTerms(i)
		_, second := backend.seen[1].RowTerms(i)
		for k := range first {
			same = same && first[k] == second[k]
		}
	}
	if same {
		t.Error("the second model has the units of the first")
	}
}
