package plotting

import (
	"context"
	"os"
	"os/signal"
)

// Interruptible returns a context that ends when the user interrupts the program: by the
// notebook's stop button, which sends the interrupt signal to the running cell, or by Ctrl-C.
// The kernel kills the cell five seconds later, so that the work has to return what it has by
// then. Call stop to give the signal its usual effect back.
//
//	ctx, stop := plotting.Interruptible(context.Background())
//	defer stop()
func Interruptible(parent context.Context) (ctx context.Context, stop context.CancelFunc) {
	return signal.NotifyContext(parent, os.Interrupt)
}
