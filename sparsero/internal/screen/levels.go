package screen

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

const (
	// sampledAtoms is how many atoms tell how large alignments are, and headroom how far beyond the largest of them the
	// highest level is. Atoms with larger alignments have looser bounds.
	sampledAtoms = 48
	headroom     = 1.25
	// leastAlignment is the least size of alignments, in the units of the screen, that levels tell apart. Next to it
	// underflow is nothing.
	leastAlignment = 0x1p-60
	// mostDirections is how many levels have a sum that fits 32 bits.
	mostDirections = math.MaxUint32 / kernel.MaxLevel
	// widestError is the largest error of an alignment, in steps, with which a level tells anything.
	widestError = 128
	// levelAtoms is a multiple of the atoms of a tile: those whose levels a goroutine finds in one go.
	levelAtoms = 3 * kernel.TileAtoms
	// tilesAtOnce is how many tiles a goroutine takes in one go.
	tilesAtOnce = 16
	// linesAtOnce is how many lines of a tile are written at a time, so that they stay in the first level of cache.
	linesAtOnce = 8 * kernel.ColumnMultiple
)

// levels are upper bounds of all alignments in whole steps, a byte each: by direction, for tiles of atoms. What a
// higher support takes off the bound of a gain is read off the levels of the directions in which it is higher. Sums of
// levels are exact.
type levels struct {
	screen *Screen
	tiles  []uint8   // see kernel.Quantize
	step   float64   // in the units of the screen
	sum    []float64 // of the levels of each atom and of what its alignments exceed the highest by, in whole steps
	factor float64   // from steps to a bound of a gain
}

func newLevels(s *Screen) *levels {
	tiles := input.Uncleared[uint8](roundUp(s.n, kernel.TileAtoms) * s.columns)
	return &levels{screen: s, tiles: tiles, sum: make([]float64, s.n)}
}

// scale chooses the step by the alignments of some atoms.
func (l *levels) scale(b *block) error {
	s := l.screen
	count := min(s.n, sampledAtoms)
	for k := range count {
		i := k * s.n / count
		if err := b.read(k, i, i+1); err != nil {
			return err
		}
	}
	b.multiply(count)
	largest := float32(leastAlignment)
	for k := range count {
		for _, x := range b.product[k*b.stride:][:s.m] {
			largest = max(largest, x)
		}
	}
	l.step = headroom * float64(largest) / kernel.MaxLevel
	l.factor = math.Ldexp(l.step*(1+slack)/float64(s.m), -s.exponent)
	return nil
}

// quantize finds the levels of the atoms from..to-1, whose alignments the block holds.
func (l *levels) quantize(b *block, from, to int) {
	s := l.screen
	errors, top := make([]float32, roundUp(to-from, kernel.LevelRows)), make([]uint8, roundUp(to-from, kernel.LevelRows))
	for k, tolerance := range s.tolerance[from:to] {
		errors[k] = upward(float64(tolerance) / l.step)
	}
	for first := from; first < to; first += kernel.TileAtoms {
		end := min(first+kernel.TileAtoms, to)
		for j := 0; j < s.columns; j += linesAtOnce {
			for i := first; i < end; i += kernel.LevelRows {
				rows, tile := b.product[(i-from)*b.stride+j:], l.tile(i)[i%kernel.TileAtoms+j*kernel.TileAtoms:]
				weight, k := s.weight[j:min(j+linesAtOnce, s.columns)], i-from
				s.kernel.Quantize(tile, rows, b.stride, weight, errors[k:][:kernel.LevelRows], float32(1/l.step), top[k:][:kernel.LevelRows])
			}
		}
	}
	for k := range to - from {
		if l.sum[from+k] = 0; errors[k] > widestError {
			l.sum[from+k] = math.Inf(1)
		} else if top[k] == kernel.MaxLevel {
			l.sum[from+k] = math.Ceil(l.excess(b.product[k*b.stride:][:s.m], float64(errors[k])))
		}
	}
}

// atoms is how many atoms have a place in the tiles: a multiple of those of one.
func (l *levels) atoms() int { return len(l.tiles) / l.screen.columns }

// tile returns the tile of an atom.
func (l *levels) tile(i int) []uint8 {
	size := kernel.TileAtoms * l.screen.columns
	return l.tiles[i/kernel.TileAtoms*size:][:size]
}

// reaching takes the atoms whose alignment with direction j is below a value, in the units of the screen, out of a list
// of their positions in a part, as far as the levels tell.
func (l *levels) reaching(list, part []int32, j int32, value float64) []int32 {
	least := uint8(math.Ceil(l.steps(value)))
	count, line := 0, l.tiles[int(j)*kernel.TileAtoms:]
	for _, k := range list {
		i := int(part[k])
		list[count] = k
		if line[i/kernel.TileAtoms*kernel.TileAtoms*l.screen.columns+i%kernel.TileAtoms] >= least || l.silent(i) {
			count++
		}
	}
	return list[:count]
}

// excess returns no less than the sum of what the alignments of an atom, with an error in steps, exceed the highest
// level by.
func (l *levels) excess(row []float32, e float64) (steps float64) {
	for j, x := range row {
		if more := float64(x)/l.step + e*float64(l.screen.weight[j]) - kernel.MaxLevel; more > 0 {
			steps += more
		}
	}
	return steps * (1 + slack)
}

// silent tells whether the levels of an atom tell nothing of it.
func (l *levels) silent(i int) bool { return math.IsInf(l.sum[i], 1) }

// add adds the levels of the atoms from..to-1 to their sums, and finds what these say of the gains at the empty set.
func (l *levels) add(from, to int) {
	all := slices.Repeat([]uint8{kernel.MaxLevel}, l.screen.columns)
	sums := make([]uint32, roundUp(to-from, kernel.TileAtoms))
	l.screen.kernel.Cover(sums, l.tiles[from*len(all):][:len(sums)*len(all)], l.screen.all, make([]uint8, len(all)), all)
	for k, steps := range sums[:to-from] {
		l.sum[from+k] += float64(steps)
	}
	for i := from; i < to; i++ {
		if !l.silent(i) {
			l.screen.empty[i] = l.bound(i, 0)
		}
	}
}

// cover calls visit for the tiles from the k-th on, some at a time, of which the lines of the listed directions are
// read.
func (l *levels) cover(ctx context.Context, list []int32, visit func(k int, tiles []uint8)) error {
	s, size := l.screen, kernel.TileAtoms*l.screen.columns
	return parallel.Blocks(ctx, s.workers, len(l.tiles)/size, tilesAtOnce, func(_, from, to int) error {
		visit(from, l.tiles[from*size:to*size])
		s.costs.bytes.Add(int64((to - from) * len(list) * kernel.TileAtoms))
		return nil
	})
}

// steps returns how many steps lie below a value in the units of the screen, no more than there are, from 0 to the
// highest level.
func (l *levels) steps(value float64) float64 {
	const shrink = 1 - 0x1p-50 // for two roundings
	return max(0, min(kernel.MaxLevel, value/l.step*shrink))
}

// floor returns how many whole steps lie below a support in each direction.
func (l *levels) floor(support []float64) []uint8 {
	floor := make([]uint8, l.screen.columns)
	for j, value := range support {
		floor[j] = uint8(l.steps(math.Ldexp(value, l.screen.exponent)))
	}
	return floor
}

// covered is how far a support reaches into the levels of all atoms.
type covered struct {
	levels *levels
	floor  []uint8  // whole steps below the support
	steps  []uint32 // of each atom: those of its levels that lie below the floor
}

// newCovered starts at the support 0. It returns nil where there are no levels.
func (s *Screen) newCovered() *covered {
	if s.levels == nil {
		return nil
	}
	return &covered{s.levels, make([]uint8, s.columns), make([]uint32, s.levels.atoms())}
}

// rises returns the directions in which a support has more whole steps below it than a floor, and these steps.
func (l *levels) rises(floor []uint8, support []float64) (list []int32, next []uint8) {
	next = l.floor(support)
	for j, steps := range next[:len(support)] {
		if steps > floor[j] {
			list = append(list, int32(j))
		}
	}
	return list, next
}

// lower goes on to a support that is nowhere below the one before, and lowers upper bounds of the gains of all atoms to
// what the levels say of them.
func (c *covered) lower(ctx context.Context, upper, support []float64) error {
	list, next := c.levels.rises(c.floor, support)
	if len(list) > 0 {
		err := c.levels.cover(ctx, list, func(k int, tiles []uint8) {
			steps := c.steps[k*kernel.TileAtoms:][:len(tiles)/len(next)]
			c.levels.screen.kernel.Cover(steps, tiles, list, c.floor, next)
		})
		if err != nil {
			*c = *c.levels.screen.newCovered() // some tiles are done, others are not
			return err
		}
	}
	c.floor = next
	for i, steps := range c.steps[:len(upper)] {
		upper[i] = min(upper[i], c.levels.bound(i, steps))
	}
	return nil
}

// bound returns an upper bound of the gain of an atom, so many steps of which a support covers.
func (l *levels) bound(i int, steps uint32) float64 {
	return (l.sum[i] - float64(steps)) * l.factor
}
