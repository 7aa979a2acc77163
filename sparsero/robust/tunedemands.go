package robust

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
)

// Demands are what [Problem.Tune] is asked to keep.
type Demands struct {
	// Gap is the largest certified loss against the full dictionary at the same radius, as a share of the
	// value that is promised, GapBound / |Value|; values that all but cancel count as 1e-6 of the largest
	// among the decisions tried before at this radius. Zero means 1e-6.
	Gap float64
	// Violation is the largest share of new draws that may exceed what is promised, in (0,1). Required.
	Violation float64
	// Delta is the probability, in (0,1), with which the samples may mislead; the confidence is 1-Delta. Required.
	Delta float64
	// Atoms is the largest number of atoms. Zero means all.
	Atoms int
}

// TuneOptions are the settings of Tune. The zero value works.
type TuneOptions struct {
	// Radii are radii to compare, fixed without the samples. Nil means the radius at which the whole
	// dictionary covers new draws, calibrated on the samples, and 1 where the atoms are the samples.
	Radii []float64
	// Rule chooses the next atom. Zero means that of DesignOptions.
	Rule AtomRule
	// Solver is passed to the solver; nil means its defaults.
	Solver *solver.Options
	// Progress, if not nil, is called after each step, whose Violation and Met are known at the end alone.
	Progress func(TuneStep)
}

// TuneStep is one decision that Tune compares.
type TuneStep struct {
	// Atoms are the atoms S, Radius is r.
	Atoms  []int
	Radius float64
	// Solution is the decision for them.
	Solution *Solution
	// Levels are what a new draw exceeds with probability at most Violation.
	Levels []Level
	// Value bounds Φ_N(X).
	Value proof.Upper
	// Gap bounds Φ_N(X) - min Φ_N at the same radius, RelativeGap is that of Demands.Gap; both are +Inf where
	// X violates a robust constraint of the full model.
	Gap, RelativeGap proof.Upper
	// Violation is the promised share of new draws above any of the Levels.
	Violation proof.Upper
	// Met tells that all demands are met.
	Met bool

	support   int // the number of samples that determine the decision, or that exceed its levels
	preferred int // the number of those that determine the decision or set a level
	next      int // the atom that the decision misses most
}

func (d *Demands) fill(atoms int) error {
	if !(d.Gap >= 0) || math.IsInf(d.Gap, 1) {
		return fmt.Errorf("robust: Gap %v; give a finite number of at least 0, for instance 0.01 for 1 %%", d.Gap)
	}
	if !(d.Violation > 0 && d.Violation < 1) || !(d.Delta > 0 && d.Delta < 1) {
		return fmt.Errorf("robust: Violation %v, Delta %v; give fractions strictly between 0 and 1, for instance Violation 0.05 for 5 %% and Delta 0.001 for confidence 0.999", d.Violation, d.Delta)
	}
	d.Gap, d.Atoms = cmp.Or(d.Gap, designTolerance), cmp.Or(d.Atoms, atoms)
	return nil
}

// missed is how many times larger than demanded the gap and the violation of a step are, 1 where they are not larger.
func (d *Demands) missed(s *TuneStep) [2]float64 {
	return [2]float64{times(s.RelativeGap.Float(), d.Gap), times(s.Violation.Float(), d.Violation)}
}

// times is how many times larger than asked a number is, 1 for one that is not: no quotient of a larger number is
// rounded to 1.
func times(got, asked float64) float64 { return math.Max(1, got/asked) }
