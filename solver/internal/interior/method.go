// Package interior is an interior point method for convex quadratic programs (linear ones
// included): Mehrotra's predictor-corrector method on dense matrices, followed by a
// polishing step that solves for the guessed active set exactly. One iteration costs
// O(rows*columns^2 + columns^3), and 10 to 30 iterations are usual.
//
// Programs are expected in units in which their numbers are near 1.
//
// Source: Mehrotra 1992; for the convex quadratic form Gertz and Wright 2003.
package interior

import (
	"github.com/sparsero/directions/solver/internal/budget"
	"github.com/sparsero/directions/solver/internal/program"
)

// Constants of the interior point method.
const (
	// iterations bounds the iterations; 10 to 30 are usual.
	iterations = 200
	// target is the relative size of residuals and gap to stop at.
	target = 1e-13
	// patience is the number of steps without progress to stop at.
	patience = 20
	// stepShare is the share of the way to the boundary that is walked.
	stepShare = 0.995
	// regularisation is added to the diagonal of the scaled Newton matrix;
	// refinement steps remove its effect.
	regularisation = 1e-11
	// refinements is the number of refinement steps of each Newton system.
	refinements = 3
	// polishings is the number of times the active set may be corrected.
	polishings = 10
)

// Solve runs the method and the polishing. The answer is Optimal if one of them found a
// point that satisfies the optimality conditions; otherwise it holds the closest point.
func Solve(p *program.Program, b *budget.Budget, tol program.Tolerances) program.Answer {
	if b.Exhausted() {
		return program.Answer{Outcome: program.Stopped}
	}
	f := newForm(p)
	closest := f.run(b)
	best := f.answer(p, closest.x, closest.y, closest.z)
	best.Outcome = program.Failed
	accept := func(found program.Answer) {
		if p.Defect(found.X, found.RowDuals, found.ColumnDuals, tol) == "" {
			best, best.Outcome = found, program.Optimal
		}
	}
	if b.Exhausted() {
		return program.Answer{Outcome: program.Stopped}
	}
	accept(best)
	if x, y, z, ok := f.polish(closest); ok {
		accept(f.answer(p, x, y, z))
	}
	return best
}

// run iterates until the accuracy of the arithmetic is reached, and returns the iterate with
// the smallest error.
func (f *form) run(b *budget.Budget) *iterate {
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
