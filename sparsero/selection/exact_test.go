package selection_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Optimum and greedy need only the vertices of conv(D ∪ {0}), in any dimension.
func TestHullReductionIsExact(t *testing.T) {
	for seed := range uint64(15) {
		source := rand.New(rand.NewPCG(seed, 9))
		n, p := 4+source.IntN(8), 1+source.IntN(4)
		in := randomInstance(t, n, p, 6, 300+seed)
		vertices, err := in.dictionary.SupportVertices(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		part, err := in.dictionary.Subset(vertices)
		if err != nil {
			t.Fatal(err)
		}
		reduced := newInstance(t, part.Matrix(), in.directions)
		if !closeTo(reduced.coverage.Full(), in.coverage.Full()) {
			t.Errorf("seed %d: full coverage %v of %v", seed, reduced.coverage.Full(), in.coverage.Full())
		}
		for b := 1; b <= len(vertices); b++ {
			if got, want := bruteForce(reduced.coverage, b), bruteForce(in.coverage, b); !closeTo(got, want) {
				t.Errorf("seed %d, B=%d: optimum %v with vertices, %v with all", seed, b, got, want)
			}
			whole := selectAtoms(t, selection.Greedy{StopAtFull: true}, in.coverage, b)
			for _, i := range whole.Atoms {
				if !contains(vertices, i) {
					t.Errorf("seed %d: greedy picks %d, which is no vertex of %v", seed, i, vertices)
				}
			}
		}
	}
}

// Max-gap is not covered by the hull reduction: it may pick atoms inside.
func TestMaxGapPicksInsideTheHull(t *testing.T) {
	inside := 0
	for seed := range uint64(10) {
		in := randomInstance(t, 40, 2, 30, 500+seed)
		vertices, err := in.dictionary.SupportVertices(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range selectAtoms(t, selection.MaxGap{}, in.coverage, 4).Atoms {
			if !contains(vertices, i) {
				inside++
			}
		}
	}
	if inside == 0 {
		t.Error("max-gap picked vertices only on ten instances")
	}
}

// A set cover's worst deficit is no larger than what B/(1+ln|T|) atoms can reach.
func TestSetCoverGuarantee(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 9, 3, 12)
		n := in.coverage.Size()
		m, _ := in.directions.Dims()
		least := make([]float64, n+1) // least[b]: smallest worst deficit of b atoms
		for b := range least {
			least[b] = math.Inf(1)
		}
		for mask := range 1 << n {
			s := members(mask)
			least[len(s)] = min(least[len(s)], in.coverage.WorstDeficit(s))
		}
		for budget := 1; budget <= n; budget++ {
			s := selectAtoms(t, selection.SetCover{}, in.coverage, budget)
			fewer := int(float64(budget) / (1 + math.Log(float64(m))))
			slack := 1e-6 * in.coverage.WorstDeficit(nil)
			if got := s.WorstDeficit[budget-1]; got > least[fewer]+slack+rounding {
				t.Fatalf("B=%d: worst deficit %v, %d atoms can reach %v", budget, got, fewer, least[fewer])
			}
			if got := s.WorstDeficit[budget-1]; got < least[budget]-rounding {
				t.Fatalf("B=%d: worst deficit %v below the least %v", budget, got, least[budget])
			}
		}
	})
}

// The instances that mislead max-gap are easy for the set cover.
func TestSetCoverSeesThroughMaxGapsTraps(t *testing.T) {
	const useless = 1000
	atoms := mat.NewDense(useless+2, 2, nil)
	atoms.Set(useless, 0, 1)
	atoms.Set(useless+1, 1, 1)
	directions := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	ties := newInstance(t, atoms, directions)
	if s := selectAtoms(t, selection.SetCover{}, ties.coverage, 2); s.WorstDeficit[1] != 0 {
		t.Errorf("worst deficit %v with two atoms", s.WorstDeficit[1])
	}
	const steps = 100
	atoms = mat.NewDense(steps+2, 2, nil)
	for j := 1; j <= steps; j++ {
		c := 0.5 * float64(j) / steps
		atoms.SetRow(j-1, []float64{c, c})
	}
	atoms.Set(steps, 0, 1)
	atoms.Set(steps+1, 1, 1)
	staircase := newInstance(t, atoms, directions)
	if s := selectAtoms(t, selection.SetCover{}, staircase.coverage, 2); s.WorstDeficit[1] != 0 {
		t.Errorf("worst deficit %v with two atoms", s.WorstDeficit[1])
	}
}

// Where the budget covers every direction in full, one look at the atoms finds that.
func TestSetCoverLooksOnceWhereNothingIsMissed(t *testing.T) {
	in := randomInstance(t, 12, 4, 6, 3)
	if s := selectAtoms(t, selection.SetCover{}, in.coverage, 6); s.WorstDeficit[5] != 0 || s.OracleCalls[5] > 2*12 {
		t.Errorf("worst deficit %v after %v gains", s.WorstDeficit, s.OracleCalls)
	}
}

// What a cover leaves of the budget goes, of atoms that leave the same worst deficit, to the one that adds most.
func TestSetCoverFillsTheBudgetByGain(t *testing.T) {
	atoms := mat.NewDense(4, 5, []float64{
		10, 0, 0, 0, 0,
		0, 1, 0, 0, 0,
		0, 0, 1, 0, 0,
		0, 0, 0, 1, 0.5,
	})
	directions := mat.NewDense(5, 5, nil)
	for j := range 5 {
		directions.Set(j, j, 1)
	}
	s := selectAtoms(t, selection.SetCover{}, newInstance(t, atoms, directions).coverage, 3)
	if !equalInts(s.Atoms, []int{0, 3, 1}) {
		t.Errorf("atoms %v", s.Atoms)
	}
}

// The interval for the threshold is halved until it is a millionth of the first: twenty looks at all atoms, and one
// at 0.
func TestSetCoverHalvesTheInterval(t *testing.T) {
	in := randomInstance(t, 60, 3, 40, 3)
	s := selectAtoms(t, selection.SetCover{}, in.coverage, 5)
	if looks := s.OracleCalls[0] / 60; looks < 10 || looks > 21 {
		t.Errorf("%d looks", looks)
	}
}

func ExampleSetCover() {
	// Three groups of directions; one atom per group suffices.
	d, _ := sparsero.NewDictionary(mat.NewDense(4, 3, []float64{
		0.6, 0.6, 0.6,
		1, 0, 0,
		0, 1, 0,
		0, 0, 1,
	}), nil)
	c, _ := selection.NewCoverage(d, mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}), nil)
	for b := 1; b <= 3; b++ {
		s, _ := selection.SetCover{}.Select(context.Background(), c, b)
		fmt.Printf("B=%d atoms %v worst deficit %.1f\n", b, s.Atoms, s.WorstDeficit[b-1])
	}
	// Output:
	// B=1 atoms [0] worst deficit 0.4
	// B=2 atoms [0 1] worst deficit 0.4
	// B=3 atoms [1 2 3] worst deficit 0.0
}
