package screen

import "github.com/sparsero/directions/sparsero/internal/kernel"

// Memory is an estimate of the bytes that a screen of n atoms of dimension p with m
// directions and one search on it take, the atoms themselves not counted.
func Memory(n, m, p int, o Options) int64 {
	const (
		perAtom  = 4 + 8 + 8 + 4 + 4 + 4 // tolerance, first bound, and bound, stamp and two lists of a search
		searches = 2                     // what a finished search leaves may still be there
	)
	atoms, directions, dimension := int64(n), int64(m), int64(p)
	columns := int64(roundUp(m, kernel.ColumnMultiple))
	total := searches*perAtom*atoms + 4*int64(supportsAtOnce(m, o.Stream))*atoms
	if !o.Stream {
		total += 2 * atoms * columns
	}
	if o.levels(m) {
		total += (atoms+kernel.TileAtoms)*columns + (8+searches*4)*atoms // sums, and what is covered
	}
	total += dimension * (12*directions + 4*columns)
	perRow := 12*dimension + 4*columns
	if o.Stream {
		perRow += 2 * columns
	}
	return total + searches*int64(o.workers())*int64(o.blockSize(m, p))*perRow
}

// blockSize returns how many atoms of dimension p are multiplied with m directions at a time.
func (o Options) blockSize(m, p int) int {
	multiple := kernel.RowMultiple
	if o.levels(m) {
		multiple = blockMultiple
	}
	return roundUp(min(max(blockBytes/(4*p), 1), blockRows), multiple)
}
