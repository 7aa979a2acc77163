//go:build unix && !solaris && !illumos && !aix

package study

import (
	"runtime"
	"syscall"
)

// resources returns the processor time that the process has used, in seconds,
// and the largest memory it has held, in bytes.
func resources() (seconds float64, peak int64) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, 0
	}
	peak = int64(usage.Maxrss)
	if runtime.GOOS != "darwin" && runtime.GOOS != "ios" {
		peak *= 1024 // the others count in KiB
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) * 1e-9, peak
}
