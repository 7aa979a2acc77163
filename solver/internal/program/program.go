// Package program holds a program in the form that the methods solve, and what an answer must satisfy.
//
// Where things are:
//
//	program     columns, rows, objective, answers and outcomes
//	derived     feasibility, recession and falling programs
//	hessian     the Hessian of the objective
//	optimality  what an optimum may miss
//	check       parts that do not fit together; which programs are small
package program

import (
	"context"
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"
)

// Program is the linear or convex quadratic program
//
//	min  Offset + Cost'x + Σ_k Value_k x_{I_k} x_{J_k}
//	subject to  Row.Lower <= Row.Values'x <= Row.Upper for each row,  Lower <= x <= Upper.
//
// All numbers are finite but for bounds, which may be infinite: a lower one -Inf, an upper one +Inf.
type Program struct {
	Offset             float64
	Cost, Lower, Upper []float64
	Rows               []Row
	Quadratic          []Term
}

// Row is one constraint, with distinct columns in increasing order. The slices are never
// written again, so that copies can share them.
type Row struct {
	Columns      []int
	Values       []float64
	Lower, Upper float64
}

// Term is one quadratic term Value * x_I * x_J of an objective, with I <= J, the only one of its columns.
type Term struct {
	I, J  int
	Value float64
}

// Outcome says what a method found.
type Outcome int

// The outcomes of a method.
const (
	// Failed: there is no verified answer.
	Failed Outcome = iota
	// Optimal: X, RowDuals and ColumnDuals satisfy the optimality conditions.
	Optimal
	// Infeasible: Farkas multipliers show it.
	Infeasible
	// NoOptimum: perhaps infeasible, perhaps unbounded; nothing is verified.
	NoOptimum
	// Stopped: the budget ended first.
	Stopped
)

// Answer is what a method found.
type Answer struct {
	Outcome                  Outcome
	X, RowDuals, ColumnDuals []float64
	Farkas                   []float64
}

// Budget is what one solve may spend: a context, which may end early, and iterations.
type Budget struct {
	Context context.Context
	// Iterations counts what has been spent, of Most; 0 means no limit.
	Iterations, Most int
}

// Exhausted reports whether the solve has to end.
func (b *Budget) Exhausted() bool {
	return b.Context.Err() != nil || b.Most > 0 && b.Iterations >= b.Most
}

// Gradient returns the gradient of the objective at x.
func Gradient(p *Program, x []float64) []float64 {
	g := append([]float64(nil), p.Cost...)
	for _, q := range p.Quadratic {
		g[q.I] += q.Value * x[q.J]
		g[q.J] += q.Value * x[q.I]
	}
	return g
}

// ReducedCosts returns the gradient at x minus A'y.
func ReducedCosts(p *Program, x, y []float64) []float64 {
	d := Gradient(p, x)
	for i := range p.Rows {
		if y[i] == 0 {
			continue
		}
		r := &p.Rows[i]
		for k, j := range r.Columns {
			d[j] -= y[i] * r.Values[k]
		}
	}
	return d
}

// Activity returns Values'x of a row and the sum of the magnitudes of its terms.
func Activity(r *Row, x []float64) (activity, size float64) {
	for k, j := range r.Columns {
		term := r.Values[k] * x[j]
		activity += term
		size += math.Abs(term)
	}
	return activity, size
}

// Outside returns the distance of v to the interval [lower, upper].
func Outside(v, lower, upper float64) float64 {
	return math.Max(0, math.Max(lower-v, v-upper))
}

// MaxAbs returns the largest magnitude in v, 0 for none.
func MaxAbs(v []float64) float64 { return floats.Norm(v, math.Inf(1)) }

// Objective returns the value of the objective at x and the sum of the magnitudes of its terms.
func Objective(p *Program, x []float64) (value, size float64) {
	value, size = p.Offset, math.Abs(p.Offset)
	add := func(term float64) { value, size = value+term, size+math.Abs(term) }
	for j, c := range p.Cost {
		add(c * x[j])
	}
	for _, q := range p.Quadratic {
		add(q.Value * x[q.I] * x[q.J])
	}
	return value, size
}

// Within tells whether a point keeps to the bounds of its columns, and to rows up to a tolerance relative to the sizes of
// their terms, or to least where they are smaller. It is false where terms are beyond float64.
func Within(p *Program, x []float64, tolerance, least float64) bool {
	for j, v := range x {
		if !(v >= p.Lower[j] && v <= p.Upper[j]) {
			return false
		}
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		activity, size := Activity(r, x)
		if !(Outside(activity, r.Lower, r.Upper) <= tolerance*math.Max(size, least)) || math.IsInf(size, 1) {
			return false
		}
	}
	return true
}

// Floats rounds fractions to the nearest float64; nil for nil.
func Floats(values []*big.Rat) []float64 {
	if values == nil {
		return nil
	}
	rounded := make([]float64, len(values))
	for k, v := range values {
		rounded[k], _ = v.Float64()
	}
	return rounded
}

// Context is the context of a call, context.Background() for nil.
func Context(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}
