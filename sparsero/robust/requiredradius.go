package robust

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
)

// RequiredRadii returns, for each row u of an m×p matrix of perturbations, the
// smallest radius at which the robust value covers what u does to this decision,
//
//	ρ(u) = min{ r >= 0 : ⟨u, q(X)⟩ <= r max(0, max_{i in S} ⟨d_i, q(X)⟩) },
//
// in O(mp + |S|p). It is 0 for a perturbation that does no harm and +Inf where no
// radius helps. The decision X and the atoms S stay fixed while the radius varies.
//
// Used as a score in package calibration, for samples on which neither X nor S
// depends, it gives a radius r̂ with P(f(X,U) > b(X) + r̂ max_S ⟨d_i, q(X)⟩) <= α.
// That is a statement about this decision; the gauge score makes one about every
// decision at once and needs a larger radius.
//
// It is an error if the objective is certain, or if the samples are empty, not
// finite, or of another dimension than the atoms.
func (s *Solution) RequiredRadii(d *sparsero.Dictionary, samples mat.Matrix) ([]float64, error) {
	if s.Direction == nil {
		return nil, errors.New("robust: the objective is certain, so no radius is required; give the problem a map q")
	}
	if d == nil || d.Dim() != len(s.Direction) {
		return nil, fmt.Errorf("robust: dictionary does not fit the solution, whose direction has dimension %d; pass the problem's Dictionary", len(s.Direction))
	}
	if err := d.CheckDirections("samples", samples); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	set, err := sparsero.NewAtomicSet(d, s.Indices, 1)
	if err != nil {
		return nil, fmt.Errorf("robust: dictionary does not fit the solution: %w", err)
	}
	_, covered := set.WorstAtom(s.Direction)
	m, _ := samples.Dims()
	harm := mat.NewVecDense(m, nil)
	harm.MulVec(samples, mat.NewVecDense(len(s.Direction), s.Direction))
	radii := make([]float64, m)
	for j := range radii {
		switch h := harm.AtVec(j); {
		case h <= 0:
		case covered == 0:
			radii[j] = math.Inf(1)
		default:
			radii[j] = h / covered
		}
	}
	return radii, nil
}
