package certificate

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
)

// What the multipliers say of a column without bounds may lean on the column itself:
// x <= a + g x proves nothing from g = 1 on, and x <= a/(1-g) below, however good the guess.
func TestRangesThatLeanOnThemselves(t *testing.T) {
	region := solver.NewModel("line")
	region.AddColumn(solver.Column{Name: "x"})
	for _, test := range []struct {
		constant, lean, guess, truth float64
		proven                       bool
	}{
		{1, 0, 1, 1, true},
		{1, 0.25, 1, 4.0 / 3, true},
		{1, 0.25, 0, 4.0 / 3, true},
		{-0.5, 1.2, 1, math.Inf(1), false},
		{0, 1, 1, math.Inf(1), false},
	} {
		above := &side{column: 0, sign: 1, costs: []float64{1}, reach: test.guess,
			relaxation: &relaxation{low: []float64{1 - test.lean}, high: []float64{1 - test.lean}, constant: test.constant}}
		below := &side{column: 0, sign: -1, costs: []float64{-1}, reach: 3,
			relaxation: &relaxation{low: []float64{-1}, high: []float64{-1}, constant: 3}}
		box, err := enclose(Box{Lower: []float64{math.Inf(-1)}, Upper: []float64{math.Inf(1)}}, []*side{above, below}, region)
		if (err == nil) != test.proven {
			t.Errorf("x <= %v + %v x: box %v, error %v", test.constant, test.lean, box, err)
		}
		if err == nil && (box.Upper[0] < test.truth || box.Upper[0] > 2*test.truth || box.Lower[0] != -3) {
			t.Errorf("x <= %v + %v x: box %v", test.constant, test.lean, box)
		}
	}
}
