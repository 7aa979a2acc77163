package screen

import (
	"context"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// fewCells is the share 1/fewCells of all NM cells from which on cells between two
// thresholds are listed: going through the list then costs less than a pass.
const fewCells = 64

// coverMasks knows for every probe direction the atoms that the bounds allow to cover
// it at a threshold. Thresholds nested like those of a bisection soon differ in few
// cells (atom, direction); then these are listed, and no pass over the alignments is
// needed any more.
type coverMasks struct {
	screen   *Screen
	workers  []*coverWorker // made when first needed
	masks    []kernel.Strip // see matrix
	tau      float64        // of the masks
	takenOut []refuted      // see takeOut

	possible []kernel.Floor // see floors
	certain  []float32

	zero               *level   // below all thresholds; total is at most what it would be
	last, below, above *level   // the present threshold and the nearest ones on both sides, nil if there are none
	cells              [][]cell // for each strip, what is in its masks above and not below; nil if not listed
}

// level is a threshold and the number of ones in the masks there.
type level struct {
	tau   float64
	total int
}

// cell is an atom of a strip with a direction and its stored alignment there.
type cell struct {
	atom      uint16
	alignment kernel.Half
	direction int32
}

// refuted is an atom with a direction that it does not cover, though the bounds allow
// it.
type refuted struct {
	atom      int
	direction int32
}

func newCoverMasks(s *Screen) coverMasks {
	strips := (s.n + kernel.StripBits - 1) / kernel.StripBits
	return coverMasks{
		zero:   &level{total: s.coveredByAll(0)},
		screen: s, workers: make([]*coverWorker, s.workers), masks: make([]kernel.Strip, strips*(s.m+1)),
		possible: make([]kernel.Floor, s.columns), certain: make([]float32, s.columns),
	}
}

// matrix returns the masks of the atoms of a strip, one for each direction and an empty
// one.
func (c *coverMasks) matrix(strip int) []kernel.Strip {
	rows := c.screen.m + 1
	return c.masks[strip*rows : (strip+1)*rows]
}

// empty is the row of a matrix that has no ones.
func (c *coverMasks) empty() int32 { return int32(c.screen.m) }

// strips is how many strips the atoms fill.
func (c *coverMasks) strips() int { return len(c.masks) / (c.screen.m + 1) }

// set puts atom i into the mask of a direction, or takes it out.
func (c *coverMasks) set(i int, direction int32, on bool) {
	c.matrix(i / kernel.StripBits)[direction].Set(i%kernel.StripBits, on)
}

// takeOut takes atom i out of the mask of a direction, which it does not cover at the
// present threshold.
func (c *coverMasks) takeOut(i int, direction int32) {
	c.set(i, direction, false)
	c.takenOut = append(c.takenOut, refuted{i, direction})
}

// fill finds the masks at a threshold and, once those of a strip are there, calls count
// for it, which returns their ones in the directions with M_N(s) > tau.
func (c *coverMasks) fill(ctx context.Context, tau float64, count func(strip int) int) error {
	for _, out := range c.takenOut {
		c.set(out.atom, out.direction, true)
	}
	c.takenOut = c.takenOut[:0]
	raised := c.between(tau)
	if c.cells == nil && c.fewBetween() {
		raised = true // from those below
		if err := c.listCells(ctx); err != nil {
			c.last, c.cells = nil, nil
			return err
		}
	}
	previous := slices.Clone(c.possible)
	c.tau = tau
	c.setFloors(tau)
	totals := make([]int, c.strips())
	err := c.eachStrip(ctx, func(worker, strip, from, to int) (err error) {
		if c.cells == nil {
			err = c.pass(c.worker(worker), from, to)
		} else {
			c.cells[strip] = c.move(c.matrix(strip), c.cells[strip], previous, raised)
		}
		totals[strip] = count(strip)
		return err
	})
	if err != nil {
		c.last, c.cells = nil, nil
		return err
	}
	c.last = &level{tau: tau, total: c.screen.coveredByAll(tau)}
	for _, total := range totals {
		c.last.total += total
	}
	return nil
}

// coveredByAll returns the number of ones in the masks of directions that are not open
// at a threshold, which all atoms cover.
func (s *Screen) coveredByAll(tau float64) (total int) {
	for _, full := range s.full {
		if full <= tau {
			total += s.n
		}
	}
	return total
}

// eachStrip calls work on every strip and the range of its atoms.
func (c *coverMasks) eachStrip(ctx context.Context, work func(worker, strip, from, to int) error) error {
	return forEachBlock(ctx, c.screen.workers, c.screen.n, kernel.StripBits, func(worker, from, to int) error {
		return work(worker, from/kernel.StripBits, from, to)
	})
}

// between makes the last threshold a neighbour of the next one, forgets those that
// are not, and tells whether the next is above the last.
func (c *coverMasks) between(tau float64) (raised bool) {
	if c.last == nil {
		c.below, c.above, c.cells = c.zero, nil, nil
		return false
	}
	raised = tau >= c.last.tau
	if raised {
		c.below = c.last
	} else {
		c.above = c.last
	}
	if tau < c.below.tau || c.above != nil && tau > c.above.tau {
		c.below, c.above, c.cells = c.zero, nil, nil
	}
	return raised
}

// fewBetween tells whether the masks of the two neighbours differ little.
func (c *coverMasks) fewBetween() bool {
	return c.above != nil && c.above.total-c.below.total <= c.screen.n*c.screen.m/fewCells
}

// setFloors sets the floors of a threshold.
func (c *coverMasks) setFloors(tau float64) {
	for j := range c.possible {
		c.possible[j], c.certain[j] = kernel.Unreachable, float32(math.Inf(1))
	}
	scale := math.Ldexp(1, c.screen.exponent)
	for j := range c.screen.full {
		c.possible[j], c.certain[j] = c.screen.floors(j, tau, scale)
	}
}

// pass finds the masks of the atoms of a strip from their alignments.
func (c *coverMasks) pass(w *coverWorker, from, to int) error {
	err := w.eachRow(from, to, func(i int, row []kernel.Half) {
		c.screen.kernel.Reach(w.found(i), 64, row, c.possible)
	})
	w.store(c.matrix(from/kernel.StripBits), to-from)
	return err
}

// listCells sets the masks to those below and lists the cells between the neighbours.
func (c *coverMasks) listCells(ctx context.Context) error {
	s := c.screen
	c.setFloors(c.above.tau)
	above := slices.Clone(c.possible)
	c.setFloors(c.below.tau)
	c.cells = make([][]cell, c.strips())
	expected := (c.above.total - c.below.total) / c.strips() * 9 / 8
	return c.eachStrip(ctx, func(worker, strip, from, to int) error {
		w, few := c.worker(worker), make([]cell, 0, expected)
		err := w.eachRow(from, to, func(i int, row []kernel.Half) {
			below := w.found(i)
			s.kernel.Reach(below, 64, row, c.possible)
			s.kernel.Reach(w.above, 1, row, above)
			for q, word := range w.above {
				few = appendCells(few, i-from, 64*q, word&^below[64*q], row)
			}
		})
		w.store(c.matrix(strip), to-from)
		c.cells[strip] = few
		return err
	})
}

// move puts cells into the masks of their strip, or takes them out, as the threshold
// says. It drops those that all thresholds on this side of the previous one leave where
// they are: in the masks if the threshold is raised, out of them if not.
func (c *coverMasks) move(matrix []kernel.Strip, cells []cell, previous []kernel.Floor, raised bool) []cell {
	settled := uint64(0)
	if raised {
		settled = 1
	}
	count := uint64(0)
	for _, x := range cells { // without branches: either way is as likely
		was, is := previous[x.direction].ReachedBy(x.alignment), c.possible[x.direction].ReachedBy(x.alignment)
		matrix[x.direction][x.atom/64] ^= (was ^ is) << (x.atom % 64)
		cells[count] = x
		count += was ^ settled
	}
	return cells[:count]
}
