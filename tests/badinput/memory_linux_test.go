package badinput

import (
	"syscall"
	"testing"
)

// limitMemory ends the process that takes 16 GB of addresses, before the machine suffers.
func limitMemory(t *testing.T) {
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: 16 << 30, Max: 16 << 30}); err != nil {
		t.Fatal(err)
	}
}
