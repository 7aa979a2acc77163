package selection

import (
	"runtime"
	"sync"
)

// The loops in this file run over all probe directions for one atom and are
// where selection spends its time. Each of them is monotone in floating point:
// raising an entry of current never raises the value of excess. Lazy greedy
// relies on it to use an old gain as an exact upper bound of the present one.

// raise sets current[j] to max(current[j], row[j]).
func raise(current, row []float64) {
	row = row[:len(current)]
	for j, value := range current {
		current[j] = max(value, row[j])
	}
}

// excess returns sum_j max(0, row[j] - current[j]), with four partial sums in a
// fixed order so that the result does not depend on the machine.
func excess(row, current []float64) float64 {
	row = row[:len(current)]
	var s0, s1, s2, s3 float64
	j := 0
	for ; j+4 <= len(current); j += 4 {
		s0 += max(0, row[j]-current[j])
		s1 += max(0, row[j+1]-current[j+1])
		s2 += max(0, row[j+2]-current[j+2])
		s3 += max(0, row[j+3]-current[j+3])
	}
	for ; j < len(current); j++ {
		s0 += max(0, row[j]-current[j])
	}
	return (s0 + s1) + (s2 + s3)
}

// mean returns the average of values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// largestGap returns max_j upper[j] - lower[j], at least zero.
func largestGap(upper, lower []float64) float64 {
	gap := 0.0
	for j, v := range upper {
		gap = max(gap, v-lower[j])
	}
	return gap
}

// parallelThreshold is the number of matrix cells below which starting
// goroutines costs more than it saves.
const parallelThreshold = 1 << 17

// forEachBlock calls work on consecutive ranges [from,to) that cover [0,n), on
// several goroutines when n rows of the given width are worth it. The work on
// one index must not depend on the range it falls into, so the outcome is the
// same on any number of cores.
func forEachBlock(n, width int, work func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers < 2 || n*width < parallelThreshold {
		work(0, n)
		return
	}
	var group sync.WaitGroup
	for w := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			work(w*n/workers, (w+1)*n/workers)
		}()
	}
	group.Wait()
}
