package kernel

import (
	"context"
	"runtime"

	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// scoreRows is how many rows are multiplied in one go.
const scoreRows = 10 * RowMultiple

// Scores returns the n×m matrix a b^T in float64 for the n×p matrix a and the m×p
// matrix b, all stored by rows. Every entry is the chain of [Kernel.Alignments],
// with the same bits for all kernels and on any number of cores.
func (k *Kernel) Scores(a []float64, n int, b []float64, m, p int) []float64 {
	scores := make([]float64, n*m)
	panels := Pack(k, b, m, p)
	blocks := make([]*ScoreBlock, runtime.GOMAXPROCS(0))
	_ = parallel.Blocks(context.Background(), len(blocks), n, scoreRows, func(worker, from, to int) error {
		if blocks[worker] == nil {
			blocks[worker] = NewScoreBlock(k, panels, m)
		}
		blocks[worker].Fill(scores[from*m:to*m], a[from*p:to*p])
		return nil
	}) // no work here fails, and the context never ends
	return scores
}

// ScoreBlock computes rows of [Kernel.Scores]. It must not be used by several
// goroutines at once.
type ScoreBlock struct {
	kernel  *Kernel
	panels  *Panels[float64]
	m       int
	product []float64
	stride  int
	last    []float64 // the last rows of a, filled up to RowMultiple
}

// NewScoreBlock returns a block for the m×p matrix in the panels.
func NewScoreBlock(k *Kernel, panels *Panels[float64], m int) *ScoreBlock {
	stride := panels.columns + 8 // not a power of two, so that rows do not compete for the same sets of the cache
	return &ScoreBlock{
		kernel: k, panels: panels, m: m, stride: stride,
		product: make([]float64, scoreRows*stride), last: make([]float64, RowMultiple*panels.depth),
	}
}

// Fill computes the scores of some rows of a.
func (s *ScoreBlock) Fill(scores, a []float64) {
	p := s.panels.depth
	for len(a) > 0 {
		rows := min(len(a)/p, scoreRows)
		whole := rows / RowMultiple * RowMultiple
		Multiply(s.kernel, s.product, s.stride, a, p, whole, s.panels)
		if whole < rows {
			copy(s.last, a[whole*p:rows*p])
			Multiply(s.kernel, s.product[whole*s.stride:], s.stride, s.last, p, RowMultiple, s.panels)
		}
		for i := range rows {
			copy(scores[i*s.m:(i+1)*s.m], s.product[i*s.stride:])
		}
		scores, a = scores[rows*s.m:], a[rows*p:]
	}
}
