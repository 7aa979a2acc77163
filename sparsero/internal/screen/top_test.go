package screen

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTopEqualsPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		count := rapid.IntRange(1, r.n).Draw(t, "count")
		for _, o := range everyOptions() {
			lists, err := mustNew(t, Matrix64{atoms, p}, directions, o).Top(context.Background(), count)
			if err != nil {
				t.Fatal(err)
			}
			for j, got := range lists {
				var want []Aligned
				for i, row := range r.scores {
					if row[j] > 0 {
						want = append(want, Aligned{i, row[j]})
					}
				}
				slices.SortStableFunc(want, compareAligned)
				if want = want[:min(count, len(want))]; !slices.Equal(got, want) {
					t.Fatalf("%v: direction %d has %v at the top, want %v", o, j, got, want)
				}
			}
		}
	})
}
