// Package parallel runs loops on several goroutines.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Blocks calls work on the ranges [0,size), [size,2 size), ... that cover
// [0,n). The ranges go to whichever worker is free, so the work on one range must
// not depend on the worker or on other ranges. It returns the error of the first
// range that has one, or that of the context when it ends.
func Blocks(ctx context.Context, workers, n, size int, work func(worker, from, to int) error) error {
	blocks := (n + size - 1) / size
	workers = min(workers, blocks)
	if workers <= 1 {
		for from := 0; from < n; from += size {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := work(0, from, min(from+size, n)); err != nil {
				return err
			}
		}
		return nil
	}
	var next atomic.Int64
	var group sync.WaitGroup
	failed := make([]failure, workers)
	run := func(worker int) {
		defer group.Done()
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
				failed[worker] = failure{from, err}
				return
			}
		}
	}
	group.Add(workers)
	for worker := 1; worker < workers; worker++ {
		go run(worker)
	}
	run(0)
	group.Wait()
	return firstFailure(failed)
}

// failure is an error and the start of the range it occurred in.
type failure struct {
	from int
	err  error
}

func firstFailure(failed []failure) error {
	var first failure
	for _, f := range failed {
		if f.err != nil && (first.err == nil || f.from < first.from) {
			first = f
		}
	}
	return first.err
}
