package solver

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Result is the outcome of one solve.
//
// Duals follow one convention in every backend: RowDuals[i] is the derivative
// of the reported objective with respect to the active bound of row i, and
// ColumnDuals[j] (the reduced cost) the same for the active bound of column j,
//
//	ColumnDuals[j] = g_j - sum_i RowDuals[i] * a_ij,
//
// where g is the gradient of the objective (g = c for a linear one). In a
// minimisation a positive dual belongs to a lower bound and a negative one to
// an upper bound; in a maximisation the signs are reversed. Duals are nil for
// integer models and for every status but Optimal.
type Result struct {
	Status Status
	// X is the point, nil unless Status.HasPoint().
	X []float64
	// Objective is the value at X, NaN without a point.
	Objective float64
	// Bound is a bound on the optimal value that is proven apart from the backend, by
	// weak duality at the multipliers (over the nodes of a branch and bound of our own
	// for integer models) with every sum rounded outwards; NaN when nothing is proven.
	// At an optimum it mostly differs from Objective in the last bits.
	Bound float64
	// Gap is |Objective-Bound| relative to the size of the terms that the two are sums
	// of; +Inf when unknown.
	Gap float64
	// RowDuals has one entry per row, ColumnDuals one per column.
	RowDuals, ColumnDuals []float64
	// Farkas has a multiplier per row that proves Infeasible: weak duality with the costs
	// 0 gives a bound above 0. For columns without bounds that takes multipliers that
	// Farkas is rounded from, which exact arithmetic finds beside it. Nil where the contradiction is named in Detail, and for
	// integer models, whose nodes have one each.
	Farkas []float64
	// Ray is a direction that improves the objective and leads out of no row or bound, and along which a quadratic
	// objective is linear: all of it to the last bit of the direction that Ray is rounded from. It proves Unbounded, or
	// that there is no optimum where the status is InfeasibleOrUnbounded.
	Ray []float64
	// Iterations counts simplex (or active-set) iterations, Nodes the
	// branch-and-bound nodes of this solve.
	Iterations, Nodes int
	// Elapsed is the wall time of this solve.
	Elapsed time.Duration
	// Solver names the software that produced the result, with version.
	Solver string
	// Model is the one-line summary of the model that was solved.
	Model string
	// Detail adds a sentence to the status where there is more to say.
	Detail string
	// Cause is what stopped a limited solve: context.Canceled,
	// context.DeadlineExceeded or ErrIterationLimit; or ErrUnproven.
	Cause error

	proven bool `json:"-"` // Bound comes from exact arithmetic
}

// Check returns nil if and only if the result is Optimal, whatever Gap proves of an
// integer model; otherwise a *StatusError that prints the summary and the next step and matches
// ErrInfeasible, ErrUnbounded, ErrLimit or ErrNumericalTrouble with errors.Is.
func (r *Result) Check() error {
	if r = r.orNone(); r.Status == Optimal {
		return nil
	}
	return &StatusError{Result: r}
}

// orNone returns the result, or that of no solve for nil.
func (r *Result) orNone() *Result {
	if r == nil {
		return &Result{Objective: math.NaN()}
	}
	return r
}

// String returns the summary of the result in one line.
func (r *Result) String() string {
	var b strings.Builder
	b.WriteString(r.Status.String())
	if r.Status.HasPoint() {
		fmt.Fprintf(&b, ", objective %.9g", r.Objective)
		if r.Gap > negligibleGap {
			fmt.Fprintf(&b, " (bound %.9g, gap %.2g)", r.Bound, r.Gap)
		}
	}
	if r.Detail != "" {
		fmt.Fprintf(&b, " (%s)", r.Detail)
	}
	if r.Cause != nil && r.Status != Optimal {
		fmt.Fprintf(&b, ", stopped by: %v", r.Cause)
	}
	fmt.Fprintf(&b, ", %d iterations", r.Iterations)
	if r.Nodes > 0 {
		fmt.Fprintf(&b, ", %d nodes", r.Nodes)
	}
	fmt.Fprintf(&b, ", %s", r.Elapsed.Round(10*time.Microsecond))
	if r.Solver != "" {
		fmt.Fprintf(&b, ", %s", r.Solver)
	}
	if r.Model != "" {
		fmt.Fprintf(&b, " [%s]", r.Model)
	}
	return b.String()
}

// negligibleGap is the gap that summaries leave out: rounding errors.
const negligibleGap = 1e-12

// newResult returns a result in which nothing is known yet.
func newResult(m *Model, solver string) *Result {
	return &Result{Objective: math.NaN(), Bound: math.NaN(), Gap: math.Inf(1), Solver: solver, Model: m.String()}
}
