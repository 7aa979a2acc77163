package input

import (
	"runtime"
	"testing"
)

// Memory that is not cleared holds what is written into it, on both sides of the size from which it is taken elsewhere,
// and belongs to nobody else.
func TestUncleared(t *testing.T) {
	for _, n := range []int{0, 1, largeMemory/8 - 1, largeMemory / 8, largeMemory/8 + 3} {
		first, second := Uncleared[float64](n), Uncleared[float64](n)
		if len(first) != n || cap(second) != n {
			t.Fatalf("%d values asked for, length %d, capacity %d", n, len(first), cap(second))
		}
		for i := range n {
			first[i], second[i] = float64(i), -float64(i)
		}
		runtime.GC()
		for i := range n {
			if first[i] != float64(i) || second[i] != -float64(i) {
				t.Fatalf("of %d values, number %d is %v and %v", n, i, first[i], second[i])
			}
		}
	}
	halves := Uncleared[uint16](16 * largeMemory)
	halves[len(halves)-1] = 1 // is there
}
