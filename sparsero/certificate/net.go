package certificate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// Net is a finite set T of directions with a proven radius: every direction q(x),
// x in X, is within ε of T in the dictionary pseudometric,
//
//	min_{t in T} d_D(q(x), t) <= ε   for every x in X.
//
// T need not be part of q(X). Nets are made by [GridNet], [AdaptiveNet],
// [LipschitzNet], [ProbeSet.Prove] and [Net.Cover], each of which proves the radius;
// there is no way to declare one. A Net does not change and may be used by several
// goroutines at once.
type Net struct {
	directionSet
	radius  float64
	widths  []float64
	method  string
	partial bool
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

// Width returns, for direction t, a number w_t <= 2ε such that, for every set S,
//
//	Δ_S(q(x)) <= Δ_S(t) + w_t
//
// holds at all x that t stands for. It comes from M_N(s-t) + M_N(t-s) <= 2 d_D(s,t),
// which is up to twice as sharp and equal for dictionaries symmetric about 0. It panics if
// t is out of range.
func (n *Net) Width(t int) float64 {
	if t < 0 || t >= len(n.widths) {
		panic(fmt.Sprintf("certificate: direction %d is outside [0,%d)", t, len(n.widths)))
	}
	return n.widths[t]
}

// Partial tells that the construction was cancelled: the radius is proven, but
// larger than what was asked for.
func (n *Net) Partial() bool { return n.partial }

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

// newNet builds a net whose directions all have width 2ε.
func newNet(d *sparsero.Dictionary, directions *mat.Dense, radius float64, method string) *Net {
	rows, _ := directions.Dims()
	widths := make([]float64, rows)
	for t := range widths {
		widths[t] = 2 * radius
	}
	return &Net{directionSet: directionSet{d, directions}, radius: radius, widths: widths, method: method}
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

// ErrNotANet is wrapped when directions are shown not to be an ε-net.
var ErrNotANet = errors.New("certificate: not an ε-net")

// NotANetError carries the proof that a set of directions is not an ε-net of
// q(X). It wraps ErrNotANet.
type NotANetError struct {
	// Epsilon is the radius that was claimed.
	Epsilon float64
	// X is a point of the region whose direction is Distance > Epsilon away from T.
	X        []float64
	Distance float64
}

// Error names the witness and the next step.
func (e *NotANetError) Error() string {
	return fmt.Sprintf("%v: q(x) at x = %.4g is %.6g away from every direction, more than epsilon %g; ask for epsilon >= %.6g, or add directions with AdaptiveNet",
		ErrNotANet, e.X, e.Distance, e.Epsilon, e.Distance)
}

// Unwrap returns ErrNotANet.
func (e *NotANetError) Unwrap() error { return ErrNotANet }

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
