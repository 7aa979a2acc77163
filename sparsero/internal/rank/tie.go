package rank

import (
	"math"
	"slices"
)

// Ahead is the tie rule of the module: the larger value comes first, of equal values the lower index.
func Ahead[I int | int32](value float64, atom I, other float64, than I) bool {
	return value > other || value == other && atom < than
}

// Compare is [Ahead] for sorting.
func Compare[I int | int32](value float64, atom I, other float64, than I) int {
	switch {
	case Ahead(value, atom, other, than):
		return -1
	case value == other && atom == than:
		return 0
	}
	return 1
}

// Active returns the lowest index of the largest alignment, or -1 and 0, those of the null atom, if all are negative;
// NaN for the first that fell below all floats, as the rest of its terms may have made it the largest. The alignments
// are those of some atoms, or of all for nil.
func Active(alignments []float64, atoms []int) (index int, value float64) {
	value = math.Inf(-1)
	for i, alignment := range alignments {
		if alignment >= -math.MaxFloat64 && alignment < value {
			continue // as nearly all are
		}
		if atoms != nil {
			i = atoms[i]
		}
		if !(alignment > math.Inf(-1)) {
			return i, math.NaN()
		}
		if Ahead(alignment, i, value, index) {
			index, value = i, alignment
		}
	}
	if value < 0 {
		return -1, 0
	}
	return index, value
}

// Insert puts an item that is not there yet into its place in a list of at most limit items, sorted by compare; the last
// one leaves where there are more.
func Insert[T any](list []T, item T, limit int, compare func(a, b T) int) []T {
	at, _ := slices.BinarySearchFunc(list, item, compare)
	list = slices.Insert(list, at, item)
	return list[:min(limit, len(list))]
}

// Indices lists 0, ..., n-1.
func Indices[I int | int32](n int) []I {
	list := make([]I, n)
	for i := range list {
		list[i] = I(i)
	}
	return list
}
