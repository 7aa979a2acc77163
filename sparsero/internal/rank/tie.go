package rank

import "slices"

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
