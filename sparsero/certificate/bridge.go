package certificate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// Bridge bounds the value gap by the average deficit on an ε-net,
//
//	min Φ_N - min Φ_S <= r ( inf_η { |T|/n_η(T) (F([N];T) - F(S;T)) + 2η } + 2ε ).
//
// capped by the trivial bound as the net sees it. Source: Corollary C.2.
type Bridge struct {
	// OnNet is the bound on max_T Δ_S.
	OnNet AverageToWorst
	// Radius is r.
	Radius float64
	// Epsilon is the proven radius of the net.
	Epsilon proof.Upper
	// Trivial is max_t M_[N](t) + ε, which no deficit on q(X) exceeds.
	Trivial proof.Upper
	// Upper is min(OnNet.Upper + 2ε, Trivial), Bound is r Upper in units of the objective.
	Upper, Bound proof.Upper
}

// NewBridge evaluates the bound at the cost of NewAverageToWorst. The errors are
// those of NewNetBound and NewAverageToWorst.
func NewBridge(ctx context.Context, set *sparsero.AtomicSet, net *Net) (Bridge, error) {
	ctx = input.Context(ctx)
	if err := checkNet(set, net); err != nil {
		return Bridge{}, err
	}
	b := Bridge{Radius: set.Radius(), Epsilon: net.radius}
	full, deficits, err := measure(set, net.directions)
	if err != nil {
		return Bridge{}, err
	}
	b.Trivial = trivial(full, net)
	if b.OnNet, err = averageToWorst(ctx, set.Dictionary(), net.directions, full, deficits); err != nil {
		return Bridge{}, err
	}
	b.Upper = proof.Least(b.OnNet.Upper.Plus(b.Epsilon.Times(2)), b.Trivial)
	b.Bound = b.Upper.Times(b.Radius)
	return b, nil
}

// OccupancyRadii returns, for k = 1, ..., M, the smallest η with n_η(T) >= k, up to rounding: the
// points at which the occupancy of the rows of T (M×p) jumps, so that as many as are at
// most η are n_η(T). It costs O(M² N). It is an error if the dictionary is nil or T does not
// fit, and if the context ends.
func OccupancyRadii(ctx context.Context, d *sparsero.Dictionary, directions mat.Matrix) ([]float64, error) {
	ctx = input.Context(ctx)
	if err := checkDictionary(d); err != nil {
		return nil, err
	}
	metric, err := newPseudometric(ctx, d, directions)
	if err != nil {
		return nil, err
	}
	radii := make([]float64, len(metric.scores))
	for start := 0; start < len(radii); start += occupancyBlock {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("certificate: occupancy radii: %w", err)
		}
		metric.raiseRadii(radii, start, math.Inf(1))
	}
	return radii, nil
}
