package kernel

import "fmt"

// Panels is an M×p matrix laid out for [Multiply]: groups of rows, one coordinate after the other.
type Panels struct{ panels[float32] }

// panels are the rows of a matrix in groups.
type panels[T float32 | float64] struct {
	rows    int // M
	columns int // M rounded up to a multiple of what the product needs
	depth   int // p
	width   int // rows in a group
	data    []T
}

func newPanels[T float32 | float64](rows, depth, width, multiple int) panels[T] {
	columns := (rows + multiple - 1) / multiple * multiple
	return panels[T]{rows, columns, depth, width, make([]T, columns*depth)}
}

// Columns returns M rounded up to a multiple of ColumnMultiple.
func (b *panels[T]) Columns() int { return b.columns }

// NewPanels returns zero panels for an M×p matrix and this kernel.
func NewPanels(k *Kernel, m, p int) *Panels {
	return &Panels{newPanels[float32](m, p, k.tileColumns, ColumnMultiple)}
}

// Fill lays out rows from..to-1 of the matrix t, stored by rows. Disjoint rows may be filled at the same time.
func (b *panels[T]) Fill(t []T, from, to int) {
	p := b.depth
	for first := 0; first < p; first += chunk { // few enough coordinates to stay in cache
		last := min(first+chunk, p)
		for j := from; j < to; j++ {
			panel := b.data[(j/b.width*p+first)*b.width+j%b.width:]
			for i, value := range t[j*p+first : j*p+last] {
				panel[i*b.width] = value
			}
		}
	}
}

// Multiply sets the first b.Columns() entries of the given number of rows of c to a b^T. The rows of a and c start lda
// and ldc entries apart. Rows must be a multiple of RowMultiple. An entry does not depend on its position or on the
// number of rows; it is within [RoundingBound].
func Multiply(k *Kernel, c []float32, ldc int, a []float32, lda, rows int, b *Panels) {
	if rows == 0 {
		return
	}
	if rows%RowMultiple != 0 || b.width != k.tileColumns || lda < b.depth || ldc < b.columns ||
		len(a) < (rows-1)*lda+b.depth || len(c) < (rows-1)*ldc+b.columns {
		panic(fmt.Sprintf("kernel: product of %d rows of %d and %d columns of %d does not fit", rows, len(a), b.columns, len(c)))
	}
	multiply(k.tile, k.tileRows, depthBlock, c, ldc, a, lda, rows, &b.panels)
}

// multiply goes through the product tile by tile, some depths at a time.
func multiply[T float32 | float64](tile func(int, *T, int, *T, *T, int, bool), tileRows, depths int, c []T, ldc int, a []T, lda, rows int, b *panels[T]) {
	for from := 0; from < b.depth; from += depths {
		depth := min(depths, b.depth-from)
		for column := 0; column < b.columns; column += b.width {
			panel := &b.data[column*b.depth+from*b.width]
			for row := 0; row < rows; row += tileRows {
				tile(depth, &a[row*lda+from], lda, panel, &c[row*ldc+column], ldc, from > 0)
			}
		}
	}
}
