package solver

import (
	"context"
	"math"
	"testing"

	"github.com/sparsero/directions/solver/proof/exact"
)

// strip is -1 <= x - y <= 2 with x >= 0, y >= 0 and the costs given.
func strip(costs ...float64) *Model {
	m := NewModel("strip")
	for _, cost := range costs {
		m.AddColumn(Column{Bounds: AtLeast(0), Cost: cost})
	}
	m.AddRow(Row{Bounds: Between(-1, 2), Columns: []int{0, 1}, Values: []float64{1, -1}})
	return m
}

// TestExactDecisionThatIsStopped leaves what was known.
func TestExactDecisionThatIsStopped(t *testing.T) {
	session, err := Open(strip(1, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := newResult(session.model, "test")
	r.Status, r.Detail = Infeasible, "as the backend says"
	if session.decideExactly(ctx, r) || r.Status != Infeasible || r.Detail != "as the backend says" {
		t.Errorf("decided after its end: %v", r)
	}
	if !session.decideExactly(context.Background(), r) || r.Status != Optimal || r.Objective != 0 || r.Lower.Float() != 0 {
		t.Errorf("not decided: %v", r)
	}
}

// lasting is a context that ends after it was asked some times.
type lasting struct {
	context.Context
	left int
}

func (c *lasting) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestExactAnswerStands: a context that ends with the last step of exact arithmetic takes nothing from its answer, and one
// that ends before leaves none. The steps are counted, behind those that were made before.
func TestExactAnswerStands(t *testing.T) {
	m, steps := strip(-1, 2), &lasting{context.Background(), 1000}
	pivots := exact.Solve(steps, m.Program()).Pivots
	for less := range 2 {
		r := newResult(m, "test")
		r.Iterations = 5
		m.solveExactly(&lasting{context.Background(), 1000 - steps.left - less}, r)
		optimal := r.Status == Optimal && r.proven && r.Iterations == 5+pivots && pivots > 0
		if optimal != (less == 0) || !optimal && r.Status != Limit {
			t.Errorf("%d steps less: %+v", less, r)
		}
	}
}

// TestLargeBudgetIsProven: reduced costs of hundreds of columns without upper bounds miss 0 by rounding, and the budget
// bounds what this costs.
func TestLargeBudgetIsProven(t *testing.T) {
	const n, rows = 300, 200
	m, budget := NewModel("budget"), Row{Bounds: Equal(1)}
	for j := range n {
		m.AddColumn(Column{Bounds: AtLeast(0)})
		budget.Columns, budget.Values = append(budget.Columns, j), append(budget.Values, 1)
	}
	worst := m.AddColumn(Column{Bounds: AtLeast(0), Cost: 1})
	m.AddRow(budget)
	for i := range rows {
		row := Row{Bounds: AtMost(0)}
		for j := range n {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, 1+math.Sin(float64(7*i*i+13*j*j+i*j)))
		}
		row.Columns, row.Values = append(row.Columns, worst), append(row.Values, -1)
		m.AddRow(row)
	}
	r, err := Solve(context.Background(), m, &Options{Backend: PureGo})
	if err != nil {
		t.Fatal(err)
	}
	if r.Check() != nil || !(r.Objective-r.Lower.Float() <= 1e-11) {
		t.Errorf("%v: bound %v below the objective %v", r, r.Lower.Float(), r.Objective)
	}
}
