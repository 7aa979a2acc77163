package badinput

import (
	"context"
	"fmt"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/calibration"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/robust"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// A context that is nil stands for one that does not end: every call goes through.
func TestCallsWithoutAContext(t *testing.T) {
	var none context.Context
	planar, spatial := dictionaryOf(t, 2, 1, 0, 0, 1, 0.25, 0.5), dictionaryOf(t, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25, 0.25, 0.25)
	set, err := sparsero.NewAtomicSet(planar, []int{0, 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	region, q := solver.NewModel("square"), sparsero.Identity(2)
	for range 2 {
		region.AddColumn(solver.Column{Bounds: solver.Between(0, 1), Cost: -1})
	}
	problem, err := robust.NewProblem(planar, region, q)
	if err != nil {
		t.Fatal(err)
	}
	gauge, err := sparsero.NewGauge(set)
	if err != nil {
		t.Fatal(err)
	}
	probes := mat.NewDense(2, 2, []float64{1, 0.5, 0.25, 1})
	coverage, err := selection.NewCoverage(planar, probes, nil)
	if err != nil {
		t.Fatal(err)
	}
	greedy, err := selection.Greedy{}.Select(none, coverage, 2)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"solve":           func() error { _, err := solver.Solve(none, region, nil); return err },
		"box":             func() error { _, _, err := certificate.BoundingBox(none, region, nil); return err },
		"grid net":        func() error { _, err := certificate.GridNet(none, planar, region, q, 0.5, nil); return err },
		"distance":        func() error { _, err := certificate.MeasureHausdorff(none, set, 1); return err },
		"inflation":       func() error { _, err := certificate.SolveInflation(none, set); return err },
		"norm":            func() error { _, err := certificate.DirectionNorm(none, region, q, nil); return err },
		"uniform":         func() error { _, err := certificate.SolveUniform(none, set, region, q, nil); return err },
		"gauge scores":    func() error { _, err := calibration.GaugeScores(none, set, probes); return err },
		"gauge":           func() error { _, _, err := gauge.Of(none, []float64{0.5, 0.25}); return err },
		"planar vertices": func() error { _, err := planar.SupportVertices(none); return err },
		"vertices":        func() error { _, err := spatial.SupportVertices(none); return err },
		"both signs":      func() error { _, err := spatial.PseudometricVertices(none); return err },
		"atoms outside":   func() error { _, err := set.Outside(none, []int{2}); return err },
		"tighter":         func() error { return greedy.Tighten(none, coverage, nil) },
		"problem":         func() error { _, err := problem.Solve(none, []int{0, 1}, 0.5, nil); return err },
		"full problem":    func() error { _, err := problem.SolveFull(none, 0.5, nil); return err },
		"design":          func() error { _, err := problem.Design(none, 2, 0.5, nil); return err },
		"ladder":          func() error { _, err := problem.Ladder(none, []int{0, 1}, 0.5, nil); return err },
	}
	for _, rule := range []selection.Policy{
		selection.Greedy{}, selection.MaxGap{}, selection.SetCover{}, selection.TopActivation{}, selection.MaxNorm{}, selection.MaxGamma{},
		selection.Random{}, selection.Exact{}, selection.Swap{}, selection.Knapsack{Costs: []float64{1, 1, 1}, Capacity: 2},
	} {
		calls[fmt.Sprintf("%T", rule)] = func() error { _, err := rule.Select(none, coverage, 2); return err }
	}
	for name, call := range calls {
		if err := call(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func dictionaryOf(t *testing.T, dimension int, atoms ...float64) *sparsero.Dictionary {
	t.Helper()
	d, err := sparsero.NewDictionary(mat.NewDense(len(atoms)/dimension, dimension, atoms), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
