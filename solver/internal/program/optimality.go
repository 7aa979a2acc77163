package program

import (
	"fmt"
	"math"
)

// Tolerances are relative to the terms of what they are compared with, see Defect.
type Tolerances struct{ Feasibility, Optimality float64 }

const (
	// largestTerm caps the size of the terms that a violation is compared with: beyond it,
	// points are too far out to be judged by relative errors.
	largestTerm = 1e6
	// dualityTolerance is the relative difference between primal and dual objective that is accepted as rounding error.
	dualityTolerance = 1e-6
	// Epsilon is the distance from 1 to the next float64.
	Epsilon = 0x1p-52
)

// Defect describes the first optimality condition that a point and its duals miss, or
// returns "". Model.CheckOptimality of package solver says what may be missed by how much.
func Defect(p *Program, x, rowDuals, columnDuals []float64, tol Tolerances) string {
	gradient := Gradient(p, x)
	costScale := max(1, MaxAbs(gradient))
	if noise := gradientNoise(p, x); noise > tol.Optimality*costScale {
		return fmt.Sprintf("the gradient of the objective is lost in rounding errors of %.3g", noise)
	}
	residual := make([]float64, len(x)) // stationarity
	largest := make([]float64, len(x))  // largest term in it
	for j := range x {
		residual[j] = gradient[j] - columnDuals[j]
		largest[j] = math.Max(1, math.Abs(gradient[j]))
	}
	gap := dualityGap{scale: 1}
	for i, row := range p.Rows {
		activity, term, coefficient := 0.0, 1.0, 0.0
		for k, column := range row.Columns {
			product, dual := row.Values[k]*x[column], row.Values[k]*rowDuals[i]
			activity += product
			residual[column] -= dual
			term = max(term, math.Abs(product))
			largest[column] = max(largest[column], math.Abs(dual))
			coefficient = max(coefficient, math.Abs(row.Values[k]))
		}
		if miss := Outside(activity, row.Lower, row.Upper); !(miss <= tol.Feasibility*min(term, largestTerm)) {
			return fmt.Sprintf("row %d is violated by %.3g", i, miss)
		}
		if coefficient > 0 && !gap.add(rowDuals[i], activity, row.Lower, row.Upper, tol.Optimality*costScale/coefficient) {
			return fmt.Sprintf("row %d has dual %.3g against an infinite bound", i, rowDuals[i])
		}
	}
	for j, value := range x {
		largest[j] = min(largest[j], largestTerm*costScale)
		if miss := Outside(value, p.Lower[j], p.Upper[j]); !(miss <= tol.Feasibility*min(max(1, math.Abs(value)), largestTerm)) {
			return fmt.Sprintf("column %d is out of bounds by %.3g", j, miss)
		}
		if !(math.Abs(residual[j]) <= tol.Optimality*largest[j]) {
			return fmt.Sprintf("column %d misses stationarity by %.3g", j, residual[j])
		}
		if !gap.add(columnDuals[j], value, p.Lower[j], p.Upper[j], tol.Optimality*largest[j]) {
			return fmt.Sprintf("column %d has reduced cost %.3g against an infinite bound", j, columnDuals[j])
		}
	}
	if !(math.Abs(gap.sum) <= dualityTolerance*gap.scale) {
		return fmt.Sprintf("the duality gap is %.3g", gap.sum)
	}
	return ""
}

// gradientNoise bounds the rounding error in the gradient at x.
func gradientNoise(p *Program, x []float64) float64 {
	terms := make([]float64, len(x))
	for _, q := range p.Quadratic {
		terms[q.I] += math.Abs(q.Value * x[q.J])
		terms[q.J] += math.Abs(q.Value * x[q.I])
	}
	return Epsilon * MaxAbs(terms)
}

// dualityGap adds up primal minus dual objective.
type dualityGap struct{ sum, scale float64 }

// add accounts for one multiplier; it returns false when a multiplier beyond the given size
// belongs to an infinite bound.
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

// DropRounding sets multipliers of infinite bounds to zero, which Defect has found to be rounding errors.
func DropRounding(p *Program, rowDuals, columnDuals []float64) {
	drop := func(dual *float64, lower, upper float64) {
		if *dual > 0 && math.IsInf(lower, -1) || *dual < 0 && math.IsInf(upper, 1) {
			*dual = 0
		}
	}
	for i, r := range p.Rows {
		drop(&rowDuals[i], r.Lower, r.Upper)
	}
	for j := range columnDuals {
		drop(&columnDuals[j], p.Lower[j], p.Upper[j])
	}
}
