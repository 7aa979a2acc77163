package chart

import (
	"math"
	"slices"
)

// thinRows returns about n rows of a line that keep its look, or nil to keep all: in each of n/4
// stretches of points the first, lowest, highest and last one, in their order. Interruptions
// (NaN) are kept. Lines of up to n points are kept as they are.
func thinRows(y []float64, n int) []int {
	if len(y) <= max(n, 8) {
		return nil
	}
	stretches := max(n/4, 2)
	keep := make([]int, 0, 4*stretches)
	for k := range stretches {
		from, to := k*len(y)/stretches, (k+1)*len(y)/stretches
		low, high, missing := from, from, -1
		for i := from; i < to; i++ {
			switch {
			case math.IsNaN(y[i]):
				missing = i
			case math.IsNaN(y[low]) || y[i] < y[low]:
				low = i
			}
			if !math.IsNaN(y[i]) && (math.IsNaN(y[high]) || y[i] > y[high]) {
				high = i
			}
		}
		stretch := []int{from, low, high, to - 1}
		if missing >= 0 {
			stretch = append(stretch, missing)
		}
		slices.Sort(stretch)
		keep = append(keep, slices.Compact(stretch)...)
	}
	return keep
}

// thinBand returns about n rows that keep the look of both limits of a band, or nil to keep all.
func thinBand(low, high []float64, n int) []int {
	if len(low) <= n {
		return nil
	}
	rows := append(thinRows(low, n/2), thinRows(high, n/2)...)
	slices.Sort(rows)
	return slices.Compact(rows)
}

// evenRows returns n rows out of total at even distances, or nil to keep all.
func evenRows(total, n int) []int {
	if total <= n {
		return nil
	}
	keep := make([]int, n)
	for k := range keep {
		keep[k] = k * total / n
	}
	return keep
}

// pick returns the values at the given rows; nil rows mean all.
func pick[T any](values []T, rows []int) []T {
	if rows == nil || values == nil {
		return values
	}
	out := make([]T, len(rows))
	for k, r := range rows {
		out[k] = values[r]
	}
	return out
}
