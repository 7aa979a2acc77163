package robust

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
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
