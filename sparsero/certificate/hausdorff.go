package certificate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/input"
	"github.com/sparsero/directions/sparsero/internal/parallel"
)

// Hausdorff bounds the value gap by how far the dictionary's hull sticks out of that of the chosen atoms,
//
//	r Δ_S(q(x)) <= r max_i dist₂(d_i, conv(S_0)) ‖q(x)‖₂,
//
// for any q and any X. It needs no net, but is not comparable with the net bound
// in general; it is tight when q(X) is a Euclidean ball around 0.
type Hausdorff struct {
	// Distance is the Hausdorff distance max_i dist₂(d_i, conv(S_0)) of the hulls.
	Distance proof.Upper
	// Atom attains it; sparsero.NullAtom if the distance is 0.
	Atom int
	// Distances has one entry per atom of the dictionary, 0 for the chosen ones.
	Distances []proof.Upper
	// Bound is r Distance times the bound on ‖q(x)‖₂, in units of the objective.
	Bound proof.Upper
}

// MeasureHausdorff computes the bound with one projection per atom, O(N |S| p) per
// step of the projections. The directionNorm is a bound on max_x ‖q(x)‖₂, for instance from
// [DirectionNorm]; it is an error if that is not finite and at least 0, or the set nil, and if the context ends.
func MeasureHausdorff(ctx context.Context, set *sparsero.AtomicSet, directionNorm float64) (Hausdorff, error) {
	ctx = input.Context(ctx)
	if err := checkSet(set); err != nil {
		return Hausdorff{}, err
	}
	if math.IsNaN(directionNorm) || math.IsInf(directionNorm, 0) || directionNorm < 0 {
		return Hausdorff{}, fmt.Errorf("certificate: directionNorm %v is not a finite number >= 0; use certificate.DirectionNorm for a polyhedron", directionNorm)
	}
	d, atoms := set.Dictionary(), atomsOf(set)
	h := Hausdorff{Atom: sparsero.NullAtom, Distance: proof.AtMost(0), Distances: make([]proof.Upper, d.Size())}
	chosen := set.Atoms()
	err := parallel.Each(ctx, d.Size(), func(i int) {
		if h.Distances[i] = proof.AtMost(0); !slices.Contains(chosen, i) {
			h.Distances[i] = project(atoms, d.RawRowView(i)).distance
		}
	})
	if err != nil {
		return Hausdorff{}, err
	}
	for i, distance := range h.Distances {
		if distance.Float() > h.Distance.Float() {
			h.Distance, h.Atom = distance, i
		}
	}
	h.Bound = h.Distance.Times(set.Radius()).Times(directionNorm)
	return h, nil
}
