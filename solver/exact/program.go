// Package exact solves small linear programs in exact rational arithmetic: the numbers
// are taken for what they are, and every answer comes with multipliers, a ray or a point
// that prove it. It is the last word where floating point leaves a doubt.
//
// The method is the simplex method with Bland's rule on a tableau of whole numbers
// (Edmonds 1967 for the pivots, Dutertre and de Moura 2006 for feasibility). The work
// grows fast with the size: a few dozen rows and columns take milliseconds to a second.
package exact

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Program is min Cost'x over Lower <= x <= Upper and Row.Lower <= Row.Values'x <= Row.Upper.
// All numbers are finite but for bounds, which may be infinite: a lower one -Inf, an upper
// one +Inf.
type Program struct {
	Cost, Lower, Upper []float64
	Rows               []Row
}

// check panics unless the parts of the program fit together.
func (p *Program) check() {
	switch {
	case p == nil:
		panic("exact: the program is nil")
	case len(p.Lower) != len(p.Cost) || len(p.Upper) != len(p.Cost):
		panic(fmt.Sprintf("exact: %d costs, %d lower and %d upper bounds; give one of each per column", len(p.Cost), len(p.Lower), len(p.Upper)))
	}
	checkNumbers("Cost", p.Cost, p.Cost)
	checkNumbers("column bounds", p.Lower, p.Upper)
	for i, r := range p.Rows {
		checkNumbers(fmt.Sprintf("bounds of row %d", i), []float64{r.Lower}, []float64{r.Upper})
		checkNumbers(fmt.Sprintf("Values of row %d", i), r.Values, r.Values)
		if len(r.Columns) != len(r.Values) || slices.ContainsFunc(r.Columns, func(j int) bool { return j < 0 || j >= len(p.Cost) }) {
			panic(fmt.Sprintf("exact: row %d has %d values and the columns %v, but there are %d columns; give one value per column, counted from 0", i, len(r.Values), r.Columns[:min(len(r.Columns), 10)], len(p.Cost)))
		}
	}
}

// checkNumbers panics on NaN, on +Inf among lower bounds and on -Inf among upper ones: on
// all that is not finite where both are the same.
func checkNumbers(name string, lower, upper []float64) {
	for k := range lower {
		if math.IsNaN(lower[k]) || math.IsNaN(upper[k]) || math.IsInf(lower[k], 1) || math.IsInf(upper[k], -1) {
			panic(fmt.Sprintf("exact: %s have the value %v or %v at position %d; use finite numbers, and -Inf below or +Inf above for no bound", name, lower[k], upper[k], k))
		}
	}
}

// Row is one constraint; Columns are distinct.
type Row struct {
	Columns      []int
	Values       []float64
	Lower, Upper float64
}

// Status says what is proven.
type Status int

// The outcomes of Solve.
const (
	// Stopped: the context ended first.
	Stopped Status = iota
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
	// Duals has a multiplier per row: positive ones belong to lower bounds. For
	// Infeasible, Duals'A x has a maximum over the column bounds that is below the
	// minimum that the row bounds ask for.
	Duals []*big.Rat
	// Ray has an entry per column.
	Ray []*big.Rat
	// Pivots counts the changes of basis.
	Pivots int
}

// Solve solves the program. It panics if the program does not fit together.
func Solve(ctx context.Context, p *Program) *Answer {
	p.check()
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

// RoundedDown returns the largest float64 that is not above v, -Inf below all of them. It
// panics if v is nil.
func RoundedDown(v *big.Rat) float64 {
	if v == nil {
		panic("exact: the number to be rounded is nil")
	}
	f, _ := v.Float64() // which calls an underflow exact
	if math.IsInf(f, 1) || !math.IsInf(f, -1) && rational(f).Cmp(v) > 0 {
		return math.Nextafter(f, math.Inf(-1))
	}
	return f
}
