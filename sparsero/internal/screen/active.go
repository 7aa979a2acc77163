package screen

import (
	"context"
	"slices"
	"sync"

	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// Active returns, for each direction, the lowest index that attains M_[N](s) > 0, -1 for none.
func (s *Screen) Active(ctx context.Context) ([]int, error) {
	state, floor, active := s.NewState(), s.newSupport().floor, slices.Repeat([]int{noAtom}, s.m)
	s.setFloor(floor, s.full)
	var mutex sync.Mutex
	err := state.each(ctx, rank.Indices[int32](s.n), parallelRows, func(worker, i int, row []kernel.Half, _ *kernel.Half) error {
		columns, values, err := state.block(worker).exceeding(i, row, floor)
		if len(values) == 0 {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		for k, value := range values {
			if j := columns[k]; value == s.full[j] && value > 0 && (active[j] == noAtom || i < active[j]) {
				active[j] = i
			}
		}
		return err
	})
	return active, err
}
