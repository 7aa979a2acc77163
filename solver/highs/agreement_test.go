//go:build cgo

package highs_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
	"github.com/sparsero/directions/solver/internal/modeltest"
)

var inf = math.Inf(1)

// solveWith solves and fails the test on an error.
func solveWith(t rapid.TB, m *solver.Model, b solver.Backend) *solver.Result {
	t.Helper()
	res, err := solver.Solve(context.Background(), m, &solver.Options{Backend: b})
	if err != nil {
		t.Fatalf("%v: %v", b, err)
	}
	return res
}

// TestBackendsAgree: both backends give the same status and optimum on random
// linear programs, and each pair of primal and dual solutions satisfies the
// optimality conditions, strong duality included.
func TestBackendsAgree(t *testing.T) {
	counts := map[solver.Status]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := modeltest.Linear(t)
		ours, theirs := solveWith(t, m, solver.Simplex{}), solveWith(t, m, highs.Backend{})
		counts[ours.Status]++
		if ours.Status != theirs.Status {
			t.Fatalf("simplex says %v\nHiGHS says %v", ours, theirs)
		}
		if ours.Status != solver.Optimal {
			if ours.X != nil || theirs.X != nil {
				t.Fatalf("point without a status that allows it")
			}
			return
		}
		if math.Abs(ours.Objective-theirs.Objective) > 1e-7*(1+math.Abs(ours.Objective)) {
			t.Fatalf("simplex %v, HiGHS %v", ours.Objective, theirs.Objective)
		}
		modeltest.CheckOptimum(t, m, ours, 1e-7)
		modeltest.CheckOptimum(t, m, theirs, 1e-6)
	})
	t.Log(counts)
}
