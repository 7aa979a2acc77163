package screen

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// coverBlock is how many atoms a goroutine looks at in one go when their alignments are held.
const coverBlock = 1024

// CoverSearch covers probe directions up to a threshold τ of the deficit: atom i covers { s : M_[N](s) - <d_i,s> <= τ
// }. It starts from what the bounds allow and computes in float64 only for atoms that are about to be chosen. What an
// atom may cover at a higher threshold holds at a lower one until the atom is about to be chosen there, so that a
// bisection reads few alignments towards its end. It needs NM/8 bytes. It must not be used by several goroutines at once.
type CoverSearch struct {
	screen *Screen
	state  *State // of the empty set: the memory of the workers
	tau    float64

	// possible is a floor for the alignments with each direction: a stored one with its tolerance
	// exceeds it whenever the alignment reaches M_[N](s) - tau. +Inf beyond the last direction.
	possible []float32

	masks  []uint64  // for each atom one bit for each direction that the bounds allow it to cover
	within []float64 // up to which threshold they do
	whole  []int32   // no less than the number of ones in the mask of each atom
	open   []uint64  // one bit for each direction that still has to be covered
	left   int       // number of ones in it
	cover  []int     // the atoms taken

	counts []int32 // no less than the number of open directions in the mask of each atom; -1 beyond the last one
	exact  []bool  // whether that mask holds in float64
}

// NewCoverSearch returns a search without a threshold.
func (s *Screen) NewCoverSearch() *CoverSearch {
	words, counts := roundUp(s.columns, kernel.MaskMultiple)/64, roundUp(s.n, kernel.CountMultiple)
	return &CoverSearch{
		screen: s, state: s.NewState(),
		possible: s.newSupport().floor,
		masks:    make([]uint64, counts*words), within: slices.Repeat([]float64{-1}, s.n), whole: make([]int32, s.n),
		open: make([]uint64, words), exact: make([]bool, s.n),
		counts: slices.Repeat([]int32{-1}, counts),
	}
}

// Within runs greedy set cover at threshold tau over the directions with M_[N](s) > tau: the atom that covers most of
// what is left, the lowest index among equals. It fails when the budget does not suffice.
func (c *CoverSearch) Within(ctx context.Context, tau float64, budget int) (cover []int, ok bool, err error) {
	c.start(tau)
	if err := c.fill(ctx); err != nil {
		return nil, false, err
	}
	for c.left > 0 {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		best, err := c.largest()
		if err != nil || int(c.counts[best])*(budget-len(c.cover)) < c.left { // none covers more, so that they are not enough
			return nil, false, err
		}
		c.cover = append(c.cover, best)
		c.left -= int(c.counts[best])
		for w, word := range c.mask(best) {
			c.open[w] &^= word
		}
	}
	return c.cover, true, nil
}

// largest returns the atom that covers most open directions, the lowest index among equals.
func (c *CoverSearch) largest() (int, error) {
	b := c.state.block(0)
	defer b.charge()
	for {
		best, most := c.leader(b)
		if c.exact[best] {
			return best, nil
		}
		c.exact[best] = true
		if err := c.makeExact(b, best); err != nil {
			return best, err
		}
		if c.recount(b, best) == most {
			return best, nil
		}
	}
}

// leader returns the atom that covers most open directions by the masks as they are, the lowest index among equals.
// Counts only fall, so that an old one rules most atoms out.
func (c *CoverSearch) leader(b *block) (best int, most int32) {
	most = -1
	for i := 0; ; i++ {
		at, renewed := c.screen.kernel.Recount(c.counts, i, c.masks, c.open, most)
		b.cost.Bounds += int64(renewed)
		if i = at; i == len(c.counts) {
			return best, most
		}
		if c.renew(b, i) > most {
			best, most = i, c.counts[i]
		}
	}
}

// start opens the directions that need an atom at the threshold, and sets the floors.
func (c *CoverSearch) start(tau float64) {
	c.tau, c.left, c.cover = tau, 0, nil
	clear(c.open)
	clear(c.exact)
	for j, full := range c.screen.full {
		c.possible[j] = downward(math.Ldexp(full-tau-rounding*(full+tau), c.screen.exponent))
		if full > tau {
			c.open[j/64] |= 1 << (j % 64)
			c.left++
		}
	}
}

// fill finds masks that will do at the threshold and what they count. Where alignments are held, those of a higher
// threshold do.
func (c *CoverSearch) fill(ctx context.Context) error {
	list := make([]int32, 0, c.screen.n)
	for i, within := range c.within {
		if within < c.tau || c.screen.Streams() {
			list = append(list, int32(i))
		}
	}
	err := c.state.each(ctx, list, coverBlock, func(worker, i int, row []kernel.Half, next *kernel.Half) error {
		c.read(c.state.block(worker), i, row, next)
		return nil
	})
	copy(c.counts, c.whole)
	return err
}

// read finds the mask of atom i at the threshold.
func (c *CoverSearch) read(b *block, i int, row []kernel.Half, next *kernel.Half) {
	s, mask := c.screen, c.mask(i)
	b.readRow()
	s.kernel.Above(mask, row, c.possible, s.weight, s.tolerance[i], next)
	c.within[i], c.whole[i] = c.tau, common(mask, mask)
}

// renew counts in the mask at the threshold where it was that of a higher one, and returns the count.
func (c *CoverSearch) renew(b *block, i int) int32 {
	if c.within[i] <= c.tau {
		return c.counts[i]
	}
	row := c.screen.rowAt(c.screen.scores, i)
	c.read(b, i, row, &row[0])
	return c.recount(b, i)
}

// mask returns the directions that the bounds allow atom i to cover.
func (c *CoverSearch) mask(i int) []uint64 {
	words := len(c.open)
	return c.masks[i*words:][:words]
}

// recount renews the number of open directions in the mask of an atom, and returns it.
func (c *CoverSearch) recount(b *block, i int) int32 {
	b.cost.Bounds++
	c.counts[i] = common(c.mask(i), c.open)
	return c.counts[i]
}

// common returns how many bits are set in both of two masks.
func common(mask, other []uint64) (count int32) {
	for w, word := range mask {
		count += int32(bits.OnesCount64(word & other[w]))
	}
	return count
}

// certain tells whether the stored alignment of atom i says that it covers direction j.
func (c *CoverSearch) certain(b *block, i int, j int32) bool {
	s, full := c.screen, c.screen.full[j]
	b.cost.Bytes += 2
	lower, _ := s.between(i, s.rowAt(s.scores, i), j)
	return lower-underflow >= math.Ldexp(full-c.tau+rounding*(full+c.tau), s.exponent)
}

// makeExact takes the open directions that atom i does not cover out of its mask. Float64 decides where a stored
// alignment leaves it open.
func (c *CoverSearch) makeExact(b *block, i int) error {
	s, mask := c.screen, c.mask(i)
	b.columns = b.columns[:0]
	for w, word := range mask {
		for word &= c.open[w]; word != 0; word &= word - 1 {
			if j := int32(64*w + bits.TrailingZeros64(word)); s.Streams() || !c.certain(b, i, j) {
				b.columns = append(b.columns, j)
			}
		}
	}
	values, err := b.align(i)
	if err != nil {
		return err
	}
	for k, value := range values {
		if j := b.columns[k]; s.full[j]-value > c.tau {
			mask[j/64] &^= 1 << (j % 64)
		}
	}
	return nil
}
