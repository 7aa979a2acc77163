//go:build cgo

package highs

import (
	"errors"
	"math"

	binding "github.com/lanl/highs"
)

// setOptions passes the options of a solve to HiGHS.
func (s *engine) setOptions(raw *binding.RawModel) error {
	o := &s.options
	numbers := map[string]float64{
		"primal_feasibility_tolerance": o.FeasibilityTolerance, "dual_feasibility_tolerance": o.OptimalityTolerance,
		// Together these two bound the gap relative to max(1, |objective|).
		"mip_rel_gap": o.RelativeGap, "mip_abs_gap": o.RelativeGap,
	}
	if !s.model.IsInteger() {
		// A bound of 1e20, in the units of a scaled model, is a number and no infinity. Integer columns keep their
		// units, and branching needs to know which of their bounds stand for none.
		numbers["infinite_bound"] = math.MaxFloat64
	}
	err := raw.SetBoolOption("output_flag", false)
	for name, value := range numbers {
		err = errors.Join(err, raw.SetFloat64Option(name, value))
	}
	counts := map[string]int{"threads": 1, "random_seed": o.Seed} // one thread makes solves reproducible
	if o.IterationLimit > 0 {
		counts["simplex_iteration_limit"] = o.IterationLimit
	}
	if o.NodeLimit > 0 {
		counts["mip_max_nodes"] = o.NodeLimit
	}
	for name, value := range counts {
		err = errors.Join(err, raw.SetIntOption(name, value))
	}
	return err
}
