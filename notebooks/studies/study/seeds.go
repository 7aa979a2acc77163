package study

import (
	"fmt"
	"strconv"
)

// Seeds is a block of consecutive seeds.
type Seeds struct {
	First uint64
	Count int // at least 1
}

// String returns the first and last seed, such as "0-99".
func (s Seeds) String() string { return fmt.Sprintf("%d-%d", s.First, s.First+uint64(s.Count)-1) }

// List returns the seeds of a block.
func (s Seeds) List() []uint64 {
	seeds := make([]uint64, max(s.Count, 0))
	for k := range seeds {
		seeds[k] = s.First + uint64(k)
	}
	return seeds
}

// Keys returns the keys of units that are a seed each.
func Keys(seeds []uint64) []string {
	keys := make([]string, len(seeds))
	for k, seed := range seeds {
		keys[k] = strconv.FormatUint(seed, 10)
	}
	return keys
}
