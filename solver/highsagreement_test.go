//go:build cgo

package solver_test

import (
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"pgregory.net/rapid"
)

// TestBackendsAgree: all backends give the same status and optimum on random
// linear programs, and each pair of primal and dual solutions satisfies the
// optimality conditions, strong duality included.
func TestBackendsAgree(t *testing.T) {
	useHighs(t)
	counts := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := drawnLinear(t)
		theirs := solveWith(t, m, highs.Backend{})
		counts[theirs.Status]++
		for _, b := range []solver.Backend{solver.DualSimplex, solver.DualSimplex} {
			ours := solveWith(t, m, b)
			if ours.Status != theirs.Status {
				t.Fatalf("%v says %v\nHiGHS says %v", b, ours, theirs)
			}
			if ours.Status != solver.Optimal {
				if ours.X != nil || theirs.X != nil {
					t.Fatalf("point without a status that allows it")
				}
				continue
			}
			if math.Abs(ours.Objective-theirs.Objective) > 1e-7*(1+math.Abs(ours.Objective)) {
				t.Fatalf("%v %v, HiGHS %v", b, ours.Objective, theirs.Objective)
			}
			checkOptimum(t, m, ours, 1e-7)
			checkOptimum(t, m, theirs, 1e-6)
		}
	})
	t.Log(counts)
}
