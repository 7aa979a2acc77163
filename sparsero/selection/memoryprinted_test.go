package selection_test

import (
	"context"
	"strings"
	"testing"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// TestMemoryErrorsPrint what is needed in the unit that has two digits, and what would fit.
func TestMemoryErrorsPrint(t *testing.T) {
	for _, test := range []struct {
		selection.MemoryError
		want string
	}{
		{
			selection.MemoryError{Atoms: 5, Directions: 7, Storage: selection.Screened, Need: 99_940_000, Available: 2e6, Streamed: 1_500_000},
			"selection: 5 atoms with 7 directions need 99.9 MB (screened) but 2.0 MB may be used; set Storage to Streamed, which needs 1.5 MB and more time, or raise MemoryLimit",
		},
		{selection.MemoryError{Storage: selection.Screened, Need: 100e6, Available: 2e6, Streamed: 2e6}, "need 0.10 GB (screened) but 2.0 MB may be used; set Storage to Streamed"},
		{selection.MemoryError{Storage: selection.Screened, Need: 3e9, Available: 2e6, Streamed: 2e6 + 1}, "may be used; even Streamed needs 2.0 MB; use fewer directions or atoms, or raise MemoryLimit"},
		{selection.MemoryError{Storage: selection.Streamed, Need: 3e9, Available: 2e6, Streamed: 3e9}, "need 3.00 GB (streamed) but 2.0 MB may be used; use fewer directions or atoms, or raise MemoryLimit"},
	} {
		if got := test.Error(); !strings.Contains(got, test.want) {
			t.Errorf("%s\nwant %s", got, test.want)
		}
	}
}

// TestSetCoverEndsNextToZero where no threshold lies between two floats.
func TestSetCoverEndsNextToZero(t *testing.T) {
	const unit = 0x1p-537 // whose square is the smallest float
	for _, budget := range []int{1, 2} {
		atoms, directions := mat.NewDense(3, 3, nil), mat.NewDense(3, 3, nil)
		for k := range 3 {
			atoms.Set(k, k, unit*float64(1+k))
			directions.Set(k, k, unit)
		}
		d, err := sparsero.NewDictionary(atoms, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := selection.NewCoverage(d, directions, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := selection.SetCover{}.Select(context.Background(), c, budget)
		if err != nil || s.Len() != budget || s.WorstDeficit[budget-1] != unit*unit*float64(3-budget) {
			t.Errorf("budget %d: %+v, %v", budget, s, err)
		}
	}
}
