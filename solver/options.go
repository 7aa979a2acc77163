package solver

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/internal/program"
)

// Default tolerances and gaps, used where an Options field is 0.
const (
	// DefaultFeasibilityTolerance is how much a bound or row may be violated.
	DefaultFeasibilityTolerance = 1e-7
	// DefaultOptimalityTolerance is how much a dual bound may be violated.
	DefaultOptimalityTolerance = 1e-7
	// DefaultRelativeGap is the gap at which an integer model counts as solved.
	DefaultRelativeGap = 1e-6
)

// Options adjusts a session. The zero value works; nil means the zero value. They are only
// read, so that several goroutines may share them.
type Options struct {
	// RelativeGap is the gap, relative to the size of the objective's terms, at which an
	// integer model counts as optimal, in [0, 1); 0 means DefaultRelativeGap (1e-6), a
	// negative value asks for a proof without gap.
	RelativeGap float64
	// FeasibilityTolerance and OptimalityTolerance are tolerances in (0, 0.01],
	// meant for a model that is scaled until its numbers are near 1; 0 means 1e-7 each.
	FeasibilityTolerance, OptimalityTolerance float64
	// IterationLimit bounds the simplex iterations and NodeLimit the
	// branch-and-bound nodes of each solve; 0 means none.
	IterationLimit, NodeLimit int
	// Seed starts the solver's pseudo-random numbers, 0 or more; the same seed
	// gives the same result.
	Seed int
	// Backend overrides the default backend; nil means Default().
	Backend Backend
}

// Validate returns an error naming the first field outside its range.
func (o *Options) Validate() error {
	if o == nil {
		return nil
	}
	bad := func(field string, value any, next string) error {
		return fmt.Errorf("solver: option %s is %v; %s", field, value, next)
	}
	switch {
	case math.IsNaN(o.RelativeGap) || o.RelativeGap >= 1:
		return bad("RelativeGap", o.RelativeGap, "use a value below 1")
	case !inTolerance(o.FeasibilityTolerance):
		return bad("FeasibilityTolerance", o.FeasibilityTolerance, "use a value in (0, 0.01] or 0 for the default")
	case !inTolerance(o.OptimalityTolerance):
		return bad("OptimalityTolerance", o.OptimalityTolerance, "use a value in (0, 0.01] or 0 for the default")
	case o.IterationLimit < 0:
		return bad("IterationLimit", o.IterationLimit, "use 0 for no limit")
	case o.NodeLimit < 0:
		return bad("NodeLimit", o.NodeLimit, "use 0 for no limit")
	case o.Seed < 0 || o.Seed > math.MaxInt32:
		return bad("Seed", o.Seed, "use a value from 0 to 2147483647")
	}
	return nil
}

func inTolerance(v float64) bool { return v == 0 || (v >= 1e-10 && v <= 1e-2) }

// Filled returns a copy of the options with every default put in place of a
// zero, for backends.
func (o *Options) Filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	f.RelativeGap = math.Max(0, cmp.Or(f.RelativeGap, DefaultRelativeGap))
	f.FeasibilityTolerance = cmp.Or(f.FeasibilityTolerance, DefaultFeasibilityTolerance)
	f.OptimalityTolerance = cmp.Or(f.OptimalityTolerance, DefaultOptimalityTolerance)
	return f
}

// tolerances are those of the options, which are filled.
func (o *Options) tolerances() program.Tolerances {
	return program.Tolerances{Feasibility: o.FeasibilityTolerance, Optimality: o.OptimalityTolerance}
}
