package solver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sparsero/directions/solver/proof"
)

// Result is the outcome of one solve.
//
// Duals follow one convention in every backend: RowDuals[i] is the derivative of the reported objective with respect to the
// active bound of row i, and ColumnDuals[j] (the reduced cost) the same for the active bound of column j,
//
//	ColumnDuals[j] = g_j - sum_i RowDuals[i] * a_ij,
//
// where g is the gradient of the objective (g = c for a linear one). In a minimisation a positive dual belongs to a lower
// bound and a negative one to an upper bound; in a maximisation the signs are reversed. Duals are nil for integer models and
// for every status but Optimal.
type Result struct {
	Status Status
	// X is the point, nil unless Status is Optimal or FeasibleLimit.
	X []float64
	// Objective is the value at X, NaN without a point.
	Objective float64
	// Lower bounds the optimal value of a minimisation, Upper that of a maximisation; the other one is not proven. They
	// are proven apart from the backend, by weak duality at the multipliers (over the nodes of a branch and bound of our
	// own for integer models) with every sum rounded outwards. At an optimum they mostly differ from Objective in the
	// last bits.
	Lower proof.Lower
	Upper proof.Upper
	// Gap is the distance of Objective and that bound relative to the size of the terms that the two are sums of, a measure
	// and no bound; +Inf when unknown.
	Gap float64
	// RowDuals has one entry per row, ColumnDuals one per column.
	RowDuals, ColumnDuals []float64
	// Farkas has a multiplier per row that proves Infeasible: weak duality with the costs 0 gives a bound above 0. For
	// columns without bounds that takes multipliers that Farkas is rounded from, which exact arithmetic finds beside
	// it. Nil where the contradiction is named in Detail, and for integer models, whose nodes have one each.
	Farkas []float64
	// Ray is a direction that improves the objective and leads out of no row or bound, and along which a quadratic
	// objective is linear: all of it to the last bit of the direction that Ray is rounded from. It proves Unbounded, or
	// that there is no optimum where the status is InfeasibleOrUnbounded.
	Ray []float64
	// Iterations counts simplex (or active-set) iterations, Nodes the branch-and-bound nodes of this solve.
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
	// context.DeadlineExceeded or ErrLimit where IterationLimit or NodeLimit was reached; or ErrUnproven.
	Cause error

	proven bool `json:"-"` // the bound comes from exact arithmetic
}

// Check returns nil if and only if the result is Optimal, whatever Gap proves of an
// integer model; otherwise a *statusError that prints the summary and the next step and matches
// ErrInfeasible, ErrUnbounded, ErrLimit or ErrNumericalTrouble with errors.Is.
func (r *Result) Check() error {
	r = cmp.Or(r, &Result{Objective: math.NaN()}) // that of no solve
	if r.Status == Optimal {
		return nil
	}
	return &statusError{r}
}

// String returns the summary of the result in one line.
func (r *Result) String() string {
	var b strings.Builder
	b.WriteString(r.Status.String())
	if r.Status.hasPoint() {
		fmt.Fprintf(&b, ", objective %.9g", r.Objective)
		if r.Gap > gapNoise {
			bound := "none"
			if r.Lower != (proof.Lower{}) {
				bound = fmt.Sprintf("%.9g", r.Lower)
			} else if r.Upper != (proof.Upper{}) {
				bound = fmt.Sprintf("%.9g", r.Upper)
			}
			fmt.Fprintf(&b, " (bound %s, gap %.2g)", bound, r.Gap)
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

// newResult returns a result in which nothing is known yet.
func newResult(m *Model, solver string) *Result {
	return &Result{Objective: math.NaN(), Gap: math.Inf(1), Solver: solver, Model: m.String()}
}

// setBound fills in a bound on the minimum of the model's minimisation form.
func (r *Result) setBound(m *Model, minimum proof.Lower) {
	if r.Lower, r.Upper = minimum, (proof.Upper{}); m.maximize {
		r.Lower, r.Upper = proof.Lower{}, minimum.Negated()
	}
}

// minimised is the bound on the minimum of the model's minimisation form.
func (r *Result) minimised(m *Model) proof.Lower {
	if m.maximize {
		return r.Upper.Negated()
	}
	return r.Lower
}

// addOffset adds the constant term to the bound.
func (r *Result) addOffset(m *Model) {
	r.setBound(m, r.minimised(m).Plus(proof.AtLeast(m.sign()*m.offset)))
}

// statusError is what Result.Check returns for anything but Optimal. It matches the sentinel of its status
// (InfeasibleOrUnbounded matches neither ErrInfeasible nor ErrUnbounded) and, for limits, the cause.
type statusError struct{ result *Result }

// Error returns the summary of the result and the next step.
func (e *statusError) Error() string {
	return strings.TrimSuffix("solver: "+e.result.String(), ".") + "; " + e.nextStep()
}

// Unwrap returns the sentinel errors that the status stands for.
func (e *statusError) Unwrap() []error {
	wrapped := []error{e.result.Status.meaning().sentinel, e.result.Cause}
	return slices.DeleteFunc(wrapped, func(err error) bool { return err == nil })
}

func (e *statusError) nextStep() string {
	next := e.result.Status.meaning().next
	switch {
	case e.result.Status != Limit && e.result.Status != FeasibleLimit:
		return next
	case errors.Is(e.result.Cause, context.Canceled):
		return "solve again with a context that is not cancelled" + next
	case errors.Is(e.result.Cause, ErrLimit):
		return "raise Options.IterationLimit or Options.NodeLimit" + next
	case errors.Is(e.result.Cause, ErrUnproven):
		return "give finite bounds to the columns that have none, or try another backend" + next
	}
	return "give the context a later deadline" + next
}
