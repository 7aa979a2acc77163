package robust

import (
	"math"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/sparsero"
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
	Atoms int
	// Value is Φ_S(x_t).
	Value float64
	// Deficit is Δ_S(q(x_t)) of the objective before an atom is added, Bound is
	// r Deficit: the certificate.
	Deficit, Bound float64
	// Violation is the largest violation of a robust constraint of the full model.
	Violation float64
	// Added is the atom added afterwards, or sparsero.NullAtom; Gain is its marginal
	// gain of F(·;T), per direction.
	Added int
	Gain  float64
	// DeficitAfter is Δ_S(q(x_t)) once Added is in S.
	DeficitAfter float64
	// Coverage and FullCoverage are F(S;T) and F([N];T) once Added is in S.
	Coverage, FullCoverage float64
	// Risk is the validation risk at x_t; NaN if there is no Validate.
	Risk float64
	// OracleCalls and Elapsed count from the start of the design.
	OracleCalls int
	Elapsed     time.Duration
}

// newIteration fills in what is known right after a solve.
func (run *designRun) newIteration(s *Solution) Iteration {
	iteration := Iteration{
		Number: run.design.Solves, Calibrated: run.calibrated, Radius: run.radius, Atoms: len(run.atoms),
		Value: s.Value, Deficit: s.Certificate.Deficit, Bound: s.Certificate.Bound,
		Added: sparsero.NullAtom, Risk: math.NaN(),
	}
	for _, c := range s.Constraints {
		iteration.Violation = math.Max(iteration.Violation, c.Violation())
	}
	return iteration
}

// record completes an iteration after the choice and appends it to the log.
func (run *designRun) record(iteration Iteration) {
	iteration.DeficitAfter = iteration.Deficit
	if s := run.design.Solution; iteration.Added != sparsero.NullAtom && s.Direction != nil {
		restricted := math.Max(s.Certificate.Restricted, floats.Dot(run.problem.Dictionary.RawRowView(iteration.Added), s.Direction))
		iteration.DeficitAfter = s.Certificate.Full - restricted
	}
	iteration.Coverage, iteration.FullCoverage = run.probes.coverage()
	iteration.OracleCalls = run.design.OracleCalls
	iteration.Elapsed = time.Since(run.started)
	run.design.Iterations = append(run.design.Iterations, iteration)
	if run.options.Progress != nil {
		run.options.Progress(iteration)
	}
}

// Frame returns the iteration log, one row per robust solve; atoms are named by
// their labels. It panics if the dictionary lacks one of them.
func (d *Design) Frame(dictionary *sparsero.Dictionary) dataframe.DataFrame {
	var number, atoms, oracle []int
	var phase, added []string
	var radius, value, deficit, bound, violation, gain, after, coverage, full, risk, seconds []float64
	for _, it := range d.Iterations {
		name := "selection"
		if it.Calibrated {
			name = "calibrated"
		}
		label := ""
		if it.Added != sparsero.NullAtom {
			label = dictionary.Label(it.Added)
		}
		number, atoms, oracle = append(number, it.Number), append(atoms, it.Atoms), append(oracle, it.OracleCalls)
		phase, added = append(phase, name), append(added, label)
		radius, value, deficit = append(radius, it.Radius), append(value, it.Value), append(deficit, it.Deficit)
		bound, violation, gain = append(bound, it.Bound), append(violation, it.Violation), append(gain, it.Gain)
		after, coverage, full = append(after, it.DeficitAfter), append(coverage, it.Coverage), append(full, it.FullCoverage)
		risk, seconds = append(risk, it.Risk), append(seconds, it.Elapsed.Seconds())
	}
	return dataframe.New(
		series.New(number, series.Int, "iteration"),
		series.New(phase, series.String, "phase"),
		series.New(radius, series.Float, "radius"),
		series.New(atoms, series.Int, "atoms"),
		series.New(value, series.Float, "value"),
		series.New(deficit, series.Float, "deficit"),
		series.New(bound, series.Float, "certificate"),
		series.New(violation, series.Float, "violation"),
		series.New(added, series.String, "added"),
		series.New(gain, series.Float, "gain"),
		series.New(after, series.Float, "deficit after"),
		series.New(coverage, series.Float, "coverage"),
		series.New(full, series.Float, "full coverage"),
		series.New(risk, series.Float, "risk"),
		series.New(oracle, series.Int, "oracle calls"),
		series.New(seconds, series.Float, "seconds"),
	)
}
