//go:build cgo

package highs

import (
	"math"
	"path/filepath"
	"testing"

	binding "github.com/lanl/highs"
	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// TestOptionsReachHiGHS: HiGHS holds the options of a solve, its own default where there is no limit, and one thread.
func TestOptionsReachHiGHS(t *testing.T) {
	const none = math.MaxInt32 // HiGHS's own word for no limit
	rapid.Check(t, func(t *rapid.T) {
		tolerance := rapid.SampledFrom([]float64{1e-9, 1e-7, 1e-5, 1e-3})
		o := &solver.Options{
			FeasibilityTolerance: tolerance.Draw(t, "feasibility"), OptimalityTolerance: tolerance.Draw(t, "optimality"), RelativeGap: tolerance.Draw(t, "gap"),
			IterationLimit: rapid.IntRange(0, 3).Draw(t, "iterations"), NodeLimit: rapid.IntRange(0, 3).Draw(t, "nodes"), Seed: rapid.IntRange(0, 3).Draw(t, "seed"),
		}
		integer, a := rapid.Bool().Draw(t, "integer"), rapid.SampledFrom(attempts).Draw(t, "attempt")
		m := solver.NewModel("one column")
		m.AddColumn(solver.Column{Bounds: solver.Between(1, 2), Integer: integer})
		n, err := (&engine{model: m, options: *o}).build(a)
		if err != nil {
			t.Fatal(err)
		}
		defer n.free()
		limit := func(value int) int {
			if value == 0 {
				return none
			}
			return value
		}
		for name, want := range map[string]int{
			"threads": 1, "random_seed": o.Seed, "simplex_strategy": a.strategy,
			"simplex_iteration_limit": limit(o.IterationLimit), "mip_max_nodes": limit(o.NodeLimit),
		} {
			if got, err := n.raw.GetIntOption(name); err != nil || got != want {
				t.Errorf("%s is %d, %v; want %d", name, got, err, want)
			}
		}
		infinite, presolve := math.MaxFloat64, "off"
		if integer {
			infinite = 1e20
		} else if a.presolve {
			presolve = "choose"
		}
		for name, want := range map[string]float64{
			"primal_feasibility_tolerance": o.FeasibilityTolerance, "dual_feasibility_tolerance": o.OptimalityTolerance,
			"mip_rel_gap": o.RelativeGap, "mip_abs_gap": o.RelativeGap, "infinite_bound": infinite,
		} {
			if got, err := n.raw.GetFloat64Option(name); err != nil || got != want {
				t.Errorf("%s is %g, %v; want %g", name, got, err, want)
			}
		}
		if got, err := n.raw.GetStringOption("presolve"); err != nil || got != presolve {
			t.Errorf("presolve is %q, %v; want %q", got, err, presolve)
		}
		if loud, err := n.raw.GetBoolOption("output_flag"); err != nil || loud {
			t.Errorf("output_flag is %t, %v", loud, err)
		}
	})
}

// TestConversionsAreSilent: HiGHS says nothing of a file that it reads or writes.
func TestConversionsAreSilent(t *testing.T) {
	model, loud := binding.NewRawModel(), true
	look := func() (err error) {
		loud, err = model.GetBoolOption("output_flag")
		return err
	}
	if err := convert(model, filepath.Join(t.TempDir(), "model.lp"), look, func() error { return nil }); err != nil || loud {
		t.Errorf("output_flag is %t, %v", loud, err)
	}
}
