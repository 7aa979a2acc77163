package rank

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The larger value first, of equal values the lower index: whatever the order in which atoms come, and however few are kept.
func TestOneTieRule(t *testing.T) {
	if !Ahead(2, 7, 1, 3) || Ahead(1, 3, 2, 7) || !Ahead(1, 3, 1, 7) || Ahead(1, 7, 1, 3) || Ahead(1, 3, 1, 3) {
		t.Error("atom 7 with value 2 comes before atom 3 with 1, atom 3 before atom 7 of the same value, and none before itself")
	}
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 2, 3}), 0, 12).Draw(t, "values")
		compare := func(a, b int) int { return Compare(values[a], a, values[b], b) }
		for a := range values {
			for b := range values {
				if got := compare(a, b); got != cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b)) {
					t.Fatalf("values %v: atom %d compares with %d as %d", values, a, b, got)
				}
			}
		}
		var want, found, kept []int
		for value := 3.; value >= 0; value-- {
			for atom := range values {
				if values[atom] == value {
					want = append(want, atom)
				}
			}
		}
		limit := rapid.IntRange(1, 13).Draw(t, "limit")
		for _, atom := range rapid.Permutation(slices.Clone(want)).Draw(t, "order") {
			found, kept = append(found, atom), Insert(kept, atom, limit, compare)
		}
		if slices.SortFunc(found, compare); !slices.Equal(found, want) || !slices.Equal(kept, want[:min(limit, len(want))]) {
			t.Fatalf("values %v: sorted %v, of which %v are kept, want %v", values, found, kept, want)
		}
	})
}

// The active atom is one of the given ones with the largest alignment, of equal ones that with the lowest index, and the
// null atom where all are negative.
func TestTheActiveAtom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alignments := rapid.SliceOfN(rapid.SampledFrom([]float64{-2, -1, 0, 1, 2}), 0, 6).Draw(t, "alignments")
		atoms := rapid.Permutation(Indices[int](9)).Draw(t, "atoms")[:len(alignments)]
		of := func(k int) int { return atoms[k] }
		if rapid.Bool().Draw(t, "all") {
			atoms, of = nil, func(k int) int { return k }
		}
		atom, value := Active(alignments, atoms)
		for k, alignment := range alignments {
			if alignment > value || alignment == value && (of(k) < atom || atom == -1) {
				t.Fatalf("%v of atoms %v: atom %d with %v, but atom %d has %v", alignments, atoms, atom, value, of(k), alignment)
			}
		}
		if at := slices.IndexFunc(Indices[int](len(alignments)), func(k int) bool { return of(k) == atom }); at < 0 && (atom != -1 || value != 0) || at >= 0 && alignments[at] != value {
			t.Fatalf("%v of atoms %v: atom %d does not have %v", alignments, atoms, atom, value)
		}
	})
}

// An alignment below all floats may stand for the largest one, and so may NaN.
func TestNoActiveAtomWhereAnAlignmentIsUnknown(t *testing.T) {
	for _, unknown := range []float64{math.Inf(-1), math.NaN()} {
		if atom, value := Active([]float64{1, unknown, 3, unknown}, []int{5, 6, 7, 4}); atom != 6 || !math.IsNaN(value) {
			t.Errorf("beside %v atom %d with %v is active, not the first unknown one", unknown, atom, value)
		}
	}
}
