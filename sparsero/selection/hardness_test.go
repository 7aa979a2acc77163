package selection_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
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

// TestTightFamilyMeetsTheGuarantee: level t < B of all columns is set t, columns are sets B, ..., 2B-1; the weights fall by 1-1/B
// from level to level, the last one lacks a trifle, so that nothing ties, and greedy takes the levels.
func TestTightFamilyMeetsTheGuarantee(t *testing.T) {
	for _, budget := range []int{2, 5, 10, 30} {
		m := &selection.MaxCoverage{Elements: budget * (budget + 1), Sets: make([][]int, 2*budget)}
		for e := range m.Elements {
			column, level := e/(budget+1), e%(budget+1)
			weight := math.Pow(1-1/float64(budget), float64(level))
			if level < budget {
				weight /= float64(budget)
				m.Sets[level] = append(m.Sets[level], e)
			} else {
				weight *= 1 - 1e-9
			}
			m.Sets[budget+column] = append(m.Sets[budget+column], e)
			m.Weights = append(m.Weights, weight)
		}
		c, err := m.Coverage()
		if err != nil {
			t.Fatal(err)
		}
		ratio := selectAtoms(t, selection.Greedy{}, c, budget).Coverage[budget-1] / c.Full()
		if want := selection.GreedyGuarantee(budget).Float(); math.Abs(ratio-want) > 1e-8 {
			t.Errorf("B=%d: ratio %v, guarantee %v", budget, ratio, want)
		}
	}
}

func TestGreedyGuaranteeFallsToItsLimit(t *testing.T) {
	previous := 1.0
	for b := 1; b <= 1000; b++ {
		guarantee := selection.GreedyGuarantee(b).Float()
		if b == 1 && guarantee != 1 || b == 2 && guarantee != 0.75 || b > 1 && guarantee >= previous || guarantee <= 1-1/math.E {
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

// TestValueOfASetThatIsNoneTellsTheRange of the numbers of sets.
func TestValueOfASetThatIsNoneTellsTheRange(t *testing.T) {
	for _, set := range []int{-1, 2} {
		func() {
			defer func() {
				if message, ok := recover().(string); !ok || !strings.Contains(message, "[0,2)") {
					t.Errorf("set %d: panic %q", set, message)
				}
			}()
			(&selection.MaxCoverage{Elements: 2, Sets: [][]int{{0}, {1}}}).Value([]int{0, set})
		}()
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
