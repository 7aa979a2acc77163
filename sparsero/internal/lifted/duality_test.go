package lifted

import (
	"math"
	"testing"
)

// TestARowImpliesBounds of a column that has none, from the sides of the row and of its other column, which lies in
// [0.5, 4]. They are rounded outwards.
func TestARowImpliesBounds(t *testing.T) {
	third, below := math.Nextafter(1./3, 1), 1./3 // on both sides of the fraction
	infinite := math.Inf(1)
	for _, test := range []struct {
		a, b             float64
		row              Row
		lowest, greatest float64
	}{
		{1, 2, Row{Upper: ptr(3.)}, -infinite, 2}, {1, 2, Row{Lower: ptr(3.)}, -5, infinite},
		{1, 2, Row{}, -infinite, infinite},
		{-1, 2, Row{Upper: ptr(3.)}, -2, infinite}, {-1, 2, Row{Lower: ptr(3.)}, -infinite, 5},
		{1, -2, Row{Upper: ptr(3.)}, -infinite, 11}, {2, -2, Row{Lower: ptr(1.), Upper: ptr(1.)}, 1, 4.5},
		{3, 0, Row{Lower: ptr(-1.), Upper: ptr(1.)}, -third, third},
		{-3, 0, Row{Lower: ptr(-1.), Upper: ptr(1.)}, -third, third},
		{3, 1, Row{Lower: ptr(5.), Upper: ptr(1.5)}, below, third}, {0, 1, Row{Upper: ptr(1.)}, -infinite, infinite},
		{1e-300, 0, Row{Upper: ptr(1e300)}, -infinite, infinite},
	} {
		test.row.Columns, test.row.Values = []int{0, 1}, []float64{test.a, test.b}
		p := &Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
			Model:      Model{Columns: []Column{{}, {Lower: ptr(0.5), Upper: ptr(4.)}}, Rows: []Row{test.row}},
		}
		lower, upper := newProver(p, &Decision{X: []float64{0, 1}}).program.bounds()
		if lower[0] != test.lowest || upper[0] != test.greatest || lower[1] != 0.5 || upper[1] != 4 {
			t.Errorf("%v x + %v y: the bounds are %v and %v", test.a, test.b, lower, upper)
		}
	}
}

// TestACorrectionFallsToTheLargeTerms: the multiplier 1 of x >= 0 has to shrink by a share of 2^-8 for the reduced cost
// of the free x to be 0, where that of 2^-10 x >= 0 would have to shrink below 0.
func TestACorrectionFallsToTheLargeTerms(t *testing.T) {
	for _, values := range [][]float64{{1, 0x1p-10}, {0x1p-10, 1}} {
		p := &Problem{
			Dictionary: Dictionary{Atoms: 1, Dimension: 1, Values: [][]float64{{1}}},
			Model:      Model{Columns: []Column{{Cost: 1 + 0x1p-10 - 0x1p-8}}},
		}
		for _, v := range values {
			p.Model.Rows = append(p.Model.Rows, Row{Columns: []int{0}, Values: []float64{v}, Lower: ptr(0.)})
		}
		leaf := &Leaf{Scale: Float(1), Rows: Multipliers{[]int{0, 1}, []Number{Float(1), Float(1)}}}
		v := newProver(p, &Decision{X: []float64{0}})
		v.program.sides[lowerSide][0] = nil // which the rows imply
		if bound := v.program.bound(v.program.repaired(leaf)); bound == nil || bound.Sign() != 0 {
			t.Errorf("rows with %v: the bound is %v, not 0", values, bound)
		}
	}
}
