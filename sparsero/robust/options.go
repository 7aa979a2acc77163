package robust

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
)

// Options are the settings of a robust solve. The zero value works.
type Options struct {
	// Solver is passed to the solver; nil means its defaults.
	Solver *solver.Options
	// Tolerance is relative to the terms of the objective, or of a constraint, at the point in question: cutting planes stop
	// once upper and lower bound are this close and no robust constraint is violated by more, at the latest where they
	// meet the accuracy of the solver. Zero means 1e-7 for the objective and 1e-6 for constraints, of which more never
	// counts as none; range (0, 1).
	Tolerance float64
	// CutsPerRound is the number of most violated atoms that cutting planes add per round to the objective and to each
	// constraint. Zero means 50, or a thousandth of the atoms of its dictionary where that is more, at most 200.
	CutsPerRound int
	// MaxRounds bounds the rounds of cutting planes; the solution found until then
	// is returned as Partial. Zero means no bound.
	MaxRounds int
	// Start lists atoms with which cutting planes begin, for instance those of the
	// solution at a neighbouring radius. Nil means none.
	Start []int
	// Progress, if not nil, is called after each round of cutting planes.
	Progress func(Round)

	violation float64 // of a constraint that counts as none, relative to its terms; 0 before withDefaults
}

// Round reports one round of cutting planes.
type Round struct {
	// Number counts from 1.
	Number int
	// Size is the number of distinct atoms in the model that was solved, Rows that of its robust rows.
	Size, Rows int
	// Lower bounds min Φ_N.
	Lower proof.Lower
	// Best is the value of the best point as it is evaluated, no bound; +Inf until a point satisfies every robust
	// constraint of the full model.
	Best float64
}

// A round of cutting planes adds a thousandth of the atoms, as a look at many takes as long as solving with some rows
// more, at least fewestCuts, as one at a time takes many rounds (BenchmarkFull), and at most mostCuts.
const (
	fewestCuts, mostCuts = 50, 200
	atomsPerCut          = 1000
)

// cuts is the number of rows that a round adds at most for one of the exposures, which has so many atoms.
func (o *Options) cuts(atoms int) int {
	return cmp.Or(o.CutsPerRound, min(max(fewestCuts, atoms/atomsPerCut), mostCuts))
}

func (o *Options) withDefaults() (Options, error) {
	filled := *cmp.Or(o, &Options{})
	if filled.violation == 0 {
		filled.violation = math.Min(cmp.Or(filled.Tolerance, limitTolerance), limitTolerance)
	}
	if err := fillTolerance(&filled.Tolerance, solutionTolerance); err != nil {
		return filled, err
	}
	if filled.CutsPerRound < 0 {
		return filled, fmt.Errorf("robust: CutsPerRound %d is negative; use 0 for %d to %d", filled.CutsPerRound, fewestCuts, mostCuts)
	}
	if filled.MaxRounds < 0 {
		return filled, fmt.Errorf("robust: MaxRounds %d is negative; use 0 for no bound", filled.MaxRounds)
	}
	return filled, nil
}

func fillTolerance(tolerance *float64, standard float64) error {
	*tolerance = cmp.Or(*tolerance, standard)
	if !(*tolerance > 0 && *tolerance < 1) {
		return fmt.Errorf("robust: Tolerance %v is outside (0,1); use 0 for the default %g", *tolerance, standard)
	}
	return nil
}
