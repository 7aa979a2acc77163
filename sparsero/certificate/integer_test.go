package certificate_test

import (
	"context"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// Integer columns may take fractions, without a solver for integers: 2x <= 3 reaches 3/2.
func TestUniformRelaxesIntegers(t *testing.T) {
	region := solver.NewModel("integer")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 2), Integer: true})
	region.AddRow(solver.Row{Bounds: solver.AtMost(3), Columns: []int{0}, Values: []float64{2}})
	set := must(sparsero.NewAtomicSet(must(sparsero.NewDictionary(matrix([]float64{1}, []float64{2}), nil))(t), []int{0}, 1))(t)
	u := must(certificate.SolveUniform(context.Background(), set, region, sparsero.Identity(1), nil))(t)
	if want := 1.5; !near(u.Upper.Float(), want) || u.Upper.Float() < want || !near(u.Value, want) {
		t.Errorf("value %v, bound %v, want %v", u.Value, u.Upper, want)
	}
}
