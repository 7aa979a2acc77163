package plotting

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestInterruptible: the interrupt signal, which the notebook's stop button sends, ends the
// context and not the program.
func TestInterruptible(t *testing.T) {
	ctx, stop := Interruptible(context.Background())
	defer stop()
	if ctx.Err() != nil {
		t.Fatal("the context ended before the signal")
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Skipf("this system sends no interrupt signal: %v", err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(2 * time.Minute):
		t.Error("the context did not end within two minutes of the signal")
	}
}
