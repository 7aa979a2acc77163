package input

import (
	"syscall"
	"unsafe"
)

// InLargePages asks the system to provide the new memory of many values in pages of 2 MB: at their first use, 4 KB
// each, they would take longer than a file takes to be read. A system that refuses costs time alone.
func InLargePages[T any](values []T) {
	if size := len(values) * int(unsafe.Sizeof(*new(T))); size >= 4<<20 {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), size), syscall.MADV_HUGEPAGE)
	}
}
