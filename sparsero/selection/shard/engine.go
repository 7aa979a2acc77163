package shard

import (
	"context"
	"slices"

	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/selection"
)

// Local asks blocks in the memory of this process, one after the other, each on all cores.
type Local struct {
	// Blocks are the atoms, in the order of their indices; p is that of the first. A block
	// may be empty.
	Blocks []selection.Source
	// Resources of each block.
	Resources Resources
}

// Size implements [Engine].
func (l *Local) Size() (n int) {
	if l.check() != nil {
		return 0
	}
	for _, block := range l.Blocks {
		n += block.Size()
	}
	return n
}

// Dim implements [Engine].
func (l *Local) Dim() int {
	if l.check() != nil {
		return 0
	}
	return l.Blocks[0].Dim()
}

// check returns an error if there is no block, or none behind one.
func (l *Local) check() error {
	if l == nil || len(l.Blocks) == 0 || slices.ContainsFunc(l.Blocks, func(b selection.Source) bool { return input.Missing(b) }) {
		return errNoAtoms
	}
	return nil
}

// Run implements [Engine].
func (l *Local) Run(ctx context.Context, task *Task) (merged *Answer, err error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	from := 0
	for _, block := range l.Blocks {
		if block.Size() == 0 {
			continue
		}
		answer, err := Work(ctx, block, from, task, &l.Resources)
		if err != nil {
			return nil, err
		}
		if merged, err = Merge(merged, answer); err != nil {
			return nil, err
		}
		from += block.Size()
	}
	return merged, nil
}
