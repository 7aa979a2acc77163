package solver

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/sparsero/directions/solver/exact"
	"github.com/sparsero/directions/solver/internal/program"
)

// Exact is a backend for doubters: the simplex method in exact rational arithmetic, for
// small linear programs. What it says of a model is true of the float64 numbers in it, to
// the last bit: an optimum, Infeasible and Unbounded are each proven by an exact check of
// their own. It stands behind the other backends where their answers cannot be proven.
// The work grows fast with the size; 20 columns and rows take some tenths of a second.
// Integer columns and quadratic objectives give an error matching ErrUnsupported.
type Exact struct{}

// Doubts are settled in exact arithmetic, in about a second at the most, for up to exactLimit
// columns times rows, or up to exactArea where there are no more than exactEntries columns
// and coefficients.
const (
	exactLimit   = 1500
	exactArea    = 10_000
	exactEntries = 800
)

func exactSize(m *Model) bool {
	area, entries := len(m.columns)*(1+len(m.rows)), len(m.columns)
	for i := range m.rows {
		entries += len(m.rows[i].Columns)
	}
	return area <= exactLimit || area <= exactArea && entries <= exactEntries
}

// String returns the name of the backend.
func (Exact) String() string { return "exact simplex (pure Go)" }

// Open returns an error matching ErrUnsupported for integer columns and quadratic
// objectives.
func (b Exact) Open(m *Model, o *Options) (Engine, error) {
	if err := m.unsupported("solver.Exact", false); err != nil {
		return nil, err
	}
	return &engine{model: m, options: o.Filled(), name: b.String(), solve: func(spent *program.Budget, r *Result) {
		m.solveExactly(spent.Context, r)
	}}, nil
}

// solveExactly replaces the outcome in a result by the exact one and tells whether there
// is one.
func (m *Model) solveExactly(ctx context.Context, result *Result) bool {
	form := m.program()
	a := exact.Solve(ctx, &form.Program)
	result.Iterations += a.Pivots
	if a.Status == exact.Stopped {
		result.Status = Limit
		return false
	}
	if err := exact.Check(&form.Program, a); err != nil {
		result.Status, result.Detail = NumericalTrouble, fmt.Sprintf("exact arithmetic contradicts itself: %v", err)
		return false
	}
	*result = Result{
		Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1), Iterations: result.Iterations,
		Solver: result.Solver, Model: result.Model,
	}
	switch a.Status {
	case exact.Optimal:
		x, y := floats64(a.X), floats64(a.Duals)
		result.take(m, program.Answer{Outcome: program.Optimal, X: x, RowDuals: y, ColumnDuals: form.ReducedCosts(x, y)})
		result.Bound = m.sign() * exact.RoundedDown(a.Objective)
		result.proven = true
	case exact.Infeasible:
		result.Status, result.Farkas = Infeasible, floats64(a.Duals)
		result.proven = true
	case exact.Unbounded:
		result.Status, result.Ray = Unbounded, floats64(a.Ray)
		result.proven = true
	}
	return true
}

func floats64(values []*big.Rat) []float64 {
	if values == nil {
		return nil
	}
	rounded := make([]float64, len(values))
	for k, v := range values {
		rounded[k], _ = v.Float64()
	}
	return rounded
}
