package solver

import (
	"fmt"
	"math"
)

// CheckOptimality returns nil when a point and its duals (in the sign
// convention of Result) satisfy the optimality conditions of the model without
// its integrality, and otherwise an error matching ErrNumericalTrouble that
// names the condition missed most plainly. In contrast to KKT it judges
// relative errors, as backends need before they call a point optimal:
//
//   - a bound or row may be missed by feasibility times the largest term of its
//     activity (at least 1, at most 1e6),
//   - stationarity of column j by optimality times its largest term (at least 1,
//     at most 1e6 times the largest entry of the gradient),
//   - the duality gap by 1e-6 times the sum of its terms' magnitudes, where
//     multipliers that are rounding errors by the measure above count as 0.
func (m *Model) CheckOptimality(x, rowDuals, columnDuals []float64, feasibility, optimality float64) error {
	if len(x) != len(m.columns) || len(columnDuals) != len(m.columns) || len(rowDuals) != len(m.rows) {
		return fmt.Errorf("solver: optimality check of %d values, %d row duals and %d column duals against %d columns and %d rows: %w",
			len(x), len(rowDuals), len(columnDuals), len(m.columns), len(m.rows), ErrNumericalTrouble)
	}
	p, gradient := newLinear(m), m.gradient(x)
	if noise := m.gradientNoise(x); noise > optimality*math.Max(1, maxAbs(gradient)) {
		return fmt.Errorf("solver: the gradient of the objective is lost in rounding errors of %.3g: %w", noise, ErrNumericalTrouble)
	}
	if m.sense == Maximize {
		negate(gradient)
		rowDuals, columnDuals = append([]float64(nil), rowDuals...), append([]float64(nil), columnDuals...)
		negate(rowDuals)
		negate(columnDuals)
	}
	defect := p.defect(gradient, x, rowDuals, columnDuals, tolerances{feasibility, optimality})
	if defect == "" {
		return nil
	}
	return fmt.Errorf("solver: %s: %w", defect, ErrNumericalTrouble)
}

// largestTerm caps the size of the terms that a violation is compared with:
// beyond it, points are too far out to be judged by relative errors.
const largestTerm = 1e6

// gradientNoise bounds the rounding error in the gradient at x.
func (m *Model) gradientNoise(x []float64) float64 {
	terms := make([]float64, len(x))
	for _, q := range m.Quadratic() {
		terms[q.I] += math.Abs(q.Value * x[q.J])
		terms[q.J] += math.Abs(q.Value * x[q.I])
	}
	return machineEpsilon * maxAbs(terms)
}

// machineEpsilon is the distance from 1 to the next float64.
const machineEpsilon = 0x1p-52

// dualityTolerance is the relative difference between primal and dual
// objective that is accepted as rounding error.
const dualityTolerance = 1e-6

// defect describes the first optimality condition that is missed, or returns
// "". For a linear objective the gradient is the cost.
func (p *linear) defect(gradient, x, rowDuals, columnDuals []float64, tol tolerances) string {
	residual := make([]float64, len(x)) // stationarity
	largest := make([]float64, len(x))  // largest term in it
	for j := range x {
		residual[j] = gradient[j] - columnDuals[j]
		largest[j] = math.Max(1, math.Abs(gradient[j]))
	}
	costScale := max(1, maxAbs(gradient))
	gap := dualityGap{scale: 1}
	for i, row := range p.rows {
		activity, term, coefficient := 0.0, 1.0, 0.0
		for k, column := range row.columns {
			product, dual := row.values[k]*x[column], row.values[k]*rowDuals[i]
			activity += product
			residual[column] -= dual
			term = max(term, math.Abs(product))
			largest[column] = max(largest[column], math.Abs(dual))
			coefficient = max(coefficient, math.Abs(row.values[k]))
		}
		if miss := outside(activity, row.lower, row.upper); !(miss <= tol.feasibility*min(term, largestTerm)) {
			return fmt.Sprintf("row %d is violated by %.3g", i, miss)
		}
		if coefficient > 0 && !gap.add(rowDuals[i], activity, row.lower, row.upper, tol.optimality*costScale/coefficient) {
			return fmt.Sprintf("row %d has dual %.3g against an infinite bound", i, rowDuals[i])
		}
	}
	for j, value := range x {
		largest[j] = min(largest[j], largestTerm*costScale)
		if miss := outside(value, p.lower[j], p.upper[j]); !(miss <= tol.feasibility*min(max(1, math.Abs(value)), largestTerm)) {
			return fmt.Sprintf("column %d is out of bounds by %.3g", j, miss)
		}
		if !(math.Abs(residual[j]) <= tol.optimality*largest[j]) {
			return fmt.Sprintf("column %d misses stationarity by %.3g", j, residual[j])
		}
		if !gap.add(columnDuals[j], value, p.lower[j], p.upper[j], tol.optimality*largest[j]) {
			return fmt.Sprintf("column %d has reduced cost %.3g against an infinite bound", j, columnDuals[j])
		}
	}
	if !(math.Abs(gap.sum) <= dualityTolerance*gap.scale) {
		return fmt.Sprintf("the duality gap is %.3g", gap.sum)
	}
	return ""
}

// dualityGap adds up primal minus dual objective.
type dualityGap struct{ sum, scale float64 }

// add accounts for one multiplier; it returns false when a multiplier beyond
// the given size belongs to an infinite bound.
func (g *dualityGap) add(dual, value, lower, upper, negligible float64) bool {
	bound := lower
	if dual < 0 {
		bound = upper
	}
	if math.Abs(dual) <= negligible {
		return true
	}
	if math.IsInf(bound, 0) {
		return false
	}
	g.sum += dual * (value - bound)
	g.scale += math.Abs(dual * bound)
	return true
}
