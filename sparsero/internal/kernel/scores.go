package kernel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// scoreRows is how many rows a goroutine multiplies in one go.
const scoreRows = 10 * RowMultiple

// Scores returns the n×m matrix a b^T in float64 for the n×p matrix a and the m×p
// matrix b, all stored by rows. Every entry is the chain of [Kernel.Alignments],
// with the same bits for all kernels and on any number of cores.
func (k *Kernel) Scores(a []float64, n int, b []float64, m, p int) []float64 {
	scores := make([]float64, n*m)
	panels := Pack(k, b, m, p)
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+scoreRows-1)/scoreRows) {
		group.Add(1)
		go func() {
			defer group.Done()
			block := newScoreBlock(k, panels)
			for {
				from := (int(next.Add(1)) - 1) * scoreRows
				if from >= n {
					return
				}
				to := min(from+scoreRows, n)
				block.fill(scores[from*m:to*m], m, a[from*p:to*p])
			}
		}()
	}
	group.Wait()
	return scores
}

// scoreBlock is what one goroutine needs.
type scoreBlock struct {
	kernel  *Kernel
	panels  *Panels[float64]
	product []float64
	stride  int
	last    []float64 // the last rows of a, filled up to RowMultiple
}

func newScoreBlock(k *Kernel, panels *Panels[float64]) *scoreBlock {
	stride := panels.columns + 8 // not a power of two, so that rows do not compete for the same sets of the cache
	return &scoreBlock{
		kernel: k, panels: panels, stride: stride,
		product: make([]float64, scoreRows*stride), last: make([]float64, RowMultiple*panels.depth),
	}
}

// fill computes the scores of at most scoreRows rows of a.
func (s *scoreBlock) fill(scores []float64, m int, a []float64) {
	p := s.panels.depth
	rows := len(a) / p
	whole := rows / RowMultiple * RowMultiple
	Multiply(s.kernel, s.product, s.stride, a, p, whole, s.panels)
	if whole < rows {
		copy(s.last, a[whole*p:])
		Multiply(s.kernel, s.product[whole*s.stride:], s.stride, s.last, p, RowMultiple, s.panels)
	}
	for i := range rows {
		copy(scores[i*m:(i+1)*m], s.product[i*s.stride:])
	}
}
