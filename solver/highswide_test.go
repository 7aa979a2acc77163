//go:build cgo

package solver_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/highs"
)

// TestBackendsAgreeOnLargerModels covers both standard forms of the Simplex
// backend (few columns, and many columns with few rows) and badly scaled data.
func TestBackendsAgreeOnLargerModels(t *testing.T) {
	useHighs(t)
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for _, s := range []shape{
		{Columns: 20, Rows: 60, Density: 1, Bounds: "box", Equations: 0, Scale: 1},
		{Columns: 30, Rows: 400, Density: 1, Bounds: "free", Equations: 0, Scale: 1},
		{Columns: 40, Rows: 20, Density: 0.3, Bounds: "nonnegative", Equations: 10, Scale: 1},
		{Columns: 400, Rows: 25, Density: 1, Bounds: "nonnegative", Equations: 5, Scale: 1},
		{Columns: 250, Rows: 30, Density: 0.2, Bounds: "free", Equations: 25, Scale: 1},
		{Columns: 20, Rows: 60, Density: 1, Bounds: "box", Equations: 3, Scale: 1000},
		{Columns: 150, Rows: 20, Density: 0.5, Bounds: "nonnegative", Equations: 10, Scale: 1000},
		{Columns: 60, Rows: 120, Density: 0.1, Bounds: "box", Equations: 10, Scale: 100},
	} {
		for seed := range seeds {
			m := gaussian(s, seed)
			t.Run(fmt.Sprintf("%dx%d/%s/%d", s.Columns, s.Rows, s.Bounds, seed), func(t *testing.T) {
				theirs := solveWith(t, m, highs.Backend{})
				for _, b := range []solver.Backend{solver.DualSimplex, solver.InteriorPoint} {
					ours := solveWith(t, m, b)
					if ours.Status != solver.Optimal || theirs.Status != solver.Optimal {
						t.Fatalf("%v: %v\nHiGHS: %v", b, ours, theirs)
					}
					if math.Abs(ours.Objective-theirs.Objective) > 1e-6*(1+math.Abs(ours.Objective)) {
						t.Fatalf("%v %v, HiGHS %v", b, ours, theirs)
					}
				}
			})
		}
	}
}
