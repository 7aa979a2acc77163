package kernel

import "fmt"

// Panels is an M×p matrix laid out for [Multiply]: groups of rows, one coordinate after the other.
type Panels struct{ panels[float32] }

// panels are the rows of a matrix in groups, each as wide as the tile that multiplies it.
type panels[T float32 | float64] struct {
	rows       int // M
	columns    int // M rounded up to a multiple of what the product needs
	depth      int // p
	whole      int // rows in groups of the tile; those that follow are in groups of the tail
	tile, tail tile[T]
	data       []T
}

func newPanels[T float32 | float64](rows, depth int, of, tail tile[T], multiple int) panels[T] {
	b := panels[T]{rows: rows, columns: (rows + multiple - 1) / multiple * multiple, depth: depth, tile: of, tail: tail}
	b.whole = (rows + of.columns - 1) / of.columns * of.columns
	if rest := rows % of.columns; rest > 0 && rest <= tail.columns {
		b.whole = rows - rest
	}
	b.data = make([]T, b.columns*depth)
	return b
}

// Columns returns M rounded up to a multiple of ColumnMultiple.
func (b *panels[T]) Columns() int { return b.columns }

// NewPanels returns zero panels for an M×p matrix and this kernel.
func NewPanels(k *Kernel, m, p int) *Panels {
	return &Panels{newPanels(m, p, k.tile, k.tail, ColumnMultiple)}
}

// group returns the first row of the group of row j, and the tile that multiplies it.
func (b *panels[T]) group(j int) (first int, of *tile[T]) {
	if j < b.whole {
		return j / b.tile.columns * b.tile.columns, &b.tile
	}
	return b.whole, &b.tail
}

// Fill lays out rows from..to-1 of the matrix t, stored by rows. Disjoint rows may be filled at the same time.
func (b *panels[T]) Fill(t []T, from, to int) {
	p := b.depth
	for first := 0; first < p; first += chunk { // few enough coordinates to stay in cache
		last := min(first+chunk, p)
		for j := from; j < to; j++ {
			start, of := b.group(j)
			panel := b.data[start*p+first*of.columns+j-start:]
			for i, value := range t[j*p+first : j*p+last] {
				panel[i*of.columns] = value
			}
		}
	}
}

// Multiply sets the first b.Columns() entries of the given number of rows of c to a b^T. The rows of a and c start lda
// and ldc entries apart. Rows must be a multiple of RowMultiple. An entry does not depend on its position or on the
// number of rows; it is within [RoundingBound].
func Multiply(c []float32, ldc int, a []float32, lda, rows int, b *Panels) {
	if rows%RowMultiple != 0 || lda < b.depth || ldc < b.columns ||
		len(a) < (rows-1)*lda+b.depth || len(c) < (rows-1)*ldc+b.columns {
		panic(fmt.Sprintf("kernel: product of %d rows of %d and %d columns of %d does not fit", rows, len(a), b.columns, len(c)))
	}
	computed := multiply(depthBlock, c, ldc, a, lda, rows, &b.panels)
	for row := range rows {
		clear(c[row*ldc+computed : row*ldc+b.columns])
	}
}

// multiply goes through the product tile by tile, some depths at a time, and returns how many columns that makes.
func multiply[T float32 | float64](depths int, c []T, ldc int, a []T, lda, rows int, b *panels[T]) (computed int) {
	for from := 0; from < b.depth; from += depths {
		depth := min(depths, b.depth-from)
		for computed = 0; computed < b.rows; {
			_, of := b.group(computed)
			panel := &b.data[computed*b.depth+from*of.columns]
			for row := 0; row < rows; row += of.rows {
				of.multiply(depth, &a[row*lda+from], lda, panel, &c[row*ldc+computed], ldc, from > 0)
			}
			computed += of.columns
		}
	}
	return computed
}
