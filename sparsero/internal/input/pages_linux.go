package input

import "syscall"

// inLargePages asks the system to provide new memory in pages of 2 MB: at their first use, 4 KB each, they would take
// longer than a file takes to be read. A system that refuses costs time alone.
func inLargePages(memory []byte) { _ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
