package selection

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// clusters returns points around 200 centres, as the measured dictionaries have them.
func clusters(seed uint64, n, p int) *mat.Dense {
	source := rand.New(rand.NewPCG(seed, 1))
	centres, points := mat.NewDense(200, p, nil), mat.NewDense(n, p, nil)
	centres.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, centres)
	for i := range n {
		centre := centres.RawRowView(source.IntN(200))
		for j, value := range centre {
			points.Set(i, j, value+source.NormFloat64()/2)
		}
	}
	return points
}

// fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatal(...any)
}

// coverageOf is the coverage of atoms at probes, which can be made.
func coverageOf(t fataler, atoms, directions mat.Matrix) *Coverage {
	t.Helper()
	dictionary, err := sparsero.NewDictionary(atoms, nil)
	if err != nil {
		t.Fatal(err)
	}
	coverage, err := NewCoverage(dictionary, directions, nil)
	if err != nil {
		t.Fatal(err)
	}
	return coverage
}

// gainsLookedAt counts the gains that greedy and its bounds look at.
func gainsLookedAt(t *testing.T, atoms, directions mat.Matrix, budget int) (greedy, bounds int) {
	t.Helper()
	coverage := coverageOf(t, atoms, directions)
	path, err := Greedy{SkipBounds: true}.Select(context.Background(), coverage, budget)
	if err != nil {
		t.Fatal(err)
	}
	state := coverage.screen.NewState()
	search := state.NewSearch()
	for _, i := range path.Atoms {
		if _, _, err := search.Largest(context.Background(), budget); err != nil {
			t.Fatal(err)
		}
		state.Add(i)
	}
	return path.OracleCalls[budget-1], search.Calls()
}

// When the atoms double, the gains that greedy and its bounds look at double too, as a mean over dictionaries: no step of
// the measured times (notebooks/results/speed_growth.csv) is theirs.
func TestGainsDoubleWithTheAtoms(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	const first, most, m, p, budget, dictionaries, doubling = 5_000, 40_000, 128, 64, 50, 5, 2.1
	total := make(map[int][2]int)
	for seed := range uint64(dictionaries) {
		points := clusters(seed, most+m, p)
		for n := first; n <= most; n *= 2 {
			greedy, bounds := gainsLookedAt(t, points.Slice(0, n, 0, p), points.Slice(most, most+m, 0, p), budget)
			total[n] = [2]int{total[n][0] + greedy, total[n][1] + bounds}
		}
	}
	for n := first; n <= most; n *= 2 {
		now, before := total[n], total[n/2]
		t.Logf("%d atoms: %.2f gains for each, with bounds %.2f", n, float64(now[0])/float64(dictionaries*n), float64(now[1])/float64(dictionaries*n))
		for k, what := range []string{"greedy", "bounds"} {
			if n > first && float64(now[k]) > doubling*float64(before[k]) {
				t.Errorf("%d atoms: %s: %d gains, after %d for half of the atoms", n, what, now[k], before[k])
			}
		}
	}
}
