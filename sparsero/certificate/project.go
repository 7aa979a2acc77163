package certificate

import (
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// Projection is the point of conv(S_0) = conv({d_i : i in S} ∪ {0}) that is
// nearest to a target in the Euclidean norm.
type Projection struct {
	// Weights are convex weights, one per index of the set in its order; what is
	// missing to 1 lies on the null atom.
	Weights []float64
	// Residual is target - Σ Weights[j] d_j, length p. If it is not zero it
	// separates the target from conv(S_0): ⟨target, Residual⟩ > max_{S_0} ⟨d_i, Residual⟩.
	Residual []float64
	// Distance is ‖target - Σ Weights[j] d_j‖₂, rounded up: the distance of the target from
	// conv(S_0) is never larger.
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
	if err := input.CheckVector("target", target, set.Dictionary().Dim()); err != nil {
		return Projection{}, fmt.Errorf("certificate: %w", err)
	}
	return project(atomsOf(set), target), nil
}

// atomsOf lists the chosen atoms.
func atomsOf(set *sparsero.AtomicSet) [][]float64 {
	atoms := make([][]float64, 0, set.Size())
	for _, i := range set.Atoms() {
		atoms = append(atoms, set.Dictionary().RawRowView(i))
	}
	return atoms
}

// project works in units in which the largest number is about 1.
func project(atoms [][]float64, target []float64) Projection {
	largest := Maximum.Of(target)
	for _, atom := range atoms {
		largest = max(largest, Maximum.Of(atom))
	}
	_, exponent := math.Frexp(largest)
	points := make([][]float64, len(atoms)+1)
	for k := range points {
		points[k] = make([]float64, len(target))
		for c, v := range target {
			if points[k][c] = -v; k < len(atoms) {
				points[k][c] += atoms[k][c]
			}
			points[k][c] = math.Ldexp(points[k][c], -exponent)
		}
	}
	weights := nearestToOrigin(points)[:len(atoms)]
	makeConvex(weights)
	residual, reach := make([]float64, len(target)), make([]float64, len(target))
	for c, v := range target {
		var sum directed.Sum
		sum.Add(v)
		for k, w := range weights {
			if w != 0 {
				sum.AddProduct(-w, atoms[k][c])
			}
		}
		residual[c], reach[c] = sum.Value(), max(sum.Upper(), -sum.Lower())
	}
	return Projection{Weights: weights, Residual: residual, Distance: Euclidean.Of(reach)}
}

// Hausdorff bounds the value gap by how far the dictionary's hull sticks out of
// that of the chosen atoms,
//
//	r Δ_S(q(x)) <= r max_i dist₂(d_i, conv(S_0)) ‖q(x)‖₂,
//
// for any q and any X. It needs no net, but is not comparable with the net bound
// in general; it is tight when q(X) is a Euclidean ball around 0.
type Hausdorff struct {
	// Distance is the Hausdorff distance max_i dist₂(d_i, conv(S_0)) of the hulls, never
	// below it.
	Distance float64
	// Atom attains it; sparsero.NullAtom if the distance is 0.
	Atom int
	// Distances has one entry per atom of the dictionary, 0 for the chosen ones.
	Distances []float64
	// Bound is r Distance times the bound on ‖q(x)‖₂, rounded up, in units of the objective.
	Bound float64
}

// MeasureHausdorff computes the bound with one projection per atom, O(N |S| p) per
// step of the projections. The directionNorm is a bound on max_x ‖q(x)‖₂, for instance from
// [DirectionNorm]; it is an error if that is not finite and at least 0, or the set nil.
func MeasureHausdorff(set *sparsero.AtomicSet, directionNorm float64) (Hausdorff, error) {
	if err := checkSet(set); err != nil {
		return Hausdorff{}, err
	}
	if math.IsNaN(directionNorm) || math.IsInf(directionNorm, 0) || directionNorm < 0 {
		return Hausdorff{}, fmt.Errorf("certificate: directionNorm %v is not a finite number >= 0; use certificate.DirectionNorm for a polyhedron", directionNorm)
	}
	d, atoms := set.Dictionary(), atomsOf(set)
	h := Hausdorff{Atom: sparsero.NullAtom, Distances: make([]float64, d.Size())}
	chosen := set.Atoms()
	parallel.Each(d.Size(), func(i int) {
		if !slices.Contains(chosen, i) {
			h.Distances[i] = project(atoms, d.RawRowView(i)).Distance
		}
	})
	for i, distance := range h.Distances {
		if distance > h.Distance {
			h.Distance, h.Atom = distance, i
		}
	}
	h.Bound = directed.ProductUpper(directed.ProductUpper(set.Radius(), h.Distance), directionNorm)
	return h, nil
}
