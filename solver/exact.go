package solver

import (
	"context"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/exact"
)

// Exact is a backend for doubters: the simplex method in exact rational arithmetic, for small linear programs. What it says
// of a model is true of the float64 numbers in it, to the last bit: an optimum, Infeasible and Unbounded are each proven by
// an exact check of their own. It stands behind the other backends where their answers cannot be proven. The work grows fast
// with the size; 20 columns and rows take some tenths of a second. Integer columns and quadratic objectives give an error
// matching ErrUnsupported.
var Exact Backend = &method{"solver.Exact", exactName, false, func(m *Model, _ *Options) solve {
	return func(spent *program.Budget, r *Result) { m.solveExactly(spent.Context, r) }
}}

const exactName = "exact simplex (pure Go)"

// solveExactly replaces the outcome in a result by the exact one, which is proven, where there is one.
func (m *Model) solveExactly(ctx context.Context, result *Result) {
	form := m.Program()
	a := exact.Solve(ctx, form)
	result.Iterations += a.Pivots
	switch err := exact.Check(form, a); {
	case err != nil && ctx.Err() != nil:
		result.Status = Limit
		return
	case err != nil:
		result.Status, result.Detail = NumericalTrouble, fmt.Sprintf("exact arithmetic contradicts itself: %v", err)
		return
	}
	*result = Result{Objective: math.NaN(), Gap: math.Inf(1), Iterations: result.Iterations, Solver: result.Solver, Model: result.Model, proven: true}
	switch a.Status {
	case exact.Optimal:
		x, y := program.Floats(a.X), program.Floats(a.Duals)
		result.take(m, program.Answer{Outcome: program.Optimal, X: x, RowDuals: y, ColumnDuals: program.ReducedCosts(form, x, y)})
		result.setBound(m, proof.LowerOf(a.Objective))
	case exact.Infeasible:
		result.Status, result.Farkas = Infeasible, program.Floats(a.Duals)
	case exact.Unbounded:
		result.Status, result.Ray = Unbounded, program.Floats(a.Ray)
	}
}
