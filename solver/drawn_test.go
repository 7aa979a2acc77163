package solver_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// drawnLinear draws a small linear program full of what makes the simplex
// method stumble: ties, zero rows, repeated rows, equations, free and fixed
// columns, empty columns, contradictions and unbounded directions.
func drawnLinear(t *rapid.T) *solver.Model {
	m := solver.NewModel("random")
	columns := rapid.IntRange(1, 8).Draw(t, "columns")
	rows := rapid.IntRange(0, 10).Draw(t, "rows")
	small := rapid.IntRange(-3, 3)
	if rapid.Bool().Draw(t, "maximize") {
		m.SetMaximize(true)
	}
	m.SetOffset(float64(small.Draw(t, "offset")))
	inside := make([]float64, columns) // a point that most rows contain
	for j := range columns {
		c := drawnColumn(t, small)
		m.AddColumn(c)
		inside[j] = math.Max(math.Max(c.Lower(), -3), math.Min(math.Min(c.Upper(), 3), float64(small.Draw(t, "inside"))))
	}
	for range rows {
		m.AddRow(drawnRow(t, m, inside, small))
	}
	return m
}

func drawnColumn(t *rapid.T, small *rapid.Generator[int]) solver.Column {
	c := solver.Column{Cost: float64(small.Draw(t, "cost"))}
	lower := float64(small.Draw(t, "lower"))
	switch rapid.SampledFrom([]string{"nonnegative", "box", "box", "box", "free", "upper", "fixed", "lower"}).Draw(t, "kind") {
	case "nonnegative":
		c.Bounds = solver.AtLeast(0)
	case "box":
		c.Bounds = solver.Between(lower, lower+float64(rapid.IntRange(0, 5).Draw(t, "width")))
	case "upper":
		c.Bounds = solver.AtMost(lower)
	case "fixed":
		c.Bounds = solver.Equal(lower)
	case "lower":
		c.Bounds = solver.AtLeast(lower)
	}
	return c
}

// drawnRow draws a row that mostly contains the point inside, or repeats one.
func drawnRow(t *rapid.T, m *solver.Model, inside []float64, small *rapid.Generator[int]) solver.Row {
	if m.Rows() > 0 && rapid.IntRange(0, 9).Draw(t, "repeat") == 0 {
		return m.Row(rapid.IntRange(0, m.Rows()-1).Draw(t, "which"))
	}
	r := solver.Row{}
	for j := range m.Columns() {
		if v := small.Draw(t, "coefficient"); v != 0 && rapid.Bool().Draw(t, "present") {
			r.Columns, r.Values = append(r.Columns, j), append(r.Values, float64(v))
		}
	}
	side := float64(rapid.IntRange(-6, 6).Draw(t, "side"))
	through := rapid.IntRange(0, 9).Draw(t, "through") > 0
	if through {
		side = 0
		for k, j := range r.Columns {
			side += r.Values[k] * inside[j]
		}
	}
	slack := float64(rapid.IntRange(0, 2).Draw(t, "slack"))
	switch rapid.SampledFrom([]string{"<=", ">=", "=", "range", "free"}).Draw(t, "relation") {
	case "<=":
		r.Bounds = solver.AtMost(side + slack)
	case ">=":
		r.Bounds = solver.AtLeast(side - slack)
	case "=":
		r.Bounds = solver.Equal(side)
	case "range":
		r.Bounds = solver.Between(side, side+float64(rapid.IntRange(0, 6).Draw(t, "width")))
	}
	return r
}

// shape is a family of real-valued linear programs.
type shape struct {
	Columns, Rows int
	Density       float64 // share of nonzero coefficients
	Bounds        string  // "box", "nonnegative" or "free"
	Equations     int     // how many rows are equations
	Scale         float64 // units of rows and columns span Scale^[-1, 1]
}

// gaussian draws a feasible program whose optimum is bounded: the cost is
// a nonnegative combination of what the constraints push against.
func gaussian(s shape, seed uint64) *solver.Model {
	r := rand.New(rand.NewPCG(seed, 7))
	m := solver.NewModel(fmt.Sprintf("%+v", s))
	x := make([]float64, s.Columns)
	unit := make([]float64, s.Columns)
	for j := range x {
		unit[j] = math.Pow(s.Scale, 2*r.Float64()-1)
		x[j] = r.Float64()
		c := solver.Column{}
		switch s.Bounds {
		case "box":
			c.Bounds = solver.Between(0, 1/unit[j])
		case "nonnegative":
			c.Bounds = solver.AtLeast(0)
			if r.Float64() < 0.5 {
				x[j] = 0
			}
		}
		x[j] /= unit[j]
		m.AddColumn(c)
	}
	cost := make([]float64, s.Columns)
	for i := range s.Rows {
		row := solver.Row{}
		weight := math.Pow(s.Scale, 2*r.Float64()-1)
		activity := 0.0
		for j := range x {
			if r.Float64() < s.Density {
				v := r.NormFloat64() * weight * unit[j]
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, v)
				activity += v * x[j]
			}
		}
		dual := math.Max(0, r.NormFloat64()) / weight
		row.Bounds = solver.AtLeast(activity - weight*float64(r.IntN(2))*r.Float64())
		if i < s.Equations {
			row.Bounds, dual = solver.Equal(activity), r.NormFloat64()/weight
		}
		for k, j := range row.Columns {
			cost[j] += dual * row.Values[k]
		}
		m.AddRow(row)
	}
	for j := range cost {
		if s.Bounds != "free" {
			cost[j] += r.Float64() * unit[j]
		}
		m.SetCost(j, cost[j])
	}
	return m
}

// worstCase is an epigraph model with a box, whose rows are cuts.
func worstCase(columns int, cuts []solver.Row) *solver.Model {
	m := solver.NewModel("worst case")
	for range columns {
		m.AddColumn(solver.Column{Bounds: solver.Between(-1, 1)})
	}
	m.AddColumn(solver.Column{Name: "epigraph", Bounds: solver.AtLeast(-1e6), Cost: 1})
	for _, row := range cuts {
		m.AddRow(row)
	}
	return m
}

// drawnCuts draws rows t - a'x >= b.
func drawnCuts(columns, count int, seed uint64) []solver.Row {
	r := rand.New(rand.NewPCG(seed, 3))
	cuts := make([]solver.Row, count)
	for i := range cuts {
		cuts[i] = solver.Row{Group: "cut", Bounds: solver.AtLeast(r.NormFloat64()), Columns: []int{columns}, Values: []float64{1}}
		for j := range columns {
			cuts[i].Columns = append(cuts[i].Columns, j)
			cuts[i].Values = append(cuts[i].Values, r.NormFloat64())
		}
	}
	return cuts
}

// checkOptimum fails unless the point of the result is feasible and optimal: its bound,
// which weak duality proves apart from the backend, is its objective (a quadratic form that
// is flat in some directions may have none), and the duals are those of an optimum.
func checkOptimum(t rapid.TB, m *solver.Model, r *solver.Result, tolerance float64) {
	t.Helper()
	if worst, where := m.Violation(r.X); worst > tolerance {
		t.Fatalf("%s: %s by %g", r.Solver, where, worst)
	}
	if len(m.Quadratic()) == 0 && !(r.Gap <= tolerance) || math.Abs(m.Objective(r.X)-r.Objective) > tolerance {
		t.Fatalf("%s: objective %v, value at the point %v, bound %v", r.Solver, r.Objective, m.Objective(r.X), provenOf(r))
	}
	if err := m.CheckOptimality(r.X, r.RowDuals, r.ColumnDuals, tolerance, tolerance); err != nil {
		t.Fatalf("%s: %v\nx=%v\nrow duals=%v\ncolumn duals=%v", r.Solver, err, r.X, r.RowDuals, r.ColumnDuals)
	}
}
