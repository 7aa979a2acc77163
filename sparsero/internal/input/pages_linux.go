package input

import (
	"syscall"
	"unsafe"
)

// inLargePages asks the system to provide the new memory of many values in pages of 2 MB: at their first use, 4 KB each, they would take
// longer than a file takes to be read. A system that refuses costs time alone.
func inLargePages(values []float64) {
	if size := 8 * len(values); size >= 4<<20 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), size), syscall.MADV_HUGEPAGE)
	}
}
