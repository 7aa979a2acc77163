//go:build cgo

package solver_test

import (
	"context"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/solver/proof/exact"
	"pgregory.net/rapid"
)

// TestRayOfAnIntegerModelIsExact: a wedge that closes slowly holds the whole numbers up to 1/d.
func TestRayOfAnIntegerModelIsExact(t *testing.T) {
	useHighs(t)
	for _, d := range []float64{0, 1e-12, 1e-10, 1e-9} {
		if r := solveWith(t, wedge(d, true), highs.Backend{}); (r.Status == solver.Unbounded) != (d == 0) {
			t.Errorf("d = %g: %v, ray %v", d, r, r.Ray)
		}
	}
}

// TestUnboundedBesideAThird: that no float64 is a third leaves an integer model its point, which is proven with its whole
// values alone fixed.
func TestUnboundedBesideAThird(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("a third")
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0), Cost: -1, Integer: true})
	m.AddColumn(solver.Column{Bounds: solver.AtLeast(0)})
	m.AddRow(solver.Row{Bounds: solver.Equal(1), Columns: []int{1}, Values: []float64{3}})
	if r := solveWith(t, m, highs.Backend{}); r.Status != solver.Unbounded {
		t.Errorf("%v", r)
	}
}

// TestClaimsAboutIntegerModelsAreTrue: an integer model is unbounded along a ray of its relaxation alone, and infeasible
// without whole numbers near the origin.
func TestClaimsAboutIntegerModelsAreTrue(t *testing.T) {
	useHighs(t)
	rapid.Check(t, func(t *rapid.T) {
		m, _ := drawScaled(t, 0, true)
		for j := range m.Columns() {
			m.SetInteger(j, true)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		r, err := solver.Solve(ctx, m, &solver.Options{Backend: highs.Backend{}, NodeLimit: 200})
		if err != nil {
			t.Fatal(err)
		}
		answer := exact.Solve(context.Background(), asGiven(m))
		if r.Status == solver.Unbounded && answer.Status != exact.Unbounded {
			t.Fatalf("%v, but the relaxation has status %d", r, answer.Status)
		}
		origin := make([]float64, m.Columns())
		if worst, _ := m.Violation(origin); worst == 0 && r.Status == solver.Infeasible {
			t.Fatalf("%v, but 0 is a point", r)
		}
	})
}

// TestExplainAsksBeyondAnUnfinishedRelaxation: a point of the relaxation, optimal or not, is none of an integer model.
func TestExplainAsksBeyondAnUnfinishedRelaxation(t *testing.T) {
	useHighs(t)
	m := solver.NewModel("no whole numbers")
	for range 2 {
		m.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Integer: true})
	}
	m.AddRow(solver.Row{Bounds: solver.Equal(0.5), Columns: []int{0, 1}, Values: []float64{1.5, 1.25}})
	c, err := solver.Explain(context.Background(), m, &solver.Options{Backend: unfinished{}})
	if err != nil || !c.Integrality {
		t.Errorf("%v, %v", c, err)
	}
}

// unfinished is HiGHS, which finds optima but does not say so.
type unfinished struct{ solver.Engine }

func (u unfinished) Open(m *solver.Model, o *solver.Options) (solver.Engine, error) {
	engine, err := highs.Backend{}.Open(m, o)
	return unfinished{engine}, err
}

func (u unfinished) Solve(ctx context.Context) (*solver.Result, error) {
	r, err := u.Engine.Solve(ctx)
	if err == nil && r.Status == solver.Optimal {
		r.Status = solver.FeasibleLimit
	}
	return r, err
}
