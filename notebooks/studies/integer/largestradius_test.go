package integer

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// TestLargestRadiusSeparatesFeasibleFromInfeasible solves just below and just
// above the largest radius, and checks that more atoms never allow more.
func TestLargestRadiusSeparatesFeasibleFromInfeasible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := small{n: rapid.IntRange(2, 9).Draw(t, "n"), m: rapid.IntRange(1, 3).Draw(t, "m"), atoms: rapid.IntRange(1, 6).Draw(t, "N"), heldOut: 1}
		s.k = rapid.IntRange(1, s.n).Draw(t, "K")
		e, err := NewEnumeration(mustSmall(s, rapid.Uint64().Draw(t, "seed")))
		if err != nil {
			t.Fatal(err)
		}
		before := math.Inf(1)
		for size := range s.atoms + 1 {
			atoms := make([]int, size)
			for i := range atoms {
				atoms[i] = i
			}
			largest, err := e.LargestRadius(atoms)
			if err != nil {
				t.Fatal(err)
			}
			if len(e.decisions) == 0 {
				if !math.IsNaN(largest) {
					t.Fatalf("largest radius %v without a decision, want NaN", largest)
				}
				return
			}
			if largest > before {
				t.Fatalf("%d atoms allow %v, one fewer allowed %v", size, largest, before)
			}
			before = largest
			for _, side := range []struct {
				radius   float64
				feasible bool
			}{{min(largest, 1e6) * (1 - 1e-9), true}, {largest * (1 + 1e-9), false}} {
				if math.IsInf(side.radius, 1) {
					continue
				}
				if _, err := e.Solve(atoms, side.radius); (err == nil) != side.feasible || err != nil && !errors.Is(err, solver.ErrInfeasible) {
					t.Fatalf("largest radius %v, solved at %v: error %v, want feasible = %v", largest, side.radius, err, side.feasible)
				}
			}
		}
	})
}

func TestLargestRadiusRefusesUnknownAtoms(t *testing.T) {
	e, err := NewEnumeration(mustSmall(small{n: 4, m: 1, k: 2, atoms: 3, heldOut: 1}, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.LargestRadius([]int{0, 3}); err == nil || !strings.Contains(err.Error(), "indices[1] = 3") {
		t.Errorf("error = %v, want one that names the index", err)
	}
}
