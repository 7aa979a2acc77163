package screen

import (
	"context"
	"math"
)

// CoverSearch covers probe directions up to a threshold τ of the deficit: atom i
// covers { s : M_N(s) - <d_i,s> <= τ }. It starts from what the bounds allow and
// computes in float64 only for atoms that are about to be chosen. It needs up to
// NM/3 bytes. It must not be used by several goroutines at once.
type CoverSearch struct {
	coverMasks
	open  []uint64 // one bit for each direction that still has to be covered
	left  int      // number of ones in it
	exact []bool   // for each atom, whether the mask says what it does cover
	queue coverQueue
}

// NewCoverSearch returns a search without a threshold.
func (s *Screen) NewCoverSearch() *CoverSearch {
	masks := newCoverMasks(s)
	return &CoverSearch{
		coverMasks: masks, open: make([]uint64, masks.words), exact: make([]bool, s.n),
		queue: newCoverQueue(s.n, s.m),
	}
}

// Within runs greedy set cover at threshold tau over the directions with
// M_N(s) > tau: the atom that covers most of what is left, the lowest index among
// equals. It fails when the budget does not suffice. A bisection that calls it
// costs few passes over the alignments: see [coverMasks].
func (c *CoverSearch) Within(ctx context.Context, tau float64, budget int) (cover []int, ok bool, err error) {
	c.start(tau)
	if err := c.fill(ctx, tau, c.open); err != nil {
		return nil, false, err
	}
	c.queue.fill(c.count)
	for c.left > 0 {
		best, count, err := c.largest(budget - len(cover))
		if err != nil || count == 0 {
			return nil, false, err
		}
		cover = append(cover, best)
		c.left -= count
		for w, word := range c.row(best) {
			c.open[w] &^= word
		}
	}
	return cover, true, nil
}

// start opens the directions that need an atom at the threshold.
func (c *CoverSearch) start(tau float64) {
	c.left = 0
	clear(c.open)
	clear(c.exact)
	for j, full := range c.screen.full {
		if full > tau {
			c.open[j/wordBits] |= 1 << (j % wordBits)
			c.left++
		}
	}
}

// largest returns the atom that covers most open directions, the lowest index among
// equals, and their number. The number is 0 if so few cannot be enough for what is
// left, with so many atoms to come.
func (c *CoverSearch) largest(atoms int) (best, count int, err error) {
	for {
		best, count = c.queue.best(c.look)
		if count*atoms < c.left {
			return best, 0, nil
		}
		if c.exact[best] {
			return best, count, nil
		}
		if err := c.makeExact(best); err != nil {
			return 0, 0, err
		}
		if c.coverage(best) == count {
			return best, count, nil
		}
	}
}

// look counts the open directions in the masks of some atoms.
func (c *CoverSearch) look(counts, atoms []int32) {
	c.screen.kernel.Overlaps(counts, c.masks, atoms, c.open)
}

// coverage counts the open directions in the mask of one atom.
func (c *CoverSearch) coverage(i int) int {
	var count [1]int32
	c.look(count[:], []int32{int32(i)})
	return int(count[0])
}

// makeExact takes the open directions that atom i does not cover out of its mask.
// Where the bounds leave that open, float64 tells.
func (c *CoverSearch) makeExact(i int) error {
	s, b := c.screen, c.block(0)
	c.exact[i] = true
	row, err := b.row(i)
	if err != nil {
		return err
	}
	s.kernel.Above(b.mask, row, c.certain, s.weight, -2*s.tolerance[i])
	b.columns = b.columns[:0]
	mask := c.row(i)
	for j := range s.m {
		if (mask[j/wordBits]&c.open[j/wordBits])>>(j%wordBits)&1 == 1 && b.mask[j/32]>>(j%32)&1 == 0 {
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
		if j := b.columns[k]; s.full[j]-value > c.tau {
			c.takeOut(i, j)
		}
	}
	return nil
}

// floors returns two floors for an alignment: its bound with the tolerance added
// exceeds the first whenever the alignment is at least needed-margin; with twice
// the tolerance taken off the bound exceeds the second only if the alignment is at
// least needed+margin, if that is positive.
func (s *Screen) floors(needed, margin float64) (possible, certain float32) {
	const step = 0x1.01p-10 // of half precision, relative to the smaller of two neighbours; 2^-24 near zero
	possible = downward(math.Ldexp(needed-margin, s.exponent))
	certain = upward((math.Ldexp(needed+margin, s.exponent) + 2*0x1p-24) * (1 + step))
	return possible, certain
}

// coverQueue orders atoms by how many open directions they covered when last
// looked at, a number that can only have fallen since: lists of atoms, one for
// each number (Minoux 1978).
type coverQueue struct {
	first   []int32 // for each number the first atom of its list, or noAtom
	next    []int32 // for each atom the next one of its list, or noAtom
	level   int     // no list above it has atoms
	atoms   []int32 // of one list
	numbers []int32
}

func newCoverQueue(atoms, directions int) coverQueue {
	return coverQueue{
		first: make([]int32, directions+1), next: make([]int32, atoms),
		atoms: make([]int32, 0, atoms), numbers: make([]int32, atoms),
	}
}

// fill makes the lists anew.
func (q *coverQueue) fill(count []int32) {
	for k := range q.first {
		q.first[k] = noAtom
	}
	for i, number := range count {
		q.push(int32(i), number)
	}
	q.level = len(q.first) - 1
}

func (q *coverQueue) push(i, number int32) {
	q.next[i] = q.first[number]
	q.first[number] = i
}

// best returns the atom with the largest present number, which look finds, the
// lowest index among equals. Only atoms that were not known to have less are
// looked at.
func (q *coverQueue) best(look func(numbers, atoms []int32)) (best, number int) {
	for ; ; q.level-- {
		q.atoms = q.atoms[:0]
		for i := q.first[q.level]; i != noAtom; i = q.next[i] {
			q.atoms = append(q.atoms, i)
		}
		q.first[q.level] = noAtom
		look(q.numbers, q.atoms)
		best := int32(math.MaxInt32)
		for k, i := range q.atoms {
			q.push(i, q.numbers[k])
			if int(q.numbers[k]) == q.level {
				best = min(best, i)
			}
		}
		if best != math.MaxInt32 {
			return int(best), q.level
		}
	}
}
