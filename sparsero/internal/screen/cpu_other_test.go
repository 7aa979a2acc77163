//go:build !unix

package screen

import (
	"testing"
	"time"
)

func processorTime() time.Duration { return 0 }

// reportProcessorTime does nothing where the time of a process is not known.
func reportProcessorTime(*testing.B, time.Duration) {}
