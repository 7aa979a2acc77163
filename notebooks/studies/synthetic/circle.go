package synthetic

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/certificate"
	"github.com/sparsero/directions/sparsero/input"
)

// radiusAccuracy is how far [CircleRadius] may exceed the true radius, relative
// to the largest norm of an atom.
const radiusAccuracy = 1e-4

// CircleRadius returns the true radius of a set T of unit directions (M×2) as a
// net of the whole circle,
//
//	ε(T) = max_{|s|=1} min_{t in T} d_D(s,t),
//
// to 1e-4 of the largest norm L of an atom and never below the truth, by branch
// and bound over arcs: on an arc of half-width w around s the distance to T is
// at most its value at s plus 2 L sin(w/2). It is an error if the dictionary
// is not planar or the directions do not fit it; a cancelled context gives the
// context's error.
func CircleRadius(ctx context.Context, d *sparsero.Dictionary, directions mat.Matrix) (float64, error) {
	if d.Dim() != 2 {
		return 0, fmt.Errorf("synthetic: the atoms have dimension %d; the circle needs 2", d.Dim())
	}
	if err := input.CheckRows("directions", "direction", directions, d.Dim()); err != nil {
		return 0, err
	}
	vertices, err := d.PseudometricVertices(ctx)
	if err != nil || len(vertices) == 0 { // without vertices all atoms are zero
		return 0, err
	}
	scores := newMetric(d, vertices, directions)
	lipschitz := d.MaxNorm()
	var arcs []arc // in increasing order of their bounds
	const firstArcs = 16
	lower := 0.0
	push := func(centre, halfWidth float64) {
		value := scores.nearest(centre)
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
// the unit circle: the Hausdorff distance of the hulls of S and of the whole
// dictionary. With the vertices of conv(D ∪ {0}) no other atoms are needed, because none
// is farther from conv(S_0) than the farthest vertex.
func circleDeficit(d *sparsero.Dictionary, vertices, indices []int) (float64, error) {
	atoms := slices.Clone(indices)
	for _, v := range vertices {
		if !slices.Contains(atoms, v) {
			atoms = append(atoms, v)
		}
	}
	if len(atoms) == 0 {
		return 0, nil // all atoms are zero
	}
	reduced, err := d.Subset(atoms)
	if err != nil {
		return 0, err
	}
	chosen := make([]int, len(indices))
	for k := range chosen {
		chosen[k] = k
	}
	set, err := sparsero.NewAtomicSet(reduced, chosen, 1)
	if err != nil {
		return 0, err
	}
	bound, err := certificate.MeasureHausdorff(set, 1)
	return bound.Distance, err
}

// metric evaluates the distance of a direction from a set T.
type metric struct {
	atoms  [][2]float64 // the vertices of conv(D ∪ -D)
	scores [][]float64  // atom by direction of T
}

func newMetric(d *sparsero.Dictionary, vertices []int, directions mat.Matrix) metric {
	count, _ := directions.Dims()
	m := metric{}
	for _, v := range vertices {
		atom := d.RawRowView(v)
		row := make([]float64, count)
		for t := range row {
			row[t] = atom[0]*directions.At(t, 0) + atom[1]*directions.At(t, 1)
		}
		m.atoms = append(m.atoms, [2]float64{atom[0], atom[1]})
		m.scores = append(m.scores, row)
	}
	return m
}

// nearest returns min_{t in T} d_D(s,t) for the unit direction of an angle.
func (m metric) nearest(angle float64) float64 {
	sin, cos := math.Sincos(angle)
	aligned := make([]float64, len(m.atoms))
	for i, atom := range m.atoms {
		aligned[i] = atom[0]*cos + atom[1]*sin
	}
	least := math.Inf(1)
	for t := range m.scores[0] {
		distance := 0.0
		for i, row := range m.scores {
			distance = max(distance, math.Abs(aligned[i]-row[t]))
		}
		least = min(least, distance)
	}
	return least
}

// arc is a part of the circle with an upper bound on the distance from T.
type arc struct{ centre, halfWidth, upper float64 }
