// Package rank holds the tie rule of the module, [Ahead] (tie.go), and turns shares into ranks (share.go). A product such as
// 100·0.41 lands beside the whole number that it stands for, so that rounding it errs by one. Here the quotient of two whole
// numbers, which float64 rounds correctly, is compared with the share: 41 of 100 is 0.41, whatever the last bit of 0.41 does,
// and no tolerance is needed.
package rank

import (
	"slices"
	"sort"
)

// Up returns ceil(n·share), the smallest k in 0..n with k/n >= share; n if the share exceeds 1.
func Up(n int, share float64) int {
	return sort.Search(n, func(k int) bool { return float64(k)/float64(n) >= share })
}

// Down returns floor(n·share), the largest k in 0..n with k/n <= share; 0 if the share is negative.
func Down(n int, share float64) int {
	return sort.Search(n, func(k int) bool { return float64(k+1)/float64(n) > share })
}

// Value returns the k-th smallest of the values, 1 <= k <= len(values), from a sorted copy.
func Value(values []float64, k int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[k-1]
}
