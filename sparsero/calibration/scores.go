package calibration

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/kernel"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// DirectionalScores returns the directional statistic of section 3.2,
//
//	Z_S(u_j) = max(0, max_{i in S} <d_i, u_j>),
//
// for each row u_j of the samples (m×p). The radius of the set plays no part. Z_S(u) <= r says that u lies in the polar
// of conv(S_0) scaled by r, not that u lies in U_S(r): use GaugeScores where constraints must hold. O(m |S| p). It is
// an error if the set is nil or the samples are empty, not finite or of another dimension; so it is for the other
// scores.
func DirectionalScores(set *sparsero.AtomicSet, samples mat.Matrix) ([]float64, error) {
	if set == nil {
		return nil, errors.New("calibration: set is nil; build it with sparsero.NewAtomicSet")
	}
	return largestAlignments(set.Dictionary(), set.Atoms(), samples)
}

// largestAlignments returns max(0, max_{i in chosen} <d_i, u_j>) for each sample.
func largestAlignments(d *sparsero.Dictionary, chosen []int, samples mat.Matrix) ([]float64, error) {
	if err := checkAlignments(d, samples); err != nil {
		return nil, err
	}
	atoms, _ := d.Rows(nil, 0, d.Size()) // those in memory have no error
	return kernel.Largest(atoms, chosen, input.Owned(samples).RawMatrix().Data, d.Dim()), nil
}

var errNoDictionary = errors.New("calibration: dictionary is nil; build it with sparsero.NewDictionary")

// smallestNormal is the least float64 that has all its digits.
const smallestNormal = 0x1p-1022

// checkAlignments reports samples that are not directions of the dictionary, and inner products that float64 cannot
// carry: sums that may overflow, or all of them too small for their digits.
func checkAlignments(d *sparsero.Dictionary, samples mat.Matrix) error {
	if d == nil {
		return errNoDictionary
	}
	if err := input.CheckRows("samples", "sample", samples, d.Dim()); err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	m, p := samples.Dims()
	atom, sample, u := 0., 0., make([]float64, p)
	for j := range m {
		sample = max(sample, floats.Norm(mat.Row(u, j, samples), math.Inf(1)))
	}
	clear(u)
	for j := range p {
		u[j] = 1
		atom = max(atom, d.AlignmentReach(u)) // the largest size of coordinate j
		u[j] = 0
	}
	if largest := atom * sample * float64(p); math.IsInf(largest, 1) || atom > 0 && sample > 0 && atom*sample < smallestNormal {
		return fmt.Errorf("calibration: samples up to %g and atoms up to %g have inner products beyond float64; measure them in other units", sample, atom)
	}
	return nil
}

// fullScores returns Z_[N](u_j), the directional statistic of the whole
// dictionary, which the Envelope calibrates.
func fullScores(d *sparsero.Dictionary, samples mat.Matrix) ([]float64, error) {
	return largestAlignments(d, rank.Indices[int](d.Size()), samples)
}

// PrefixScores returns the m×B matrix of Z_{S_b}(u_j), where S_b are the first
// b atoms of a selection path: column b-1 belongs to S_b, with the bits of
// DirectionalScores. samples: m×p.
// O(m B p), the cost of the last prefix alone. It has the errors of
// DirectionalScores, and one for a path that is empty, repeats an atom or leaves the
// dictionary.
func PrefixScores(d *sparsero.Dictionary, path []int, samples mat.Matrix) (*mat.Dense, error) {
	if d == nil {
		return nil, errNoDictionary
	}
	if len(path) == 0 {
		return nil, errors.New("calibration: path is empty; pass the atoms of a selection in the order they were picked")
	}
	if err := input.CheckIndices("path", path, d.Size()); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	if err := checkAlignments(d, samples); err != nil {
		return nil, err
	}
	atoms, err := d.Subset(path)
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	alignments, err := atoms.Scores(samples)
	if err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	m, _ := samples.Dims()
	scores := mat.NewDense(m, len(path), nil)
	for j := range m {
		row, best := scores.RawRowView(j), 0.
		for b := range row {
			best = math.Max(best, alignments.At(b, j))
			row[b] = best
		}
	}
	return scores, nil
}

// gaugeBlock is how many samples are solved one after the other from a warm start: few
// enough to balance the cores on a thousand samples.
const gaugeBlock = 16

// GaugeScores returns the gauge of conv(S_0),
//
//	gamma_S(u_j) = min { sum_i a_i : sum_{i in S} a_i d_i = u_j, a >= 0 },
//
// for each row u_j of the samples (m×p), +Inf for rows outside cone(S). The radius of the set plays no part. gamma_S(u)
// <= r exactly when u lies in U_S(r), and then f(x,u) <= Phi_S(x) for every x: a radius calibrated on these scores
// controls violations of constraints. When P(U not in cone(S)) exceeds alpha no finite radius exists and a rule returns
// +Inf; samples with a density in R^p need at least p+1 atoms.
//
// Each score is a linear program with |S| columns and p rows. They are solved in parallel, in blocks that start warm
// and do not depend on the number of cores. If the context ends, the scores found so far are returned with NaN for the
// others, and an error that wraps the context's; where the gauges of some samples could not be proven, these are NaN
// and the error wraps solver.ErrUnproven.
func GaugeScores(ctx context.Context, set *sparsero.AtomicSet, samples mat.Matrix) ([]float64, error) {
	ctx = input.Context(ctx)
	if set == nil {
		return nil, errors.New("calibration: set is nil; build it with sparsero.NewAtomicSet")
	}
	if err := input.CheckRows("samples", "sample", samples, set.Dictionary().Dim()); err != nil {
		return nil, fmt.Errorf("calibration: %w", err)
	}
	m, _ := samples.Dims()
	scores := slices.Repeat([]float64{math.NaN()}, m)
	var unknown atomic.Int64
	err := parallel.Blocks(ctx, runtime.GOMAXPROCS(0), m, gaugeBlock, func(_, first, last int) error {
		gauge, err := sparsero.NewGauge(set)
		if err != nil {
			return fmt.Errorf("calibration: %w", err)
		}
		for j := first; j < last; j++ {
			score, _, err := gauge.Of(ctx, mat.Row(nil, j, samples))
			if errors.Is(err, solver.ErrUnproven) {
				unknown.Add(1)
			} else if err != nil {
				return fmt.Errorf("calibration: gauge score of sample %d: %w", j, err)
			}
			scores[j] = score
		}
		return nil
	})
	if count := unknown.Load(); err == nil && count > 0 {
		first := slices.IndexFunc(scores, math.IsNaN)
		err = fmt.Errorf("calibration: the gauges of %d samples, the first of them sample %d, are unknown: %w; round the samples to fewer digits, or leave these out", count, first, solver.ErrUnproven)
	}
	return scores, err
}
