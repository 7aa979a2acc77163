package robust

import (
	"time"

	"github.com/sparsero/directions/solver/proof"
)

// Iteration is one line of the log of Algorithm 1.
type Iteration struct {
	// Number counts solves from 1.
	Number int
	// Calibrated tells that the radius came from Calibrate.
	Calibrated bool
	// Radius is the radius of this solve.
	Radius float64
	// Atoms is |S| in this solve.
	Size int
	// Value is Φ_S(x_t).
	Value float64
	// Bound is r Δ_S(q(x_t)) of the objective before an atom is added: the certificate. Nothing is proven while x_t violates a
	// robust constraint of the full model.
	Bound proof.Upper
	// Violation is the largest violation of a robust constraint of the full model.
	Violation float64
	// Added is the atom added afterwards, or sparsero.NullAtom.
	Added int
	// Coverage and FullCoverage are F(S;T) and F([N];T) once Added is in S.
	Coverage, FullCoverage float64
	// Risk is the validation risk at x_t; NaN if there is no Validate.
	Risk float64
	// Elapsed counts from the start of the design.
	Elapsed time.Duration
}

func (it Iteration) phase() string {
	if it.Calibrated {
		return "calibrated"
	}
	return "selection"
}
