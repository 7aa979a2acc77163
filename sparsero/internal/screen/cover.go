package screen

import (
	"context"
	"math"
	"math/bits"
)

// CoverSearch covers probe directions up to a threshold τ of the deficit: atom i
// covers { s : M_N(s) - <d_i,s> <= τ }. It starts from what the bounds allow and
// computes in float64 only for atoms that are about to be chosen. It needs NM/8
// bytes.
type CoverSearch struct {
	screen  *Screen
	workers []*coverWorker
	words   int      // of a set
	sets    []uint64 // for each direction, the atoms that may cover it
	count   []int32  // for each atom, the number of open directions it may cover
	exact   []bool   // for each atom, whether that is what it does cover
	covered []bool   // for each direction
	left    int      // number of open directions
	tau     float64

	possible, certain []float32 // see floors
}

// NewCoverSearch returns a search without a threshold.
func (s *Screen) NewCoverSearch() *CoverSearch {
	words := (s.n + coverRows - 1) / coverRows
	return &CoverSearch{
		screen: s, workers: make([]*coverWorker, s.workers), words: words,
		sets: make([]uint64, s.columns*words), count: make([]int32, s.n), exact: make([]bool, s.n),
		covered: make([]bool, s.m), possible: make([]float32, s.columns), certain: make([]float32, s.columns),
	}
}

// Within runs greedy set cover at threshold tau over the directions with
// M_N(s) > tau: the atom that covers most of what is left, the lowest index among
// equals. It fails when the budget does not suffice.
func (c *CoverSearch) Within(ctx context.Context, tau float64, budget int) (cover []int, ok bool, err error) {
	c.open(tau)
	if err := c.fill(ctx); err != nil {
		return nil, false, err
	}
	for c.left > 0 {
		best, err := c.largest()
		if err != nil {
			return nil, false, err
		}
		if int(c.count[best])*(budget-len(cover)) < c.left {
			return nil, false, nil
		}
		cover = append(cover, best)
		c.left -= int(c.count[best])
		for j, covered := range c.covered {
			if !covered && c.mayCover(best, j) {
				c.covered[j] = true
				c.discount(j)
			}
		}
	}
	return cover, true, nil
}

// open opens the directions that need an atom at the threshold.
func (c *CoverSearch) open(tau float64) {
	s := c.screen
	c.tau, c.left = tau, 0
	for j := range c.possible {
		c.possible[j], c.certain[j] = float32(math.Inf(1)), float32(math.Inf(1))
	}
	for j, full := range s.full {
		c.covered[j] = full <= tau
		if !c.covered[j] {
			c.left++
			c.possible[j], c.certain[j] = s.floors(full-tau, rounding*(full+tau))
		}
	}
}

// floors returns two floors for an alignment: its bound with the tolerance added
// exceeds the first whenever the alignment is at least needed-margin; with twice
// the tolerance taken off the bound exceeds the second only if the alignment is at
// least needed+margin > 0.
func (s *Screen) floors(needed, margin float64) (possible, certain float32) {
	const step = 0x1.01p-10 // of half precision, relative to the smaller of two neighbours; 2^-24 near zero
	possible = downward(math.Ldexp(needed-margin, s.exponent))
	certain = upward((math.Ldexp(needed+margin, s.exponent) + 2*0x1p-24) * (1 + step))
	return possible, certain
}

// largest returns the atom that covers most open directions, the lowest index
// among equals.
func (c *CoverSearch) largest() (int, error) {
	for {
		best := 0
		for i, count := range c.count {
			if count > c.count[best] {
				best = i
			}
		}
		if c.exact[best] || c.count[best] == 0 {
			return best, nil
		}
		before := c.count[best]
		if err := c.makeExact(best); err != nil {
			return 0, err
		}
		if c.count[best] == before {
			return best, nil
		}
	}
}

// mayCover tells whether atom i is in the set of direction j.
func (c *CoverSearch) mayCover(i, j int) bool {
	return c.sets[j*c.words+i/coverRows]>>(i%coverRows)&1 == 1
}

// discount takes direction j off the counts of the atoms that may cover it.
func (c *CoverSearch) discount(j int) {
	for w, word := range c.sets[j*c.words : (j+1)*c.words] {
		for ; word != 0; word &= word - 1 {
			c.count[coverRows*w+bits.TrailingZeros64(word)]--
		}
	}
}

// makeExact takes atom i out of the sets of open directions that it does not
// cover. Where the bounds leave that open, float64 tells.
func (c *CoverSearch) makeExact(i int) error {
	s, b := c.screen, c.worker(0).block
	c.exact[i] = true
	row, err := b.row(i)
	if err != nil {
		return err
	}
	s.kernel.Above(b.mask, row, c.certain, s.weight, -2*s.tolerance[i])
	b.columns = b.columns[:0]
	for j, covered := range c.covered {
		if !covered && b.mask[j/32]>>(j%32)&1 == 0 && c.mayCover(i, j) {
			b.columns = append(b.columns, int32(j))
		}
	}
	if len(b.columns) == 0 {
		return nil
	}
	atom, err := s.atoms.Rows(b.single, i, i+1)
	if err != nil {
		return err
	}
	for k, value := range b.align(atom) {
		if j := int(b.columns[k]); s.full[j]-value > c.tau {
			c.sets[j*c.words+i/coverRows] &^= 1 << (i % coverRows)
			c.count[i]--
		}
	}
	return nil
}
