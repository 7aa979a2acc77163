package certificate

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/sparsero"
)

// insideDistance is the Euclidean distance, relative to the largest norm of an
// atom, under which an atom counts as a point of conv(S_0).
const insideDistance = 1e-9

// Projection is the point of conv(S_0) = conv({d_i : i in S} ∪ {0}) that is
// nearest to a target in the Euclidean norm.
type Projection struct {
	// Weights are convex weights, one per index of the set in its order; what is
	// missing to 1 lies on the null atom.
	Weights []float64
	// Residual is target - Σ Weights[j] d_j, length p. If it is not zero it
	// separates the target from conv(S_0): ⟨target, Residual⟩ > max_{S_0} ⟨d_i, Residual⟩.
	Residual []float64
	// Distance is ‖Residual‖₂, exact up to rounding and never an underestimate.
	Distance float64
}

// Project returns the point of conv(S_0) nearest to a target, by Wolfe's
// active-set method; the radius of the set does not matter. Work O(|S| p) per
// step, with a few steps per dimension. It is an error if the set is nil or the target
// has another length than the atoms or a value that is not finite.
func Project(set *sparsero.AtomicSet, target []float64) (Projection, error) {
	if err := checkSet(set); err != nil {
		return Projection{}, err
	}
	if err := set.Dictionary().CheckDirection("target", target); err != nil {
		return Projection{}, fmt.Errorf("certificate: %w", err)
	}
	return project(set.Dictionary(), set.Indices(), target), nil
}

func project(d *sparsero.Dictionary, indices []int, target []float64) Projection {
	points := make([][]float64, len(indices)+1)
	for k := range points {
		points[k] = make([]float64, len(target))
		for c, v := range target {
			points[k][c] = -v
		}
		if k < len(indices) {
			for c, v := range d.RawRowView(indices[k]) {
				points[k][c] += v
			}
		}
	}
	weights := nearestToOrigin(points)[:len(indices)]
	residual := append([]float64(nil), target...)
	for k, w := range weights {
		if w == 0 {
			continue
		}
		for c, v := range d.RawRowView(indices[k]) {
			residual[c] -= w * v
		}
	}
	return Projection{Weights: weights, Residual: residual, Distance: Euclidean.Of(residual)}
}

// Hausdorff bounds the value gap by how far the dictionary's hull sticks out of
// that of the chosen atoms,
//
//	r Δ_S(q(x)) <= r max_i dist₂(d_i, conv(S_0)) ‖q(x)‖₂,
//
// for any q and any X. It needs no net, but is not comparable with the net bound
// in general; it is tight when q(X) is a Euclidean ball around 0.
type Hausdorff struct {
	// Distance is the Hausdorff distance max_i dist₂(d_i, conv(S_0)) of the hulls.
	Distance float64
	// Atom attains it; sparsero.NullAtom if the distance is 0.
	Atom int
	// Distances has one entry per atom of the dictionary, 0 for the chosen ones.
	Distances []float64
	// DirectionNorm is the bound on ‖q(x)‖₂ over X that was given.
	DirectionNorm float64
	// Bound is r Distance DirectionNorm, in units of the objective.
	Bound float64
}

// NewHausdorff computes the bound with one projection per atom, O(N |S| p) per
// step of the projections. The directionNorm is a bound on max_x ‖q(x)‖₂, for instance from
// [DirectionNorm]; it is an error if that is not finite and at least 0, or the set nil.
func NewHausdorff(set *sparsero.AtomicSet, directionNorm float64) (Hausdorff, error) {
	if err := checkSet(set); err != nil {
		return Hausdorff{}, err
	}
	if math.IsNaN(directionNorm) || math.IsInf(directionNorm, 0) || directionNorm < 0 {
		return Hausdorff{}, fmt.Errorf("certificate: directionNorm %v is not a finite number >= 0; use certificate.DirectionNorm for a polyhedron", directionNorm)
	}
	d, indices := set.Dictionary(), set.Indices()
	h := Hausdorff{Atom: sparsero.NullAtom, Distances: make([]float64, d.Size()), DirectionNorm: directionNorm}
	chosen := membership(d.Size(), indices)
	for i := range d.Size() {
		if chosen[i] {
			continue
		}
		h.Distances[i] = project(d, indices, d.RawRowView(i)).Distance
		if h.Distances[i] > h.Distance {
			h.Distance, h.Atom = h.Distances[i], i
		}
	}
	h.Bound = set.Radius() * h.Distance * directionNorm
	return h, nil
}

// membership marks the listed indices.
func membership(n int, indices []int) []bool {
	chosen := make([]bool, n)
	for _, i := range indices {
		chosen[i] = true
	}
	return chosen
}
