package robust

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/input"
)

// RequiredRadii returns, for each row u of an m×p matrix of perturbations, the
// smallest radius at which the robust value covers what u does to this decision,
//
//	ρ(u) = min{ r >= 0 : ⟨u, q(X)⟩ <= r max(0, max_{i in S} ⟨d_i, q(X)⟩) },
//
// rounded up, in O(mp + |S|p). It is 0 for a perturbation that does no harm and +Inf where no
// radius helps. The decision X and the atoms S stay fixed while the radius varies.
//
// Used as a score in package calibration, for samples on which neither X nor S
// depends, it gives a radius r̂ with P(f(X,U) > b(X) + r̂ max_S ⟨d_i, q(X)⟩) <= α.
// That is a statement about this decision; the gauge score makes one about every
// decision at once and needs a larger radius.
//
// It is an error if the objective is certain, or if the samples are empty, not
// finite, or of another dimension than the atoms.
func (s *Solution) RequiredRadii(samples mat.Matrix) ([]float64, error) {
	if s.Direction == nil {
		return nil, errors.New("robust: the objective is certain, so no radius is required; give the problem a map q")
	}
	if s.problem == nil {
		return nil, errors.New("robust: no method of Problem returned this solution, so its atoms are unknown; use Solve, SolveFull or Evaluate")
	}
	d := s.problem.dictionary
	if err := input.CheckRows("samples", "sample", samples, d.Dim()); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	set, err := sparsero.NewAtomicSet(d, s.Atoms, 1)
	if err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	middle, uncertain := direction(s.problem.q, s.X)
	covered := 0.0 // not above M_S
	for _, i := range set.Atoms() {
		covered = math.Max(covered, harm(d.RawRowView(i), middle, uncertain, -1).Lower())
	}
	m, _ := samples.Dims()
	radii, sample := make([]float64, m), make([]float64, d.Dim())
	for j := range radii {
		done := harm(mat.Row(sample, j, samples), middle, uncertain, 1)
		switch {
		case done.Value() <= 0:
		case covered == 0:
			radii[j] = math.Inf(1)
		default:
			radii[j] = math.Nextafter(done.Upper()/covered, math.Inf(1))
		}
	}
	return radii, nil
}
