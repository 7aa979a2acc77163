package screen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// Whole numbers have exact alignments, with which every kernel takes the same steps: what each search costs is known to
// the last count, and a look more or less at anything shows here. The counts are alignments in float64, gains bounded,
// bytes read, atoms sorted and calls, of alignments that are held, with levels, and streamed.
func TestCostsOfWholeNumbers(t *testing.T) {
	const n, m, p = 700, 57, 5
	source := rand.New(rand.NewPCG(7, 9))
	atoms, directions := integers(source, n, p, 20), integers(source, m, p, 20)
	built := [3]Cost{{58, 700, 179200, 0}, {58, 0, 89600, 0}, {58, 700, 179200, 0}}
	wanted := map[string][3][5]int64{
		"greedy":          {{399, 1993, 267264, 0, 2693}, {393, 73, 98560, 0, 773}, {399, 1993, 267264, 0, 2693}},
		"gap":             {{219, 6, 25766, 0, 6264}, {219, 6, 23155, 0, 6264}, {219, 5, 24166, 0, 6264}},
		"gap by gain":     {{803, 276, 62658, 0, 6264}, {803, 278, 59764, 0, 6264}, {828, 286, 63170, 0, 6264}},
		"cover":           {{11, 5601, 312616, 0, 26}, {11, 5601, 312616, 0, 26}, {212, 3191, 448000, 0, 26}},
		"exchanges":       {{3087, 2800, 403584, 0, 3153}, {3087, 2800, 403584, 0, 3153}, {3087, 2800, 420608, 0, 3153}},
		"multipliers":     {{363, 994, 130560, 525, 1014}, {363, 999, 131200, 523, 1019}, {363, 994, 131840, 525, 1014}},
		"one by one":      {{202, 568, 74112, 154, 573}, {202, 582, 75904, 154, 587}, {202, 568, 74496, 154, 573}},
		"knapsack":        {{1062, 1263, 172544, 1824, 1342}, {1062, 1266, 172928, 1825, 1345}, {1062, 1263, 177664, 1824, 1342}},
		"along supports":  {{383, 7700, 185088, 544, 1436}, {383, 74, 55488, 722, 110}, {383, 7700, 186752, 544, 1436}},
		"active and rows": {{23463, 0, 179328, 0, 20044}, {23463, 0, 179328, 0, 20044}, {23463, 0, 179328, 0, 20044}},
	}
	for k, o := range []Options{{Workers: 1}, {Workers: 1, Levels: true}, {Workers: 1, Stream: true}} {
		for _, o.Kernel = range kernel.All() {
			s := mustNew(t, Matrix64{atoms, p}, directions, o)
			if got := s.Cost(); got != built[k] {
				t.Errorf("alignments, %v: %+v, not %+v", o, got, built[k])
			}
			for name, search := range searches {
				if got, want := searchCosts(t, s, search), wanted[name][k]; got != want {
					t.Errorf("%s, %v: %d, not %d", name, o, got, want)
				}
			}
		}
	}
}

// searches are what is counted, by name; each returns its calls.
var searches = map[string]func(t fataler, s *Screen) int{
	"greedy":          func(t fataler, s *Screen) int { return searchedGreedy(t, s) },
	"gap":             func(t fataler, s *Screen) int { return searchedGap(t, s, false) },
	"gap by gain":     func(t fataler, s *Screen) int { return searchedGap(t, s, true) },
	"cover":           searchedCovers,
	"exchanges":       searchedExchanges,
	"multipliers":     func(t fataler, s *Screen) int { return searchedMultipliers(t, s, Cardinality(5)) },
	"one by one":      func(t fataler, s *Screen) int { return searchedMultipliers(t, s, Cardinality(1)) },
	"knapsack":        func(t fataler, s *Screen) int { return searchedMultipliers(t, s, wholeBudget(s.n)) },
	"along supports":  searchedSupports,
	"active and rows": searchedRows,
}

// searchCosts counts what a search costs.
func searchCosts(t fataler, s *Screen, search func(t fataler, s *Screen) int) [5]int64 {
	t.Helper()
	before := s.Cost()
	calls := search(t, s)
	after := s.Cost()
	return [5]int64{after.Alignments - before.Alignments, after.Bounds - before.Bounds, after.Bytes - before.Bytes, after.Sorted - before.Sorted, int64(calls)}
}

// must ends the test at an error.
func must(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func searchedGreedy(t fataler, s *Screen) int {
	state := s.NewState()
	search := state.NewSearch()
	for range 9 {
		best, _, err := search.Best(context.Background())
		must(t, err)
		state.Add(best)
	}
	_, _, err := search.Largest(context.Background(), 40)
	must(t, err)
	return search.Calls()
}

func searchedGap(t fataler, s *Screen, byGain bool) int {
	state := s.NewState()
	search := state.NewGapSearch(byGain)
	for range 9 {
		best, err := search.Best(context.Background())
		must(t, err)
		state.Add(best)
	}
	return search.Calls()
}

func searchedCovers(t fataler, s *Screen) (covered int) {
	search, most := s.NewCoverSearch(), slices.Max(s.Full())
	for _, share := range []float64{0, 0.5, 0.25, 0.125, 0.1875} {
		cover, _, err := search.Within(context.Background(), share*most, 12)
		must(t, err)
		covered += len(cover)
	}
	return covered
}

func searchedExchanges(t fataler, s *Screen) int {
	search, err := s.NewSwapSearch([]int{0, 1, 2, 3, 4, 5, 6, 6})
	must(t, err)
	for range 4 {
		exchange, err := search.Best(context.Background())
		must(t, err)
		must(t, search.Make(exchange))
	}
	return search.Calls()
}

// wholeBudget has costs of 1 to 5.
func wholeBudget(n int) Budget {
	b := Budget{Costs: make([]float64, n), Capacity: 20}
	for i := range b.Costs {
		b.Costs[i] = float64(1 + i*i%5)
	}
	return b
}

// searchedMultipliers looks at multipliers that rise, and then fall.
func searchedMultipliers(t fataler, s *Screen, budget Budget) int {
	l, state := s.NewLagrangian(), s.NewState()
	for k := range 8 {
		if k < 6 {
			state.Add(k * 100)
			l.Move(state.Supports())
		} else {
			u := slices.Clone(state.Supports())
			for j := range u {
				u[j] /= float64(k)
			}
			l.Move(u)
		}
		_, _, err := l.Leaders(context.Background(), budget)
		if k%2 == 1 {
			must(t, err)
			_, _, err = l.Largest(context.Background(), budget)
		}
		must(t, err)
	}
	if budget.Costs == nil {
		_, err := l.Candidates(context.Background(), budget, -1)
		must(t, err)
	}
	return l.Calls()
}

func searchedSupports(t fataler, s *Screen) int {
	supports, err := s.Covers([]int{3, 1, 4, 15, 9, 2, 6, 5, 35, 8}, 0, 1)
	must(t, err)
	l := s.NewLagrangian()
	must(t, l.Along(context.Background(), supports, func(at int) error {
		_, _, err := l.Leaders(context.Background(), Cardinality(at+1))
		if err != nil || at%2 == 1 {
			return err
		}
		_, _, err = l.Largest(context.Background(), Budget{Capacity: math.Inf(1), Count: at + 1})
		return err
	}))
	return l.Calls()
}

func searchedRows(t fataler, s *Screen) (active int) {
	found, err := s.Active(context.Background())
	must(t, err)
	for _, i := range found {
		_, err := s.Row(make([]float64, s.m), i)
		must(t, err)
		active += i
	}
	gains, state := make([]float64, s.n), s.NewState()
	state.AddElsewhere(-1, make([]float64, s.p))
	state.AllGains(context.Background(), gains)
	return active + int(state.Gain(5))
}
