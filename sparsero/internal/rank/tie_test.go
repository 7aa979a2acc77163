package rank

import (
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
