package screen

import (
	"context"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// fillExact computes all alignments in float64.
func (s *Screen) fillExact(ctx context.Context) error {
	exact, panels := make([]float64, s.n*s.m), kernel.Pack(s.kernel, s.directions, s.m, s.p)
	blocks, buffers := make([]*kernel.ScoreBlock, s.workers), make([][]float64, s.workers)
	err := parallel.Blocks(ctx, s.workers, s.n, s.block, func(worker, from, to int) error {
		if blocks[worker] == nil {
			blocks[worker], buffers[worker] = kernel.NewScoreBlock(s.kernel, panels, s.m), make([]float64, s.block*s.p)
		}
		atoms, err := s.atoms.Rows(buffers[worker], from, to)
		if err != nil {
			return err
		}
		blocks[worker].Fill(exact[from*s.m:to*s.m], atoms[:(to-from)*s.p])
		return nil
	})
	s.exact = exact
	return err
}
