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
	closed := run.closed()
	open := func(atom int) bool { return !run.probes.chosen[atom] && (closed == nil || !closed[atom]) }
	if run.options.Rule != MostViolated {
		return run.preferred(open)
	}
	if atom = run.design.Solution.mostViolatedAtom(open); atom == sparsero.NullAtom {
		return atom, 0
	}
	return atom, run.probes.gain(atom)
}

// closed tells of each atom whether it counts in a row whose budget is used up, nil if no row has a budget.
func (run *designRun) closed() []bool {
	if run.options.RowBudgets == nil {
		return nil
	}
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

// preferred returns the open atom with the smallest deficit, where that is the rule, and then the largest gain;
// sparsero.NullAtom if there is none. An atom without a gain leaves the largest deficit, so that those with one come first.
func (run *designRun) preferred(open func(atom int) bool) (atom int, gain float64) {
	atom, least := sparsero.NullAtom, 0.0
	for _, a := range run.probes.gains() {
		if !open(a.atom) {
			continue
		}
		deficit := 0.0 // without deficits the gain decides
		if run.options.Rule == SmallestDeficit {
			deficit = run.probes.worstDeficit(a.atom)
		}
		if atom == sparsero.NullAtom || deficit < least || deficit == least && rank.Ahead(a.value, a.atom, gain, atom) {
			atom, gain, least = a.atom, a.value, deficit
		}
	}
	for i := 0; atom == sparsero.NullAtom && i < len(run.probes.chosen); i++ {
		if open(i) {
			atom = i
		}
	}
	return atom, gain
}

// mostViolatedAtom returns the worst atom of the exposure that misses most, in
// units of the objective or of the constraint, among those whose worst atom is open. Sizes of terms would make
// units equal, but they depend on atoms, and the choice would lose the preference property (outofsample.go).
func (s *Solution) mostViolatedAtom(open func(atom int) bool) int {
	atom, worst := sparsero.NullAtom, 0.0
	offer := func(candidate int, missed float64) {
		// What is missed may be positive exactly, and in float64 no atom be the worst.
		if missed > worst && candidate != sparsero.NullAtom && open(candidate) {
			atom, worst = candidate, missed
		}
	}
	offer(s.Certificate.WorstAtom, s.Certificate.Bound.Float())
	for _, c := range s.Constraints {
		offer(c.Certificate.WorstAtom, math.Min(c.violation(), c.Certificate.Bound.Float()))
	}
	return atom
}
