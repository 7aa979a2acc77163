package certificate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// Net is a finite set T of directions with a proven radius: every direction q(x),
// x in X, is within ε of T in the dictionary pseudometric,
//
//	min_{t in T} d_D(q(x), t) <= ε   for every x in X.
//
// T need not be part of q(X). Nets are made by [GridNet], [LipschitzNet] and [Net.Cover], each of which proves the
// radius; there is no way to declare one. A Net does not change and may be used by several goroutines at once.
type Net struct {
	directionSet
	radius proof.Upper
	width  proof.Upper
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
	return input.Owned(s.directions)
}

// Size returns the number of directions.
func (s *directionSet) Size() int {
	if s.directions == nil {
		return 0
	}
	rows, _ := s.directions.Dims()
	return rows
}

// Dictionary returns the dictionary in whose pseudometric the radius is measured.
func (n *Net) Dictionary() *sparsero.Dictionary { return n.dictionary }

// Radius returns the proven ε.
func (n *Net) Radius() proof.Upper { return n.radius }

// Width returns a number w <= 2ε such that, for every set S and every x in X,
//
//	Δ_S(q(x)) <= Δ_S(t) + w
//
// holds at some direction t of T. It comes from M_[N](s-t) + M_[N](t-s) <= 2 d_D(s,t),
// which is up to twice as sharp and equal for dictionaries symmetric about 0.
func (n *Net) Width() proof.Upper { return n.width }

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
	return newNet(n.dictionary, input.Owned(directions), proof.AtMost(farthest).Plus(n.radius), "covering "+n.method), nil
}

// newNet builds a net of the width 2ε.
func newNet(d *sparsero.Dictionary, directions *mat.Dense, radius proof.Upper, method string) *Net {
	return &Net{directionSet: directionSet{d, directions}, radius: radius, width: radius.Times(2), method: method}
}

// nearestDistances returns, for each row of from, the distance of the nearest row of to,
// and a bound on the error of these distances.
func nearestDistances(d *sparsero.Dictionary, from, to mat.Matrix) (nearest []float64, rounding float64, err error) {
	var all mat.Dense
	all.Stack(from, to)
	metric, err := newPseudometric(d, &all)
	if err != nil {
		return nil, 0, err
	}
	m, _ := from.Dims()
	total, _ := all.Dims()
	nearest = make([]float64, m)
	err = parallel.Each(context.Background(), m, func(a int) {
		least := math.Inf(1)
		for b := m; b < total; b++ {
			if distance, ok := metric.within(a, b, least); ok {
				least = math.Min(least, distance)
			}
		}
		nearest[a] = least
	})
	return nearest, metric.rounding, err
}

// NetTooLargeError says that a net of the requested radius needs more points than allowed.
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
	return fmt.Sprintf("certificate: a net of radius %g needs at least %.4g points, more than MaxPoints %d; ask for epsilon >= %.4g, raise MaxPoints, or, for an affine q, use SolveUniform, which needs no net",
		e.Epsilon, proof.AtLeast(e.Points), e.Limit, proof.AtMost(e.Reachable))
}
