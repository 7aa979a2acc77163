package certificate

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
)

// AverageToWorst bounds the worst deficit on a finite set T by the average one,
//
//	max_T Δ_S <= inf_η { |T|/n_η(T) (F([N];T) - F(S;T)) + 2η },
//
// where the occupancy n_η(T) is the least number of directions of T, itself included,
// within d_D-distance η of one of them. Source: Proposition C.1. It explains why a good
// average coverage also controls the worst case; as a number it is never better than
// MaxDeficit, which costs less.
type AverageToWorst struct {
	// Average is F([N];T) - F(S;T).
	Average proof.Upper
	// MaxDeficit bounds the worst deficit on T itself.
	MaxDeficit proof.Upper
	// Upper is the infimum over η, or max_T M_[N] if that is smaller (Capped).
	Upper  proof.Upper
	Capped bool
	// Eta attains the infimum, with occupancy Occupancy; both are 0 if Capped.
	Eta       float64
	Occupancy int
}

// NewAverageToWorst evaluates the bound on the rows of an M×p matrix T, exactly
// over all η, in O(N M p + M² N) time. It is an error if the set is nil or T does not fit; a cancelled context
// gives the context's error.
func NewAverageToWorst(ctx context.Context, set *sparsero.AtomicSet, directions mat.Matrix) (AverageToWorst, error) {
	ctx = input.Context(ctx)
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
	b := AverageToWorst{Average: meanUpper(deficits), MaxDeficit: proof.AtMost(slices.Max(deficits))}
	metric, err := newPseudometric(ctx, d, directions)
	if err != nil {
		return AverageToWorst{}, err
	}
	upper, eta, occupancy := metric.infimum(ctx, b.Average.Float(), slices.Max(full))
	b.Upper, b.Eta, b.Occupancy, b.Capped = proof.AtMost(upper), eta, occupancy, occupancy == 0
	if err := ctx.Err(); err != nil {
		return AverageToWorst{}, fmt.Errorf("certificate: average-to-worst bound: %w", err)
	}
	return b, nil
}
