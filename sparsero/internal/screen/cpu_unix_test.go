//go:build unix

package screen

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns the time that all threads of the process have used. On a
// machine shared with others it is steadier than elapsed time.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func reportProcessorTime(b *testing.B, start time.Duration) {
	b.ReportMetric((processorTime()-start).Seconds()*1e3/float64(b.N), "cpu-ms/op")
}
