// Package parallel runs loops on several goroutines.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Blocks calls work on the ranges [0,size), [size,2 size), ... that cover [0,n). The ranges go to whichever worker is
// free, so the work on one range must not depend on the worker or on other ranges. After an error no more ranges are
// handed out; it returns the error of the first range that has one, or that of the context when it ends.
func Blocks(ctx context.Context, workers, n, size int, work func(worker, from, to int) error) error {
	blocks := (n + size - 1) / size
	workers = max(1, min(workers, blocks))
	var next atomic.Int64
	var group sync.WaitGroup
	var lock sync.Mutex
	var failure error
	first := n // where the range with the failure begins
	run := func(worker int) {
		for {
			from := (int(next.Add(1)) - 1) * size
			if from >= n {
				return
			}
			err := ctx.Err()
			if err == nil {
				err = work(worker, from, min(from+size, n))
			}
			if err != nil {
				next.Store(int64(blocks))
				lock.Lock()
				defer lock.Unlock()
				if from < first {
					first, failure = from, err
				}
				return
			}
		}
	}
	for worker := 1; worker < workers; worker++ {
		group.Go(func() { run(worker) })
	}
	run(0)
	group.Wait()
	return failure
}

// Each calls work(0), ..., work(n-1) on all cores, in blocks so small that they balance.
// The calls must not share state. Once the context ends no more calls begin, and its error is returned.
func Each(ctx context.Context, n int, work func(i int)) error {
	const size = 16
	return Blocks(ctx, runtime.GOMAXPROCS(0), n, size, func(_, from, to int) error {
		for i := from; i < to; i++ {
			work(i)
		}
		return nil
	})
}
