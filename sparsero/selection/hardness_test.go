package selection_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Theorem 4.2: in the reduction F(S;T) is the size of the union of the chosen
// sets divided by the number of elements, for every S.
func TestReductionFromMaxCoverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		instance := &selection.MaxCoverage{Elements: rapid.IntRange(1, 7).Draw(t, "elements")}
		for range rapid.IntRange(1, 6).Draw(t, "sets") {
			instance.Sets = append(instance.Sets, rapid.SliceOfN(rapid.IntRange(0, instance.Elements-1), 0, 5).Draw(t, "set"))
		}
		if rapid.Bool().Draw(t, "weighted") {
			for range instance.Elements {
				instance.Weights = append(instance.Weights, rapid.Float64Range(0, 3).Draw(t, "weight"))
			}
		}
		c, err := instance.Coverage()
		if err != nil {
			t.Fatal(err)
		}
		for mask := range 1 << len(instance.Sets) {
			chosen := members(mask)
			want := instance.Value(chosen) / float64(instance.Elements)
			if got := c.Value(chosen); !closeTo(got, want) {
				t.Fatalf("F = %v for %v, union %v", got, chosen, want)
			}
		}
		if instance.Weights == nil && !isBinary(c.Directions()) {
			t.Fatal("the reduction of an unweighted instance should have coordinates 0 and 1")
		}
	})
}

func isBinary(m *mat.Dense) bool {
	for _, v := range m.RawMatrix().Data {
		if v != 0 && v != 1 {
			return false
		}
	}
	return true
}

func TestMaxCoverageRejectsBadInput(t *testing.T) {
	for _, test := range []struct {
		name     string
		instance *selection.MaxCoverage
		want     string
	}{
		{"nil", nil, "nil"},
		{"no elements", &selection.MaxCoverage{Sets: [][]int{{}}}, "0 elements"},
		{"no sets", &selection.MaxCoverage{Elements: 2}, "sets"},
		{"weights of wrong length", &selection.MaxCoverage{Elements: 2, Weights: []float64{1}, Sets: [][]int{{}}}, "1 weights"},
		{"negative weight", &selection.MaxCoverage{Elements: 2, Weights: []float64{1, -1}, Sets: [][]int{{}}}, "weight -1"},
		{"NaN weight", &selection.MaxCoverage{Elements: 1, Weights: []float64{math.NaN()}, Sets: [][]int{{}}}, "weight NaN"},
		{"element out of range", &selection.MaxCoverage{Elements: 2, Sets: [][]int{{0}, {1, 2}}}, "element 2"},
		{"too large", &selection.MaxCoverage{Elements: 20000, Sets: [][]int{{0}}}, "4096"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := test.instance.Coverage()
			wantError(t, err, test.want)
		})
	}
}

// The ratio of greedy on the binary family is exactly 1-(1-1/B)^B: .75, .7037,
// .6836 (19/27 and 175/256 in lowest terms).
func TestTightBinaryFamily(t *testing.T) {
	for _, test := range []struct {
		budget    int
		dimension int
		covered   float64 // elements that greedy covers
	}{
		{2, 8, 6},
		{3, 81, 57},
		{4, 1024, 700},
	} {
		instance, err := selection.TightBinary(test.budget)
		if err != nil {
			t.Fatal(err)
		}
		c := instance.Coverage
		if want := 2 * test.budget; c.Size() != want {
			t.Errorf("B=%d: %d sets, want a level and a column for each, %d", test.budget, c.Size(), want)
		}
		if dim := c.Dictionary().Dim(); dim != test.dimension {
			t.Errorf("B=%d: dimension %d, want %d", test.budget, dim, test.dimension)
		}
		if got := c.Value(instance.Optimal); got != 1 || got != c.Full() || len(instance.Optimal) != test.budget {
			t.Errorf("B=%d: the optimal set %v covers %v of %v", test.budget, instance.Optimal, got, c.Full())
		}
		greedy := selectAtoms(t, selection.Greedy{}, c, test.budget)
		for k, i := range greedy.Atoms {
			if i != k {
				t.Errorf("B=%d: greedy takes %v, want the rows in order", test.budget, greedy.Atoms)
				break
			}
		}
		if got, want := greedy.Coverage[test.budget-1], test.covered/float64(test.dimension); got != want {
			t.Errorf("B=%d: ratio %v, want %v", test.budget, got, want)
		}
		if got := greedy.Coverage[test.budget-1]; math.Abs(got-selection.GreedyGuarantee(test.budget).Float()) > 1e-15 {
			t.Errorf("B=%d: ratio %v, guarantee %v", test.budget, got, selection.GreedyGuarantee(test.budget))
		}
	}
	_, err := selection.TightBinary(5)
	wantError(t, err, "got 5")
	_, err = selection.TightBinary(1)
	wantError(t, err, "got 1")
}

// The tie matters in the binary family: if every column has one element of its
// own, columns win the ties and greedy is optimal at B = 2.
func TestTightBinaryFamilyNeedsItsTies(t *testing.T) {
	// B = 2: columns {0..3}, {4..7}; rows take 2+2 and then 1+1 elements; 8 and 9
	// are private to the columns.
	instance := &selection.MaxCoverage{Elements: 10, Sets: [][]int{
		{0, 1, 4, 5}, {2, 6}, {0, 1, 2, 3, 8}, {4, 5, 6, 7, 9},
	}}
	c, err := instance.Coverage()
	if err != nil {
		t.Fatal(err)
	}
	greedy := selectAtoms(t, selection.Greedy{}, c, 2)
	if !equalInts(greedy.Atoms, []int{2, 3}) {
		t.Errorf("greedy takes %v, want the columns", greedy.Atoms)
	}
}

// The ratios of the compact family agree with the guarantee to six digits:
// .7500, .6723, .6513, .6383 for B = 2, 5, 10, 30.
func TestTightWeightedFamily(t *testing.T) {
	for _, test := range []struct {
		budget int
		ratio  float64
	}{{2, 0.7500}, {5, 0.6723}, {10, 0.6513}, {30, 0.6383}} {
		instance, err := selection.TightWeighted(test.budget)
		if err != nil {
			t.Fatal(err)
		}
		c := instance.Coverage
		if dim := c.Dictionary().Dim(); dim != test.budget*(test.budget+1) {
			t.Errorf("B=%d: dimension %d", test.budget, dim)
		}
		optimum := c.Value(instance.Optimal)
		if math.Abs(optimum-c.Full()) > 1e-8*optimum {
			t.Errorf("B=%d: the columns cover %v of %v", test.budget, optimum, c.Full())
		}
		ratio := selectAtoms(t, selection.Greedy{}, c, test.budget).Coverage[test.budget-1] / optimum
		if math.Abs(ratio-test.ratio) > 5e-5 || math.Abs(ratio-selection.GreedyGuarantee(test.budget).Float()) > 1e-6 {
			t.Errorf("B=%d: ratio %v, want %v = %v", test.budget, ratio, test.ratio, selection.GreedyGuarantee(test.budget))
		}
	}
	_, err := selection.TightWeighted(1)
	wantError(t, err, "got 1")
	_, err = selection.TightWeighted(41)
	wantError(t, err, "got 41")
}

func TestGreedyGuaranteeFallsToItsLimit(t *testing.T) {
	previous := 1.0
	for b := 1; b <= 1000; b++ {
		guarantee := selection.GreedyGuarantee(b).Float()
		if b == 1 && guarantee != 1 || b > 1 && guarantee >= previous || guarantee <= 1-1/math.E {
			t.Fatalf("B=%d: guarantee %v after %v", b, guarantee, previous)
		}
		previous = guarantee
	}
	// Exactly it is a fraction of whole numbers; beyond, 1-1/e + 1/(2eB) + O(1/B^2).
	for b := 1; b <= 300; b++ {
		size := big.NewInt(int64(b))
		below := new(big.Rat).SetFrac(new(big.Int).Exp(big.NewInt(int64(b-1)), size, nil), new(big.Int).Exp(size, size, nil))
		exact := below.Sub(big.NewRat(1, 1), below)
		near, _ := exact.Float64()
		if got := selection.GreedyGuarantee(b).Float(); new(big.Rat).SetFloat64(got).Cmp(exact) > 0 || got < near-1e-15 {
			t.Errorf("B=%d: guarantee %v, exactly %v", b, got, near)
		}
	}
	for _, b := range []int{1e6, 1e9, 1e12, 6e15, 1e17, math.MaxInt} {
		want := 1 - 1/math.E + 0.5/math.E/float64(b)
		if got := selection.GreedyGuarantee(b).Float(); math.Abs(got-want) > 1e-15+1/float64(b)/float64(b) {
			t.Errorf("B=%d: guarantee %v, want about %v", b, got, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for budget 0")
		}
	}()
	selection.GreedyGuarantee(0).Float()
}

// Greedy's guarantee is for a fixed T. When T grows by one direction per step
// (Algorithm 1) from a nonempty start, the ratio tends to 1/2: coordinates
// 1..2B; the pool e_{B+1..2B} is the first T; atoms 1.001 e_t, the sum of the
// first B coordinates, and the pool; the direction e_t arrives at step t.
func TestGreedyOnGrowingDirectionsFallsToHalf(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	for _, test := range []struct {
		budget int
		ratio  float64
	}{{2, 0.667}, {5, 0.556}, {10, 0.527}, {50, 0.506}} {
		b := test.budget
		atoms := mat.NewDense(2*b+1, 2*b, nil)
		for t := range b {
			atoms.Set(t, t, 1.001)
			atoms.Set(b, t, 1)
			atoms.Set(b+1+t, b+t, 1)
		}
		var chosen []int
		var final instance
		for step := 1; step <= b; step++ {
			directions := mat.NewDense(b+step, 2*b, nil)
			for j := range b {
				directions.Set(j, b+j, 1)
			}
			for j := range step {
				directions.Set(b+j, j, 1)
			}
			final = newInstance(t, atoms, directions)
			next := selectAtoms(t, selection.Greedy{Start: chosen}, final.coverage, step)
			chosen = next.Atoms
		}
		optimal := []int{b}
		for t := range b - 1 {
			optimal = append(optimal, b+1+t)
		}
		ratio := final.coverage.Value(chosen) / final.coverage.Value(optimal)
		if math.Abs(ratio-1.001*float64(b)/float64(2*b-1)) > 1e-9 || math.Abs(ratio-test.ratio) > 5e-4 {
			t.Errorf("B=%d: ratio %v, want %v", b, ratio, test.ratio)
		}
		// Run again from the start on the final T, greedy keeps its guarantee.
		again := selectAtoms(t, selection.Greedy{}, final.coverage, b)
		if fresh := again.Coverage[b-1] / final.coverage.Value(optimal); fresh < selection.GreedyGuarantee(b).Float() {
			t.Errorf("B=%d: greedy from scratch reaches %v", b, fresh)
		}
	}
}

// When T starts empty and each step adds one direction and its best atom, the
// coverage on the present T is full at every step (so a guarantee says nothing).
func TestGreedyOnDirectionsFromNothingIsAlwaysFull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 6)
		m, _ := in.directions.Dims()
		var chosen []int
		for step := 1; step <= min(m, in.coverage.Size()); step++ {
			_, p := in.directions.Dims()
			now := newInstance(t, in.dictionary.Matrix(), mat.DenseCopyOf(in.directions.Slice(0, step, 0, p)))
			s := selectAtoms(t, selection.Greedy{Start: chosen}, now.coverage, step)
			chosen = s.Atoms
			if !closeTo(s.Coverage[step-1], now.coverage.Full()) {
				t.Fatalf("step %d: coverage %v of %v", step, s.Coverage[step-1], now.coverage.Full())
			}
		}
	})
}

func ExampleMaxCoverage() {
	// Three sensors that see some of five rooms.
	sensors := &selection.MaxCoverage{Elements: 5, Sets: [][]int{{0, 1, 2}, {2, 3}, {3, 4}}}
	c, _ := sensors.Coverage()
	s, _ := selection.Greedy{}.Select(context.Background(), c, 2)
	fmt.Println("sensors", s.Atoms, "see", sensors.Value(s.Atoms), "rooms, F =", s.Coverage[1])
	// Output:
	// sensors [0 2] see 5 rooms, F = 1
}

func ExampleTightBinary() {
	instance, _ := selection.TightBinary(3)
	s, _ := selection.Greedy{}.Select(context.Background(), instance.Coverage, 3)
	fmt.Printf("greedy %v reaches %.4f, the columns %v reach %.0f\n",
		s.Atoms, s.Coverage[2], instance.Optimal, instance.Coverage.Value(instance.Optimal))
	fmt.Printf("guarantee %.4f\n", selection.GreedyGuarantee(3))
	// Output:
	// greedy [0 1 2] reaches 0.7037, the columns [3 4 5] reach 1
	// guarantee 0.7037
}
