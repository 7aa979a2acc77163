package robust

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sparsero/directions/sparsero"
)

// Directions that come while the set grows count as if they had been there from the start,
// and gains and deficits are differences of plain sums.
func TestProbesAgainstPlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "N")
		probes := newProbes(n)
		var rows [][]float64
		var atoms []int
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "direction") || len(rows) == 0 {
				row := rapid.SliceOfN(rapid.Map(rapid.IntRange(-4, 4), func(v int) float64 { return float64(v) }), n, n).Draw(t, "row")
				rows = append(rows, row)
				probes.reveal(exposed{alignments: row})
			} else {
				i := rapid.IntRange(0, n-1).Draw(t, "atom")
				atoms = append(atoms, i)
				probes.choose(i)
			}
			value, _ := plainCoverage(rows, atoms)
			if restricted, _ := probes.coverage(); restricted != value {
				t.Fatalf("value %v, want %v", restricted, value)
			}
			gains, deficits := make([]float64, n), make([]float64, n)
			for i := range n {
				with, deficit := plainCoverage(rows, append(atoms[:len(atoms):len(atoms)], i))
				gains[i], deficits[i] = probes.gain(i), deficit
				if gain := with - value; math.Abs(gains[i]-gain) > 1e-12 {
					t.Fatalf("atom %d: gain %v, want %v", i, gains[i], gain)
				}
			}
			closed := rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "closed")
			largest, smallest := sparsero.NullAtom, sparsero.NullAtom
			for i := range n {
				if closed[i] || slices.Contains(atoms, i) {
					continue
				}
				if largest == sparsero.NullAtom || gains[i] > gains[largest] {
					largest = i
				}
				if smallest == sparsero.NullAtom || deficits[i] < deficits[smallest] || deficits[i] == deficits[smallest] && gains[i] > gains[smallest] {
					smallest = i
				}
			}
			if got := probes.largestGain(closed); got != largest {
				t.Fatalf("largest gain: atom %d, want %d of %v", got, largest, gains)
			}
			if got := probes.smallestDeficit(closed); got != smallest {
				t.Fatalf("smallest deficit: atom %d, want %d of %v", got, smallest, deficits)
			}
		}
	})
}

// TestFewGainsAreComputed: what is known of the gains from earlier steps leaves few to compute, whatever N and |T| are.
func TestFewGainsAreComputed(t *testing.T) {
	const n, steps = 2000, 60
	random := rand.New(rand.NewPCG(1, 2))
	probes, closed := newProbes(n), make([]bool, n)
	for range steps {
		row := make([]float64, n)
		for i := range row {
			row[i] = random.NormFloat64()
		}
		probes.reveal(exposed{alignments: row})
		probes.choose(probes.largestGain(closed))
	}
	t.Logf("%d of %d gains were computed", probes.computed, n*steps)
	if probes.computed > n*steps/12 {
		t.Errorf("%d of %d gains were computed, want less than a twelfth", probes.computed, n*steps)
	}
}

// plainCoverage returns the mean of the largest alignments of the atoms and what they miss at most.
func plainCoverage(rows [][]float64, atoms []int) (value, worst float64) {
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
