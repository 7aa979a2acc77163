package robust

import (
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// TestDrawsBeyondFloat64CountAsAbove: level and draw are both beyond float64, so that nothing tells which is the larger one.
func TestDrawsBeyondFloat64CountAsAbove(t *testing.T) {
	region := solver.NewModel("one decision")
	region.AddColumn(solver.Column{Bounds: solver.Equal(1)})
	d, err := sparsero.NewDictionary(mat.NewDense(1, 1, []float64{1e200}), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(d, region, sparsero.AffineMap{Matrix: mat.NewDense(1, 1, []float64{1e200})})
	if err != nil {
		t.Fatal(err)
	}
	if count := p.countAbove(1, []float64{1}, mat.NewDense(2, 1, []float64{2e200, 1})); count != 1 {
		t.Errorf("%d of 2 draws count, want the one of 2e200", count)
	}
}

// TestHypothesesOfSampledAtoms name what counts as exceeded, and what the rule that chooses the atoms has seen.
func TestHypothesesOfSampledAtoms(t *testing.T) {
	region := solver.NewModel("one decision")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1)})
	d, err := sparsero.NewDictionary(mat.NewDense(2, 1, []float64{1, 2}), nil)
	if err == nil {
		d, err = d.AsSampled()
	}
	if err != nil {
		t.Fatal(err)
	}
	of := sparsero.Identity(1)
	for _, test := range []struct {
		rows []Constraint
		says string
	}{{nil, "take no part in the choice"}, {[]Constraint{{Name: "row", Map: of, Limit: 9}}, "all sets of as many atoms are counted, so that"}} {
		p, err := NewProblem(d, region, of, test.rows...)
		if err != nil {
			t.Fatal(err)
		}
		found, err := p.sampledAtoms(0.1, &TuneOptions{Rule: CoverageGain})
		if err != nil || len(found.hypotheses) != 2 || found.hypotheses[0] != levelHypothesis || !strings.Contains(found.hypotheses[1], test.says) {
			t.Errorf("%d rows: %v, %q", len(test.rows), err, found.hypotheses)
		}
	}
}

// TestNearestStepMissesLeast: of steps that miss the gap the one that misses it least, whatever their values, then the
// one that misses the violation least, then that of the smallest value.
func TestNearestStepMissesLeast(t *testing.T) {
	step := func(gap, violation, value float64) TuneStep {
		return TuneStep{RelativeGap: proof.AtMost(gap), Violation: proof.AtMost(violation), Value: proof.AtMost(value)}
	}
	for _, steps := range [][2]TuneStep{ // the first one is nearer
		{step(0.12, 0.1, 5), step(0.15, 0.1, 1)},
		{step(0.12, 0.3, 5), step(0.15, 0.1, 1)},
		{step(0.1, 0.12, 5), step(0.1, 0.15, 1)},
		{step(0.1, 0.1, 5), step(0.10000000000000002, 0.1, 1)},
		{step(0.05, 0.1, 1), step(0.01, 0.02, 5)},
	} {
		for first := range 2 {
			tuned := &Tuned{Demands: Demands{Gap: 0.1, Violation: 0.1}, Steps: []TuneStep{steps[first], steps[1-first]}}
			if nearest := tuned.nearest(0); nearest != &tuned.Steps[first] {
				t.Errorf("%+v is nearer than %+v", *nearest, steps[0])
			}
		}
	}
}
