package selection

import "testing"

// The bound of a knapsack is that of its relaxation: atoms by gain per cost, the last one in part.
func TestFractionalKnapsack(t *testing.T) {
	k := &Knapsack{Costs: []float64{3, 1, 0, 2, 9, 1}, Capacity: 5}
	gains := []float64{12, 6, 2, 10, 100, 0}
	if got, want := k.fractional(Rounding{}, 0, gains), 2+6+10+12*2./3; got < want || got > want*(1+1e-14) { // atom 4 does not fit, atom 5 gives nothing
		t.Errorf("bound %.17g, want %v", got, want)
	}
	k.Capacity = 6
	if got := k.fractional(Rounding{}, 0, gains); got < 30 || got > 30*(1+1e-14) {
		t.Errorf("bound %v where all that gives anything fits, want 30", got)
	}
	k = &Knapsack{Costs: []float64{2, 2, 2}, Capacity: 3} // the second atom ends the capacity, the third does not fit either
	if got := k.fractional(Rounding{}, 0, []float64{6, 4, 1}); got < 8 || got > 8*(1+1e-14) {
		t.Errorf("bound %v, want 8", got)
	}
}
