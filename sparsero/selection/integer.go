package selection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver"
)

// ExactInteger finds a set of B atoms with the largest coverage in any dimension
// by integer programming, as a facility location problem: atoms are facilities,
// probe directions are customers,
//
//	max sum_{i,s} <d_i,s> x_is
//	subject to  sum_i x_is <= 1,  0 <= x_is <= y_i,  sum_i y_i <= B,  y_i in {0,1},
//
// with one x_is for every positive alignment. It is meant for up to a few
// thousand of these; the time can grow exponentially.
//
// It needs a backend with integer variables: import
// github.com/sparsero/directions/solver/highs. The last prefix of the selection
// is optimal within the relative gap of the solver; the prefixes before it order
// the same atoms by gain. Fewer than B atoms are returned if fewer reach the
// optimum. When the context or a limit ends the search, the selection is the
// best set found, at least as good as greedy's, and marked Partial. Values are those of
// the set in float64, whatever the solver says of it; Bounds use the bound that is
// proven apart from the backend where that is less than the bound of every path.
type ExactInteger struct {
	// Solver holds the solver's options, such as the backend and the
	// relative gap. Default nil, the default backend.
	Solver *solver.Options
}

// Name returns "exact integer".
func (ExactInteger) Name() string { return "exact integer" }

// Select implements [Policy]. It is an error, matching solver.ErrUnsupported, if
// the backend cannot handle integer variables.
func (e ExactInteger) Select(ctx context.Context, o Objective, budget int) (*Selection, error) {
	p, c, err := newCoveragePath(e.Name(), o, budget)
	if err != nil {
		return nil, err
	}
	greedy, err := Greedy{StopAtFull: true}.Select(ctx, c, budget)
	if err != nil {
		return nil, err
	}
	atoms, bound := greedy.Atoms, math.Inf(1)
	if !p.stopped(ctx) {
		table, err := c.table()
		if err != nil {
			return nil, err
		}
		result, err := e.solve(ctx, table, budget)
		if err != nil {
			return nil, err
		}
		p.selection.Partial = result.Status != solver.Optimal
		if !math.IsNaN(result.Bound) {
			bound = roundingOf(c).AtMost(result.Bound / float64(c.probes()))
		}
		found := chosenColumns(result, c.Size())
		state := c.set(found)
		if err := readError(state); err != nil {
			return nil, err
		}
		if n := greedy.Len(); n == 0 || state.Value() > greedy.Coverage[n-1] {
			atoms = found
		}
	}
	p.takeByGain(atoms)
	return p.finish(context.WithoutCancel(ctx), slices.Repeat([]float64{bound}, budget)...)
}

// solve builds and solves the program.
func (e ExactInteger) solve(ctx context.Context, table [][]float64, budget int) (*solver.Result, error) {
	result, err := solver.Solve(ctx, facilityLocation(table, budget), e.Solver)
	if err != nil {
		return nil, fmt.Errorf("selection: the exact program needs integer variables: %w", err)
	}
	switch err := result.Check(); {
	case err == nil, errors.Is(err, solver.ErrLimit):
		return result, nil
	default: // the empty set is feasible and the objective is bounded by F([N];T)
		return nil, fmt.Errorf("selection: the exact program was not solved: %w", err)
	}
}

// facilityLocation writes the program. Column i is the choice of atom i.
func facilityLocation(table [][]float64, budget int) *solver.Model {
	model := solver.NewModel("coverage as facility location")
	model.SetSense(solver.Maximize)
	limit := solver.Row{Name: "budget", Bounds: solver.AtMost(float64(budget))}
	for i := range table {
		model.AddColumn(solver.Column{Name: fmt.Sprintf("choose %d", i), Bounds: solver.Between(0, 1), Integer: true})
		limit.Columns, limit.Values = append(limit.Columns, i), append(limit.Values, 1)
	}
	model.AddRow(limit)
	for j := range table[0] {
		serve := solver.Row{Name: fmt.Sprintf("direction %d", j), Group: "one atom per direction", Bounds: solver.AtMost(1)}
		for i, row := range table {
			alignment := row[j]
			if alignment <= 0 {
				continue
			}
			column := model.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: alignment})
			model.AddRow(solver.Row{Group: "only chosen atoms serve", Bounds: solver.AtMost(0), Columns: []int{column, i}, Values: []float64{1, -1}})
			serve.Columns, serve.Values = append(serve.Columns, column), append(serve.Values, 1)
		}
		model.AddRow(serve)
	}
	return model
}

// chosenColumns returns which of the n atoms a result chooses, none without a point.
func chosenColumns(result *solver.Result, n int) []int {
	var atoms []int
	if result.X == nil {
		return nil
	}
	for i, share := range result.X[:n] {
		if share > 0.5 {
			atoms = append(atoms, i)
		}
	}
	return atoms
}
