package robust

import (
	"math"
	"time"

	"github.com/go-gota/gota/dataframe"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/frame"
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
	return frame.Of(d.Iterations,
		frame.Col("iteration", func(it Iteration) int { return it.Number }),
		frame.Col("phase", Iteration.phase),
		frame.Col("radius", func(it Iteration) float64 { return it.Radius }),
		frame.Col("atoms", func(it Iteration) int { return it.Size }),
		frame.Col("value", func(it Iteration) float64 { return it.Value }),
		frame.Col("certificate", func(it Iteration) float64 { return it.Bound }),
		frame.Col("violation", func(it Iteration) float64 { return it.Violation }),
		frame.Col("added", func(it Iteration) string { return d.added(it) }),
		frame.Col("coverage", func(it Iteration) float64 { return it.Coverage }),
		frame.Col("full coverage", func(it Iteration) float64 { return it.FullCoverage }),
		frame.Col("risk", func(it Iteration) float64 { return it.Risk }),
		frame.Col("seconds", func(it Iteration) float64 { return it.Elapsed.Seconds() }),
	)
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
