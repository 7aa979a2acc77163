package solver

import (
	"errors"
	"fmt"
)

// Status says how a solve ended. Only Optimal and FeasibleLimit come with a point.
type Status int

// The possible outcomes of a solve.
const (
	// statusUnknown is the zero value: nothing was solved.
	statusUnknown Status = iota
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
	// Limit: a limit or cancellation stopped the solve before any feasible point was known.
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
	statusUnknown:         {"unknown", nil, "solve the model first"},
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
		return meaning{name: fmt.Sprintf("Status(%d)", int(s)), next: meanings[statusUnknown].next}
	}
	return meanings[s]
}

// hasPoint reports whether results of this status carry a point.
func (s Status) hasPoint() bool { return s == Optimal || s == FeasibleLimit }

// Errors for errors.Is on what Result.Check, Open and Solve return.
var (
	// ErrInfeasible: the model has no feasible point.
	ErrInfeasible = errors.New("solver: model is infeasible")
	// ErrUnbounded: the objective improves without end.
	ErrUnbounded = errors.New("solver: model is unbounded")
	// ErrLimit: an iteration or node limit, a deadline or a cancelled context stopped the solve.
	ErrLimit = errors.New("solver: limit reached")
	// ErrNumericalTrouble: no answer could be verified.
	ErrNumericalTrouble = errors.New("solver: numerical trouble")
	// ErrUnsupported: the backend cannot solve this kind of model, or is not part of this program.
	ErrUnsupported = errors.New("solver: model not supported by the backend")
	// ErrNotConvex: the quadratic objective is not convex.
	ErrNotConvex = errors.New("solver: objective not convex")
	// ErrUnproven: the backend calls its answer optimal, but the bound that is proven apart from the backend, is
	// farther away than the tolerance or the requested gap. A continuous model is FeasibleLimit then; an integer one
	// stays Optimal, because the proof of larger ones takes more nodes than it is given, and so does a continuous one
	// without any bound, if no ray speaks against it.
	ErrUnproven = errors.New("solver: the optimum is not proven")
)
