package screen

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

const (
	// wordBits is the number of directions in a word of a mask.
	wordBits = 64
	// coverBlock is how many atoms a goroutine looks at in one go when their
	// alignments are held.
	coverBlock = 1024
	// fewCells is the share 1/fewCells of all NM cells from which on cells between two
	// thresholds are listed: going through the list then costs less than a pass.
	fewCells = 128
)

// coverMasks knows for every atom the directions that the bounds allow it to cover
// at a threshold. Thresholds nested like those of a bisection soon differ in few
// cells (atom, direction); then these are listed, and no pass over the alignments
// is needed any more.
type coverMasks struct {
	screen   *Screen
	blocks   []*block // one for each worker, made when first needed
	words    int      // of a mask
	masks    []uint64 // one mask after the other
	atoms    []int32  // 0, 1, ..., N-1
	count    []int32  // for each atom, the number of open directions in its mask
	tau      float64  // of the masks
	takenOut []cell   // see takeOut

	possible, certain []float32 // see floors

	last, below, above *level   // the present threshold and the nearest ones on both sides, nil if there are none
	cells              [][]cell // for each range of atoms, what is in its masks above and not below; nil if not listed
}

// level is a threshold and the number of ones in the masks there.
type level struct {
	tau   float64
	total int
}

// cell is an atom with a direction and its upper bound there.
type cell struct {
	atom, direction int32
	bound           float32
}

func newCoverMasks(s *Screen) coverMasks {
	words := roundUp(s.columns, kernel.WordMultiple*wordBits) / wordBits
	c := coverMasks{
		screen: s, blocks: make([]*block, s.workers), words: words, masks: make([]uint64, s.n*words),
		atoms: make([]int32, s.n), count: make([]int32, s.n),
		possible: make([]float32, s.columns), certain: make([]float32, s.columns),
	}
	for i := range c.atoms {
		c.atoms[i] = int32(i)
	}
	return c
}

// row returns the mask of atom i.
func (c *coverMasks) row(i int) []uint64 { return c.masks[i*c.words : (i+1)*c.words] }

// block returns the memory of a worker.
func (c *coverMasks) block(worker int) *block {
	if c.blocks[worker] == nil {
		c.blocks[worker] = c.screen.newBlock()
	}
	return c.blocks[worker]
}

// set puts a direction into the mask of an atom, or takes it out.
func (c *coverMasks) set(i, direction int32, on bool) {
	word, bit := &c.masks[int(i)*c.words+int(direction)/wordBits], uint64(1)<<(direction%wordBits)
	if *word &^= bit; on {
		*word |= bit
	}
}

// takeOut takes a direction out of the mask of an atom, which does not cover it at
// the present threshold.
func (c *coverMasks) takeOut(i int, direction int32) {
	c.set(int32(i), direction, false)
	c.takenOut = append(c.takenOut, cell{atom: int32(i), direction: direction})
}

// fill finds the masks at a threshold, and how many open directions are in them.
func (c *coverMasks) fill(ctx context.Context, tau float64, open []uint64) error {
	for _, out := range c.takenOut {
		c.set(out.atom, out.direction, true)
	}
	c.takenOut = c.takenOut[:0]
	raised := c.between(tau)
	fresh := c.cells == nil && c.fewBetween()
	if fresh {
		if err := c.list(ctx); err != nil {
			c.last, c.cells = nil, nil
			return err
		}
	}
	previous := slices.Clone(c.possible)
	c.tau = tau
	c.setFloors(tau)
	totals := make([]int, c.ranges())
	err := forEachBlock(ctx, c.screen.workers, c.screen.n, c.size(), func(worker, from, to int) (err error) {
		switch k := from / c.size(); {
		case c.cells == nil:
			totals[k], err = c.pass(c.block(worker), from, to)
		case fresh:
			c.move(c.cells[k])
		default:
			c.cells[k] = c.move(unsettled(c.cells[k], previous, raised))
		}
		c.screen.kernel.Overlaps(c.count[from:to], c.masks, c.atoms[from:to], open)
		return err
	})
	if err != nil {
		c.last, c.cells = nil, nil
		return err
	}
	c.last = &level{tau: tau}
	for _, total := range totals {
		c.last.total += total
	}
	return nil
}

// size returns how many atoms a goroutine looks at in one go, ranges how often.
func (c *coverMasks) size() int {
	if c.screen.Streams() {
		return c.screen.block
	}
	return coverBlock
}

func (c *coverMasks) ranges() int { return (c.screen.n + c.size() - 1) / c.size() }

// between makes the last threshold a neighbour of the next one, forgets those that
// are not, and tells whether the next is above the last.
func (c *coverMasks) between(tau float64) (raised bool) {
	if c.last == nil {
		c.below, c.above, c.cells = nil, nil, nil
		return false
	}
	raised = tau >= c.last.tau
	if raised {
		c.below = c.last
	} else {
		c.above = c.last
	}
	if c.below != nil && tau < c.below.tau || c.above != nil && tau > c.above.tau {
		c.below, c.above, c.cells = nil, nil, nil
	}
	return raised
}

// fewBetween tells whether the masks of the two neighbours differ little.
func (c *coverMasks) fewBetween() bool {
	return c.below != nil && c.above != nil && c.above.total-c.below.total <= c.screen.n*c.screen.m/fewCells
}

// setFloors sets the floors of a threshold.
func (c *coverMasks) setFloors(tau float64) {
	s := c.screen
	for j := range c.possible {
		c.possible[j], c.certain[j] = float32(math.Inf(1)), float32(math.Inf(1))
	}
	for j, full := range s.full {
		c.possible[j], c.certain[j] = s.floors(full-tau, rounding*(full+tau))
	}
}

// pass finds the masks of some atoms from their alignments, and their number of
// ones.
func (c *coverMasks) pass(b *block, from, to int) (total int, err error) {
	s := c.screen
	rows, err := b.rowsBetween(from, to)
	if err != nil {
		return 0, err
	}
	for i := from; i < to; i++ {
		s.kernel.Above(b.mask, s.rowAt(rows, i-from), c.possible, s.weight, s.tolerance[i])
		mask := c.row(i)
		pack(mask, b.mask)
		for _, word := range mask {
			total += bits.OnesCount64(word)
		}
	}
	return total, nil
}

// pack joins words of 32 bits.
func pack(mask []uint64, halves []uint32) {
	clear(mask[len(halves)/2:])
	for k := 0; k+1 < len(halves); k += 2 {
		mask[k/2] = uint64(halves[k]) | uint64(halves[k+1])<<32
	}
	if odd := len(halves) - 1; odd%2 == 0 {
		mask[odd/2] = uint64(halves[odd])
	}
}

// list sets the masks to those below and lists the cells between the neighbours.
func (c *coverMasks) list(ctx context.Context) error {
	s := c.screen
	c.setFloors(c.above.tau)
	above := slices.Clone(c.possible)
	c.setFloors(c.below.tau)
	c.cells = make([][]cell, c.ranges())
	return forEachBlock(ctx, s.workers, s.n, c.size(), func(worker, from, to int) error {
		b, below, few := c.block(worker), make([]uint32, s.columns/32), c.cells[from/c.size()]
		rows, err := b.rowsBetween(from, to)
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			row := s.rowAt(rows, i-from)
			s.kernel.Above(below, row, c.possible, s.weight, s.tolerance[i])
			pack(c.row(i), below)
			s.kernel.Above(b.mask, row, above, s.weight, s.tolerance[i])
			for k, word := range below {
				b.mask[k] &^= word
			}
			for _, j := range kernel.Positions(b.columns[:0], b.mask, s.m) {
				bound := float64(row[j].Float32()) + float64(s.tolerance[i])*float64(s.weight[j])
				few = append(few, cell{int32(i), j, upward(bound)})
			}
		}
		c.cells[from/c.size()] = few
		return nil
	})
}

// unsettled drops the cells that all thresholds on this side of the last one leave
// where they are: in the masks if the threshold is raised, out of them if not.
func unsettled(cells []cell, previous []float32, raised bool) []cell {
	return slices.DeleteFunc(cells, func(x cell) bool { return (x.bound > previous[x.direction]) == raised })
}

// move puts cells into the masks, or takes them out, as the threshold says.
func (c *coverMasks) move(cells []cell) []cell {
	for _, x := range cells {
		c.set(x.atom, x.direction, x.bound > c.possible[x.direction])
	}
	return cells
}
