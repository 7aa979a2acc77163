package proof

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestImpliedBoundsKeepEveryPoint: what rows imply cuts no point off that satisfies them, signs, open sides and rounding
// included.
func TestImpliedBoundsKeepEveryPoint(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		p, x := &Program{Cost: make([]float64, n)}, make([]float64, n)
		for j := range n {
			x[j] = rapid.Float64Range(-3, 3).Draw(t, "x")
			bounds := [][2]float64{{math.Inf(-1), math.Inf(1)}, {x[j] - 1, math.Inf(1)}, {math.Inf(-1), x[j]}, {x[j], x[j] + 2}}
			drawn := bounds[rapid.IntRange(0, 3).Draw(t, "bounds")]
			p.Lower, p.Upper = append(p.Lower, drawn[0]), append(p.Upper, drawn[1])
		}
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			row, activity := Row{}, 0.0
			for j := range n {
				row.Columns, row.Values = append(row.Columns, j), append(row.Values, rapid.Float64Range(-2, 2).Draw(t, "a"))
				activity += row.Values[j] * x[j]
			}
			reserve := 1e-9 // of the activity's own rounding
			side := rapid.IntRange(0, 2).Draw(t, "side")
			if row.Lower, row.Upper = math.Inf(-1), math.Inf(1); side != 1 {
				row.Lower = activity - reserve
			}
			if side != 0 {
				row.Upper = activity + reserve
			}
			p.Rows = append(p.Rows, row)
		}
		c := newDuality(p, nil)
		if c.imply() {
			found++
		}
		for j, v := range x {
			if v < c.lower[j] || v > c.upper[j] {
				t.Fatalf("column %d at %v is cut off by [%v, %v]", j, v, c.lower[j], c.upper[j])
			}
		}
	})
	if found == 0 {
		t.Error("no row implied a bound")
	}
}

// TestImpliedBoundsThatCross: where what rows imply leaves no point, rounded multipliers prove it, although a free column keeps
// a reduced cost. Over x free and y in a half-line 1.48x + 1.81y = -1 contradicts 0.86 <= 1.8y - x <= 1.
func TestImpliedBoundsThatCross(t *testing.T) {
	infinite := math.Inf(1)
	for _, c := range []struct{ lower, upper, first, second float64 }{
		{-infinite, 0, 0.22351363433169424, -0.33080017881090745}, {1, infinite, 0.33783783783783783, -0.5},
	} {
		p := &Program{
			Cost: make([]float64, 2), Lower: []float64{-infinite, c.lower}, Upper: []float64{infinite, c.upper},
			Rows: []Row{
				{Lower: 1, Upper: 1, Columns: []int{0, 1}, Values: []float64{-1.48, -1.81}},
				{Lower: 0.86, Upper: 1, Columns: []int{0, 1}, Values: []float64{-1, 1.8}},
			},
		}
		if Infeasible(p, []float64{c.first, c.second}) == nil {
			t.Errorf("y in [%v, %v]: nothing is proven", c.lower, c.upper)
		}
		q := newDuality(p, nil)
		if q.imply(); !(q.lower[0] <= q.upper[0] && q.lower[1] <= q.upper[1]) {
			t.Errorf("y in [%v, %v]: the implied bounds [%v, %v] and [%v, %v]", c.lower, c.upper, q.lower[0], q.upper[0], q.lower[1], q.upper[1])
		}
	}
}
