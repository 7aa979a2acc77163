package proof

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
)

// strip is -1 <= x - y <= 2 with all columns at least 0, and the costs given.
func strip(costs ...float64) *Program {
	p := &Program{Cost: costs, Rows: []Row{{Lower: -1, Upper: 2, Columns: []int{0, 1}, Values: []float64{1, -1}}}}
	for range costs {
		p.Lower, p.Upper = append(p.Lower, 0), append(p.Upper, math.Inf(1))
	}
	return p
}

// TestRaysAreChecked: a ray proves that a model is unbounded if it keeps to every row and
// bound and improves the objective, and not otherwise.
func TestRaysAreChecked(t *testing.T) {
	above := strip(-1, -1)
	above.Lower[0], above.Upper[0] = math.Inf(-1), 5
	below := strip(1, 1)
	below.Lower[0], below.Lower[1] = math.Inf(-1), math.Inf(-1)
	for _, test := range []struct {
		name    string
		program *Program
		ray     []float64
		want    bool
	}{
		{"along the strip", strip(-1, -1), []float64{1, 1}, true},
		{"downwards without bounds", below, []float64{-1, -1}, true},
		{"out of the strip by a rounding error", strip(-1, -1), []float64{1, 1 - 0x1p-53}, false},
		{"out of the upper side of the row", strip(-1, -1), []float64{1, 0}, false},
		{"out of the lower side of the row", strip(-1, -1), []float64{0, 1}, false},
		{"out of a lower bound", strip(1, 1), []float64{-1, -1}, false},
		{"out of an upper bound", above, []float64{1, 1}, false},
		{"without a gain", strip(1, -1), []float64{1, 1}, false},
		{"in the wrong sense", strip(1, 1), []float64{1, 1}, false},
		{"none", strip(-1, -1), []float64{0, 0}, false},
	} {
		if got := keeps(program.Falling(program.Recession(test.program), -0.1), test.ray); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestFarkasMultipliersAreChecked: multipliers of either sign prove that a model is infeasible
// exactly when their bound is above 0.
func TestFarkasMultipliersAreChecked(t *testing.T) {
	p := strip(0, 0)
	p.Rows = append(p.Rows, Row{Lower: math.Inf(-1), Upper: -1, Columns: []int{0, 1}, Values: []float64{1, 1}}) // x + y >= 0
	for _, test := range []struct {
		y    []float64
		want bool
	}{
		{[]float64{0, -1}, true}, {[]float64{0, 1}, true}, {[]float64{0, 0}, false}, {[]float64{1, 0}, false},
		{[]float64{2, -1}, false}, {nil, false},
	} {
		if got := Infeasible(p, test.y) != nil; got != test.want {
			t.Errorf("%v: %v, want %v", test.y, got, test.want)
		}
	}
}

// TestRoundedGradientsAreNotRepaired: a column with a quadratic term, alone or with another
// one, has a gradient that is rounded.
func TestRoundedGradientsAreNotRepaired(t *testing.T) {
	p := strip(1, 1, 0, 0)
	p.Quadratic = []program.Term{{I: 0, J: 2, Value: 1}, {I: 1, J: 1, Value: 1}}
	c := newDuality(p, make([]float64, 4))
	for j, want := range []bool{true, true, true, false} {
		if c.hasSquare(j) != want {
			t.Errorf("column %d: %v", j, !want)
		}
		if newDuality(program.Feasibility(p), nil).hasSquare(j) {
			t.Errorf("column %d has a square in the objective 0", j)
		}
	}
}

// TestRepairedMultipliers: columns without a bound get reduced costs that are 0 to the last bit,
// and with them a bound at the optimum, in any units.
func TestRepairedMultipliers(t *testing.T) {
	for _, exponent := range []int{0, -200, 300} {
		p := &Program{}
		for range 3 {
			p.Cost, p.Lower, p.Upper = append(p.Cost, math.Ldexp(1, exponent)), append(p.Lower, math.Inf(-1)), append(p.Upper, math.Inf(1))
		}
		for i, values := range [][]float64{{3, 1, 0}, {0, 3, 1}, {1, 0, 3}} {
			p.Rows = append(p.Rows, Row{Lower: float64(i), Upper: math.Inf(1), Columns: []int{0, 1, 2}, Values: values})
		}
		for _, off := range []float64{0x1p-52, -0x1p-52, 0x1p-40, -0x1p-40} {
			quarter := math.Ldexp(0.25*(1+off), exponent)
			claimed, _ := DualBound(p, nil, []float64{quarter, quarter, quarter})
			bound := claimed.Float()
			if want := math.Ldexp(0.75, exponent); bound > want || bound < want*(1-1e-15) {
				t.Errorf("2^%d, %g off: bound %v, want %v", exponent, off, bound, want)
			}
		}
	}
}

// TestMultipliersOfMissingSides: a multiplier that leans on a side which a row does not have
// counts for nothing.
func TestMultipliersOfMissingSides(t *testing.T) {
	p := &Program{Cost: []float64{1}, Lower: []float64{-3}, Upper: []float64{3}, Rows: []Row{
		{Lower: math.Inf(-1), Upper: 2, Columns: []int{0}, Values: []float64{1}},
		{Lower: -2, Upper: math.Inf(1), Columns: []int{0}, Values: []float64{1}},
	}}
	for _, y := range [][]float64{{0, 1}, {0.5, 1}} {
		if bound, _ := DualBound(p, nil, y); bound != AtLeast(-2) {
			t.Errorf("multipliers %v: bound %v, want -2", y, bound)
		}
	}
	if bound, _ := DualBound(p, nil, []float64{0, -1}); bound != AtLeast(-3) {
		t.Errorf("multiplier of a missing upper side: bound %v, want -3", bound)
	}
}

// TestNoMultipliersProveNothing: none at all is not the same as one for each of no rows.
func TestNoMultipliersProveNothing(t *testing.T) {
	p := &Program{Cost: []float64{1}, Lower: []float64{-3}, Upper: []float64{3}}
	if bound, size := DualBound(p, nil, nil); bound != (Lower{}) || size != 0 {
		t.Errorf("no rows: %v of size %v", bound, size)
	}
	if bound, _ := DualBound(p, nil, []float64{}); bound != AtLeast(-3) {
		t.Errorf("for no rows: %v, want -3", bound)
	}
	p.Rows = []Row{{Lower: 4, Upper: 5, Columns: []int{0}, Values: []float64{1}}}
	if bound, size := DualBound(p, nil, nil); bound != (Lower{}) || size != 0 {
		t.Errorf("one row: %v of size %v", bound, size)
	}
	if y := Infeasible(p, nil); y != nil {
		t.Errorf("infeasible by %v", y)
	}
}

// TestTangentOfProductsBelowFloat64: 2^-600 x is below float64 at x = 2^-500, and not its product with y = 2^600.
func TestTangentOfProductsBelowFloat64(t *testing.T) {
	p := &Program{Offset: 0x1p-900, Cost: make([]float64, 2), Lower: make([]float64, 2), Upper: make([]float64, 2), Quadratic: []program.Term{
		{I: 0, J: 0, Value: 0x1p100}, {I: 1, J: 1, Value: 0x1p-600}, {I: 0, J: 1, Value: 0x1p-600},
	}}
	if constant := newDuality(p, []float64{0x1p-500, 0x1p600}).constant.Lower(); constant >= -0x1p600 {
		t.Errorf("the constant %x of the tangent is not below -2^600", constant)
	}
}
