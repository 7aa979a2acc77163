package solver_test

import (
	"context"
	"errors"
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

// TestUnitsThatNoBackendOpens: a quadratic model whose costs need other units is opened anew, and the error of that is told.
func TestUnitsThatNoBackendOpens(t *testing.T) {
	m := solver.NewModel("square")
	m.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Cost: 1})
	m.AddQuadratic(0, 0, 1)
	backend := &once{}
	session, err := solver.Open(m, &solver.Options{Backend: backend})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.Solve(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.SetCost(0, 1e6)
	if r, err := session.Solve(t.Context()); !errors.Is(err, errOnce) {
		t.Errorf("%v, %v", r, err)
	}
}

// once opens one model.
type once struct{ opened bool }

var errOnce = errors.New("opened before")

func (b *once) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	if b.opened {
		return nil, errOnce
	}
	b.opened = true
	return solver.InteriorPoint.Open(m, o)
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
