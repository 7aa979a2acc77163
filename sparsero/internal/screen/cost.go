package screen

import "sync/atomic"

// Cost counts what a screen has done since it was built. Unlike time it is the same on a busy machine; the counts of
// bounds and alignments depend a little on the kernel, whose float32 bounds differ.
type Cost struct {
	Alignments int64 // alignments computed in float64
	Bounds     int64 // gains, or counts of directions, that were bounded
	Bytes      int64 // bytes of the stored alignments that were read
	Sorted     int64 // atoms that were sorted to find those that fill a budget
}

// costs is a Cost that several goroutines add to.
type costs struct{ alignments, bounds, bytes, sorted atomic.Int64 }

// Cost returns what was done until now, by all searches.
func (s *Screen) Cost() Cost {
	return Cost{s.costs.alignments.Load(), s.costs.bounds.Load(), s.costs.bytes.Load(), s.costs.sorted.Load()}
}

// charge hands over what a block has counted.
func (b *block) charge() {
	s := b.screen
	s.costs.alignments.Add(b.cost.Alignments)
	s.costs.bounds.Add(b.cost.Bounds)
	s.costs.bytes.Add(b.cost.Bytes)
	b.cost = Cost{}
}

// readRow counts a row of alignments that is read.
func (b *block) readRow() { b.cost.Bytes += int64(2 * b.screen.columns) }
