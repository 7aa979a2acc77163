package robust

import (
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
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
