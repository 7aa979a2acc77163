// Package program holds a program in the form that the methods solve, and what an answer
// must satisfy.
package program

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/sparsero/directions/solver/exact"
)

// Program is a linear or convex quadratic program: an exact.Program with
// Σ_k Value_k x_{I_k} x_{J_k} in the objective.
type Program struct {
	exact.Program
	Quadratic []Term
}

// Row is one constraint, with distinct columns in increasing order. The slices are never
// written again, so that copies can share them.
type Row = exact.Row

// Term is one quadratic term Value * x_I * x_J of an objective, with I <= J.
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
func (p *Program) Gradient(x []float64) []float64 {
	g := append([]float64(nil), p.Cost...)
	for _, q := range p.Quadratic {
		g[q.I] += q.Value * x[q.J]
		g[q.J] += q.Value * x[q.I]
	}
	return g
}

// ReducedCosts returns the gradient at x minus A'y.
func (p *Program) ReducedCosts(x, y []float64) []float64 {
	d := p.Gradient(x)
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
