package robust

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Directions that come while the set grows count as if they had been there from the start,
// and gains and deficits are differences of plain sums.
func TestProbesAgainstPlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "N")
		probes := &probes{chosen: make([]bool, n)}
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
			gains := make([]float64, n)
			for _, a := range probes.gains() {
				gains[a.atom] = a.value
			}
			for i := range n {
				if probes.chosen[i] != slices.Contains(atoms, i) {
					t.Fatalf("%v are chosen, not %v", probes.chosen, atoms)
				}
				with, deficit := plainCoverage(rows, append(atoms[:len(atoms):len(atoms)], i))
				if gain := with - value; math.Abs(gains[i]-gain) > 1e-12 || probes.gain(i) != gains[i] || probes.worstDeficit(i) != deficit {
					t.Fatalf("atom %d: gain %v, want %v; deficit %v, want %v", i, gains[i], gain, probes.worstDeficit(i), deficit)
				}
			}
		}
	})
}

// TestGainsHaveTheBitsOfSelection: fractions of any sizes are added up in the same order, whatever their number.
func TestGainsHaveTheBitsOfSelection(t *testing.T) {
	const n = 3
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Map(rapid.Uint64(), func(k uint64) float64 { return float64(k%99991) / 17 })
		directions := rapid.SliceOfN(number, n*17, n*40).Draw(t, "directions")
		directions = directions[:len(directions)/n*n]
		probes, units := &probes{chosen: make([]bool, n)}, mat.NewDense(n, n, nil)
		for i := range n {
			units.Set(i, i, 1)
		}
		d, err := sparsero.NewDictionary(units, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := screen.New(context.Background(), d, directions, screen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k := 0; k < len(directions); k += n {
			probes.reveal(exposed{alignments: directions[k : k+n]})
		}
		state := s.NewState()
		for i := range n {
			for j := i; j < n; j++ {
				if got, want := probes.gain(j), state.Gain(j); got != want || !slices.Contains(probes.gains(), aligned{j, want}) {
					t.Fatalf("%d atoms are chosen: atom %d gains %v, want %v; all gains %v", i, j, got, want, probes.gains())
				}
			}
			probes.choose(i)
			state.Add(i)
		}
	})
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
