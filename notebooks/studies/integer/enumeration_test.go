package integer

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sparsero/directions/datasets"
	"github.com/sparsero/directions/solver"
	"pgregory.net/rapid"
)

// TestEnumerationAgainstBruteForce compares with a search over all decisions,
// larger ones included, so that it also shows that K items suffice.
func TestEnumerationAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := small{n: rapid.IntRange(2, 8).Draw(t, "n"), m: rapid.IntRange(1, 3).Draw(t, "m"), atoms: rapid.IntRange(1, 6).Draw(t, "N"), heldOut: 1}
		s.k = rapid.IntRange(1, s.n).Draw(t, "K")
		i := mustSmall(s, rapid.Uint64().Draw(t, "seed"))
		radius := rapid.SampledFrom([]float64{0, 0.5, 1, 1.3, 4}).Draw(t, "radius")
		var atoms []int
		for a := range s.atoms {
			if rapid.Bool().Draw(t, "atom") {
				atoms = append(atoms, a)
			}
		}
		e, err := NewEnumeration(i)
		if err != nil {
			t.Fatal(err)
		}
		want, feasible := bruteForce(i, atoms, radius)
		got, err := e.Solve(atoms, radius)
		switch {
		case !feasible:
			if !errors.Is(err, solver.ErrInfeasible) {
				t.Fatalf("error = %v, want infeasible", err)
			}
		case err != nil:
			t.Fatal(err)
		case math.Abs(got.Value-want) > 1e-9 || len(got.Items) != s.k || !slices.IsSorted(got.Items):
			t.Fatalf("got %+v, want value %v with %d items", got, want, s.k)
		}
	})
}

// TestQuestionsMayComeInAnyOrder compares an enumeration that answered other questions before with a new one.
func TestQuestionsMayComeInAnyOrder(t *testing.T) {
	i := mustSmall(small{n: 14, m: 3, k: 5, atoms: 20, heldOut: 1}, 3)
	radii := []float64{2, 0.3, 1, 1.5, 0.3}
	asked, err := NewEnumeration(i)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked.decisions) < 1000 {
		t.Fatalf("%d decisions; the test wants at least 1000", len(asked.decisions))
	}
	for _, radius := range radii {
		for a := range 20 {
			atoms := []int{a, (a*7 + 1) % 20}
			fresh, err := NewEnumeration(i)
			if err != nil {
				t.Fatal(err)
			}
			first, err1 := fresh.Solve(atoms, radius)
			second, err2 := asked.Solve(atoms, radius)
			if (err1 == nil) != (err2 == nil) || err1 == nil && (first.Value != second.Value || !slices.Equal(first.Items, second.Items)) {
				t.Fatalf("radius %v, atoms %v: %v (%v) and %v (%v)", radius, atoms, first, err1, second, err2)
			}
		}
	}
}

// TestEqualCostsAreDecidedLexicographically fixes the order of ties.
func TestEqualCostsAreDecidedLexicographically(t *testing.T) {
	i := mustSmall(small{n: 6, m: 1, k: 2, atoms: 1, heldOut: 1}, 1)
	i.Cost = []float64{5, 5, 5, 5, 5, 5}
	i.Base.Scale(0.1, i.Base)
	e, err := NewEnumeration(i)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := e.Solve(nil, 1); err != nil || !slices.Equal(d.Items, []int{0, 1}) {
		t.Errorf("got %v (%v), want items 0 and 1", d, err)
	}
	if x := (Decision{Items: []int{1, 3}}).X(5); !slices.Equal(x, []float64{0, 1, 0, 1, 0}) {
		t.Errorf("X = %v", x)
	}
}

func TestEnumerationRefusesWhatIsTooLarge(t *testing.T) {
	for name, test := range map[string]struct {
		family small
		want   string
	}{
		"supports": {small{n: 30, m: 1, k: 10, atoms: 3, heldOut: 1}, "C(30,10) = 30045015 supports"},
		"atoms":    {small{n: 30, m: 1, k: 6, atoms: 108, heldOut: 1}, "30 items and 108 atoms"},
		"huge":     {small{n: 200, m: 1, k: 100, atoms: 3, heldOut: 1}, "solver/highs"},
	} {
		if _, err := NewEnumeration(mustSmall(test.family, 1)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error = %v, want %q", name, err, test.want)
		}
	}
	if _, err := NewEnumeration(mustSmall(small{n: 30, m: 1, k: 6, atoms: 107, heldOut: 1}, 1)); err != nil {
		t.Errorf("an enumeration at the limit of supports times atoms: %v", err)
	}
}

func TestEnumerationBadInput(t *testing.T) {
	i := mustSmall(small{n: 6, m: 2, k: 2, atoms: 3, heldOut: 2}, 1)
	e, err := NewEnumeration(i)
	if err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func() error{
		"indices[1] = 3":    func() error { _, err := e.Solve([]int{0, 3}, 1); return err },
		"indices[0] = -1":   func() error { _, err := e.Solve([]int{-1}, 1); return err },
		"radius -1":         func() error { _, err := e.Solve([]int{0}, -1); return err },
		"radius NaN":        func() error { _, err := e.Solve([]int{0}, math.NaN()); return err },
		"radius +Inf":       func() error { _, err := e.Solve([]int{0}, math.Inf(1)); return err },
		"twice":             func() error { _, err := e.Solve([]int{1, 1}, 1); return err },
		"Dictionary is nil": func() error { _, err := NewEnumeration(&datasets.IntegerInstance{}); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error = %v, want %q", err, want)
		}
	}
}
