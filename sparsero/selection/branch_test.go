package selection_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Branch and bound against brute force, and its bounds against exact arithmetic.
func TestExactIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 9, 4, 8)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		s, optimum := selectAtoms(t, selection.Exact{}, in.coverage, budget), bruteForce(in.coverage, budget)
		if got := in.coverage.Value(s.Atoms); s.Partial || got < optimum*(1-rounding) {
			t.Fatalf("B=%d: %v reach %v (partial %v), optimum %v", budget, s.Atoms, got, s.Partial, optimum)
		}
		if n := s.Len(); n > 0 && (s.Bounds[n-1].Float() < optimum || (1-s.OptimalityRatio(n).Float())*optimum > rounding*(1+optimum)) {
			t.Fatalf("B=%d: bound %v, optimum %v", budget, s.Bounds[n-1], optimum)
		}
	})
}

// TestExactCoversMost: atoms of ones and zeros cover coordinates; which of them cover most is a search in which bounds are far off.
func TestExactCoversMost(t *testing.T) {
	const n, p, budget = 16, 30, 5
	nodes := 0
	for seed := range uint64(10) {
		source := rand.New(rand.NewPCG(seed, 11))
		atoms, directions, covered := mat.NewDense(n, p, nil), mat.NewDense(p, p, nil), [n]uint{}
		for j := range p {
			directions.Set(j, j, 1)
			for range 3 {
				i := source.IntN(n)
				atoms.Set(i, j, 1)
				covered[i] |= 1 << j
			}
		}
		most := 0
		for mask := range uint(1 << n) {
			if union := uint(0); bits.OnesCount(mask) == budget {
				for i := range covered {
					union |= covered[i] * (mask >> i & 1)
				}
				most = max(most, bits.OnesCount(union))
			}
		}
		in, optimum := newInstance(t, atoms, directions), float64(most)/p
		s := selectAtoms(t, selection.Exact{Progress: func(selection.Step) { nodes++ }}, in.coverage, budget)
		if got, bound := in.coverage.Value(s.Atoms), s.Bounds[budget-1].Float(); s.Partial || got != optimum || bound < got || !closeTo(bound, got) {
			t.Errorf("seed %d: %v cover %v, at most %v, optimum %v", seed, s.Atoms, got, bound, optimum)
		}
	}
	if nodes < 100 {
		t.Errorf("%d nodes, too few to say anything", nodes)
	}
}

func TestExactBoundsHoldInExactArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions := drawHard(t)
		in := newInstance(t, atoms, directions)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		m, _ := directions.Dims()
		checkBounds(t, selectAtoms(t, selection.Exact{}, in.coverage, budget), exactCoverage(atoms, directions), m)
	})
}

// TestExactAgreesWithThePlane: only the corners of conv(D, 0) matter there, and a direction is served by one of the two chosen
// corners next to its best one, so that dynamic programming around the hull is another way to the optimum.
func TestExactAgreesWithThePlane(t *testing.T) {
	for seed := range uint64(6) {
		in := randomInstance(t, 60, 2, 40, 700+seed)
		for _, budget := range []int{2, 4} {
			tree := selectAtoms(t, selection.Exact{}, in.coverage, budget)
			if a, b := planarOptimum(in, budget), in.coverage.Value(tree.Atoms); !closeTo(a, b) || tree.Partial {
				t.Errorf("seed %d, B=%d: planar %v, by branching %v", seed, budget, a, b)
			}
		}
	}
}

// planarOptimum returns the coverage of the best budget atoms: of all chains of corners around the hull.
func planarOptimum(in instance, budget int) float64 {
	pairs := planarPairs(in)
	n, most := len(pairs), 0.0
	for first := range n {
		value := slices.Repeat([]float64{math.Inf(-1)}, n) // of the chains from the first corner to each
		value[first] = 0
		for range budget {
			longer := slices.Repeat([]float64{math.Inf(-1)}, n)
			for k := first; k < n; k++ {
				most = max(most, value[k]+pairs[k][n+first-k])
				for i := first; i < k; i++ {
					longer[k] = max(longer[k], value[i]+pairs[i][k-i])
				}
			}
			value = longer
		}
	}
	rows, _ := in.directions.Dims()
	return most / float64(rows)
}

// planarPairs returns what corner i and the l-th one after it serve of the directions whose best corner lies after i, up to
// that one.
func planarPairs(in instance) [][]float64 {
	atoms, size := in.dictionary.Matrix(), in.dictionary.Size()
	corners := sparsero.PlanarHull(append(mat.Col(nil, 0, atoms), 0), append(mat.Col(nil, 1, atoms), 0))
	corners = slices.DeleteFunc(corners, func(k int) bool { return k == size })
	n, pairs := len(corners), make([][]float64, len(corners))
	for i := range pairs {
		pairs[i] = make([]float64, n+1)
	}
	rows, _ := in.directions.Dims()
	for j := range rows {
		heights := make([]float64, n)
		for k, atom := range corners {
			heights[k] = floats.Dot(in.dictionary.Atom(atom), in.directions.RawRowView(j))
		}
		best := floats.MaxIdx(heights)
		for i := range pairs {
			for l := (best-i-1+n)%n + 1; l <= n; l++ {
				pairs[i][l] += max(0, heights[i], heights[(i+l)%n])
			}
		}
	}
	return pairs
}

// A search that ends with nodes open is Partial, and its bound holds; one that has looked at all of them is not.
func TestExactSaysWhetherNodesAreOpen(t *testing.T) {
	in := randomInstance(t, 80, 10, 60, 34)
	nodes := 0
	whole := selectAtoms(t, selection.Exact{Progress: func(selection.Step) { nodes++ }}, in.coverage, 4)
	if nodes < 2 || whole.Partial {
		t.Fatalf("%d nodes, partial %v", nodes, whole.Partial)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stopped, err := selection.Exact{Progress: func(selection.Step) { cancel() }}.Select(ctx, in.coverage, 4)
	if err != nil || !stopped.Partial || stopped.Bounds[stopped.Len()-1].Float() < in.coverage.Value(whole.Atoms) {
		t.Errorf("stopped at a node: %+v, %v", stopped, err)
	}
}

// Swap ends below the optimum here and there; branching finds it. Stopped at a node, it returns the best set known with a bound
// that holds.
func TestExactGoesOnWhereSwapEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector half a minute, in which it looks at nothing that runs side by side")
	}
	nodes := 0
	for seed := range uint64(12) {
		in := randomInstance(t, 80, 10, 80, 800+seed)
		ctx, cancel := context.WithCancel(context.Background())
		count := 0
		best := selectAtoms(t, selection.Exact{Progress: func(selection.Step) { count++ }}, in.coverage, 4)
		optimum := in.coverage.Value(best.Atoms)
		stopped, err := selection.Exact{Progress: func(step selection.Step) {
			if step.Number > 2 {
				cancel()
			}
		}}.Select(ctx, in.coverage, 4)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if stopped.Partial != (count > 2) || stopped.Bounds[stopped.Len()-1].Float() < optimum {
			t.Errorf("seed %d: partial %v after %d nodes, bound %v, optimum %v", seed, stopped.Partial, count, stopped.Bounds, optimum)
		}
		if swap := selectAtoms(t, selection.Swap{}, in.coverage, 4); in.coverage.Value(swap.Atoms) > optimum || in.coverage.Value(stopped.Atoms) < in.coverage.Value(swap.Atoms) {
			t.Errorf("seed %d: swap %v, exact %v", seed, swap.Atoms, best.Atoms)
		}
		nodes += count
	}
	if nodes < 24 {
		t.Errorf("%d nodes for 12 instances: nothing was branched on", nodes)
	}
}

func TestExactOfAReadThatFails(t *testing.T) {
	checkReads(t, randomInstance(t, 40, 6, 30, 3), selection.Screened, selection.Exact{})
}

// The published cases: seven atoms in small units, and five, in small and large units.
func TestExactInSmallUnits(t *testing.T) {
	for _, test := range []struct {
		p, budget int
		values    []float64
	}{
		{5, 2, []float64{1, .5, 1.1, 2.8, .5, 2.9, 3.5, 2.2, 4.7, .5, 2.1, 1.3, .5, 1.5, 3.9, 2.5, .9, 3.9, .4, 4.4, 3.3, 4.6, 1.9, .9, 4.4, 4.8, .7, 2.1, .6, 4.4, 3.5, 2.2, 1, .4, 1.8}},
		{8, 4, []float64{1, 2, 2.7, 2.3, .3, .8, 4.7, 0, 2.8, 0, .3, 1.6, 7, 3.9, 1.6, 1, 2.5, .1, 1.8, .4, 1.7, 0, 2.1, 3.9, .5, 3.3, 4.3, .1, 4, .5, .1, 4.9, 3.2, .1, 3.3, 2.1, 2.3, .1, .3, 1.7}},
	} {
		identity := mat.NewDense(test.p, test.p, nil)
		for k := range test.p {
			identity.Set(k, k, 1)
		}
		for _, unit := range []float64{1, 1e-4, 1e-6, 1e-7, 1e-100, 1e100} {
			atoms := mat.NewDense(len(test.values)/test.p, test.p, nil)
			atoms.Apply(func(i, j int, _ float64) float64 { return unit * test.values[i*test.p+j] }, atoms)
			in := newInstance(t, atoms, identity)
			s, optimum := selectAtoms(t, selection.Exact{}, in.coverage, test.budget), bruteForce(in.coverage, test.budget)
			if last := s.Len() - 1; s.Coverage[last] != optimum || s.Bounds[last].Float() < optimum || s.OptimalityRatio(last+1).Float() < 1-1e-9 {
				t.Errorf("in units of %g: %v reaches %v with the bound %v, optimum %v", unit, s.Atoms, s.Coverage[last], s.Bounds[last], optimum)
			}
		}
	}
}

// A power of two on all atoms changes no choice and scales every value.
func TestExactInUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 3, 6)
		exponent := rapid.IntRange(-300, 300).Draw(t, "exponent")
		for _, m := range []*mat.Dense{in.atoms, in.directions} {
			m.Apply(func(_, _ int, value float64) float64 { return math.Round(value*0x1p20) / 0x1p20 }, m)
		}
		in = newInstance(t, in.atoms, in.directions)
		scaled := mat.DenseCopyOf(in.atoms)
		scaled.Scale(math.Ldexp(1, exponent), scaled)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		a, b := selectAtoms(t, selection.Exact{}, in.coverage, budget), selectAtoms(t, selection.Exact{}, newInstance(t, scaled, in.directions).coverage, budget)
		checkUnits(t, a, b, math.Ldexp(1, exponent))
	})
}

func ExampleExact() {
	d, _ := sparsero.NewDictionary(mat.NewDense(4, 3, []float64{
		1, 0, 0,
		0, 1, 0,
		0, 0, 1,
		0.7, 0.7, 0,
	}), nil)
	c, _ := selection.NewCoverage(d, mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 0.5}), nil)
	s, err := selection.Exact{}.Select(context.Background(), c, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("atoms %v coverage %.3f proven to be at least %.6f of the optimum\n", s.Atoms, s.Coverage[1], s.OptimalityRatio(2))
	// Output:
	// atoms [0 1] coverage 0.667 proven to be at least 0.999999 of the optimum
}
