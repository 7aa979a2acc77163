package screen

import (
	"math"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// block is the memory that one goroutine needs to compute alignments.
type block struct {
	screen  *Screen
	single  []float64 // memory for one atom
	atom    []float64 // the atom with the next index
	index   int
	mask    []uint64
	columns []int32
	left    []int32 // see GapSearch.scan
	values  []float64
	cost    Cost // not yet handed over, see charge

	// Only to compute rows, see grow.
	buffer    []float64 // atoms as they are read
	narrowed  []float32 // scaled atoms
	sizes     []float64 // largest magnitude of each coordinate of these
	product   []float32 // their alignments
	stride    int       // between rows of product
	halves    []kernel.Half
	positions []int32 // 0, 1, ..., of rows of halves
}

func (s *Screen) newBlock() *block {
	return &block{
		screen:  s,
		single:  make([]float64, s.p),
		index:   noAtom,
		mask:    make([]uint64, (s.columns+63)/64),
		columns: make([]int32, 0, s.m),
		values:  make([]float64, s.m),
	}
}

// grow makes the memory to compute rows.
func (b *block) grow() {
	s := b.screen
	if b.buffer != nil {
		return
	}
	b.stride = s.columns + 16 // rows a multiple of 2 KiB apart would compete for the same sets of the cache
	b.buffer = make([]float64, s.block*s.p)
	b.narrowed, b.sizes = make([]float32, s.block*s.p), make([]float64, s.p)
	b.product = make([]float32, s.block*b.stride)
	if s.Streams() {
		b.halves, b.positions = make([]kernel.Half, s.block*s.columns), rank.Indices[int32](s.block)
	}
}

// narrow scales one atom into position k of the block and returns its norm in the units of the screen.
func (b *block) narrow(k int, atom []float64) float64 {
	s := b.screen
	squares := s.kernel.Narrow(b.narrowed[k*s.p:(k+1)*s.p], atom, math.Ldexp(1, s.atomExponent), b.sizes)
	return math.Sqrt(squares)
}

// read scales atoms from..to-1 into the block, from position k on.
func (b *block) read(k, from, to int) error {
	b.grow()
	p := b.screen.p
	atoms, err := b.screen.atoms.Rows(b.buffer, from, to)
	for i := 0; i < to-from && err == nil; i++ {
		b.narrow(k+i, atoms[i*p:(i+1)*p])
	}
	return err
}

// multiply computes the alignments of the first count atoms of the block.
func (b *block) multiply(count int) {
	s := b.screen
	kernel.Multiply(b.product, b.stride, b.narrowed, s.p, roundUp(count, kernel.RowMultiple), s.panels)
}

// halve returns the alignments of atom k of the block, rounded up to row k of a matrix.
func (b *block) halve(scores []kernel.Half, k int) []kernel.Half {
	row := b.screen.rowAt(scores, k)
	b.screen.kernel.Halve(row, b.product[k*b.stride:][:len(row)])
	return row
}

// rowAt returns one row of a matrix of alignments.
func (s *Screen) rowAt(scores []kernel.Half, k int) []kernel.Half {
	return scores[k*s.columns : (k+1)*s.columns : (k+1)*s.columns]
}

// upper returns an upper bound of the alignment of atom i, whose row is given, with direction j.
func (s *Screen) upper(scores []kernel.Half, row, i, j int32) float64 {
	stored := float64(scores[int(row)*s.columns+int(j)].Float32())
	return (stored + float64(float64(s.tolerance[i])*float64(s.weight[j])) + underflow) * s.unit
}

// between returns what the alignment of atom i, whose row is given, with direction j lies between, in the units of the
// screen and but for underflow.
func (s *Screen) between(i int, row []kernel.Half, j int32) (lower, upper float64) {
	stored, tolerance := float64(row[j].Float32()), float64(s.tolerance[i])*float64(s.weight[j])
	step := math.Abs(stored)*0x1p-10 + 0x1p-24 // of half precision
	return stored - tolerance - step, stored + tolerance
}

// exceeding returns the directions in which the alignment of atom i may exceed the floor, and its float64 alignments
// there. In all others it does not. The slices are valid until the next use of the block.
func (b *block) exceeding(i int, row []kernel.Half, floor []float32) (columns []int32, values []float64, err error) {
	b.mayExceed(i, row, floor)
	values, err = b.align(i)
	return b.columns, values, err
}

// beyond is exceeding for one atom alone.
func (b *block) beyond(i int, floor []float32) (columns []int32, values []float64, err error) {
	defer b.charge()
	scores, at, err := b.rowsOf([]int32{int32(i)})
	if err != nil {
		return nil, nil, err
	}
	columns, values, err = b.exceeding(i, b.screen.rowAt(scores, int(at[0])), floor)
	return columns[:len(values)], values, err // none of an atom that cannot be read
}

// mayExceed lists the directions in which the alignment of atom i may exceed the floor in b.columns.
func (b *block) mayExceed(i int, row []kernel.Half, floor []float32) {
	s := b.screen
	b.readRow()
	s.kernel.Above(b.mask, row, floor, s.weight, s.tolerance[i], &row[0])
	b.columns = kernel.Positions(b.columns[:0], b.mask, s.m)
}

// align returns the float64 alignments of atom i with the directions in b.columns.
func (b *block) align(i int) ([]float64, error) {
	s, values := b.screen, b.values[:len(b.columns)]
	if len(values) == 0 {
		return values, nil
	}
	if b.index != i {
		atom, err := s.atoms.Rows(b.single, i, i+1)
		if err != nil {
			b.index = noAtom
			return nil, err
		}
		b.atom, b.index = atom, i
	}
	b.cost.Alignments += int64(len(values))
	s.kernel.Alignments(values, b.atom, s.directions, b.columns)
	return values, nil
}
