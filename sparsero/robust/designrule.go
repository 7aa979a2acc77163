package robust

import (
	"math"
	"slices"

	"github.com/sparsero/directions/sparsero"
	"github.com/sparsero/directions/sparsero/internal/rank"
)

// best returns the atom that the rule prefers among those that are not chosen, on S and T as they stand, with its marginal
// gain, ties to the lowest index.
func (run *designRun) best() (atom int, gain float64) {
	gains, closed := run.probes.gains(), run.closed()
	deficits := make([]float64, len(gains)) // without deficits the gain decides
	switch run.options.Rule {
	case MostViolated:
		for i, chosen := range run.probes.chosen {
			closed[i] = closed[i] || chosen
		}
		atom = run.design.Solution.mostViolatedAtom(closed)
	case SmallestDeficit:
		deficits = run.probes.worstDeficits()
		fallthrough
	default:
		atom = run.preferred(gains, deficits, closed)
	}
	if atom == sparsero.NullAtom {
		return atom, 0
	}
	return atom, gains[atom]
}

// closed tells of each atom whether it counts in a row whose budget is used up.
func (run *designRun) closed() []bool {
	closed := make([]bool, len(run.probes.chosen))
	for row, left := range run.options.RowBudgets {
		exposure := run.problem.exposures()[slices.Index(run.problem.exposureNames(), row)]
		meets := func(atom int) bool {
			return run.problem.pullbacks[exposure+1].meets(run.problem.dictionary.row(exposure, atom))
		}
		for _, atom := range run.probes.atoms {
			if meets(atom) {
				left--
			}
		}
		for i := range closed {
			closed[i] = closed[i] || left <= 0 && meets(i)
		}
	}
	return closed
}

// preferred returns the atom outside S, of those that are not closed, with the smallest deficit and then the largest gain;
// sparsero.NullAtom if there is none.
func (run *designRun) preferred(gains, deficits []float64, closed []bool) int {
	atom := sparsero.NullAtom
	for i, chosen := range run.probes.chosen {
		if !chosen && !closed[i] && (atom == sparsero.NullAtom || deficits[i] < deficits[atom] || deficits[i] == deficits[atom] && rank.Ahead(gains[i], i, gains[atom], atom)) {
			atom = i
		}
	}
	return atom
}

// mostViolatedAtom returns the worst atom of the exposure that misses most, in
// units of the objective or of the constraint, among those whose worst atom is not closed. Sizes of terms would make
// units equal, but they depend on atoms, and the choice would lose the preference property (outofsample.go).
func (s *Solution) mostViolatedAtom(closed []bool) int {
	atom, worst := sparsero.NullAtom, 0.0
	offer := func(candidate int, missed float64) {
		// What is missed may be positive exactly, and in float64 no atom be the worst.
		if missed > worst && candidate != sparsero.NullAtom && !closed[candidate] {
			atom, worst = candidate, missed
		}
	}
	offer(s.Certificate.WorstAtom, s.Certificate.Bound.Float())
	for _, c := range s.Constraints {
		offer(c.Certificate.WorstAtom, math.Min(c.violation(), c.Certificate.Bound.Float()))
	}
	return atom
}
