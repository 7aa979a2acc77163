package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// gaugeBlock is how many samples are solved one after the other from a warm start: few
// enough to balance the cores on a thousand samples.
const gaugeBlock = 16

// GaugeScores returns the gauge of conv(S_0),
//
//	gamma_S(u_j) = min { sum_i a_i : sum_{i in S} a_i d_i = u_j, a >= 0 },
//
// for each row u_j of the samples (m×p), +Inf for rows outside cone(S). The
// radius of the set plays no part. gamma_S(u) <= r exactly when u lies in
// U_S(r), and then f(x,u) <= Phi_S(x) for every x: a radius calibrated on these
// scores controls violations of constraints. When P(U not in cone(S)) exceeds
// alpha no finite radius exists and a rule returns +Inf; samples with a density
// in R^p need at least p+1 atoms.
//
// Each score is a linear program with |S| columns and p rows. They are solved
// in parallel, in blocks that start warm and do not depend on the number of
// cores. If the context ends, the scores found so far are returned with NaN for
// the others, and an error that wraps the context's.
func GaugeScores(ctx context.Context, set *sparsero.AtomicSet, samples mat.Matrix) ([]float64, error) {
	if set == nil {
		return nil, errors.New("calibration: set is nil; build it with sparsero.NewAtomicSet")
	}
	if err := input.CheckRows("samples", "sample", samples, set.Dictionary().Dim()); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	m, p := samples.Dims()
	scores := make([]float64, m)
	for j := range scores {
		scores[j] = math.NaN()
	}
	rows := mat.DenseCopyOf(samples)
	err := parallel.Blocks(ctx, runtime.GOMAXPROCS(0), m, gaugeBlock, func(_, first, last int) error {
		values, err := set.Gauges(ctx, rows.Slice(first, last, 0, p))
		copy(scores[first:last], values)
		return err
	})
	return scores, err
}

// GaugeScore returns GaugeScores of the set as a Score.
func GaugeScore(ctx context.Context, set *sparsero.AtomicSet) Score {
	return func(samples mat.Matrix) ([]float64, error) { return GaugeScores(ctx, set, samples) }
}
