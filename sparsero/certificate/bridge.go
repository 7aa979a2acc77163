package certificate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
)

// AverageToWorst bounds the worst deficit on a finite set T by the average one,
//
//	max_T Δ_S <= inf_η { |T|/μ_η(T) (F([N];T) - F(S;T)) + 2η },
//
// where the occupancy μ_η(T) is the least number of directions of T, itself included,
// within d_D-distance η of one of them. Source: Proposition C.1. It explains why a good
// average coverage also controls the worst case; as a number it is never better than
// MaxDeficit, which costs less.
type AverageToWorst struct {
	// Average is F([N];T) - F(S;T), MaxDeficit the worst deficit on T itself.
	Average, MaxDeficit float64
	// Upper is the infimum over η, or max_T M_[N] if that is smaller (Capped).
	Upper  float64
	Capped bool
	// Eta attains the infimum, with occupancy Occupancy; both are 0 if Capped.
	Eta       float64
	Occupancy int
}

// NewAverageToWorst evaluates the bound on the rows of an M×p matrix T, exactly
// over all η, in O(N M p + M² N) time. It is an error if the set is nil or T does not fit; a cancelled context
// gives the context's error.
func NewAverageToWorst(ctx context.Context, set *sparsero.AtomicSet, directions mat.Matrix) (AverageToWorst, error) {
	if err := checkSet(set); err != nil {
		return AverageToWorst{}, err
	}
	full, deficits, err := measure(set, directions)
	if err != nil {
		return AverageToWorst{}, err
	}
	return averageToWorst(ctx, set.Dictionary(), directions, full, deficits)
}

func averageToWorst(ctx context.Context, d *sparsero.Dictionary, directions mat.Matrix, full, deficits []float64) (AverageToWorst, error) {
	b := AverageToWorst{Average: meanUpper(deficits), MaxDeficit: slices.Max(deficits)}
	metric, err := newPseudometric(ctx, d, directions)
	if err != nil {
		return AverageToWorst{}, err
	}
	b.Upper, b.Eta, b.Occupancy = metric.infimum(ctx, b.Average, slices.Max(full))
	b.Capped = b.Occupancy == 0
	if err := ctx.Err(); err != nil {
		return AverageToWorst{}, fmt.Errorf("certificate: average-to-worst bound: %w", err)
	}
	return b, nil
}

// Bridge bounds the value gap by the average deficit on an ε-net,
//
//	min Φ_N - min Φ_S <= r ( inf_η { |T|/μ_η(T) (F([N];T) - F(S;T)) + 2η } + 2ε ).
//
// capped by the trivial bound as the net sees it. Source: Corollary C.2.
type Bridge struct {
	// OnNet is the bound on max_T Δ_S.
	OnNet AverageToWorst
	// Radius is r; Epsilon is the proven radius of the net.
	Radius, Epsilon float64
	// Trivial is max_t M_[N](t) + ε, which no deficit on q(X) exceeds.
	Trivial float64
	// Upper is min(OnNet.Upper + 2ε, Trivial), Bound is r Upper in units of the objective.
	Upper, Bound float64
}

// NewBridge evaluates the bound at the cost of NewAverageToWorst. The errors are
// those of NewNetBound and NewAverageToWorst.
func NewBridge(ctx context.Context, set *sparsero.AtomicSet, net *Net) (Bridge, error) {
	if err := checkNet(set, net); err != nil {
		return Bridge{}, err
	}
	b := Bridge{Radius: set.Radius(), Epsilon: net.radius}
	full, deficits, err := measure(set, net.directions)
	if err != nil {
		return Bridge{}, err
	}
	b.Trivial = directed.SumUpper(slices.Max(full), net.radius)
	if b.OnNet, err = averageToWorst(ctx, set.Dictionary(), net.directions, full, deficits); err != nil {
		return Bridge{}, err
	}
	b.Upper = math.Min(directed.SumUpper(b.OnNet.Upper, 2*b.Epsilon), b.Trivial)
	b.Bound = directed.ProductUpper(b.Radius, b.Upper)
	return b, nil
}

// OccupancyRadii returns, for k = 1, ..., M, the smallest η with μ_η(T) >= k: the
// points at which the occupancy of the rows of T (M×p) jumps, so that as many as are at
// most η are μ_η(T). It costs O(M² N). It is an error if the dictionary is nil or T does not
// fit, and if the context ends.
func OccupancyRadii(ctx context.Context, d *sparsero.Dictionary, directions mat.Matrix) ([]float64, error) {
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
