package kernel

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestProductsStayWithinTheRoundingBound(t *testing.T) {
	eachKernel(t, func(t *rapid.T, k *Kernel) {
		rows := RowMultiple * rapid.IntRange(1, 3).Draw(t, "row groups")
		m := rapid.IntRange(1, 70).Draw(t, "M")
		p := rapid.OneOf(rapid.IntRange(1, 140), rapid.IntRange(505, 530), rapid.IntRange(1020, 1030)).Draw(t, "p")
		lda := p + rapid.IntRange(0, 5).Draw(t, "gap of a")
		left, right := drawVector(t, "a", rows*lda), drawVector(t, "b", m*p)
		panels := pack(k, narrowed(right), m, p)
		ldc := panels.Columns() + 16*rapid.IntRange(0, 2).Draw(t, "gap of c")
		const untouched = 12345
		c := make([]float32, rows*ldc)
		for i := range c {
			c[i] = untouched
		}
		Multiply(c, ldc, narrowed(left), lda, rows, panels)
		for i := range rows {
			for j := range ldc {
				got := float64(c[i*ldc+j])
				switch {
				case j >= panels.Columns() && got != untouched:
					t.Fatalf("entry (%d,%d) outside the product was written", i, j)
				case j >= m && j < panels.Columns() && got != 0:
					t.Fatalf("padding (%d,%d) is %v", i, j, got)
				case j < m:
					a, b := left[i*lda:i*lda+p], right[j*p:(j+1)*p]
					want, bound := exactDot(a, b), RoundingBound(p)*norm(a)*norm(b)
					if math.Abs(got-want) > bound {
						t.Fatalf("entry (%d,%d) is %v, want %v within %v", i, j, got, want, bound)
					}
				}
			}
		}
	})
}

// An entry must not depend on where it stands, so that a row computed alone has
// the bits of the same row in the whole matrix.
// Columns are as many as there are, rounded up to a multiple, and those beyond are 0, whatever c held.
func TestColumnsAreRoundedUp(t *testing.T) {
	for _, k := range All() {
		for m := range 2*ColumnMultiple + 2 {
			panels := pack(k, make([]float32, 2*m), m, 2)
			if want := (m + ColumnMultiple - 1) / ColumnMultiple * ColumnMultiple; panels.Columns() != want {
				t.Errorf("%s: %d columns for %d rows, want %d", k.Name(), panels.Columns(), m, want)
			}
			c := make([]float32, RowMultiple*panels.Columns())
			for i := range c {
				c[i] = 1
			}
			if Multiply(c, panels.Columns(), make([]float32, 2*RowMultiple), 2, RowMultiple, panels); slices.Contains(c, 1) {
				t.Errorf("%s: a column of %d was not set", k.Name(), m)
			}
		}
	}
}

func TestProductsDoNotDependOnPosition(t *testing.T) {
	for _, k := range All() {
		const p, m = 150, 40
		row, columns := randomRows(1, p, 3), randomRows(1, p, 4)
		left, right := make([]float32, 2*RowMultiple*p), make([]float32, m*p)
		for i := range 2 * RowMultiple {
			copy(left[i*p:], row)
		}
		for j := range m {
			copy(right[j*p:], columns)
		}
		panels := pack(k, right, m, p)
		c := make([]float32, 2*RowMultiple*panels.Columns())
		Multiply(c, panels.Columns(), left, p, 2*RowMultiple, panels)
		for i := range 2 * RowMultiple {
			for j := range m {
				if c[i*panels.Columns()+j] != c[0] {
					t.Fatalf("%s: entry (%d,%d) is %v, entry (0,0) is %v", k.Name(), i, j, c[i*panels.Columns()+j], c[0])
				}
			}
		}
	}
}
