package robust

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/frame"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// Why a design ends.
const (
	isCertified     = "certified"
	budgetExhausted = "budget exhausted"
	earlyValidation = "early validation"
	noGain          = "no gain"
	printedRule     = "printed rule"
	interrupted     = "interrupted"
	gapLeft         = "gap left by the solver"
)

// Design is the outcome of Algorithm 1.
type Design struct {
	// Atoms are the atoms S, in the order in which they were chosen.
	Atoms []int
	// Radius is the radius of the final solve: the calibrated one if there is one.
	Radius float64
	// Solution is the final robust solution for Atoms and Radius.
	Solution *Solution
	// Calibration is what is promised about the radius; nil unless Calibrate returned it.
	Calibration *calibration.Radius
	// Stop says why the loop ended: "certified" by the certificate at the new solution; "budget exhausted", what is left
	// says the certificate; "early validation", as the risk stopped improving; "no gain" of any atom; "gap left by the
	// solver", which no atom can close; "interrupted" by the context; or the "printed rule" of Algorithm 1.
	Stop string
	// Certified tells that the certificate of Solution is within the tolerance: r Δ_S(q(X)) is, and what the solver
	// left open, X satisfies every robust constraint of the full model, and Solution has a LowerBound.
	Certified bool
	// Iterations is the log, in order.
	Iterations []Iteration
	// Directions is T (M×p) at the end; nil if nothing was revealed, or M p is more than 2^30. With sets of
	// their own each row of T is zero but in the coordinates of one.
	Directions *mat.Dense
	// Solves counts robust solves, OracleCalls the directions in which the full dictionary was evaluated (at most O(Np)
	// each).
	Solves, OracleCalls int
	// Partial tells that the context was cancelled; the rest describes the work done.
	Partial bool
}

// String summarises the final solution in one line, and why the loop ended.
func (d *Design) String() string {
	return fmt.Sprintf("%v; %s, ended by: %s", d.Solution, input.Count(d.Solves, "solve"), d.Stop)
}

// Frame returns the iteration log, one row per robust solve; atoms are named by their labels.
func (d *Design) Frame() dataframe.DataFrame {
	rows := frame.NewRows("iteration,phase,radius,atoms,value,certificate,violation,added,coverage,full coverage,risk")
	for _, it := range d.Iterations {
		phase, added := "selection", ""
		if it.Calibrated {
			phase = "calibrated"
		}
		if it.Added != sparsero.NullAtom && d.Solution != nil {
			added = d.Solution.label(it.Added)
		}
		rows.Add(it.Number, phase, it.Radius, it.Size, it.Value, it.Bound, it.Violation, added, it.Coverage, it.FullCoverage, it.Risk)
	}
	return rows.Frame()
}

// Iteration is one line of the log of Algorithm 1.
type Iteration struct {
	// Number counts solves from 1.
	Number int
	// Calibrated tells that the radius came from Calibrate.
	Calibrated bool
	// Radius is the radius of this solve.
	Radius float64
	// Size is |S| in this solve.
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
}

// MarshalJSON writes the fields, with null for a Risk that is no finite number, which JSON does not have.
func (i Iteration) MarshalJSON() ([]byte, error) {
	type fields Iteration
	written := struct {
		fields
		Risk *float64
	}{fields: fields(i)}
	if !math.IsNaN(i.Risk) && !math.IsInf(i.Risk, 0) {
		written.Risk = &i.Risk
	}
	return json.Marshal(written)
}

type designRun struct {
	problem *Problem // whose dictionary grows by what an oracle returns
	options DesignOptions
	budget  int
	probes  *probes
	master  *master
	design  *Design
	risk    float64

	calibrated bool // the present radius comes from Calibrate
}
