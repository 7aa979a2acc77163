package facility

import (
	"testing"

	"pgregory.net/rapid"
)

// Points that come while the set grows count as if they had been there from the start, and
// gains and deficits are differences of plain sums.
func TestAgainstPlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "N")
		var points Points
		var rows [][]float64
		var atoms []int
		served := points.Serve()
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "point") || len(rows) == 0 {
				row := rapid.SliceOfN(rapid.Map(rapid.IntRange(-4, 4), func(v int) float64 { return float64(v) }), n, n).Draw(t, "row")
				rows = append(rows, row)
				points.Add(row)
			} else {
				i := rapid.IntRange(0, n-1).Draw(t, "atom")
				atoms = append(atoms, i)
				served.Add(i)
			}
			value, _ := plain(rows, atoms)
			gains, deficits := make([]float64, n), make([]float64, n)
			served.Gains(gains)
			served.WorstDeficits(deficits)
			if served.Value() != value {
				t.Fatalf("value %v, want %v", served.Value(), value)
			}
			for i := range n {
				with, deficit := plain(rows, append(atoms[:len(atoms):len(atoms)], i))
				if gain := with - value; abs(gains[i]-gain) > 1e-12 || gains[i] != served.Gain(i) || deficits[i] != deficit {
					t.Fatalf("atom %d: gains %v and %v, want %v; deficit %v, want %v", i, gains[i], served.Gain(i), gain, deficits[i], deficit)
				}
			}
		}
	})
}

// plain returns the mean similarity to the atoms and what they miss at most.
func plain(rows [][]float64, atoms []int) (value, worst float64) {
	for _, row := range rows {
		best, full := 0.0, 0.0
		for _, i := range atoms {
			best = max(best, row[i])
		}
		for _, v := range row {
			full = max(full, v)
		}
		value += best
		worst = max(worst, full-best)
	}
	return value / float64(len(rows)), worst
}

func abs(v float64) float64 { return max(v, -v) }
