//go:build unix && !solaris && !illumos && !aix

package study

import (
	"os"
	"syscall"
)

// lock takes an exclusive lock that ends with the process, also when it is killed.
func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
