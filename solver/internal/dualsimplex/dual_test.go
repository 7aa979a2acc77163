package dualsimplex

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// rightSigns tells whether every reduced cost has the sign that its bound asks for, to the last bit.
func rightSigns(b *tableau) bool {
	for k, v := range b.nonbasic {
		if d := b.reduced[k]; d > 0 && b.value[v] != b.lower[v] || d < 0 && b.value[v] != b.upper[v] {
			return false
		}
	}
	return true
}

// TestRightSigns: variables go to the bounds that suit their costs, and the costs of those that have none there, and of no
// others, become 0.
func TestRightSigns(t *testing.T) {
	often(t, func(t *rapid.T) {
		b, _ := drawnTableau(t)
		wrong := 0
		for k, v := range b.nonbasic {
			if d := b.reduced[k]; d > 1e-9 && math.IsInf(b.lower[v], 0) || d < -1e-9 && math.IsInf(b.upper[v], 0) {
				wrong++
			}
		}
		if needed := b.shiftsNeeded(); needed != wrong {
			t.Fatalf("%d costs to be shifted, not %d", needed, wrong)
		}
		costs := slices.Clone(b.reduced)
		b.makeDualFeasible()
		if !rightSigns(b) {
			t.Fatalf("costs %v at %v in [%v, %v]", b.reduced, b.value, b.lower, b.upper)
		}
		for k, d := range b.reduced {
			if d != costs[k] && math.Abs(costs[k]) > 1e-9 {
				if wrong--; d != 0 {
					t.Fatalf("a cost of %v becomes %v", costs[k], d)
				}
			}
		}
		if wrong != 0 {
			t.Fatalf("%d costs are shifted too little or too much", wrong)
		}
	})
}

// steepness is what a row misses squared by its length squared.
func steepness(b *tableau, i int) float64 {
	v, squares := b.basic[i], 1.0
	miss := math.Max(b.lower[v]-b.value[v], b.value[v]-b.upper[v])
	if miss <= 1e-8 {
		return 0
	}
	for _, entry := range b.rows[i] {
		squares += entry * entry
	}
	return miss * miss / squares
}

// nearest is how near any values of the others bring the variable of a row to the bound that it misses.
func nearest(b *tableau, row int, excess float64) (value float64) {
	for k, entry := range b.rows[row] {
		switch v := b.nonbasic[k]; {
		case math.Abs(entry) <= 1e-9:
		case entry*excess > 0:
			value += entry * b.lower[v]
		default:
			value += entry * b.upper[v]
		}
	}
	return value
}

// TestDualStep: from right signs, the row of the steepest edge leaves for the bound that it misses, or no point has it
// there; signs stay right, values those of the basis, and variables that are passed are at their other bound.
func TestDualStep(t *testing.T) {
	seen := map[int]int{}
	often(t, func(t *rapid.T) {
		b, _ := drawnTableau(t)
		b.makeDualFeasible()
		b.evaluate()
		for k := range b.reduced {
			b.reduced[k] *= 1 + 1e-14*float64(k%3) // ratios that tie but for rounding errors
		}
		row := b.leavingRow()
		for i := range b.basic {
			if row < 0 && steepness(b, i) > 0 || row >= 0 && steepness(b, i) > steepness(b, row)*(1+1e-9) {
				t.Fatalf("row %d leaves, but row %d is steeper", row, i)
			}
		}
		if row < 0 {
			return
		}
		leaving, target := b.basic[row], b.upper[b.basic[row]]
		excess := b.outsideBounds(leaving)
		if excess < 0 {
			target = b.lower[leaving]
		}
		position := b.dualRatio(row, excess)
		seen[min(position, 0)]++
		if reaches := (nearest(b, row, excess)-target)*excess <= 1e-8; reaches != (position >= 0) {
			t.Fatalf("position %d, where the row misses %v", position, target)
		}
		if position < 0 {
			return
		}
		b.dualStep(row, position, excess)
		at := slices.Clone(b.value)
		if b.evaluate(); !slices.EqualFunc(at, b.value, near) || at[leaving] != target || !rightSigns(b) {
			t.Fatalf("values %v, computed anew %v; costs %v in [%v, %v]", at, b.value, b.reduced, b.lower, b.upper)
		}
		for _, v := range b.nonbasic {
			if free := math.IsInf(b.lower[v], 0) && math.IsInf(b.upper[v], 0); !free && at[v] != b.lower[v] && at[v] != b.upper[v] {
				t.Fatalf("variable %d is at %v in [%v, %v]", v, at[v], b.lower[v], b.upper[v])
			}
		}
	})
	if seen[0] == 0 || seen[noCandidate] == 0 {
		t.Errorf("%v", seen)
	}
}
