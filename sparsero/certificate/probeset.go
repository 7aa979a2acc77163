package certificate

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/rank"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// ProbeSet is a set of directions that were sampled or revealed. It proves nothing about the directions in between, so
// it is not a [Net] and cannot be used as one: what it says about a net radius is an estimate from below. It does not
// change and may be used by several goroutines at once.
type ProbeSet struct{ directionSet }

// NewProbeSet copies the M×p directions. It is an error if the dictionary is nil
// or the directions are empty, not finite or of another dimension.
func NewProbeSet(d *sparsero.Dictionary, directions mat.Matrix) (*ProbeSet, error) {
	if err := checkDictionary(d); err != nil {
		return nil, err
	}
	if err := input.CheckRows("directions", "direction", directions, d.Dim()); err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	return &ProbeSet{directionSet{d, input.Owned(directions)}}, nil
}

// RadiusEstimate is what probes say about the net radius of a set T of directions.
type RadiusEstimate struct {
	// AtLeast is ε̂(T) = max_s min_t d_D(s,t) over the probes s: the radius of T as a net of
	// any set that contains the probes is at least this, and can be far more.
	AtLeast proof.Lower
	// AtMost bounds the same maximum: no probe is farther from T.
	AtMost proof.Upper
	// Mean and Quantile95 describe the distances of the probes from T.
	Mean, Quantile95 float64
	// Probes is their number.
	Probes int
}

// EstimateRadius measures how far the probes are from a set T of directions (M×p): the paper's ε̂(T). It is an estimate
// from below and no certificate. It costs O(|probes| |T| N). It is an error if the directions are empty, not finite or
// of another dimension.
func (p *ProbeSet) EstimateRadius(directions mat.Matrix) (RadiusEstimate, error) {
	if err := input.CheckRows("directions", "direction", directions, p.dictionary.Dim()); err != nil {
		return RadiusEstimate{}, fmt.Errorf("certificate: %w", err)
	}
	nearest, rounding, err := nearestDistances(p.dictionary, p.directions, directions)
	if err != nil {
		return RadiusEstimate{}, err
	}
	farthest := slices.Max(nearest)
	return RadiusEstimate{
		AtLeast: proof.AtLeast(math.Max(0, directed.SumLower(math.Min(farthest, math.MaxFloat64), -rounding))), AtMost: proof.AtMost(directed.SumUpper(farthest, rounding)),
		Mean: stat.Mean(nearest, nil), Quantile95: rank.Value(nearest, rank.Up(len(nearest), 0.95)), Probes: len(nearest),
	}, nil
}

// logarithmError is more than the relative error of math.Log.
const logarithmError = 0x1p-50

// UncoveredMass returns ln(1/δ)/M: if the M probes are independent draws from a distribution of directions and T was
// fixed beforehand, then with probability at least 1-δ the mass of directions farther than AtMost from T is at most
// this. It is an error if δ is outside (0,1).
func (e RadiusEstimate) UncoveredMass(delta float64) (proof.Upper, error) {
	if math.IsNaN(delta) || delta <= 0 || delta >= 1 {
		return proof.Upper{}, fmt.Errorf("certificate: delta %v is outside (0,1); use for instance 0.01", delta)
	}
	return proof.AtMost(math.Min(1, directed.QuotientUpper(-math.Log(delta)*(1+logarithmError), float64(e.Probes)))), nil
}
