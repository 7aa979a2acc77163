package robust

import (
	"math"
	"time"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/frame"
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
	// Bound is r Δ_S(q(x_t)) of the objective before an atom is added: the certificate.
	Bound float64
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

// newIteration fills in what is known right after a solve.
func (run *designRun) newIteration(s *Solution) Iteration {
	iteration := Iteration{
		Number: run.design.Solves, Calibrated: run.calibrated, Radius: run.radius, Size: len(run.probes.atoms),
		Value: s.Value, Bound: s.Certificate.Bound,
		Added: sparsero.NullAtom, Risk: math.NaN(),
	}
	for _, c := range s.Constraints {
		iteration.Violation = math.Max(iteration.Violation, c.Violation())
	}
	return iteration
}

// record completes an iteration after the choice and appends it to the log.
func (run *designRun) record(iteration Iteration) {
	iteration.Coverage, iteration.FullCoverage = run.probes.coverage()
	iteration.Elapsed = time.Since(run.started)
	run.design.Iterations = append(run.design.Iterations, iteration)
	if run.options.Progress != nil {
		run.options.Progress(iteration)
	}
}

// Frame returns the iteration log, one row per robust solve; atoms are named by
// their labels.
func (d *Design) Frame() dataframe.DataFrame {
	rows := frame.NewRows("iteration,phase,radius,atoms,value,certificate,violation,added,coverage,full coverage,risk,seconds")
	for _, it := range d.Iterations {
		rows.Add(it.Number, it.phase(), it.Radius, it.Size, it.Value, it.Bound, it.Violation, d.added(it),
			it.Coverage, it.FullCoverage, it.Risk, it.Elapsed.Seconds())
	}
	return rows.Frame()
}

func (it Iteration) phase() string {
	if it.Calibrated {
		return "calibrated"
	}
	return "selection"
}

// added names the atom of an iteration.
func (d *Design) added(it Iteration) string {
	if it.Added == sparsero.NullAtom || d.Solution == nil {
		return ""
	}
	return d.Solution.label(it.Added)
}
