// Package interior is an interior point method for convex quadratic programs (linear ones
// included): Mehrotra's predictor-corrector method; solver.InteriorPoint says what it costs.
//
// Where things are:
//
//	method      the iterations, and which point is the answer
//	form        equations and inequalities of a program
//	iterate     predictor-corrector steps, residuals, the polished point
//	newton      the Newton system and its refinement
//	tolerances  tolerances and limits of the work
//
// Programs are expected in units in which their numbers are near 1.
package interior

import "github.com/sparsero/directions/solver/internal/program"

// Solve runs the method and polishes its point. The answer is Optimal if one of the two satisfies
// the optimality conditions.
func Solve(p *program.Program, b *program.Budget, tol program.Tolerances) program.Answer {
	if b.Exhausted() {
		return program.Answer{Outcome: program.Stopped}
	}
	f := newForm(p)
	closest := f.run(b)
	if b.Exhausted() {
		return program.Answer{Outcome: program.Stopped}
	}
	for _, it := range []*iterate{closest.polished(), closest} {
		answer := it.f.answer(p, it.x, it.y, it.z)
		if program.Defect(p, answer.X, answer.RowDuals, answer.ColumnDuals, tol) == "" {
			answer.Outcome = program.Optimal
			return answer
		}
	}
	return program.Answer{Outcome: program.Failed}
}

// run iterates until the accuracy of the arithmetic is reached, and returns the iterate with the smallest error.
func (f *form) run(b *program.Budget) *iterate {
	current := f.start()
	closest, stalled := current.copy(), 0
	for range iterations {
		if b.Exhausted() {
			break
		}
		b.Iterations++
		if !current.step() {
			break
		}
		// Past the accuracy of the arithmetic, iterates drift away again.
		if stalled++; current.error() < closest.error() {
			closest, stalled = current.copy(), 0
		}
		if closest.error() <= target || stalled > patience {
			break
		}
	}
	return closest
}
