package certificate

import (
	"errors"
	"runtime"
	"sync"

	"github.com/sparsero/directions/sparsero"
)

// inParallel calls work(0), ..., work(n-1) on all cores; the calls must not share state.
func inParallel(n int, work func(int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var group sync.WaitGroup
	for w := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for i := w; i < n; i += workers {
				work(i)
			}
		}()
	}
	group.Wait()
}

func checkDictionary(d *sparsero.Dictionary) error {
	if d == nil {
		return errors.New("certificate: dictionary is nil; build one with sparsero.NewDictionary")
	}
	return nil
}
