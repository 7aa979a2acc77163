package blocks_test

import (
	"context"

	"github.com/sparsero/directions/sparsero/blocks"
	"github.com/sparsero/directions/sparsero/selection"
	"gonum.org/v1/gonum/mat"
)

// rows is a block in memory.
type rows struct{ *mat.Dense }

func (r rows) Size() int { n, _ := r.Dims(); return n }
func (r rows) Dim() int  { _, p := r.Dims(); return p }

func (r rows) Rows(buffer []float64, from, to int) ([]float64, error) {
	p := r.Dim()
	return buffer[:copy(buffer, r.RawMatrix().Data[from*p:to*p])], nil
}

// memory is an engine of blocks in memory, of which some may be empty.
type memory struct {
	parts     []selection.Source
	resources blocks.Resources
}

func (m *memory) Size() (n int) {
	for _, part := range m.parts {
		n += part.Size()
	}
	return n
}

func (m *memory) Dim() int { return m.parts[0].Dim() }

func (m *memory) Run(ctx context.Context, task *blocks.Task) (merged *blocks.Answer, err error) {
	from := 0
	for _, part := range m.parts {
		if part.Size() == 0 {
			continue
		}
		answer, err := blocks.Work(ctx, part, from, task, &m.resources)
		if err != nil {
			return nil, err
		}
		if merged, err = blocks.Merge(merged, answer); err != nil {
			return nil, err
		}
		from += part.Size()
	}
	return merged, nil
}
