package robust

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/sparsero/directions/solver/proof/directed"
	"github.com/sparsero/directions/sparsero/internal/input"
	"gonum.org/v1/gonum/mat"
)

// RequiredRadii returns, for each row u of an m×p matrix of perturbations, the smallest radius at which what the atoms cover
// in every uncertain row, the objective among them, is at least what u does to it,
//
//	ρ(u) = min{ r >= 0 : ⟨u, q_k(X)⟩ <= r max(0, max_{i in S} ⟨d_i, q_k(X)⟩) for all k },
//
// rounded up, in O(mp + |S|p) for each row. It is 0 for a perturbation that does no harm and +Inf where no radius
// helps. The decision X and the atoms S, all atoms for the full model, stay fixed while the radius varies.
// [Solution.RowSamples] has them row by row.
//
// Used as a score in package calibration, for samples on which neither X nor S depends, it gives a radius r̂ with P(f(X,U) >
// b(X) + r̂ max_S ⟨d_i, q(X)⟩) <= α, and the same of all rows at once. That is a statement about this decision; the gauge
// score makes one about every decision at once and needs a larger radius.
//
// It is an error if the samples are empty, not finite, or of another dimension than the atoms, and one that wraps
// [calibration.ErrReuse] if they are rows of the dictionary, by which the decision was chosen (see
// [calibration.Fresh]): declare such atoms with Dictionary.AsSampled and ask [Solution.OutOfSample]. With sets of their
// own for some rows a sample has the coordinates of [Problem.Dictionary], all sets one after the other.
func (s *Solution) RequiredRadii(samples mat.Matrix) ([]float64, error) {
	rows, err := s.RowSamples(samples)
	if err != nil {
		return nil, err
	}
	return rows[len(rows)-1].Radii, nil
}

// RowSamples is what perturbations do to one uncertain row of a solution.
type RowSamples struct {
	// Row is "objective", the name of a constraint, or "all rows" for all at once.
	Row string
	// Radii has the required radius of each perturbation, for all rows the largest of them.
	Radii []float64
	// Excess says by how much each perturbation takes the objective above Value, or the left-hand side of a constraint
	// above its limit; 0 where that is within 1e-6 of the terms, +Inf where it is beyond float64. For all rows it is
	// the largest relative to the terms of its row.
	Excess []float64
}

// RowSamples evaluates perturbations, the rows of an m×p matrix, at each uncertain row and, in the last entry, at all at
// once; calibration.CountViolations of an Excess is the share that breaks what the row promises. It has the errors of
// [Solution.RequiredRadii].
func (s *Solution) RowSamples(samples mat.Matrix) ([]RowSamples, error) {
	if s.problem == nil {
		return nil, errors.New("robust: no method of Problem returned this solution, so its atoms are unknown; use Solve, SolveFull or Evaluate")
	}
	if err := input.CheckRows("samples", "sample", samples, s.problem.dictionary.dim); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	if err := s.problem.checkFresh(samples, "declare the atoms with Dictionary.AsSampled and ask OutOfSample, whose guarantee is for atoms that are samples"); err != nil {
		return nil, fmt.Errorf("robust: %w", err)
	}
	m, _ := samples.Dims()
	all := RowSamples{Row: "all rows", Radii: make([]float64, m), Excess: make([]float64, m)}
	var rows []RowSamples
	for _, exposure := range s.problem.exposures() {
		row, size := s.rowSamples(exposure, samples)
		for j := range m {
			all.Radii[j] = math.Max(all.Radii[j], row.Radii[j])
			switch excess := row.Excess[j]; {
			case math.IsInf(excess, 1):
				all.Excess[j] = excess
			case excess > 0:
				all.Excess[j] = math.Max(all.Excess[j], excess/cmp.Or(size, excess)) // of a row that has no terms but what a sample does
			}
		}
		rows = append(rows, row)
	}
	return append(rows, all), nil
}

// rowSamples returns the size of the terms of the row, too.
func (s *Solution) rowSamples(exposure int, samples mat.Matrix) (RowSamples, float64) {
	p := s.problem
	at := p.at(exposure, s.X)
	set, covered := p.dictionary.at(exposure), 0.0 // not above M_S
	cover := func(atom []float64) { covered = math.Max(covered, harm(atom, at.middle, at.errors, -1).Lower()) }
	for i := 0; s.Full && i < set.dictionary.Size(); i++ {
		cover(set.dictionary.RawRowView(i))
	}
	for _, i := range s.Atoms {
		if atom := p.dictionary.row(exposure, i); atom != nil {
			cover(atom)
		}
	}
	room, size := s.Value-p.region.Objective(s.X), s.Size
	if exposure != objectiveExposure {
		limit := p.constraints[exposure].Limit
		nominal, _ := p.nominal(exposure, s.X)
		room, size = limit-nominal.Value(), math.Max(math.Abs(limit), s.Constraints[exposure].Size)
	}
	m, _ := samples.Dims()
	row, sample := RowSamples{Row: p.exposureName(exposure), Radii: make([]float64, m), Excess: make([]float64, m)}, make([]float64, set.dictionary.Dim())
	for j := range m {
		for k := range sample {
			sample[k] = samples.At(j, set.coordinate+k)
		}
		done, upper := at.harm(sample)
		switch {
		case upper <= 0:
		case covered == 0:
			row.Radii[j] = math.Inf(1)
		default:
			row.Radii[j] = directed.QuotientUpper(upper, covered)
		}
		switch excess := done - room; {
		case math.IsInf(excess, 1) || math.IsNaN(excess): // of two numbers beyond float64, which say nothing of each other
			row.Excess[j] = math.Inf(1)
		case excess > limitTolerance*math.Max(size, math.Abs(done)):
			row.Excess[j] = excess
		}
	}
	return row, size
}
