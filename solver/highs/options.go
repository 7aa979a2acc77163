//go:build cgo

package highs

import (
	"maps"
	"math"
	"slices"

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
	if err := raw.SetBoolOption("output_flag", false); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) { // so that which error comes first is no chance
		if err := raw.SetFloat64Option(name, numbers[name]); err != nil {
			return err
		}
	}
	counts := map[string]int{"threads": 1, "random_seed": o.Seed} // one thread makes solves reproducible
	if o.IterationLimit > 0 {
		counts["simplex_iteration_limit"] = o.IterationLimit
	}
	if o.NodeLimit > 0 {
		counts["mip_max_nodes"] = o.NodeLimit
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if err := raw.SetIntOption(name, counts[name]); err != nil {
			return err
		}
	}
	return nil
}
