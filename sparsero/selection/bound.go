package selection

import "context"

// upperBounds returns, for b = 1..len(atoms), an upper bound on the coverage of
// any b atoms,
//
//	max_{|S| <= b} F(S;T) <= min_t [ F(S_t;T) + sum of the b largest gains at S_t ],
//
// where S_t are the first t of the given atoms, t = 0..len(atoms), and never
// more than F([N];T). It holds for any path because F is monotone and
// submodular: F(S) <= F(S_t ∪ S) <= F(S_t) + sum_{i in S} gain_i(S_t). If the
// context ends, the minimum is over the steps reached, which is still a bound.
func upperBounds(ctx context.Context, c *Coverage, atoms []int) []float64 {
	bounds := make([]float64, len(atoms))
	for b := range bounds {
		bounds[b] = c.Full()
	}
	if ctx.Err() != nil || len(atoms) == 0 {
		return bounds
	}
	state := c.NewState()
	chosen := make([]bool, c.Size())
	queue := newGainQueue(state, chosen)
	for t := 0; ; t++ {
		total := state.Value()
		for b, gain := range largestGains(queue, chosen, len(atoms)) {
			total += gain
			bounds[b] = min(bounds[b], total)
		}
		if t == len(atoms) || ctx.Err() != nil {
			return bounds
		}
		state.Add(atoms[t])
		chosen[atoms[t]] = true
	}
}

// largestGains returns the k largest gains at the present S in falling order,
// zeros if there are fewer atoms left. Chosen atoms leave the queue on the way.
func largestGains(q *gainQueue, chosen []bool, k int) []float64 {
	gains := make([]float64, 0, k)
	var popped []int
	for len(gains) < k && len(q.heap) > 0 {
		i := q.pop()
		if chosen[i] {
			continue
		}
		popped = append(popped, i)
		if q.upper[i] == 0 {
			break // all that follow are zero too
		}
		gains = append(gains, q.upper[i])
	}
	for _, i := range popped {
		q.push(i)
	}
	return gains[:k]
}
