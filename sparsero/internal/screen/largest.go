package screen

import (
	"context"
	"slices"
)

// Largest returns the float64 gains of the count atoms outside the set that gain
// most, in falling order, fewer if there are fewer atoms.
func (q *Search) Largest(ctx context.Context, count int) ([]float64, error) {
	q.catchUp()
	top := q.leaders(count)
	if err := q.refresh(ctx, top); err != nil || len(top) == 0 {
		return nil, err
	}
	last := slices.MaxFunc(top, q.compare)
	if err := q.refresh(ctx, q.reaching(last)); err != nil {
		return nil, err
	}
	for {
		top = q.leaders(count)
		open := q.open(top)
		if len(open) == 0 {
			break
		}
		if err := q.refresh(ctx, open); err != nil {
			return nil, err
		}
		if err := q.settle(ctx, open); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(top, q.compare)
	gains := make([]float64, len(top))
	for k, i := range top {
		gains[k] = q.upper[i]
	}
	return gains, nil
}

// open returns those of the listed atoms whose float64 gain is not known, unless
// their bound already says that it is zero.
func (q *Search) open(list []int32) []int32 {
	var open []int32
	for _, i := range list {
		if q.stamp[i] != q.now()+1 && q.upper[i] > 0 {
			open = append(open, i)
		}
	}
	return open
}
