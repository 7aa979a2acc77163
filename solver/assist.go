package solver

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
)

// elastic returns the model min t over (x, t), t within some bounds, in which each finite side
// of a row may be violated by t times the row's largest coefficient, and for
// each row of m its rows there. Apart, each row has a t of its own, and their sum is minimised.
func (m *Model) elastic(excess Bounds, apart bool) (*Model, [][]int) {
	e := NewModel(m.name + " (elastic)")
	for _, c := range m.columns {
		e.AddColumn(Column{Bounds: c.Bounds})
	}
	t, sides := -1, make([][]int, len(m.rows))
	for i, r := range m.rows {
		weight := program.MaxAbs(r.Values)
		if weight == 0 {
			continue
		}
		if t < 0 || apart {
			t = e.AddColumn(Column{Bounds: excess, Cost: 1})
		}
		add := func(weight, lower, upper float64) {
			sides[i] = append(sides[i], e.AddRow(Row{
				Bounds: Between(lower, upper), Columns: append(slices.Clone(r.Columns), t), Values: append(slices.Clone(r.Values), weight),
			}))
		}
		if !math.IsInf(r.Lower, -1) {
			add(weight, r.Lower, math.Inf(1))
		}
		if !math.IsInf(r.Upper, 1) {
			add(-weight, math.Inf(-1), r.Upper)
		}
	}
	return e, sides
}

// Recession returns the model of the steepest recession direction: a minimisation over the
// directions d, -1 <= d <= 1, along which no bound of m is ever reached and its objective is
// linear. It always has an optimum; of a feasible m, which must have no integer columns, it is
// negative exactly when m is unbounded.
func (m *Model) Recession() *Model {
	cone := func(bound, open float64) float64 {
		if math.IsInf(bound, 0) {
			return open
		}
		return 0
	}
	q := NewModel(m.name + " (recession)")
	for _, c := range m.columns {
		q.AddColumn(Column{Bounds: Between(cone(c.Lower(), -1), cone(c.Upper(), 1)), Cost: m.sign() * c.Cost})
	}
	for _, r := range m.rows {
		q.AddRow(Row{Bounds: Between(cone(r.Lower, math.Inf(-1)), cone(r.Upper, math.Inf(1))), Columns: r.Columns, Values: r.Values})
	}
	hessian := make([]Row, len(m.columns))
	for _, t := range m.Quadratic() {
		for _, pair := range [2][2]int{{t.I, t.J}, {t.J, t.I}} {
			row := &hessian[pair[0]]
			row.Columns, row.Values = append(row.Columns, pair[1]), append(row.Values, t.Value)
		}
	}
	for _, row := range hessian {
		if row.Columns != nil {
			row.Bounds = Equal(0)
			q.AddRow(row)
		}
	}
	return q
}
