//go:build cgo

package certificate_test

import (
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
)

// A region of integers is taken for what it is only on request: 2x <= 3 reaches 1, not 3/2.
func TestUniformOverIntegers(t *testing.T) {
	region := solver.NewModel("integer")
	region.AddColumn(solver.Column{Bounds: solver.Between(0, 2), Integer: true})
	region.AddRow(solver.Row{Bounds: solver.AtMost(3), Columns: []int{0}, Values: []float64{2}})
	set := must(sparsero.NewAtomicSet(must(sparsero.NewDictionary(matrix([]float64{1}, []float64{2}), nil))(t), []int{0}, 1))(t)
	for integers, want := range map[bool]float64{false: 1.5, true: 1} {
		u := must(certificate.SolveUniform(ctx, set, region, sparsero.Identity(1), &certificate.Options{Integers: integers, Solver: &solver.Options{Backend: highs.Backend{}}}))(t)
		if !near(u.Upper.Float(), want) || u.Upper.Float() < want || !near(u.Value, want) {
			t.Errorf("integers %v: value %v, bound %v, want %v", integers, u.Value, u.Upper, want)
		}
	}
}

// Upper is not below the exact deficit at an integer point where the product of an atom and q is rounded.
func TestUniformWithIntegersIsNeverBelowTheTruth(t *testing.T) {
	for k := 3; k < 60; k += 2 {
		for _, chosen := range []bool{false, true} {
			atom, factor := 1+5/float64(7+k), 1+5/float64(11+k)
			rows, indices := matrix([]float64{atom}), []int(nil)
			if chosen { // a smaller atom, whose alignment is rounded, too
				rows, indices = matrix([]float64{atom}, []float64{atom / 3}), []int{1}
			}
			d := must(sparsero.NewDictionary(rows, nil))(t)
			set := must(sparsero.NewAtomicSet(d, indices, 1))(t)
			m := solver.NewModel("integer")
			m.AddColumn(solver.Column{Bounds: solver.Between(0, float64(k)), Integer: true})
			m.AddRow(solver.Row{Bounds: solver.AtMost(float64(2*k + 1)), Columns: []int{0}, Values: []float64{2}})
			q := must(sparsero.NewAffineMap(matrix([]float64{factor}), nil))(t)
			u := must(certificate.SolveUniform(ctx, set, m, q, &certificate.Options{Integers: true}))(t)
			deficit := rational(atom)
			if chosen {
				deficit.Sub(deficit, rational(atom/3))
			}
			deficit.Mul(deficit, rational(factor)).Mul(deficit, rational(float64(k)))
			if rational(u.Upper.Float()).Cmp(deficit) < 0 {
				t.Errorf("k = %d, chosen atom %t: Upper = %v is below the deficit at %d", k, chosen, u.Upper, k)
			}
			if value, _ := deficit.Float64(); u.Upper.Float() > value*(1+1e-9) {
				t.Errorf("k = %d, chosen atom %t: Upper = %v, deficit %v", k, chosen, u.Upper, value)
			}
		}
	}
}
