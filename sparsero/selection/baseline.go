package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sparsero/directions/sparsero/internal/rank"
	"github.com/sparsero/directions/sparsero/internal/screen"
	"gonum.org/v1/gonum/floats"
)

// streamRandom separates the random numbers of [Random] from others of the same seed.
const streamRandom uint64 = 0x72616e646f6d2d42

// Random takes atoms uniformly without replacement. The choice for a smaller
// budget is a prefix of that for a larger one.
type Random struct {
	// Seed chooses the permutation.
	Seed uint64
}

// Select implements [Policy].
func (r Random) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "random", c, budget)
	if err != nil {
		return nil, err
	}
	source := rand.New(rand.NewPCG(r.Seed, streamRandom))
	p.takeAll(ctx, source.Perm(c.Size())[:budget])
	return p.finish(ctx)
}

// MaxNorm takes the atoms with the largest Euclidean norm, whatever the probe directions.
type MaxNorm struct{}

// Select implements [Policy].
func (MaxNorm) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "max-norm", c, budget)
	if err != nil {
		return nil, err
	}
	norms, err := c.screen.Norms()
	return p.takeRanked(ctx, norms, err)
}

// TopActivation takes the atoms that are active in the most probe directions: atom i is active in s if it is the lowest
// index that attains M_[N](s) > 0. Equal counts are decided by the total alignment sum_{s in T} max(0,<d_i,s>), then by
// the lowest index. The number of active atoms is the least budget that leaves no deficit on T when no two atoms tie,
// and this policy attains it.
type TopActivation struct{}

// Select implements [Policy]. It costs O(N|T|).
func (TopActivation) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "top-activation", c, budget)
	if err != nil {
		return nil, err
	}
	counts, err := c.Activations()
	if err != nil {
		return nil, err
	}
	order, err := c.byActivation(ctx, counts, budget)
	if err := ended(ctx, err); err != nil {
		return nil, err
	}
	p.calls += c.Size()
	p.takeAll(ctx, order)
	return p.finish(ctx)
}

// byActivation returns the given number of atoms in falling order of their counts, those of equal counts by their gain
// from the empty set, which is the total alignment. Only gains that decide are computed.
func (c *Coverage) byActivation(ctx context.Context, counts []int, budget int) (atoms []int, err error) {
	order, gains, chosen := rank.Indices[int32](len(counts)), c.screen.NewLagrangian(), make([]bool, len(counts))
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(counts[b], counts[a]) })
	for len(atoms) < budget && err == nil {
		end := slices.IndexFunc(order, func(i int32) bool { return counts[i] < counts[order[0]] })
		if end < 0 {
			end = len(order)
		}
		group, count := order[:end], min(end, budget-len(atoms))
		var first []int32
		first, _, err = gains.Largest(ctx, screen.Budget{Capacity: math.Inf(1), Count: count, Among: group})
		for _, i := range slices.Concat(first, group) { // those without a gain follow, lowest index first
			if !chosen[i] && count > 0 {
				chosen[i], atoms, count = true, append(atoms, int(i)), count-1
			}
		}
		order = order[end:]
	}
	return atoms, err
}

// Activations returns, for each atom, the number of probe directions in which it is active: the lowest index that
// attains M_[N](s) > 0. It is an error if the atoms can no longer be read.
func (c *Coverage) Activations() ([]int, error) {
	active, err := c.built().Active(context.Background())
	if err != nil {
		return nil, fmt.Errorf("selection: %w", err)
	}
	counts := make([]int, c.Size())
	for _, i := range active {
		if i >= 0 {
			counts[i]++
		}
	}
	return counts, nil
}

// MaxGamma takes the atoms with the largest total alignment with the probe directions,
//
//	sum_{s in T} <d_i, s>,
//
// a static ranking that does not look at what has been chosen before.
type MaxGamma struct{}

// Select implements [Policy].
func (MaxGamma) Select(ctx context.Context, c *Coverage, budget int) (*Selection, error) {
	ctx, p, err := newPath(ctx, "max-gamma", c, budget)
	if err != nil {
		return nil, err
	}
	total := make([]float64, c.atoms.Dim())
	for k := range c.probes() {
		floats.Add(total, c.directions.RawRowView(k))
	}
	gammas, err := c.screen.AlignmentsWith(total)
	return p.takeRanked(ctx, gammas, err)
}
