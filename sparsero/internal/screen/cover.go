package screen

import (
	"context"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// CoverSearch covers probe directions up to a threshold τ of the deficit: atom i
// covers { s : M_N(s) - <d_i,s> <= τ }. It starts from what the bounds allow and
// computes in float64 only for atoms that are about to be chosen. It needs up to
// NM/4 bytes. It must not be used by several goroutines at once.
type CoverSearch struct {
	coverMasks
	counts coverCounts
	open   []int32 // directions that still have to be covered
	closed []int32 // those that an atom covers, or all that are open; filled up with the empty one for the counts
	exact  []bool  // for each atom, whether the masks say what it does cover
	alone  int     // see neededAlone
}

// NewCoverSearch returns a search without a threshold.
func (s *Screen) NewCoverSearch() *CoverSearch {
	masks := newCoverMasks(s)
	return &CoverSearch{
		coverMasks: masks, counts: newCoverCounts(s.kernel, masks.strips(), s.m),
		open: make([]int32, 0, s.m), closed: make([]int32, 0, s.m+kernel.StripMultiple), exact: make([]bool, s.n),
		alone: s.neededAlone(),
	}
}

// Within runs greedy set cover at threshold tau over the directions with
// M_N(s) > tau: the atom that covers most of what is left, the lowest index among
// equals. It fails when the budget does not suffice. A bisection that calls it
// costs few passes over the alignments: see [coverMasks].
func (c *CoverSearch) Within(ctx context.Context, tau float64, budget int) (cover []int, ok bool, err error) {
	if tau < 0 || tau == 0 && c.alone > budget {
		return nil, false, nil
	}
	c.start(tau)
	if err := c.fill(ctx, tau, c.count); err != nil {
		return nil, false, err
	}
	for len(c.open) > 0 {
		best, err := c.largest(budget - len(cover))
		if err != nil || best == noAtom {
			return nil, false, err
		}
		cover = append(cover, best)
		c.close()
	}
	return cover, true, nil
}

// start opens the directions that need an atom at the threshold.
func (c *CoverSearch) start(tau float64) {
	clear(c.exact)
	c.open = c.open[:0]
	for j, full := range c.screen.full {
		if full > tau {
			c.open = append(c.open, int32(j))
		}
	}
	c.closed = c.pad(append(c.closed[:0], c.open...))
}

// pad fills a list of directions up to what the kernel takes in one go.
func (c *CoverSearch) pad(directions []int32) []int32 {
	for len(directions)%kernel.StripMultiple != 0 {
		directions = append(directions, c.empty())
	}
	return directions
}

// count counts what the atoms of a strip cover of all open directions.
func (c *CoverSearch) count(strip int) (total int) {
	return c.counts.fill(strip, c.matrix(strip), c.closed)
}

// largest returns the atom that covers most open directions, the lowest index among
// equals, or noAtom if even that cannot be enough for what is left, with so many atoms
// to come. It leaves those directions in c.closed.
func (c *CoverSearch) largest(atoms int) (int, error) {
	for {
		best, count := c.counts.largest()
		if count*atoms < len(c.open) {
			return noAtom, nil
		}
		c.list(best)
		if c.exact[best] {
			return best, nil
		}
		removed, err := c.makeExact(best)
		if err != nil {
			return noAtom, err
		}
		if removed == 0 {
			return best, nil
		}
	}
}

// list puts the open directions in whose masks atom i is into c.closed.
func (c *CoverSearch) list(i int) {
	matrix, bit := c.matrix(i/kernel.StripBits), i%kernel.StripBits
	c.closed = c.closed[:0]
	for _, j := range c.open {
		if matrix[j].Has(bit) {
			c.closed = append(c.closed, j)
		}
	}
}

// makeExact takes atom i out of the masks of the directions in c.closed that it does
// not cover and returns their number. Where the bounds leave that open, float64 tells.
func (c *CoverSearch) makeExact(i int) (removed int, err error) {
	s, b := c.screen, c.worker(0).block
	c.exact[i] = true
	row, err := b.row(i)
	if err != nil {
		return 0, err
	}
	s.kernel.Above(b.mask, row, c.certain, s.weight, -2*s.tolerance[i])
	b.columns = b.columns[:0]
	for _, j := range c.closed {
		if b.mask[j/32]>>(j%32)&1 == 0 {
			b.columns = append(b.columns, j)
		}
	}
	if len(b.columns) == 0 {
		return 0, nil
	}
	atom, err := s.atoms.Rows(b.single, i, i+1)
	if err != nil {
		return 0, err
	}
	for k, value := range b.align(atom) {
		if j := b.columns[k]; s.full[j]-value > c.tau {
			c.takeOut(i, j)
			removed++
		}
	}
	c.counts.lower(i, removed)
	return removed, nil
}

// close takes the directions in c.closed out of the open ones, both in the same order,
// and out of what all atoms cover of them.
func (c *CoverSearch) close() {
	left, closed := c.open[:0], c.closed
	for _, j := range c.open {
		if len(closed) > 0 && j == closed[0] {
			closed = closed[1:]
		} else {
			left = append(left, j)
		}
	}
	c.open, c.closed = left, c.pad(c.closed)
	for strip := range c.strips() {
		c.counts.subtract(strip, c.matrix(strip), c.matrix((strip+1)%c.strips()), c.closed)
	}
}

// floors returns two floors for the alignments with direction j at a threshold: a
// stored one reaches the first whenever the alignment reaches M_N(s) - tau; with twice
// the tolerance taken off it exceeds the second only if the alignment does. The scale is
// that of the screen.
func (s *Screen) floors(j int, tau, scale float64) (possible kernel.Floor, certain float32) {
	const step = 0x1.01p-10 // of half precision, relative to the smaller of two neighbours; 2^-24 near zero
	needed, margin := s.full[j]-tau, rounding*(s.full[j]+tau)
	most := float64(s.loosest) * float64(s.weight[j]) // tolerance of any atom
	possible = kernel.FloorAt(downward((needed-margin)*scale - most))
	certain = upward(((needed+margin)*scale + 2*0x1p-24) * (1 + step))
	return possible, certain
}
