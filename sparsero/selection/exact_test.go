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

// The planar program against brute force, degenerate instances included, and
// the exact optima of all smaller budgets.
func TestExactPlanarIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 2, 9)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		s := selectAtoms(t, selection.ExactPlanar{}, in.coverage, budget)
		if optimum := bruteForce(in.coverage, budget); !closeTo(in.coverage.Value(s.Atoms), optimum) {
			t.Fatalf("B=%d: %v reaches %v, optimum %v", budget, s.Atoms, in.coverage.Value(s.Atoms), optimum)
		}
		for b := 1; b <= s.Len(); b++ {
			if optimum := bruteForce(in.coverage, b); !closeTo(s.Bounds[b-1].Float(), optimum) {
				t.Fatalf("bound %v at b=%d, optimum %v", s.Bounds[b-1], b, optimum)
			}
		}
		if lost := 1 - s.OptimalityRatio(max(s.Len(), 1)).Float(); s.Len() > 0 && lost*s.Coverage[s.Len()-1] > rounding {
			t.Fatalf("ratio %v of the optimum", s.OptimalityRatio(s.Len()))
		}
	})
}

// Directions all around the circle, where arcs wrap past the first ray, at
// several budgets.
func TestExactPlanarAroundTheCircle(t *testing.T) {
	for seed := range uint64(12) {
		in := randomInstance(t, 11, 2, 25, 40+seed)
		for _, budget := range []int{1, 2, 3, 5} {
			s := selectAtoms(t, selection.ExactPlanar{}, in.coverage, budget)
			if optimum := bruteForce(in.coverage, budget); !closeTo(in.coverage.Value(s.Atoms), optimum) {
				t.Errorf("seed %d, B=%d: %v, optimum %v", seed, budget, in.coverage.Value(s.Atoms), optimum)
			}
		}
	}
}

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

func TestExactPlanarRejectsBadInput(t *testing.T) {
	solid := randomInstance(t, 4, 3, 3, 1)
	_, err := selection.ExactPlanar{}.Select(context.Background(), solid.coverage, 2)
	wantError(t, err, "dimension")
	_, err = selection.ExactPlanar{}.Select(context.Background(), onACircle(t, 4001).coverage, 1)
	wantError(t, err, "4001")
	ended, cancel := context.WithCancel(context.Background())
	cancel() // the largest program is accepted, which need not run here
	if s, err := (selection.ExactPlanar{}).Select(ended, onACircle(t, 4000).coverage, 1); err != nil || !s.Partial {
		t.Errorf("4000 corners: %+v, %v", s, err)
	}
	_, err = selection.ExactPlanar{}.Select(context.Background(), solid.coverage, 9)
	wantError(t, err, "budget 9")
}

// onACircle is an instance whose n atoms are all corners.
func onACircle(t *testing.T, n int) instance {
	atoms := mat.NewDense(n, 2, nil)
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		atoms.SetRow(i, []float64{cos, sin})
	}
	return newInstance(t, atoms, mat.NewDense(1, 2, []float64{1, 0}))
}

func TestExactPlanarCanBeCancelled(t *testing.T) {
	in := randomInstance(t, 5, 2, 10, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s, err := selection.ExactPlanar{}.Select(ctx, in.coverage, 2)
	if err != nil || !s.Partial || s.Len() != 0 {
		t.Errorf("selection %+v, error %v", s, err)
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

func ExampleExactPlanar() {
	// A middling atom attracts greedy; the best pair leaves it out.
	d, _ := sparsero.NewDictionary(mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0.7, 0.7}), nil)
	c, _ := selection.NewCoverage(d, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), nil)
	greedy, _ := selection.Greedy{}.Select(context.Background(), c, 2)
	exact, _ := selection.ExactPlanar{}.Select(context.Background(), c, 2)
	fmt.Printf("greedy %v %.2f, optimum %v %.2f\n", greedy.Atoms, greedy.Coverage[1], exact.Atoms, exact.Coverage[1])
	// Output:
	// greedy [2 0] 0.85, optimum [0 1] 1.00
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
