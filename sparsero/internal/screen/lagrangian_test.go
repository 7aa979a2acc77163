package screen

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestSlopeInLittleMemory: the subgradient is that of the atoms that Largest returns, with memory for any number of rows.
func TestSlopeInLittleMemory(t *testing.T) {
	defer func(bytes int) { rowMemory = bytes }(rowMemory)
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 80, 70, 40)
		r := newReference(atoms, directions, p)
		u := make([]float64, r.m)
		r.raise(rapid.IntRange(0, r.n-1).Draw(t, "chosen"), u)
		budget := Cardinality(rapid.IntRange(1, r.n).Draw(t, "count"))
		slope := func(rows int) []float64 {
			rowMemory = 9 * r.m * rows
			l := mustNew(t, Matrix64{atoms, p}, directions, everyOptions()[0]).NewLagrangian()
			l.Move(u)
			chosen, _, err := l.Largest(context.Background(), budget)
			if err != nil {
				t.Fatal(err)
			}
			slope := make([]float64, r.m)
			l.Slope(slope, budget, chosen)
			return slope
		}
		few := rapid.IntRange(0, r.n).Draw(t, "rows")
		if got, want := slope(few), slope(r.n); !slices.Equal(got, want) {
			t.Fatalf("with %d rows %v, with all %v", few, got, want)
		}
	})
}
