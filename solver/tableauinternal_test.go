package solver

import (
	"testing"

	"github.com/sparsero/directions/solver/internal/program"
)

// TestTableausOfTheLargestSize: 2^21 numbers fit into a tableau, and a row more does not.
func TestTableausOfTheLargestSize(t *testing.T) {
	for rows, want := range map[int]bool{1 << 10: true, 1<<10 + 1: false} {
		if m := (&Model{columns: make([]Column, 1<<11), rows: make([]program.Row, rows)}); fitsTableau(m) != want {
			t.Errorf("%d rows of %d columns: %t", rows, len(m.columns), !want)
		}
	}
}
