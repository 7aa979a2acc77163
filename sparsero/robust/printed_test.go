package robust_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/robust"
)

// TestExplanationsPrint what is known, and the next step.
func TestExplanationsPrint(t *testing.T) {
	conflict := []robust.Demand{{Constraint: "cost", Atom: sparsero.NullAtom}, {Constraint: "load", Atom: 3, Label: "frost"}}
	const head = "the model with 2 atoms at radius 0.5 is "
	both := head + `infeasible: no x in X satisfies "cost" without any uncertainty, "load" against atom frost; `
	for _, test := range []struct {
		robust.Explanation
		want string
	}{
		{robust.Explanation{RegionEmpty: true}, head + "infeasible because X itself is empty"},
		{robust.Explanation{Feasible: true, LargestRadius: proof.AtLeast(math.Inf(1))}, head + "feasible, and so it is at every radius"},
		{robust.Explanation{Feasible: true, LargestRadius: proof.AtLeast(2), UnattainedRadius: proof.AtMost(2 * (1 + 2e-6))}, head + "feasible, up to radius 2"},
		{
			robust.Explanation{Feasible: true, LargestRadius: proof.AtLeast(2), UnattainedRadius: proof.AtMost(2 * (1 + 4e-6))},
			head + "feasible, up to radius 2 for certain, and below 2.00001 up to the tolerance",
		},
		{
			robust.Explanation{Feasible: true, LargestRadius: proof.AtLeast(2), UnattainedRadius: proof.AtMost(math.Inf(1)), Unknown: solver.ErrLimit},
			head + "feasible, up to radius 2 or more (" + solver.ErrLimit.Error() + ")",
		},
		{robust.Explanation{Conflict: conflict}, both + "this holds at radius 0 too, so relax"},
		{robust.Explanation{Conflict: conflict, LargestRadius: proof.AtLeast(0.25), UnattainedRadius: proof.AtMost(0.25)}, both + "the largest feasible radius is 0.25, so lower"},
		{
			robust.Explanation{Conflict: conflict, Unknown: solver.ErrLimit, UnattainedRadius: proof.AtMost(0.5)},
			both + "whether a radius below 0.5 is feasible is not known (" + solver.ErrLimit.Error() + ")",
		},
	} {
		if test.Atoms, test.Radius = []int{4, 7}, 0.5; !strings.HasPrefix(test.String(), test.want) || strings.HasSuffix(test.want, " 2") && test.String() != test.want {
			t.Errorf("%v\nwant %s", &test.Explanation, test.want)
		}
	}
}

// TestIterationsPrint a row each: the phase, and the added atom by its label where there is one.
func TestIterationsPrint(t *testing.T) {
	d := dictionary(t, []float64{1, 0}, []float64{0, 1})
	p := must(robust.NewProblem(d, box(0, 1, 1, 1), sparsero.Identity(2)))(t)
	design := robust.Design{Solution: must(p.Evaluate([]int{0}, 1, []float64{1, 1}))(t), Iterations: []robust.Iteration{
		{Number: 1, Added: 1, Size: 1, Radius: 0.5}, {Number: 2, Added: sparsero.NullAtom, Calibrated: true, Size: 2, Radius: 2},
	}}
	log := design.Frame()
	for column, want := range map[string][]string{
		"iteration": {"1", "2"}, "phase": {"selection", "calibrated"}, "atoms": {"1", "2"}, "added": {d.Label(1), ""}, "radius": {"0.500000", "2.000000"},
	} {
		if got := log.Col(column).Records(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
	design.Solution = nil
	if got := design.Frame().Col("added").Records(); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("without a solution %q is added", got)
	}
}
