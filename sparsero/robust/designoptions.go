package robust

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/enum"
)

// AtomRule says which atom Algorithm 1 adds next.
type AtomRule int

// The rules; ties always go to the lowest index.
const (
	// CoverageGain adds the atom with the largest marginal gain of F(·;T), as the paper does.
	CoverageGain AtomRule = iota
	// SmallestDeficit adds the atom after which max_T Δ_S is smallest (the paper's
	// max-gap baseline), ties to the larger coverage gain.
	SmallestDeficit
	// MostViolated adds the worst atom at the current solution, which makes the
	// loop Kelley's cutting-plane method.
	MostViolated
)

// String returns the rule's name in words.
func (r AtomRule) String() string {
	return enum.Name(r, "coverage gain", "smallest deficit", "most violated")
}

// defaultDesignTolerance is the certified gap, relative to the terms of the objective, at which a
// design stops; it lies above the accuracy of the solves.
const defaultDesignTolerance = 1e-6

// DesignOptions are the settings of Design. The zero value works.
type DesignOptions struct {
	// Solve holds the settings of the robust solves; nil means their defaults.
	Solve *Options
	// Rule chooses the next atom. Zero means CoverageGain.
	Rule AtomRule
	// Start lists atoms that are in S from the beginning and count towards the
	// budget. Nil means none.
	Start []int
	// RowBudgets bounds how many of the chosen atoms count in some of the uncertain rows. Nil means that all rows share the
	// budget; rows without an entry share what it leaves. Not for Sharded
	// and DesignAsPrinted.
	RowBudgets []RowBudget
	// Directions (M×p) are in T from the beginning, for instance a validation set.
	// Nil means none.
	Directions mat.Matrix
	// Tolerance is the certified gap at which the loop stops, relative to the terms of the
	// objective at the decision.
	// Zero means 1e-6; range (0, 1).
	Tolerance float64
	// Calibrate, if not nil, returns the radius for the chosen atoms. It is called
	// once the loop has stopped; the model is then solved again, and if the
	// certificate no longer holds at the new radius, atoms are added until it does
	// and Calibrate is called again. The atoms then depend on the calibration
	// sample, so use a rule that is valid for every set of atoms at once (a union
	// bound, nested prefixes or the envelope), not one for a fixed S.
	Calibrate func(indices []int) (radius float64, err error)
	// Validate, if not nil, returns the risk of a decision on validation data, lower
	// is better. The loop stops when it does not improve from one iteration to the
	// next (early validation).
	Validate func(x []float64) (risk float64, err error)
	// Progress, if not nil, is called after each iteration.
	Progress func(Iteration)
}

// RowBudget is the largest number of chosen atoms that may count in one uncertain row, which they do where the row's map
// meets their coordinates.
type RowBudget struct {
	// Row is "objective" or the name of a constraint.
	Row string
	// Atoms is at least 0.
	Atoms int
}

func (o *DesignOptions) withDefaults() (DesignOptions, error) {
	var filled DesignOptions
	if o != nil {
		filled = *o
	}
	if err := fillTolerance(&filled.Tolerance, defaultDesignTolerance); err != nil {
		return filled, err
	}
	if filled.Rule < CoverageGain || filled.Rule > MostViolated {
		return filled, fmt.Errorf("robust: Rule %d is unknown; use CoverageGain, SmallestDeficit or MostViolated", int(filled.Rule))
	}
	return filled, nil
}

// checkBudget validates the budget and the starting atoms and directions.
func (p *Problem) checkBudget(budget int, o *DesignOptions) error {
	n := p.dictionary.Size()
	switch {
	case budget < 1:
		return fmt.Errorf("robust: budget %d allows no atom; use 1 to %d", budget, n)
	case budget > n:
		return fmt.Errorf("robust: budget %d exceeds the %d atoms of the dictionary; use at most %d", budget, n, n)
	case len(o.Start) > budget:
		return fmt.Errorf("robust: Start holds %d atoms but the budget is %d; raise the budget or shorten Start", len(o.Start), budget)
	}
	for _, b := range o.RowBudgets {
		if names := p.exposureNames(); b.Atoms < 0 || !slices.Contains(names, b.Row) {
			return fmt.Errorf("robust: RowBudgets gives row %q %d atoms; give at least 0 to one of the uncertain rows %q", b.Row, b.Atoms, names)
		}
	}
	if o.Directions == nil {
		return nil
	}
	return input.CheckRows("robust: Directions", "direction", o.Directions, p.dictionary.Dim())
}
