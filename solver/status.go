package solver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Status says how a solve ended. Only Optimal and FeasibleLimit come with a
// point.
type Status int

// The possible outcomes of a solve.
const (
	// StatusUnknown is the zero value: nothing was solved.
	StatusUnknown Status = iota
	// Optimal: the point is optimal within the tolerances (for integer models
	// within the requested gap); where Cause is ErrUnproven, by the word of the backend.
	Optimal
	// Infeasible: no point satisfies all rows, bounds and integrality.
	Infeasible
	// Unbounded: feasible points exist and the objective has no bound.
	Unbounded
	// InfeasibleOrUnbounded: there is no optimum, and the backend stopped
	// before telling which of the two reasons holds; where a session cannot find out, Ray improves
	// the objective for ever, and whether there is a point is within rounding errors.
	InfeasibleOrUnbounded
	// FeasibleLimit: a limit or cancellation stopped the solve; the point is
	// feasible and Gap says how far from optimal it can be.
	FeasibleLimit
	// Limit: a limit or cancellation stopped the solve before any feasible
	// point was known.
	Limit
	// NumericalTrouble: the solver gave up, or its answer failed our checks.
	NumericalTrouble
)

// meaning is what a status stands for: its words, its sentinel and the next step.
type meaning struct {
	name     string
	sentinel error
	next     string
}

var meanings = [...]meaning{
	StatusUnknown:         {"unknown", nil, "solve the model first"},
	Optimal:               {"optimal", nil, ""},
	Infeasible:            {"infeasible", ErrInfeasible, "call solver.Explain to see which rows and bounds contradict each other"},
	Unbounded:             {"unbounded", ErrUnbounded, "add bounds to the columns that the objective pushes to infinity"},
	InfeasibleOrUnbounded: {"infeasible or unbounded", nil, "give finite bounds to the columns that the objective pushes to infinity, and see with all costs 0 whether there is a point"},
	FeasibleLimit:         {"limit reached with a feasible point", ErrLimit, ", or accept the point with its gap"},
	Limit:                 {"limit reached without a feasible point", ErrLimit, ""},
	NumericalTrouble:      {"numerical trouble", ErrNumericalTrouble, "rescale the model so that its coefficients lie within a few powers of ten, or try another backend"},
}

// String returns the status in words.
func (s Status) String() string { return s.meaning().name }

func (s Status) meaning() meaning {
	if s < 0 || int(s) >= len(meanings) {
		return meaning{name: fmt.Sprintf("Status(%d)", int(s)), next: meanings[StatusUnknown].next}
	}
	return meanings[s]
}

// HasPoint reports whether results of this status carry a point.
func (s Status) HasPoint() bool { return s == Optimal || s == FeasibleLimit }

// Errors for errors.Is on what Result.Check, Open and Solve return.
var (
	// ErrInfeasible: the model has no feasible point.
	ErrInfeasible = errors.New("solver: model is infeasible")
	// ErrUnbounded: the objective improves without end.
	ErrUnbounded = errors.New("solver: model is unbounded")
	// ErrLimit: an iteration or node limit, a deadline or a cancelled context
	// stopped the solve.
	ErrLimit = errors.New("solver: limit reached")
	// ErrNumericalTrouble: no answer could be verified.
	ErrNumericalTrouble = errors.New("solver: numerical trouble")
	// ErrUnsupported: the backend cannot solve this kind of model.
	ErrUnsupported = errors.New("solver: model not supported by the backend")
	// ErrUnavailable: the backend is not part of this program.
	ErrUnavailable = errors.New("solver: backend not available")
	// ErrNotConvex: the quadratic objective is not convex.
	ErrNotConvex = errors.New("solver: objective not convex")
	// ErrFeasible: Explain was asked about a model that is feasible.
	ErrFeasible = errors.New("solver: model is feasible")
)

// UnsupportedError says which feature of a model a backend cannot handle. It
// matches ErrUnsupported.
type UnsupportedError struct {
	Backend string // name of the backend
	Feature string // what the model has, for instance "integer column 3 (open)"
	Remedy  string // the next step
}

// Error returns backend, feature and next step in one sentence.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("solver: %s cannot solve a model with %s; %s", e.Backend, e.Feature, e.Remedy)
}

// Is reports whether target is ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool { return target == ErrUnsupported }

// StatusError is what Result.Check returns for anything but Optimal. It
// matches the sentinel of its status (InfeasibleOrUnbounded matches neither
// ErrInfeasible nor ErrUnbounded) and, for limits, the cause.
type StatusError struct {
	Result *Result
}

// Error returns the summary of the result and the next step.
func (e *StatusError) Error() string {
	return strings.TrimSuffix("solver: "+e.Result.orNone().String(), ".") + "; " + e.nextStep()
}

// Unwrap returns the sentinel errors that the status stands for.
func (e *StatusError) Unwrap() []error {
	result := e.Result.orNone()
	wrapped := []error{result.Status.meaning().sentinel, result.Cause}
	return slices.DeleteFunc(wrapped, func(err error) bool { return err == nil })
}

func (e *StatusError) nextStep() string {
	status := e.Result.orNone().Status
	if status == Limit || status == FeasibleLimit {
		return e.raise() + status.meaning().next
	}
	return status.meaning().next
}

// raise names the limit that stopped the solve.
func (e *StatusError) raise() string {
	switch {
	case errors.Is(e.Result.Cause, context.Canceled):
		return "solve again with a context that is not cancelled"
	case errors.Is(e.Result.Cause, ErrIterationLimit):
		return "raise Options.IterationLimit or Options.NodeLimit"
	}
	return "give the context a later deadline"
}
