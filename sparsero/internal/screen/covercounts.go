package screen

import (
	"math/bits"

	"github.com/sparsero/directions/sparsero/internal/kernel"
)

// coverCounts counts for every atom the open directions in its masks. The counts of
// the atoms of a strip are stored by binary digits, so that 512 of them change at once.
type coverCounts struct {
	kernel *kernel.Kernel
	digits int
	planes []kernel.Strip // for each strip, one for each digit
	best   []contender    // of each strip
	having []kernel.Strip // for each strip, the atoms that cover as many as the best one
}

// contender is an atom that covers most, the first one among equals.
type contender struct{ atom, count int }

func newCoverCounts(k *kernel.Kernel, strips, directions int) coverCounts {
	digits := max(bits.Len(uint(directions)), kernel.LeastPlanes)
	return coverCounts{
		kernel: k, digits: digits,
		planes: make([]kernel.Strip, strips*digits), best: make([]contender, strips), having: make([]kernel.Strip, strips),
	}
}

// of returns the digits of a strip.
func (c *coverCounts) of(strip int) []kernel.Strip {
	return c.planes[strip*c.digits : (strip+1)*c.digits]
}

// fill counts the given directions, as many as the kernel takes, and returns the sum
// over the atoms of the strip.
func (c *coverCounts) fill(strip int, matrix []kernel.Strip, directions []int32) (total int) {
	planes := c.of(strip)
	invert := func() {
		for d := range planes {
			for w := range planes[d] {
				planes[d][w] = ^planes[d][w]
			}
		}
	}
	clear(planes)
	invert() // -1 in every counter, which turns -1-x into x afterwards
	c.kernel.Subtract(planes, matrix, directions, &matrix[0])
	invert()
	c.best[strip].count = 1<<c.digits - 1
	c.refresh(strip)
	for d := range planes {
		for _, word := range planes[d] {
			total += bits.OnesCount64(word) << d
		}
	}
	return total
}

// subtract takes directions out of the counts of a strip; next are the masks that are
// wanted next.
func (c *coverCounts) subtract(strip int, matrix, next []kernel.Strip, directions []int32) {
	c.kernel.Subtract(c.of(strip), matrix, directions, &next[0])
	c.refresh(strip)
}

// lower takes a number off the count of one atom.
func (c *coverCounts) lower(atom, by int) {
	if by == 0 {
		return
	}
	planes, bit := c.of(atom/kernel.StripBits), atom%kernel.StripBits
	count := 0
	for d := range planes {
		if planes[d].Has(bit) {
			count |= 1 << d
		}
	}
	count -= by
	for d := range planes {
		planes[d].Set(bit, count>>d&1 == 1)
	}
	c.refresh(atom / kernel.StripBits)
}

// refresh finds the best atom of a strip. Counts only fall, so the digits above the
// highest that its count had before are zero.
func (c *coverCounts) refresh(strip int) {
	having := &c.having[strip]
	count := c.kernel.Largest(c.of(strip)[:bits.Len(uint(c.best[strip].count))], having)
	first := 0
	for having[first] == 0 {
		first++
	}
	c.best[strip] = contender{strip*kernel.StripBits + 64*first + bits.TrailingZeros64(having[first]), count}
}

// largest returns the atom that covers most, the lowest index among equals.
func (c *coverCounts) largest() (atom, count int) {
	best := c.best[0]
	for _, other := range c.best[1:] {
		if other.count > best.count {
			best = other
		}
	}
	return best.atom, best.count
}
