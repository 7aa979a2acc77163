package certificate

import (
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/floats"
)

// projection is the point of conv(S_0) nearest to a target.
type projection struct {
	weights, residual []float64
	distance          proof.Upper
}

// Project returns the point of conv(S_0) = conv({d_i : i in S} ∪ {0}) nearest to a target in the Euclidean norm, by Wolfe's
// active-set method; the radius of the set does not matter. The convex weights are one per index of the set in its order; what
// is missing to 1 lies on the null atom. The residual is target - Σ weights[j] d_j, length p, rounded: of a target outside
// conv(S_0) it separates up to rounding, ⟨target, residual⟩ > max_{S_0} ⟨d_i, residual⟩; of one inside it is 0 up to rounding, so
// that only this inequality tells them apart. The distance bounds that of the target from conv(S_0).
//
// Work O(|S| p) per step, with a few steps per dimension. It is an error if the set is nil or the target has another length than
// the atoms or a value that is not finite.
func Project(set *sparsero.AtomicSet, target []float64) (weights, residual []float64, distance proof.Upper, err error) {
	if err := checkSet(set); err != nil {
		return nil, nil, proof.Upper{}, err
	}
	if err := input.CheckVector("target", target, set.Dictionary().Dim()); err != nil {
		return nil, nil, proof.Upper{}, fmt.Errorf("certificate: %w", err)
	}
	p := project(atomsOf(set), target)
	return p.weights, p.residual, p.distance, nil
}

// atomsOf lists the chosen atoms.
func atomsOf(set *sparsero.AtomicSet) [][]float64 {
	atoms := make([][]float64, 0, set.Size())
	for _, i := range set.Atoms() {
		atoms = append(atoms, set.Dictionary().RawRowView(i))
	}
	return atoms
}

// project works in units in which the largest difference is about 1.
func project(atoms [][]float64, target []float64) projection {
	points, largest := make([][]float64, len(atoms)+1), 0.0
	for k := range points {
		points[k] = make([]float64, len(target))
		if k < len(atoms) {
			copy(points[k], atoms[k])
		}
		floats.Sub(points[k], target)
		largest = max(largest, floats.Norm(points[k], math.Inf(1)))
	}
	_, exponent := math.Frexp(largest)
	for _, point := range points {
		for c, v := range point {
			point[c] = math.Ldexp(v, -exponent)
		}
	}
	weights := nearestToOrigin(points)[:len(atoms)]
	proof.Convex(weights)
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
	return projection{weights, residual, proof.AtMost(directed.NormUpper(reach))}
}
