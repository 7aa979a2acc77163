package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"gonum.org/v1/gonum/mat"
)

// radiusAccuracy is how far [CircleRadius] may exceed the true radius, relative to the largest norm of an atom.
const radiusAccuracy = 1e-4

// CircleRadius returns the true radius of a set T of unit directions (M×2) as a net of the whole circle,
//
//	ε(T) = max_{|s|=1} min_{t in T} d_D(s,t),
//
// to 1e-4 of the largest norm L of an atom and never below the truth, by branch and bound over arcs: on an arc of
// half-width w around s the distance to T is at most its value at s plus 2 L sin(w/2). It is an error if the dictionary
// is not planar or the directions do not fit it; a cancelled context gives the context's error.
func CircleRadius(ctx context.Context, d *sparsero.Dictionary, directions mat.Matrix) (float64, error) {
	if d.Dim() != 2 {
		return 0, fmt.Errorf("synthetic: the atoms have dimension %d; the circle needs 2", d.Dim())
	}
	if _, err := sparsero.NewDictionary(directions, nil); err != nil {
		return 0, fmt.Errorf("synthetic: directions: %w", err)
	}
	vertices, err := d.PseudometricVertices(ctx)
	if err != nil || len(vertices) == 0 { // without vertices all atoms are zero
		return 0, err
	}
	reduced, err := d.Subset(vertices) // the same pseudometric
	if err != nil {
		return 0, err
	}
	count, _ := directions.Dims()
	nearest := func(angle float64) float64 { // distance of the direction of an angle from T
		sin, cos := math.Sincos(angle)
		least, direction := math.Inf(1), make([]float64, 2)
		for t := range count {
			least = min(least, reduced.Pseudometric([]float64{cos, sin}, mat.Row(direction, t, directions)))
		}
		return least
	}
	lipschitz := d.MaxNorm()
	var arcs []arc // in increasing order of their bounds
	const firstArcs = 16
	lower := 0.0
	push := func(centre, halfWidth float64) {
		value := nearest(centre)
		lower = max(lower, value)
		upper := value + 2*lipschitz*math.Sin(halfWidth/2)
		at, _ := slices.BinarySearchFunc(arcs, upper, func(a arc, upper float64) int { return cmp.Compare(a.upper, upper) })
		arcs = slices.Insert(arcs, at, arc{centre, halfWidth, upper})
	}
	for k := range firstArcs {
		push(2*math.Pi*(float64(k)+0.5)/firstArcs, math.Pi/firstArcs)
	}
	for arcs[len(arcs)-1].upper > lower+radiusAccuracy*lipschitz {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		a := arcs[len(arcs)-1]
		arcs = arcs[:len(arcs)-1]
		push(a.centre-a.halfWidth/2, a.halfWidth/2)
		push(a.centre+a.halfWidth/2, a.halfWidth/2)
	}
	return max(lower, arcs[len(arcs)-1].upper), nil
}

// circleDeficit returns sup_{|s|=1} Δ_S(s), the exact certificate when q(X) is
// the unit circle: the Hausdorff distance of the hulls of S and of the whole dictionary.
func circleDeficit(ctx context.Context, d *sparsero.Dictionary, indices []int) (float64, error) {
	set, err := sparsero.NewAtomicSet(d, indices, 1)
	if err != nil {
		return 0, err
	}
	bound, err := certificate.MeasureHausdorff(ctx, set, 1)
	return bound.Distance.Float(), err
}

// arc is a part of the circle with an upper bound on the distance from T.
type arc struct{ centre, halfWidth, upper float64 }
