package input

import (
	"strings"
	"unsafe"
)

// largeMemory is the size in bytes, that of a large page, from which [Uncleared] asks for such pages and spares the
// clearing.
const largeMemory = 2 << 20

// Uncleared returns n values that the caller must write before it reads them: where they take 2 MB or more, they hold
// anything, as clearing memory that was used before takes a good part of the time in which a file is read into it.
func Uncleared[T ~float64 | ~uint16 | ~uint8](n int) []T {
	size := n * int(unsafe.Sizeof(*new(T)))
	if size < largeMemory {
		return make([]T, n)
	}
	var memory strings.Builder // the memory of the standard library that is not cleared
	memory.Grow(size)
	memory.WriteByte(0) // so that there is a first byte
	first := unsafe.StringData(memory.String())
	inLargePages(unsafe.Slice(first, size))
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}
