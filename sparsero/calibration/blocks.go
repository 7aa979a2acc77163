package calibration

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// blockSize is the number of samples handed out at a time: small enough to
// balance two cores on a thousand samples, large enough that handing out costs
// nothing. It is fixed so that the blocks do not depend on the machine.
const blockSize = 16

// inBlocks calls work on consecutive ranges [first, last) that cover 0..m-1, on
// at most workers goroutines (0 means one for each core). It stops handing out
// ranges after an error and returns the error of the earliest range that
// failed.
func inBlocks(m, workers int, work func(first, last int) error) error {
	blocks := (m + blockSize - 1) / blockSize
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	failures := make([]error, blocks)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range min(workers, blocks) {
		group.Add(1)
		go func() {
			defer group.Done()
			for !failed.Load() {
				block := int(next.Add(1)) - 1
				if block >= blocks {
					return
				}
				first := block * blockSize
				if failures[block] = work(first, min(first+blockSize, m)); failures[block] != nil {
					failed.Store(true)
				}
			}
		}()
	}
	group.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
