package screen

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestActiveAtomsEqualPlainFloat64(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		atoms, directions, p := drawData(t, 60, 70, 80)
		r := newReference(atoms, directions, p)
		for _, o := range everyOptions() {
			active, err := mustNew(t, Matrix64{atoms, p}, directions, o).Active(context.Background())
			if err != nil || len(active) != r.m {
				t.Fatalf("%v: %d active atoms of %d directions, %v", o, len(active), r.m, err)
			}
			for j, got := range active {
				want, most := -1, 0.0
				for i, row := range r.scores {
					if row[j] > most {
						want, most = i, row[j]
					}
				}
				if got != want {
					t.Fatalf("%v: in direction %d atom %d is active, want %d", o, j, got, want)
				}
			}
		}
	})
}

// Of many equal atoms the first is active, whichever goroutine comes first, and none where no alignment is above 0.
func TestActiveAtomsOfTies(t *testing.T) {
	atoms, directions := make([]float64, 2*5000), []float64{1, 0, 0, 1, -1, 0}
	for i := range 5000 {
		atoms[2*i] = 1
	}
	for _, o := range everyOptions() {
		active, err := mustNew(t, Matrix64{atoms, 2}, directions, o).Active(context.Background())
		if err != nil || !slices.Equal(active, []int{0, -1, -1}) {
			t.Errorf("%v: the active atoms %v, %v", o, active, err)
		}
	}
}
