//go:build cgo

package certificate_test

import (
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// A region of integers is taken for what it is only on request: x <= 3/2 reaches 1, not 3/2.
func TestUniformOverIntegers(t *testing.T) {
	region := solver.NewModel("integer")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 1.5), Integer: true})
	set := must(sparsero.NewAtomicSet(must(sparsero.NewDictionary(matrix([]float64{1}, []float64{2}), nil))(t), []int{0}, 1))(t)
	for integers, want := range map[bool]float64{false: 1.5, true: 1} {
		u := must(certificate.SolveUniform(ctx, set, region, sparsero.Identity(1), &certificate.UniformOptions{Integers: integers, Solver: &solver.Options{Backend: highs.Backend{}}}))(t)
		if !near(u.Upper, want) || u.Upper < want || !near(u.Value, want) {
			t.Errorf("integers %v: value %v, bound %v, want %v", integers, u.Value, u.Upper, want)
		}
	}
}
