package solver

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestImpliedBoundsKeepEveryPoint: what rows imply cuts no point off that satisfies them, signs, open sides and rounding
// included.
func TestImpliedBoundsKeepEveryPoint(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		m, x := NewModel(""), make([]float64, n)
		for j := range n {
			x[j] = rapid.Float64Range(-3, 3).Draw(t, "x")
			bounds := []Bounds{{}, AtLeast(x[j] - 1), AtMost(x[j]), Between(x[j], x[j]+2)}
			m.AddColumn(Column{Bounds: bounds[rapid.IntRange(0, 3).Draw(t, "bounds")]})
		}
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			row, activity := Row{}, 0.0
			for j := range n {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, rapid.Float64Range(-2, 2).Draw(t, "a"))
				activity += row.Values[j] * x[j]
			}
			reserve := 1e-9 // of the activity's own rounding
			row.Bounds = []Bounds{AtLeast(activity - reserve), AtMost(activity + reserve), Between(activity-reserve, activity+reserve)}[rapid.IntRange(0, 2).Draw(t, "side")]
			m.AddRow(row)
		}
		c := newZeroClaim(m)
		if c.imply() {
			found++
		}
		for j, v := range x {
			if v < c.lower[j] || v > c.upper[j] {
				t.Fatalf("column %d at %v is cut off by [%v, %v]", j, v, c.lower[j], c.upper[j])
			}
		}
	})
	if found == 0 {
		t.Error("no row implied a bound")
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
	r, err := Solve(context.Background(), m, &Options{Backend: PureGo{}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Check() != nil || !(r.Objective-r.Bound <= 1e-11) {
		t.Errorf("%v: bound %v below the objective %v", r, r.Bound, r.Objective)
	}
}
