package selection_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// units measure atoms, directions and single coordinates by powers of two.
type units struct {
	atoms, directions int
	coordinates       []int
}

// apply returns the matrix in other units; sign says whether coordinates are multiplied
// (1, atoms) or divided (-1, directions).
func (u units) apply(m *mat.Dense, exponent, sign int) *mat.Dense {
	scaled := mat.DenseCopyOf(m)
	scaled.Apply(func(_, k int, value float64) float64 {
		return math.Ldexp(value, exponent+sign*u.coordinates[k])
	}, scaled)
	return scaled
}

// rulesOf lists the rules.
func rulesOf(costs []float64) []selection.Policy {
	return []selection.Policy{
		selection.Greedy{}, selection.Greedy{Plain: true},
		selection.Greedy{StopAtFull: true}, selection.MaxGap{}, selection.MaxGap{ByGain: true}, selection.SetCover{},
		selection.Random{Seed: 1}, selection.TopActivation{}, selection.MaxGamma{},
		selection.Knapsack{Costs: costs, Capacity: 5},
	}
}

// Units do not matter: every value and bound scales exactly, and no choice, ratio or flag
// changes, for every rule and storage.
func TestUnitsDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 12, 4, 10)
		for _, m := range []*mat.Dense{in.atoms, in.directions} { // float64 cannot carry the products of much smaller ones in all units
			m.Apply(func(_, _ int, value float64) float64 { return math.Round(value*0x1p40) / 0x1p40 }, m)
		}
		in = newInstance(t, in.atoms, in.directions)
		n, p := in.dictionary.Size(), in.dictionary.Dim()
		exponent := rapid.IntRange(-300, 300)
		u := units{exponent.Draw(t, "atoms"), exponent.Draw(t, "directions"), make([]int, p)}
		oneUnit := rapid.Bool().Draw(t, "coordinates in one unit")
		for k := range u.coordinates {
			if !oneUnit {
				u.coordinates[k] = exponent.Draw(t, "coordinate")
			}
		}
		scaled := newInstance(t, u.apply(in.atoms, u.atoms, 1), u.apply(in.directions, u.directions, -1))
		scale := math.Ldexp(1, u.atoms+u.directions)
		budget := rapid.IntRange(1, n).Draw(t, "B")
		costs := make([]float64, n)
		for i := range costs {
			costs[i] = float64(1 + i%3)
		}
		rules := rulesOf(costs)
		if oneUnit {
			rules = append(rules, selection.MaxNorm{})
		}
		for _, rule := range rules {
			for _, storage := range storages {
				a := selectAtoms(t, rule, mustCoverage(t, in.dictionary, in.directions, &selection.CoverageOptions{Storage: storage}), budget)
				b := selectAtoms(t, rule, mustCoverage(t, scaled.dictionary, scaled.directions, &selection.CoverageOptions{Storage: storage}), budget)
				checkUnits(t, a, b, scale)
				if oneUnit && !slices.Equal(a.OracleCalls, b.OracleCalls) {
					t.Fatalf("%s, %v: %v oracle calls, in other units %v", a.Policy, storage, a.OracleCalls, b.OracleCalls)
				}
			}
		}
	})
}

// checkUnits compares a selection with the same one in other units.
func checkUnits(t *rapid.T, a, b *selection.Selection, scale float64) {
	t.Helper()
	if !equalInts(a.Atoms, b.Atoms) || a.Partial != b.Partial || scale*a.FullCoverage != b.FullCoverage {
		t.Fatalf("%s chooses %v of %v, in other units %v of %v", a.Policy, a.Atoms, a.FullCoverage, b.Atoms, b.FullCoverage)
	}
	for _, values := range [][2][]float64{{a.Gains, b.Gains}, {a.Coverage, b.Coverage}, {a.WorstDeficit, b.WorstDeficit}} {
		for k, value := range values[0] {
			if scale*value != values[1][k] {
				t.Fatalf("%s, step %d: %v becomes %v and not %v", a.Policy, k+1, values[0], values[1], scale*value)
			}
		}
	}
	for k := range a.Atoms {
		if scale*a.Bounds[k].Float() != b.Bounds[k].Float() {
			t.Fatalf("%s, step %d: a bound of %v becomes %v", a.Policy, k+1, a.Bounds[k], b.Bounds[k])
		}
		if a.CoverageRatio(k+1) != b.CoverageRatio(k+1) || a.OptimalityRatio(k+1).Float() != b.OptimalityRatio(k+1).Float() {
			t.Fatalf("%s, step %d: ratios %v, %v, in other units %v, %v", a.Policy, k+1,
				a.CoverageRatio(k+1), a.OptimalityRatio(k+1).Float(), b.CoverageRatio(k+1), b.OptimalityRatio(k+1).Float())
		}
	}
}
