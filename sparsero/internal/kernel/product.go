package kernel

import "fmt"

// Panels is an M×p matrix laid out for [Multiply]: groups of rows, one coordinate
// after the other.
type Panels[F float32 | float64] struct {
	columns int // M rounded up to a multiple of ColumnMultiple
	depth   int // p
	width   int // rows in a group
	data    []F
}

// Columns returns M rounded up to a multiple of ColumnMultiple.
func (b *Panels[F]) Columns() int { return b.columns }

// NewPanels returns zero panels for an M×p matrix and this kernel.
func NewPanels[F float32 | float64](k *Kernel, m, p int) *Panels[F] {
	b := &Panels[F]{columns: (m + ColumnMultiple - 1) / ColumnMultiple * ColumnMultiple, depth: p}
	b.width, _ = tileOf[F](k)
	b.data = make([]F, b.columns*p)
	return b
}

// Pack lays out the M×p matrix t, stored by rows, for this kernel.
func Pack[F float32 | float64](k *Kernel, t []F, m, p int) *Panels[F] {
	b := NewPanels[F](k, m, p)
	b.Fill(t, 0, m)
	return b
}

// Fill lays out rows from..to-1 of the matrix t, stored by rows. Disjoint rows may
// be filled at the same time.
func (b *Panels[F]) Fill(t []F, from, to int) {
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

// tileOf returns the tile of the kernel for one type and its width.
func tileOf[F float32 | float64](k *Kernel) (width int, tile func(k int, a *F, lda int, b *F, c *F, ldc int, add bool)) {
	switch tile := any(&tile).(type) {
	case *func(k int, a *float32, lda int, b *float32, c *float32, ldc int, add bool):
		*tile, width = k.tile, k.tileColumns
	case *func(k int, a *float64, lda int, b *float64, c *float64, ldc int, add bool):
		*tile, width = k.tile64, k.tileColumns/2
	}
	return width, tile
}

// Multiply sets the first b.Columns() entries of the given number of rows of c to
// a b^T. The rows of a and c start lda and ldc entries apart. Rows must be a
// multiple of RowMultiple. An entry does not depend on its position or on the
// number of rows. In float32 it is within [RoundingBound]; in float64 it is the
// chain of [Kernel.Alignments], with the same bits for all kernels.
func Multiply[F float32 | float64](k *Kernel, c []F, ldc int, a []F, lda, rows int, b *Panels[F]) {
	if rows == 0 {
		return
	}
	width, tile := tileOf[F](k)
	if rows%RowMultiple != 0 || b.width != width || lda < b.depth || ldc < b.columns ||
		len(a) < (rows-1)*lda+b.depth || len(c) < (rows-1)*ldc+b.columns {
		panic(fmt.Sprintf("kernel: product of %d rows of %d and %d columns of %d does not fit", rows, len(a), b.columns, len(c)))
	}
	for from := 0; from < b.depth; from += depthBlock {
		depth := min(depthBlock, b.depth-from)
		for column := 0; column < b.columns; column += width {
			panel := &b.data[column*b.depth+from*width]
			for row := 0; row < rows; row += k.tileRows {
				tile(depth, &a[row*lda+from], lda, panel, &c[row*ldc+column], ldc, from > 0)
			}
		}
	}
}
