package screen

import (
	"context"
	"math"
	"math/bits"

	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// coverBlock is how many atoms a goroutine looks at in one go when their alignments
// are held.
const coverBlock = 1024

// CoverSearch covers probe directions up to a threshold τ of the deficit: atom i
// covers { s : M_N(s) - <d_i,s> <= τ }. It starts from what the bounds allow and
// computes in float64 only for atoms that are about to be chosen. It needs NM/8
// bytes. It must not be used by several goroutines at once.
type CoverSearch struct {
	screen *Screen
	state  *State // of the empty set: the memory of the workers
	tau    float64

	possible, certain []float32 // see setFloors

	masks []uint32 // for each atom one bit for each direction that the bounds allow it to cover
	exact []bool   // for each atom, whether its mask says what it does cover
	count []int32  // for each atom, at least the number of open directions in its mask
	open  []uint32 // one bit for each direction that still has to be covered
	left  int      // number of ones in it
}

// NewCoverSearch returns a search without a threshold.
func (s *Screen) NewCoverSearch() *CoverSearch {
	words := s.columns / 32
	return &CoverSearch{
		screen: s, state: s.NewState(),
		possible: make([]float32, s.columns), certain: make([]float32, s.columns),
		masks: make([]uint32, s.n*words), exact: make([]bool, s.n), count: make([]int32, s.n),
		open: make([]uint32, words),
	}
}

// Within runs greedy set cover at threshold tau over the directions with
// M_N(s) > tau: the atom that covers most of what is left, the lowest index among
// equals. It fails when the budget does not suffice.
func (c *CoverSearch) Within(ctx context.Context, tau float64, budget int) (cover []int, ok bool, err error) {
	if tau < 0 {
		return nil, false, nil
	}
	c.start(tau)
	if err := c.fill(ctx); err != nil {
		return nil, false, err
	}
	for c.left > 0 {
		best, count, err := c.largest(budget - len(cover))
		if err != nil || count == 0 {
			return nil, false, err
		}
		cover = append(cover, best)
		c.left -= count
		for w, word := range c.mask(best) {
			c.open[w] &^= word
		}
	}
	return cover, true, nil
}

// start opens the directions that need an atom at the threshold.
func (c *CoverSearch) start(tau float64) {
	c.tau, c.left = tau, 0
	clear(c.open)
	clear(c.exact)
	for j, full := range c.screen.full {
		if full > tau {
			c.open[j/32] |= 1 << (j % 32)
			c.left++
		}
	}
	c.setFloors()
}

// setFloors sets two floors for the alignments with each direction: a stored one with its
// tolerance exceeds the first whenever the alignment reaches M_N(s) - tau; with twice the
// tolerance taken off it exceeds the second only if the alignment does.
func (c *CoverSearch) setFloors() {
	const step = 0x1.01p-10 // of half precision, relative to the smaller of two neighbours; 2^-24 near zero
	s := c.screen
	for j := range c.possible {
		c.possible[j], c.certain[j] = float32(math.Inf(1)), float32(math.Inf(1))
	}
	for j, full := range s.full {
		needed, margin := full-c.tau, rounding*(full+c.tau)
		c.possible[j] = downward(math.Ldexp(needed-margin, s.exponent))
		c.certain[j] = upward((math.Ldexp(needed+margin, s.exponent) + 2*0x1p-24) * (1 + step))
	}
}

// fill finds the masks at the threshold, and how many open directions are in them.
func (c *CoverSearch) fill(ctx context.Context) error {
	s := c.screen
	return parallel.Blocks(ctx, s.workers, s.n, s.blockOf(coverBlock), func(worker, from, to int) error {
		b := c.state.block(worker)
		rows, err := b.rowsBetween(from, to)
		if err != nil {
			return err
		}
		for i := from; i < to; i++ {
			s.kernel.Above(c.mask(i), s.rowAt(rows, i-from), c.possible, s.weight, s.tolerance[i])
			c.recount(i)
		}
		return nil
	})
}

// mask returns the directions that the bounds allow atom i to cover.
func (c *CoverSearch) mask(i int) []uint32 {
	words := len(c.open)
	return c.masks[i*words : (i+1)*words]
}

// recount counts the open directions in the mask of an atom.
func (c *CoverSearch) recount(i int) {
	count, mask := 0, c.mask(i)
	for w, word := range c.open {
		count += bits.OnesCount32(word & mask[w])
	}
	c.count[i] = int32(count)
}

// largest returns the atom that covers most open directions, the lowest index among
// equals, and their number. The number is 0 if so few cannot be enough for what is
// left, with so many atoms to come.
func (c *CoverSearch) largest(atoms int) (best, count int, err error) {
	for {
		best = c.leader()
		count = int(c.count[best])
		if count*atoms < c.left {
			return best, 0, nil
		}
		if c.exact[best] {
			return best, count, nil
		}
		if err := c.makeExact(best); err != nil {
			return 0, 0, err
		}
		if int(c.count[best]) == count {
			return best, count, nil
		}
	}
}

// leader returns the atom with most open directions in its mask, the lowest index
// among equals. Counts only fall while directions are covered, so most old ones rule
// their atom out as they are.
func (c *CoverSearch) leader() int {
	best := 0
	for i, count := range c.count {
		if count > c.count[best] {
			best = i
		}
	}
	c.recount(best)
	for i, count := range c.count {
		if count > c.count[best] || count == c.count[best] && i < best {
			if c.recount(i); c.count[i] > c.count[best] || c.count[i] == c.count[best] && i < best {
				best = i
			}
		}
	}
	return best
}

// makeExact takes the open directions that atom i does not cover out of its mask.
// Where the bounds leave that open, float64 tells.
func (c *CoverSearch) makeExact(i int) error {
	s, b, mask := c.screen, c.state.block(0), c.mask(i)
	c.exact[i] = true
	row, err := b.row(i)
	if err != nil {
		return err
	}
	s.kernel.Above(b.mask, row, c.certain, s.weight, -2*s.tolerance[i])
	b.columns = b.columns[:0]
	for w, word := range mask {
		for word &= c.open[w] &^ b.mask[w]; word != 0; word &= word - 1 {
			b.columns = append(b.columns, int32(32*w+bits.TrailingZeros32(word)))
		}
	}
	values, err := b.align(i)
	if err != nil {
		return err
	}
	for k, value := range values {
		if j := b.columns[k]; s.full[j]-value > c.tau {
			mask[j/32] &^= 1 << (j % 32)
		}
	}
	c.recount(i)
	return nil
}
