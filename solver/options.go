package solver

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/internal/program"
)

// Options adjusts a session. The zero value works; nil means the zero value; a backend that is opened without a session
// takes what it is given. They are only read, so that several goroutines may share them.
type Options struct {
	// RelativeGap is the gap, relative to the size of the objective's terms, at which an integer model counts as
	// optimal, in [0, 1); 0 means 1e-6, a negative value asks for a proof without gap.
	RelativeGap float64
	// FeasibilityTolerance and OptimalityTolerance are tolerances in (0, 0.01],
	// meant for a model that is scaled until its numbers are near 1; 0 means 1e-7 each.
	FeasibilityTolerance, OptimalityTolerance float64
	// IterationLimit bounds the simplex iterations and NodeLimit the
	// branch-and-bound nodes of each solve; 0 means none.
	IterationLimit, NodeLimit int
	// Seed starts the solver's pseudo-random numbers, 0 or more; the same seed gives the same result.
	Seed int
	// Backend overrides the default backend; nil means that of SetDefault.
	Backend Backend
}

// validate returns an error naming the first field outside its range.
func (o *Options) validate() error {
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

// filled puts every default in the place of a zero, for backends.
func (o Options) filled() Options {
	o.RelativeGap = math.Max(0, cmp.Or(o.RelativeGap, provenGap))
	o.FeasibilityTolerance = cmp.Or(o.FeasibilityTolerance, feasibilityTolerance)
	o.OptimalityTolerance = cmp.Or(o.OptimalityTolerance, optimalityTolerance)
	return o
}

// tolerances are those of the options, which are filled.
func (o *Options) tolerances() program.Tolerances {
	return program.Tolerances{Feasibility: o.FeasibilityTolerance, Optimality: o.OptimalityTolerance}
}
