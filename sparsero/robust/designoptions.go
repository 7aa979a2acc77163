package robust

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/internal/enum"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// AtomRule says which atom Algorithm 1 adds next.
type AtomRule int

// The rules; ties always go to the lowest index.
const (
	defaultRule AtomRule = iota
	// CoverageGain adds the atom with the largest marginal gain of F(·;T), as the paper does.
	CoverageGain
	// SmallestDeficit adds the atom after which max_T Δ_S is smallest (the paper's
	// max-gap baseline), ties to the larger coverage gain.
	SmallestDeficit
	// MostViolated adds the worst atom of the uncertain row that misses most at the current solution, which makes the
	// loop Kelley's cutting-plane method. Each row counts in its own unit: one in cents counts a hundred times one in euros.
	MostViolated
)

// String returns the rule's name in words.
func (r AtomRule) String() string {
	return enum.Name(r, "default", "coverage gain", "smallest deficit", "most violated")
}

// DesignOptions are the settings of Design. The zero value works.
type DesignOptions struct {
	// Solver is passed to the solver; nil means its defaults.
	Solver *solver.Options
	// Rule chooses the next atom. Zero means MostViolated with robust constraints, where it is the faster one and promises
	// more about new draws, and CoverageGain without them or with Directions.
	Rule AtomRule
	// Start lists atoms that are in S from the beginning and count towards the budget, such as those of SolveFull. Nil
	// means none.
	Start []int
	// RowBudgets bounds how many of the chosen atoms count in some of the uncertain rows. Nil means that all rows share the
	// budget; rows without an entry share what it leaves. An entry names "objective" or a constraint and how many atoms, at
	// least 0, may count there, which they do where the map of the row meets their coordinates. Not for AsPrinted.
	RowBudgets map[string]int
	// Directions (M×p) are in T from the beginning, for instance a validation set. Nil means none.
	Directions mat.Matrix
	// Tolerance is the certified gap at which the loop stops, as a share of |Φ_N(X)|; where its terms cancel, 1e-7 of them
	// always will do.
	// Zero means 1e-6; range (0, 1).
	Tolerance float64
	// Calibrate, if not nil, returns the radius for the chosen atoms. It is called once the loop has stopped; the model
	// is then solved again, and if the certificate no longer holds at the new radius, atoms are added until it does and
	// Calibrate is called again. These atoms depend on the calibration samples. So a second radius must come with the
	// promise of the first, and its family must cover them: calibration.Envelope, or calibration.Subsets(N, budget);
	// anything else is an error that wraps calibration.ErrReuse. A Radius with nothing but a Value promises nothing and
	// may be any function of the atoms.
	Calibrate func(atoms []int) (calibration.Radius, error)
	// Validate, if not nil, returns the risk of a decision on validation data, lower is better. The loop stops when it
	// does not improve from one iteration to the next (early validation).
	Validate func(x []float64) (risk float64, err error)
	// AsPrinted runs the loop as the paper prints it, for study: with the rule CoverageGain or SmallestDeficit.
	AsPrinted bool
	// Progress, if not nil, is called after each iteration.
	Progress func(Iteration)
}

func (o *DesignOptions) withDefaults() (DesignOptions, error) {
	filled := *cmp.Or(o, &DesignOptions{})
	if err := fillTolerance(&filled.Tolerance, designTolerance); err != nil {
		return filled, err
	}
	if filled.Rule < defaultRule || filled.Rule > MostViolated {
		return filled, fmt.Errorf("robust: Rule %d is unknown; use CoverageGain, SmallestDeficit or MostViolated", int(filled.Rule))
	}
	switch {
	case filled.AsPrinted && filled.Rule == MostViolated:
		return filled, errors.New("robust: the printed algorithm has no Rule MostViolated; use CoverageGain or SmallestDeficit")
	case filled.AsPrinted && filled.RowBudgets != nil:
		return filled, errors.New("robust: the printed algorithm has no RowBudgets; leave them out, or AsPrinted")
	}
	return filled, nil
}

func (o *DesignOptions) chosenRule(p *Problem) AtomRule {
	switch {
	case o.Rule != defaultRule:
		return o.Rule
	case len(p.constraints) > 0 && o.Directions == nil && !o.AsPrinted:
		return MostViolated
	}
	return CoverageGain
}

func (p *Problem) checkBudget(budget int, o *DesignOptions) error {
	switch n := p.dictionary.size; {
	case budget < 1:
		return fmt.Errorf("robust: budget %d allows no atom; use at least 1", budget)
	case p.oracle == nil && budget > n:
		return fmt.Errorf("robust: budget %d exceeds the %s of the dictionary; use at most %d", budget, input.Count(n, "atom"), n)
	case len(o.Start) > budget:
		return fmt.Errorf("robust: Start holds %d atoms but the budget is %d; raise the budget or shorten Start", len(o.Start), budget)
	}
	for _, row := range slices.Sorted(maps.Keys(o.RowBudgets)) {
		names := p.exposureNames()
		if at := slices.Index(names, row); at >= 0 && slices.Contains(names[at+1:], row) {
			return fmt.Errorf("robust: RowBudgets gives row %q %d atoms, but two uncertain rows have that name; give each constraint a name of its own", row, o.RowBudgets[row])
		} else if o.RowBudgets[row] < 0 || at < 0 {
			return fmt.Errorf("robust: RowBudgets gives row %q %d atoms; give at least 0 to one of the uncertain rows %q", row, o.RowBudgets[row], names)
		}
	}
	if o.Directions == nil {
		return nil
	}
	return input.CheckRows("robust: Directions", "direction", o.Directions, p.dictionary.dim)
}
