// Package exact solves small linear programs in exact rational arithmetic: the numbers
// are taken for what they are, and every answer comes with multipliers, a ray or a point
// that prove it. It is the last word where floating point leaves a doubt.
//
// Where things are:
//
//	program           what is solved, and its outcomes
//	simplex, tableau  the search for feasibility and the optimum; whole numbers and pivots
//	check             what an answer proves, and the words of a refusal
//	lagrangian        what multipliers prove: the dual bound without rounding; which side of a row or column a multiplier takes
//	equations         linear equations in fractions, which correct multipliers; whether a matrix is a sum of squares; denominators
//
// The method is the simplex method with Bland's rule on a tableau of whole numbers
// (Edmonds 1967 for the pivots, Dutertre and de Moura 2006 for feasibility). The work
// grows fast with the size: a few dozen rows and columns take milliseconds to a second.
package exact

import (
	"context"
	"math"
	"math/big"

	"github.com/sparsero/directions/solver/internal/program"
)

// check panics unless the parts of the program fit together and the objective is linear.
func check(p *program.Program) {
	program.Check("exact", p)
	if len(p.Quadratic) > 0 {
		panic("exact: the objective has quadratic terms; give a linear one")
	}
}

// Status says what is proven.
type Status int

// The outcomes of Solve.
const (
	// stopped: the context ended first.
	stopped Status = iota
	// Optimal: X and Duals have the same objective.
	Optimal
	// Infeasible: Duals are Farkas multipliers.
	Infeasible
	// Unbounded: X is feasible and Ray improves the objective for ever.
	Unbounded
)

// Answer is a proven outcome.
type Answer struct {
	Status Status
	// X is the optimal point, or a feasible one for Unbounded.
	X []*big.Rat
	// Objective is Cost'X.
	Objective *big.Rat
	// Duals has a multiplier per row: positive ones belong to lower bounds. For Infeasible, Duals'A x has a maximum
	// over the column bounds that is below the minimum that the row bounds ask for.
	Duals []*big.Rat
	// Ray has an entry per column.
	Ray []*big.Rat
	// Pivots counts the changes of basis.
	Pivots int
}

// Solve solves the program. It panics if the program does not fit together.
func Solve(ctx context.Context, p *program.Program) *Answer {
	ctx = program.Context(ctx)
	check(p)
	t := newTableau(p)
	status := t.feasible(ctx)
	if status == Optimal {
		status = t.optimise(ctx)
	}
	return t.answer(p, status)
}

// places is the number of binary digits of v behind the point.
func places(v *big.Rat) int { return v.Denom().BitLen() - 1 }

// whole returns v 2^shift, which must be a whole number.
func whole(v float64, shift int) *big.Int {
	r := rational(v)
	return new(big.Int).Lsh(r.Num(), uint(shift-places(r)))
}

// denominator raises shift so that v 2^shift is whole.
func denominator(shift int, v float64) int {
	if math.IsInf(v, 0) {
		return shift
	}
	return max(shift, places(rational(v)))
}

// ratio returns n/d 2^shift.
func ratio(n, d *big.Int, shift int) *big.Rat {
	r := new(big.Rat).SetFrac(n, d)
	power := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(shift, -shift))))
	if shift < 0 {
		return r.Quo(r, power)
	}
	return r.Mul(r, power)
}
