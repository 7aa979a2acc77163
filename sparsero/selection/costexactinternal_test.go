package selection

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// Atoms of whole numbers have exact alignments, with which every processor takes the same steps: what a rule costs with
// a budget of nine is known to the last count, and a look more or less at anything shows here. The counts are alignments
// in float64, gains bounded, bytes read, atoms sorted and oracle calls, of few atoms screened and streamed, and of many.
func TestCostsOfWholeNumbers(t *testing.T) {
	coverages := []*Coverage{
		wholeNumbers(t, 331, 57, Screened), wholeNumbers(t, 331, 57, Streamed),
		wholeNumbers(t, 4201, 1003, Screened), wholeNumbers(t, 4201, 1003, Streamed),
	}
	for _, test := range []struct {
		name string
		rule Policy
		want [][5]int64
	}{
		{"alignments", nil, [][5]int64{
			{57, 331, 84736, 0, 0}, {57, 331, 84736, 0, 0},
			{1019, 0, 8603648, 0, 0}, {1019, 4201, 17207296, 0, 0},
		}},
		{"greedy with bounds", Greedy{}, [][5]int64{
			{851, 22022, 2769024, 12863, 1014}, {851, 22022, 2772992, 12863, 1014},
			{18882, 11578, 50180224, 25959, 4233}, {19791, 57214, 75302912, 18026, 13893},
		}},
		{"greedy", Greedy{SkipBounds: true}, [][5]int64{
			{273, 683, 90112, 0, 1014}, {273, 683, 90112, 0, 1014},
			{4254, 32, 8639104, 0, 4233}, {5153, 9692, 19894272, 0, 13893},
		}},
		{"plain greedy", Greedy{Plain: true, SkipBounds: true}, [][5]int64{
			{23705, 0, 382464, 0, 2979}, {23705, 0, 382464, 0, 2979}, // of many it costs millions
		}},
		{"swap", Swap{SkipBounds: true}, [][5]int64{
			{3104, 1210, 188288, 0, 1664}, {3104, 1210, 197248, 0, 1664},
			{132468, 6465, 23829120, 0, 11533}, {133367, 16125, 36302848, 0, 21193},
		}},
		{"max-gap", MaxGap{SkipBounds: true}, [][5]int64{
			{270, 8, 12688, 0, 2943}, {266, 7, 12288, 0, 2943},
			{2411, 7, 157497, 0, 37773}, {2411, 7, 164582, 0, 37773},
		}},
		{"max-gap by gain", MaxGap{ByGain: true, SkipBounds: true}, [][5]int64{
			{755, 189, 39360, 0, 2943}, {790, 192, 39854, 0, 2943},
			{16207, 487, 1254303, 0, 37773}, {16246, 480, 1249600, 0, 37773},
		}},
		{"set cover", SetCover{SkipBounds: true}, [][5]int64{
			{430, 9352, 204216, 0, 6951}, {1476, 8046, 893696, 0, 6951},
			{10141, 148848, 53133912, 0, 42010}, {17566, 132530, 86128640, 0, 42010},
		}},
		{"knapsack", Knapsack{}, [][5]int64{
			{1162, 16394, 2000384, 15376, 478}, {1162, 16394, 2008192, 15376, 478},
			{25203, 11588, 54941696, 31647, 937}, {25487, 52085, 65560576, 23938, 5456},
		}},
		{"top activation", TopActivation{}, [][5]int64{
			{1307, 38591, 4939264, 15286, 331}, {1307, 38591, 4945152, 15286, 331},
			{28114, 11522, 50116096, 26534, 4201}, {28133, 47475, 63971328, 18616, 4201},
		}},
		{"max gamma", MaxGamma{}, [][5]int64{
			{1188, 53924, 6886784, 19014, 0}, {1188, 53924, 6894848, 19014, 0},
			{21363, 12493, 43533824, 27396, 0}, {21324, 48459, 57374720, 31716, 0},
		}},
		{"random", Random{Seed: 3}, [][5]int64{
			{1366, 57274, 7337088, 21013, 0}, {1366, 57274, 7346304, 21013, 0},
			{21896, 12397, 43322880, 27021, 0}, {21839, 48406, 57260032, 19169, 0},
		}},
	} {
		for k, want := range test.want {
			if _, priced := test.rule.(Knapsack); priced {
				test.rule = Knapsack{Costs: wholeCosts(coverages[k].Size()), Capacity: 20}
			}
			if got := exactCost(t, coverages[k], test.rule); got != want {
				t.Errorf("%s of dictionary %d: %d, not %d", test.name, k, got, want)
			}
		}
	}
}

// wholeCosts are costs of 1 to 5 for a knapsack.
func wholeCosts(n int) []float64 {
	costs := make([]float64, n)
	for i := range costs {
		costs[i] = float64(1 + i*i%7)
	}
	return costs
}

// wholeNumbers is a dictionary of whole numbers with such directions.
func wholeNumbers(t *testing.T, n, m int, storage Storage) *Coverage {
	t.Helper()
	const p = 5
	source, points := rand.New(rand.NewPCG(7, uint64(n))), mat.NewDense(n+m, p, nil)
	points.Apply(func(int, int, float64) float64 { return float64(source.IntN(41) - 20) }, points)
	d, err := sparsero.NewDictionary(points.Slice(0, n, 0, p), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCoverage(d, points.Slice(n, n+m, 0, p), &CoverageOptions{Workers: 1, Storage: storage})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// exactCost counts what a rule costs, or the alignments alone where it is nil.
func exactCost(t *testing.T, c *Coverage, rule Policy) (cost [5]int64) {
	t.Helper()
	before := c.screen.Cost()
	if rule == nil {
		return [5]int64{before.Alignments, before.Bounds, before.Bytes, before.Sorted}
	}
	s, err := rule.Select(context.Background(), c, 9)
	if err != nil {
		t.Fatal(err)
	}
	after := c.screen.Cost()
	cost = [5]int64{after.Alignments - before.Alignments, after.Bounds - before.Bounds, after.Bytes - before.Bytes, after.Sorted - before.Sorted}
	if calls := s.OracleCalls; len(calls) > 0 {
		cost[4] = int64(slices.Max(calls))
	}
	return cost
}
