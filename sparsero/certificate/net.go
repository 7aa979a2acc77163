package certificate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// Net is a finite set T of directions with a proven radius: every direction q(x),
// x in X, is within ε of T in the dictionary pseudometric,
//
//	min_{t in T} d_D(q(x), t) <= ε   for every x in X.
//
// T need not be part of q(X). Nets are made by [GridNet], [LipschitzNet] and [Net.Cover],
// each of which proves the radius; there is no way to declare one. A Net does not change
// and may be used by several goroutines at once.
type Net struct {
	directionSet
	radius float64
	width  float64
	method string
}

// directionSet is a finite set of directions with a dictionary; the zero value is empty.
type directionSet struct {
	dictionary *sparsero.Dictionary
	directions *mat.Dense // one per row
}

// Directions returns a copy of the directions, one per row.
func (s *directionSet) Directions() *mat.Dense {
	if s.Size() == 0 {
		return &mat.Dense{}
	}
	return mat.DenseCopyOf(s.directions)
}

// Size returns the number of directions.
func (s *directionSet) Size() int {
	if s.directions == nil {
		return 0
	}
	rows, _ := s.directions.Dims()
	return rows
}

// MarshalJSON is an error: what is proven of directions cannot travel without the proof.
func (s *directionSet) MarshalJSON() ([]byte, error) {
	return nil, errors.New("certificate: a set of directions has no form in JSON; write its Directions and build it again")
}

// Dictionary returns the dictionary in whose pseudometric the radius is measured.
func (n *Net) Dictionary() *sparsero.Dictionary { return n.dictionary }

// Radius returns the proven ε.
func (n *Net) Radius() float64 { return n.radius }

// Width returns a number w <= 2ε such that, for every set S and every x in X,
//
//	Δ_S(q(x)) <= Δ_S(t) + w
//
// holds at some direction t of T. It comes from M_[N](s-t) + M_[N](t-s) <= 2 d_D(s,t),
// which is up to twice as sharp and equal for dictionaries symmetric about 0.
func (n *Net) Width() float64 { return n.width }

// String summarises the net.
func (n *Net) String() string {
	return fmt.Sprintf("%s net: %d directions, radius %.6g", n.method, n.Size(), n.radius)
}

// Cover turns other directions into a net by the triangle inequality,
//
//	ε(T) <= max_{s in net} min_{t in T} d_D(s,t) + ε(net).
//
// It costs O(|net| |T| N). It is an error if the directions do not fit the dictionary.
func (n *Net) Cover(directions mat.Matrix) (*Net, error) {
	if err := input.CheckRows("directions", "direction", directions, n.dictionary.Dim()); err != nil {
		return nil, fmt.Errorf("certificate: %w", err)
	}
	nearest, rounding, err := nearestDistances(n.dictionary, n.directions, directions)
	if err != nil {
		return nil, err
	}
	farthest := directed.SumUpper(slices.Max(nearest), rounding)
	return newNet(n.dictionary, mat.DenseCopyOf(directions), directed.SumUpper(farthest, n.radius), "covering "+n.method), nil
}

// newNet builds a net of the width 2ε.
func newNet(d *sparsero.Dictionary, directions *mat.Dense, radius float64, method string) *Net {
	return &Net{directionSet: directionSet{d, directions}, radius: radius, width: 2 * radius, method: method}
}

// nearestDistances returns, for each row of from, the distance of the nearest row of to,
// and a bound on the error of these distances.
func nearestDistances(d *sparsero.Dictionary, from, to mat.Matrix) (nearest []float64, rounding float64, err error) {
	var all mat.Dense
	all.Stack(from, to)
	metric, err := newPseudometric(context.Background(), d, &all)
	if err != nil {
		return nil, 0, err
	}
	m, _ := from.Dims()
	total, _ := all.Dims()
	nearest = make([]float64, m)
	parallel.Each(m, func(a int) {
		least := math.Inf(1)
		for b := m; b < total; b++ {
			if distance, ok := metric.within(a, b, least); ok {
				least = math.Min(least, distance)
			}
		}
		nearest[a] = least
	})
	return nearest, metric.rounding, nil
}

// NetTooLargeError says that a net of the requested radius needs more points than
// allowed.
type NetTooLargeError struct {
	// Epsilon is the radius that was asked for.
	Epsilon float64
	// Points is the number of points it needs (at least), Limit what is allowed.
	Points float64
	Limit  int
	// Reachable is a radius that fits the limit.
	Reachable float64
}

// Error names the radius that fits.
func (e *NetTooLargeError) Error() string {
	return fmt.Sprintf("certificate: a net of radius %g needs at least %.4g points, more than MaxPoints %d; ask for epsilon >= %.4g, raise MaxPoints, or use SolveUniform, which needs no net",
		e.Epsilon, e.Points, e.Limit, e.Reachable)
}

// ProbeSet is a set of directions that were sampled or revealed. It proves nothing
// about the directions in between, so it is not a [Net] and cannot be used as one:
// what it says about a net radius is an estimate from below. It does not change and may be
// used by several goroutines at once.
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
	return &ProbeSet{directionSet{d, mat.DenseCopyOf(directions)}}, nil
}

// RadiusEstimate is what probes say about the net radius of a set T of directions.
type RadiusEstimate struct {
	// AtLeast is ε̂(T) = max_s min_t d_D(s,t) over the probes s: the radius of T as a net of
	// any set that contains the probes is at least this, and can be far more.
	AtLeast float64
	// AtMost is the same maximum rounded up, where AtLeast is rounded down: no probe is farther from T.
	AtMost float64
	// Mean and Quantile95 describe the distances of the probes from T.
	Mean, Quantile95 float64
	// Probes is their number.
	Probes int
}

// EstimateRadius measures how far the probes are from a set T of directions (M×p):
// the paper's ε̂(T). It is an estimate from below and no certificate. It costs
// O(|probes| |T| N). It is an error if the directions are empty, not finite or of
// another dimension.
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
		AtLeast: math.Max(0, directed.SumLower(farthest, -rounding)), AtMost: directed.SumUpper(farthest, rounding),
		Mean: stat.Mean(nearest, nil), Quantile95: rank.Value(nearest, rank.Up(len(nearest), 0.95)), Probes: len(nearest),
	}, nil
}

// UncoveredMass returns ln(1/δ)/M: if the M probes are independent draws from a
// distribution of directions and T was fixed beforehand, then with probability at least
// 1-δ the mass of directions farther than AtMost from T is at most this. It is an error
// if δ is outside (0,1).
func (e RadiusEstimate) UncoveredMass(delta float64) (float64, error) {
	if math.IsNaN(delta) || delta <= 0 || delta >= 1 {
		return 0, fmt.Errorf("certificate: delta %v is outside (0,1); use for instance 0.01", delta)
	}
	return math.Min(1, math.Log(1/delta)/float64(e.Probes)), nil
}
