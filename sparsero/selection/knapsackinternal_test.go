package selection

import (
	"testing"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// The bound of a knapsack is that of its relaxation: atoms by gain per cost, the last one in part.
func TestFractionalKnapsack(t *testing.T) {
	for _, test := range []struct {
		knapsack Knapsack
		atoms    []int32 // by gain per cost
		gains    []float64
		want     float64
	}{
		{Knapsack{[]float64{3, 1, 0, 2, 9, 1}, 5}, []int32{2, 1, 3, 0}, []float64{2, 6, 10, 12}, 2 + 6 + 10 + 12*2./3}, // atom 4 does not fit, atom 5 gives nothing
		{Knapsack{[]float64{3, 1, 0, 2, 9, 1}, 6}, []int32{2, 1, 3, 0}, []float64{2, 6, 10, 12}, 30},
		{Knapsack{[]float64{2, 2, 2}, 3}, []int32{0, 1, 2}, []float64{6, 4, 1}, 8}, // the second atom ends the capacity, the third does not fit either
	} {
		got := screen.Total(Rounding{}, 0, test.knapsack.budget(), test.atoms, test.gains)
		if got < test.want || got > test.want*(1+1e-14) {
			t.Errorf("capacity %v: bound %.17g, want %v", test.knapsack.Capacity, got, test.want)
		}
	}
}
