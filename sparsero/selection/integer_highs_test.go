//go:build cgo

package selection_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var exactInteger = selection.ExactInteger{Solver: &solver.Options{Backend: highs.Backend{}}}

// The integer program against brute force.
func TestExactIntegerIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 8, 4, 6)
		budget := rapid.IntRange(1, in.coverage.Size()).Draw(t, "B")
		s := selectAtoms(t, exactInteger, in.coverage, budget)
		optimum := bruteForce(in.coverage, budget)
		if got := in.coverage.Value(s.Atoms); got < optimum-1e-6*(1+optimum) || s.Partial {
			t.Fatalf("B=%d: %v reaches %v (partial %v), optimum %v", budget, s.Atoms, got, s.Partial, optimum)
		}
		if n := s.Len(); n > 0 && (s.Bounds[n-1] < optimum-1e-6*(1+optimum) || (1-s.OptimalityRatio(n))*optimum > 1e-5*(1+optimum)) {
			t.Fatalf("bound %v, optimum %v", s.Bounds[n-1], optimum)
		}
	})
}

// Two independent exact methods agree in the plane.
func TestExactMethodsAgree(t *testing.T) {
	for seed := range uint64(4) {
		in := randomInstance(t, 60, 2, 40, 700+seed)
		for _, budget := range []int{2, 4} {
			planar := selectAtoms(t, selection.ExactPlanar{}, in.coverage, budget)
			integer := selectAtoms(t, exactInteger, in.coverage, budget)
			a, b := in.coverage.Value(planar.Atoms), in.coverage.Value(integer.Atoms)
			if a < b-1e-9 || b < a*(1-1e-5) {
				t.Errorf("seed %d, B=%d: planar %v, integer %v", seed, budget, a, b)
			}
		}
	}
}

// Greedy on random instances is far above its a-priori guarantee, and the
// a-posteriori bound knows most of that: p=5, N=40, |T|=60, B=3.
func TestGreedyIsBetterThanItsGuarantee(t *testing.T) {
	for seed := range uint64(3) {
		in := randomInstance(t, 40, 5, 60, 800+seed)
		greedy := selectAtoms(t, selection.Greedy{}, in.coverage, 3)
		exact := selectAtoms(t, exactInteger, in.coverage, 3)
		ratio := greedy.Coverage[2] / in.coverage.Value(exact.Atoms)
		if ratio < 0.9 || greedy.OptimalityRatio(3) > ratio+1e-6 || greedy.OptimalityRatio(3) < selection.GreedyGuarantee(3) {
			t.Errorf("seed %d: greedy/optimum %v, proved %v, guaranteed %v", seed, ratio, greedy.OptimalityRatio(3), selection.GreedyGuarantee(3))
		}
	}
}

// Stopped before the proof, the policy returns the best set known, at least
// greedy's, and a bound that still holds.
func TestExactIntegerStoppedEarly(t *testing.T) {
	in := randomInstance(t, 60, 8, 80, 900)
	options := *exactInteger.Solver
	options.TimeLimit = time.Millisecond
	s := selectAtoms(t, selection.ExactInteger{Solver: &options}, in.coverage, 6)
	greedy := selectAtoms(t, selection.Greedy{}, in.coverage, 6)
	if !s.Partial {
		t.Skip("the program was solved within a millisecond: nothing was stopped")
	}
	if got := in.coverage.Value(s.Atoms); got < greedy.Coverage[5]-rounding || s.Bounds[s.Len()-1] < got {
		t.Errorf("coverage %v, greedy %v, bound %v", got, greedy.Coverage[5], s.Bounds[s.Len()-1])
	}
}

func ExampleExactInteger() {
	// With solver/highs imported, ExactInteger{} is enough.
	d, _ := sparsero.NewDictionary(mat.NewDense(4, 3, []float64{
		1, 0, 0,
		0, 1, 0,
		0, 0, 1,
		0.7, 0.7, 0,
	}))
	c, _ := selection.NewCoverage(d, mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 0.5}))
	s, err := exactInteger.Select(context.Background(), c, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("atoms %v coverage %.3f optimality %.2f\n", s.Atoms, s.Coverage[1], s.OptimalityRatio(2))
	// Output:
	// atoms [0 1] coverage 0.667 optimality 1.00
}
