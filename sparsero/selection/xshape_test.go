package selection_test

import (
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/sparsero/selection"
)

// The X-shaped data of section 5.1 at the paper's size. The ranges are what 100
// draws of the generator give (5 to 95 %): greedy reaches zero deficit at 6 to
// 10 atoms and is within 1 % of the optimum; max-gap needs 17 or more with ties
// by the lowest index, of which there are many, and about half as many with ties
// by coverage gain; the set cover leaves the smallest worst deficit.
func TestPoliciesOnXShapedData(t *testing.T) {
	for seed := range uint64(3) {
		x, err := datasets.NewXShape(datasets.XShapeOptions{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		c, err := selection.NewCoverage(x.Dictionary, x.Directions, nil)
		if err != nil {
			t.Fatal(err)
		}
		greedy := selectAtoms(t, selection.Greedy{}, c, 31)
		byIndex := selectAtoms(t, selection.MaxGap{}, c, 31)
		byGain := selectAtoms(t, selection.MaxGap{ByGain: true}, c, 31)
		activation := selectAtoms(t, selection.TopActivation{}, c, 31)
		if zero := stepsToZero(greedy); zero < 6 || zero > 10 || stepsToZero(activation) != zero {
			t.Errorf("seed %d: zero deficit at %d atoms by greedy, %d by activation", seed, zero, stepsToZero(activation))
		}
		if slow, fast := stepsToZero(byIndex), stepsToZero(byGain); slow < 17 || fast == 0 || fast > 13 {
			t.Errorf("seed %d: max-gap needs %d atoms by index, %d by gain", seed, slow, fast)
		}
		for b := 1; b <= 31; b++ {
			if ratio := greedy.OptimalityRatio(b).Float(); ratio < 0.96 {
				t.Errorf("seed %d, B=%d: proved ratio %v", seed, b, ratio)
			}
		}
		for _, b := range []int{2, 4, 5} {
			cover := selectAtoms(t, selection.SetCover{}, c, b).WorstDeficit[b-1]
			if cover > greedy.WorstDeficit[b-1] || cover > byIndex.WorstDeficit[b-1] {
				t.Errorf("seed %d, B=%d: set cover leaves %v, greedy %v, max-gap %v", seed, b, cover, greedy.WorstDeficit[b-1], byIndex.WorstDeficit[b-1])
			}
		}
		if seed == 0 {
			for b := 1; b <= 4; b++ {
				exact := selectAtoms(t, selection.Exact{}, c, b)
				if ratio := greedy.Coverage[b-1] / c.Value(exact.Atoms); ratio < 0.99 || ratio > 1+1e-12 {
					t.Errorf("B=%d: greedy reaches %v of the optimum", b, ratio)
				}
			}
		}
	}
}
