package selection

import (
	"context"

	"github.com/sparsero/directions/sparsero/internal/screen"
)

// upperBounds returns, for b = 1..len(atoms), an upper bound on the coverage of
// any b atoms,
//
//	max_{|S| <= b} F(S;T) <= min_t [ F(S_t;T) + sum of the b largest gains at S_t ],
//
// where S_t are the first t of the given atoms, t = 0..len(atoms), and never
// more than F([N];T). It holds for any path because F is monotone and
// submodular: F(S) <= F(S_t ∪ S) <= F(S_t) + sum_{i in S} gain_i(S_t). All terms are
// rounded up, so the bounds hold in exact arithmetic. If the context ends, the minimum
// is over the steps reached, which is still a bound.
func upperBounds(ctx context.Context, o Objective, atoms []int, skip bool) ([]float64, error) {
	rounding := roundingOf(o)
	full := rounding.AtMost(o.Full())
	bounds := make([]float64, len(atoms))
	for b := range bounds {
		bounds[b] = full
	}
	if skip || len(atoms) == 0 || ctx.Err() != nil {
		return bounds, nil
	}
	state, reached := o.NewState(), 0
	search := newSearch(ctx, state, o.Size(), func() []int { return atoms[:reached] })
	for {
		_, gains, err := search.Largest(ctx, len(atoms))
		if ctx.Err() != nil {
			return bounds, nil
		}
		if err != nil {
			return nil, err
		}
		rounding.Tighten(bounds, state.Value(), gains)
		if reached == len(atoms) {
			return bounds, nil
		}
		state.Add(atoms[reached])
		reached++
	}
}

// roundingOf bounds what the values of an objective lose to float64, if it tells.
func roundingOf(o Objective) screen.Rounding {
	if known, ok := o.(withRounding); ok {
		return known.rounding()
	}
	return screen.Rounding{}
}
