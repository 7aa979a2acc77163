// Package dualsimplex is the dual simplex method with bound flipping on a dense tableau,
// followed by the primal method where costs changed; solver.DualSimplex says what it costs.
//
// Where things are:
//
//	method        when a program is solved again without the last basis
//	tableau       the tableau, its rows and pivots
//	dual, primal  the dual method: leaving row, ratio test with bound flipping; the primal method: entering column, ratio test, Bland's rule where it stalls
//	breakpoints   which reduced costs reach 0 in a dual step, in order as far as it goes; the stablest to stop at
//	answer        point, duals and Farkas multipliers of a basis
//	tolerances    primal and dual feasibility with which it works inside (its answer is checked with those of solver/tolerances.go), pivots; limits of the work
//
// Programs are expected in units in which their numbers are near 1.
package dualsimplex

import "github.com/sparsero/directions/solver/internal/program"

// Limit is the number of rows*columns up to which a dense tableau pays.
const Limit = 1 << 21

// Method keeps the tableau of its last basis. The zero value is ready for use.
type Method struct{ tableau *tableau }

// Solve solves a linear program, which has the columns of the last one, and its rows, perhaps followed by more. Proves
// returns multipliers of the rows, or their negatives, that are Farkas multipliers, or nil.
func (m *Method) Solve(p *program.Program, b *program.Budget, tol program.Tolerances, proves func(multipliers []float64) []float64) program.Answer {
	for attempt := 0; attempt < attempts && !b.Exhausted(); attempt++ {
		if m.tableau == nil || attempt > 0 {
			m.tableau = newTableau(len(p.Cost))
		}
		m.tableau.synchronise(p)
		switch m.tableau.optimise(b) {
		case program.Optimal:
			if answer, verified := m.tableau.answer(p, tol); verified {
				return answer
			}
		case program.NoOptimum:
			return program.Answer{Outcome: program.NoOptimum}
		case program.Infeasible:
			if y := proves(m.tableau.rowCombination()); y != nil {
				return program.Answer{Outcome: program.Infeasible, Farkas: y}
			}
		}
	}
	if b.Exhausted() {
		return program.Answer{Outcome: program.Stopped}
	}
	return program.Answer{Outcome: program.Failed}
}
