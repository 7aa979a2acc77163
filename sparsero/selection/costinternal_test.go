package selection

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"gonum.org/v1/gonum/mat"
)

// shares is a cost relative to one look at everything: float64 alignments in units of N|T|, bounds in units of N, bytes in
// units of the stored alignments.
type shares struct{ alignments, bounds, bytes float64 }

// costCase is a dictionary with probe directions.
func costCase(t *testing.T, kind string) *Coverage {
	t.Helper()
	const n, m, p = 3000, 256, 64
	var points *mat.Dense
	switch source := rand.New(rand.NewPCG(11, 5)); kind {
	case "clustered":
		points = clusters(11, n+m, p)
	case "integer":
		points = mat.NewDense(n+m, p, nil)
		points.Apply(func(int, int, float64) float64 { return float64(source.IntN(21) - 10) }, points)
	default:
		points = mat.NewDense(n+m, p, nil)
		points.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, points)
	}
	return costCoverage(t, points, n)
}

// costCoverage takes the first n points as atoms and the others as directions.
func costCoverage(t *testing.T, points *mat.Dense, n int) *Coverage {
	t.Helper()
	all, p := points.Dims()
	d, err := sparsero.NewDictionary(points.Slice(0, n, 0, p), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCoverage(d, points.Slice(n, all, 0, p), &CoverageOptions{Workers: 1}) // what one finds early spares another work
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Where there are so many atoms that a rule takes few looks at all of them, greedy with all bounds reads fewer than
// four times the bytes of the alignments, a level taking half as many as an alignment. Few atoms are bounded one by one.
// Max-gap reads a small part of the levels.
func TestCostsOfManyAtoms(t *testing.T) {
	const n, m, p, budget = 9000, 1024, 16, 50
	source, points := rand.New(rand.NewPCG(11, 5)), mat.NewDense(n+m, p, nil)
	points.Apply(func(int, int, float64) float64 { return source.NormFloat64() }, points)
	c := costCoverage(t, points, n)
	for _, of := range []struct {
		rule Policy
		most shares
	}{{Greedy{}, shares{0.0027, 0.64, 3.51}}, {MaxGap{SkipBounds: true}, shares{0.0027, 0.01, 0.05}}} {
		got := costOf(t, c, of.rule, budget)
		t.Logf("%T: {%.4f, %.2f, %.2f}", of.rule, got.alignments, got.bounds, got.bytes)
		if got.exceeds(of.most) {
			t.Errorf("%T: %.4f alignments, %.2f bounds and %.2f bytes, more than %v", of.rule, got.alignments, got.bounds, got.bytes, of.most)
		}
	}
	greedy, err := Greedy{}.Select(context.Background(), c, budget)
	if err != nil {
		t.Fatal(err)
	}
	if covers, err := c.screen.Covers(greedy.Atoms, manyShare, manySpacing); err != nil || len(covers) > 8 {
		t.Errorf("looks at %d multipliers of prefixes, %v", len(covers), err)
	}
	swap, err := Swap{SkipBounds: true}.Select(context.Background(), c, budget)
	if err != nil {
		t.Fatal(err)
	}
	const record = 13.3540919612 // the steps are the same on every processor
	if bound := greedy.Bounds[budget-1].Float(); math.Abs(bound-record) > 1e-9*record || bound < swap.Coverage[budget-1] {
		t.Errorf("%v of the optimum is proven, at most %.12g, where %v is attained", greedy.OptimalityRatio(budget), bound, swap.Coverage[budget-1])
	}
}

// costOf runs a rule, or nothing but the alignments if it is nil, and returns what that did.
func costOf(t *testing.T, c *Coverage, rule Policy, budget int) shares {
	t.Helper()
	before := c.screen.Cost()
	if rule == nil {
		before.Alignments, before.Bounds, before.Bytes = 0, 0, 0
	} else if _, err := rule.Select(context.Background(), c, budget); err != nil {
		t.Fatal(err)
	}
	after, n, m := c.screen.Cost(), float64(c.Size()), float64(c.probes())
	return shares{float64(after.Alignments-before.Alignments) / (n * m), float64(after.Bounds-before.Bounds) / n, float64(after.Bytes-before.Bytes) / (2 * n * m)}
}

// A knapsack sorts few atoms to find those that fill it: each 32 times over all steps of the choice and of the bounds, which look at all atoms
// 160 times.
func TestKnapsackSortsFewAtoms(t *testing.T) {
	const most = 31.89
	c := costCase(t, "isotropic")
	before := c.screen.Cost().Sorted
	fillKnapsack(t, c)
	if got := float64(c.screen.Cost().Sorted-before) / float64(c.Size()); got > costTolerance*most {
		t.Errorf("sorts each atom %.2f times, more than %v", got, most)
	}
}

// fillKnapsack chooses up to 50 atoms with costs of 1 to 9 within a capacity of 100.
func fillKnapsack(t *testing.T, c *Coverage) *Selection {
	t.Helper()
	costs := make([]float64, c.Size())
	for i := range costs {
		costs[i] = float64(1 + i%9)
	}
	s, err := Knapsack{Costs: costs, Capacity: 100}.Select(context.Background(), c, 50)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Where one atom takes the gains of many others, a knapsack looks at few of these: each one less than twice over all steps.
func TestKnapsackLooksAtFewAtoms(t *testing.T) {
	const most = 1.78
	c := costCase(t, "clustered")
	s := fillKnapsack(t, c)
	if got := float64(s.OracleCalls[s.Len()-1]) / float64(c.Size()); got > costTolerance*most {
		t.Errorf("looks at each atom %.2f times, more than %v", got, most)
	}
}

// costTolerance covers the kernels, whose float32 bounds differ.
const costTolerance = 1.1

// exceeds tells whether a cost is above another.
func (s shares) exceeds(most shares) bool {
	return s.alignments > costTolerance*most.alignments || s.bounds > costTolerance*most.bounds || s.bytes > costTolerance*most.bytes
}

// uncounted tells whether a cost is so far below another that something was not counted, or the other is out of date.
func (s shares) uncounted(usual shares) bool {
	const share, noise = 0.8, 0.05 // counts of little differ more
	return s.bounds < share*usual.bounds-noise || s.bytes < share*usual.bytes-noise
}

// What every rule costs with a budget of 25 in counts that no load can move: a change that makes a rule slower fails here.
// go test -v -run TestCosts ./sparsero/selection prints them.
func TestCostsOfTheRules(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	costs := func(n int) []float64 {
		source, values := rand.New(rand.NewPCG(17, 1)), make([]float64, n)
		for i := range values {
			values[i] = 1 + source.Float64()
		}
		return values
	}
	cases := map[string]*Coverage{}
	for _, kind := range []string{"isotropic", "clustered", "integer"} {
		cases[kind] = costCase(t, kind)
	}
	for _, test := range []struct {
		name string
		rule Policy
		most map[string]shares
	}{
		{"alignments", nil, map[string]shares{
			"isotropic": {0.0004, 1.00, 2.00},
			"clustered": {0.0004, 1.00, 2.00},
			"integer":   {0.0004, 1.00, 2.00},
		}},
		{"greedy", Greedy{SkipBounds: true}, map[string]shares{
			"isotropic": {0.0032, 4.06, 4.08},
			"clustered": {0.0031, 2.77, 2.80},
			"integer":   {0.0034, 5.03, 5.05},
		}},
		{"greedy with bounds", Greedy{}, map[string]shares{
			"isotropic": {0.0084, 66.81, 44.04},
			"clustered": {0.0086, 61.72, 38.85},
			"integer":   {0.0094, 66.56, 43.82},
		}},
		{"plain greedy", Greedy{Plain: true, SkipBounds: true}, map[string]shares{
			"isotropic": {1.8670, 0.00, 25.02},
			"clustered": {1.8717, 0.00, 25.02},
			"integer":   {2.1086, 0.00, 25.02},
		}},
		{"swap", Swap{SkipBounds: true}, map[string]shares{
			"isotropic": {0.0747, 15.92, 18.87},
			"clustered": {0.0521, 5.01, 5.99},
			"integer":   {0.0778, 11.03, 13.96},
		}},
		{"max-gap", MaxGap{SkipBounds: true}, map[string]shares{
			"isotropic": {0.0030, 0.01, 0.16},
			"clustered": {0.0027, 0.01, 0.14},
			"integer":   {0.0029, 0.01, 0.16},
		}},
		{"max-gap by gain", MaxGap{ByGain: true, SkipBounds: true}, map[string]shares{
			"isotropic": {0.0098, 0.12, 0.32},
			"clustered": {0.0067, 0.23, 0.39},
			"integer":   {0.0104, 0.61, 0.81},
		}},
		{"set cover", SetCover{SkipBounds: true}, map[string]shares{
			"isotropic": {0.0057, 45.42, 4.94},
			"clustered": {0.0069, 39.46, 5.78},
			"integer":   {0.0065, 64.72, 6.22},
		}},
		{"knapsack", Knapsack{Costs: costs(3000), Capacity: 30}, map[string]shares{
			"isotropic": {0.0071, 61.89, 40.08},
			"clustered": {0.0068, 60.87, 38.06},
			"integer":   {0.0076, 66.26, 43.51},
		}},
		{"top activation", TopActivation{}, map[string]shares{
			"isotropic": {0.0146, 67.59, 45.84},
			"clustered": {0.0159, 66.40, 44.63},
			"integer":   {0.0159, 65.63, 43.88},
		}},
		{"max gamma", MaxGamma{}, map[string]shares{
			"isotropic": {0.0077, 67.43, 44.62},
			"clustered": {0.0088, 67.72, 44.92},
			"integer":   {0.0087, 67.18, 44.43},
		}},
		{"random", Random{Seed: 3}, map[string]shares{
			"isotropic": {0.0077, 67.74, 44.95},
			"clustered": {0.0099, 67.67, 44.86},
			"integer":   {0.0087, 67.92, 45.17},
		}},
	} {
		for kind, most := range test.most {
			got := costOf(t, cases[kind], test.rule, 25)
			t.Logf("%-24s %-9s {%.4f, %.2f, %.2f}", test.name, kind, got.alignments, got.bounds, got.bytes)
			if got.exceeds(most) || got.uncounted(most) {
				t.Errorf("%s, %s atoms: %.4f alignments, %.2f bounds and %.2f bytes, not about %v", test.name, kind, got.alignments, got.bounds, got.bytes, most)
			}
		}
	}
}
