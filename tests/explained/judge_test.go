package explained

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// accuracy is the share of the size of a row by which solvers may miss it.
const accuracy = 1e-6

// demand is a row of a robust constraint: the k-th one, and the atom, or sparsero.NullAtom.
type demand struct{ k, atom int }

// rows are the robust constraints, which the problem copies each time.
func (m *model) rows() []robust.Constraint {
	if m.constraints == nil {
		m.constraints = m.problem.Constraints()
	}
	return m.constraints
}

// row rebuilds a demand from its meaning.
func (m *model) row(d demand, radius float64) (row solver.Row, size float64) {
	c := &m.rows()[d.k]
	row.Bounds, size = solver.AtMost(c.Limit), math.Abs(c.Limit)
	values := append([]float64{}, c.Nominal...)
	if d.atom != sparsero.NullAtom {
		atom := m.problem.Dictionary().Atom(d.atom)
		for i, v := range atom {
			if v == 0 {
				continue
			}
			for j := range values {
				values[j] += radius * v * c.Map.Matrix.At(i, j)
			}
			if c.Map.Constant != nil {
				row.Bounds = solver.AtMost(row.Upper() - radius*v*c.Map.Constant[i])
			}
		}
	}
	for j, v := range values {
		if v != 0 {
			row.Columns, row.Values = append(row.Columns, j), append(row.Values, v)
			bounds := m.problem.Region().Column(j).Bounds
			if reach := math.Max(math.Abs(bounds.Lower()), math.Abs(bounds.Upper())); !math.IsInf(reach, 0) {
				size = math.Max(size, math.Abs(v)*reach)
			}
		}
	}
	return row, math.Max(size, 1e-9)
}

// missed is the least share of its size by which some x in X has to miss one of the demands, below 0 if there is room, and x.
func (m *model) missed(ctx context.Context, demands []demand, radius float64) (missed float64, x []float64, err error) {
	least := m.problem.Region().WithoutObjective()
	column := least.AddColumn(solver.Column{Name: "missed", Bounds: solver.AtLeast(-1), Cost: 1})
	for _, d := range demands {
		row, size := m.row(d, radius)
		row.Columns, row.Values = append(row.Columns, column), append(row.Values, -size)
		least.AddRow(row)
	}
	result, err := solver.Solve(ctx, least, &solver.Options{Backend: highs.Backend{}})
	if err == nil {
		err = result.Check()
	}
	if err != nil {
		return 0, nil, err
	}
	return result.Objective, result.X[:column], nil
}

// missedByAll is missed for the demands of all atoms, which get rows once a point misses them.
func (m *model) missedByAll(ctx context.Context, radius float64) (float64, error) {
	known, demands := map[demand]bool{}, []demand{}
	add := func(d demand) bool {
		if known[d] {
			return false
		}
		known[d] = true
		demands = append(demands, d)
		return true
	}
	constraints := m.rows()
	for k := range constraints {
		add(demand{k, sparsero.NullAtom})
	}
	for {
		missed, x, err := m.missed(ctx, demands, radius)
		if err != nil {
			return 0, err
		}
		more := false
		for k := range constraints {
			worst, _ := m.problem.Dictionary().ActiveAtom(constraints[k].Map.Apply(x))
			if worst == sparsero.NullAtom {
				continue
			}
			row, size := m.row(demand{k, worst}, radius)
			sum := -row.Upper()
			for e, j := range row.Columns {
				sum += row.Values[e] * x[j]
			}
			if sum > size*(missed+accuracy/10) {
				more = add(demand{k, worst}) || more
			}
		}
		if !more {
			return missed, nil
		}
	}
}

// verdicts of a judge.
const (
	right    = "right"
	bracket  = "a bracket"
	feasible = "feasible"
	empty    = "X is empty"
	unknown  = "unknown"
	wrong    = "WRONG"
	unjudged = "not judged"
)

// verdict judges an explanation of the model, or the error in its place.
func (m *model) verdict(ctx context.Context, e *robust.Explanation, err error) (verdict, reason string) {
	if err != nil {
		return unknown, err.Error()
	}
	if reason, err := m.judge(ctx, e); reason != "" || err != nil {
		if err != nil {
			return unjudged, err.Error()
		}
		return wrong, fmt.Sprintf("%s: %v", reason, e)
	}
	switch {
	case e.RegionEmpty:
		return empty, ""
	case e.Unknown != nil:
		return bracket, e.String()
	case e.Feasible:
		return feasible, ""
	}
	return right, fmt.Sprintf("%d rows, largest radius %.6g", len(e.Conflict), e.LargestRadius)
}

// judge says what is wrong with an explanation, nothing if it is right.
func (m *model) judge(ctx context.Context, e *robust.Explanation) (string, error) {
	region, err := solver.Solve(ctx, m.problem.Region().WithoutObjective(), &solver.Options{Backend: highs.Backend{}})
	if err != nil || e.RegionEmpty != (region.Status == solver.Infeasible) {
		return "X is not empty", err
	}
	if e.RegionEmpty {
		return "", nil
	}
	if reason, err := m.judgeConflict(ctx, e); reason != "" || err != nil {
		return reason, err
	}
	missed, err := m.missedByAll(ctx, m.radius)
	if err != nil || e.Feasible && missed > accuracy || !e.Feasible && missed < -accuracy {
		return fmt.Sprintf("the least share missed at the radius is %g", missed), err
	}
	switch {
	case math.IsInf(e.LargestRadius.Float(), 1):
		return "", nil
	case math.IsInf(e.LargestRadius.Float(), -1) && e.Unknown != nil:
		return "", nil
	case math.IsInf(e.LargestRadius.Float(), -1):
		missed, err := m.missedByAll(ctx, 0)
		if missed < -accuracy {
			return fmt.Sprintf("radius 0 is feasible, %g", missed), err
		}
		return "", err
	}
	if missed, err = m.missedByAll(ctx, e.LargestRadius.Float()); err != nil || missed > accuracy {
		return fmt.Sprintf("the largest radius is not attained, %g", missed), err
	}
	if math.IsInf(e.UnattainedRadius.Float(), 1) {
		return "", nil
	}
	if e.Unknown == nil && e.UnattainedRadius.Float() > e.LargestRadius.Float()*(1+2e-6) {
		return "the bracket is wide", nil
	}
	if missed, err = m.missedByAll(ctx, e.UnattainedRadius.Float()*(1+1e-6)+1e-9); err != nil || missed < -accuracy {
		return fmt.Sprintf("a larger radius is attained, %g", missed), err
	}
	return "", nil
}

// judgeConflict says what is wrong with a conflict: no x in X satisfies all of its rows, and without any of them some does.
func (m *model) judgeConflict(ctx context.Context, e *robust.Explanation) (string, error) {
	if e.Feasible != (len(e.Conflict) == 0) {
		return "a conflict where there is none, or none where there is one", nil
	}
	var demands []demand
	for _, d := range e.Conflict {
		for k, c := range m.rows() {
			if c.Name == d.Constraint {
				demands = append(demands, demand{k, d.Atom})
			}
		}
	}
	if len(demands) != len(e.Conflict) {
		return "", errors.New("constraints share a name")
	}
	for without := -1; without < len(demands); without++ {
		rows := append([]demand{}, demands...)
		if without >= 0 {
			rows = append(rows[:without], rows[without+1:]...)
		}
		missed, _, err := m.missed(ctx, rows, m.radius)
		switch {
		case len(demands) == 0:
		case err != nil:
			return "", err
		case without < 0 && missed < -accuracy:
			return fmt.Sprintf("the conflict has room, %g", missed), nil
		case without >= 0 && missed > accuracy:
			return fmt.Sprintf("row %d of the conflict is not needed, %g", without, missed), nil
		}
	}
	return "", nil
}
