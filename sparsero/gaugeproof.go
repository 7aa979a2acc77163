package sparsero

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/solver/exact"
)

const (
	// gaugeGap is the share of a gauge by which its upper bound may exceed the lower
	// one before the exact simplex method takes over.
	gaugeGap = 1e-9
	// exactWork bounds |S| p², the size of the programs that the exact simplex method
	// solves whole: some ten milliseconds.
	exactWork = 40_000
)

// prove turns the solver's answer into a value that is not below the gauge: the atoms
// that it proposes give u exactly, or the exact simplex method decides.
func (g *Gauge) prove(ctx context.Context, u []float64, result *solver.Result) (float64, []float64, error) {
	if isZero(u) {
		return 0, make([]float64, g.set.Size()), nil
	}
	value, coefficients := g.combine(ctx, u, result.X)
	if least := max(g.polar(u, result.RowDuals), g.polar(u, result.Farkas)); value <= least*(1+gaugeGap) {
		return value, coefficients, nil
	}
	p := g.set.dictionary.Dim()
	switch infeasible := result.Status == solver.Infeasible || result.Status == solver.InfeasibleOrUnbounded; {
	case g.set.Size()*p*p <= exactWork:
		all := make([]int, g.set.Size())
		for k := range all {
			all[k] = k
		}
		value, coefficients = g.exactly(ctx, u, all)
	case result.X == nil && !infeasible: // the cost is at least 0, so the program is never unbounded
		return math.NaN(), nil, fmt.Errorf("sparsero: the gauge program was not solved: %w", result.Check())
	}
	if err := ctx.Err(); err != nil {
		return math.NaN(), nil, fmt.Errorf("sparsero: gauge: %w", err)
	}
	return value, coefficients, nil
}

// combine returns the sum of the coefficients, rounded up, that give u from the atoms
// of positive weights near the given ones, and the coefficients of all; +Inf and nil if
// it finds none that are at least 0.
func (g *Gauge) combine(ctx context.Context, u, near []float64) (float64, []float64) {
	var positions []int
	for k, weight := range near {
		if weight > 0 {
			positions = append(positions, k)
		}
	}
	if len(positions) != len(u) || len(u) <= smallSystem {
		return g.exactly(ctx, u, positions)
	}
	atoms, expected := make([][]float64, len(u)), make([]float64, len(u))
	for c, k := range positions {
		atoms[c], expected[c] = g.atom(k), near[k]
	}
	total, solution, proven := newBasisSystem(atoms, u, expected).solve()
	if !proven {
		return g.exactly(ctx, u, positions)
	}
	coefficients := make([]float64, g.set.Size())
	for c, k := range positions {
		coefficients[k] = solution[c]
	}
	return total, coefficients
}

// exactly returns the gauge at u of some of the atoms, given by their positions in the
// set, rounded up, and the coefficients of all; +Inf and nil outside their cone.
func (g *Gauge) exactly(ctx context.Context, u []float64, positions []int) (float64, []float64) {
	program := &exact.Program{
		Cost: make([]float64, len(positions)), Lower: make([]float64, len(positions)), Upper: make([]float64, len(positions)),
		Rows: make([]exact.Row, len(u)),
	}
	for j, v := range u {
		program.Rows[j].Lower, program.Rows[j].Upper = v, v
	}
	for c, k := range positions {
		program.Cost[c], program.Upper[c] = 1, math.Inf(1)
		for j, v := range g.atom(k) {
			if v != 0 {
				row := &program.Rows[j]
				row.Columns, row.Values = append(row.Columns, c), append(row.Values, v)
			}
		}
	}
	answer := exact.Solve(ctx, program)
	if answer.Status != exact.Optimal {
		return math.Inf(1), nil
	}
	coefficients := make([]float64, g.set.Size())
	for c, k := range positions {
		coefficients[k], _ = answer.X[c].Float64()
	}
	return roundUp(answer.Objective), coefficients
}

// polar returns a lower bound on the gauge from a direction y, for which every atom of
// the set has ⟨d_i,y⟩ <= 1 once y is scaled: ⟨u,y⟩. It is +Inf where that is positive and no
// ⟨d_i,y⟩ is, so that y separates u from the cone of the atoms.
func (g *Gauge) polar(u, y []float64) float64 {
	if len(y) != len(u) {
		return 0
	}
	reach := 0.0
	for k := range g.set.atoms {
		_, most := directed.Dot(g.atom(k), y)
		reach = max(reach, most)
	}
	least, _ := directed.Dot(u, y)
	if least <= 0 {
		return 0
	}
	return least / reach
}

// roundUp returns the least float64 that is not below r.
func roundUp(r *big.Rat) float64 {
	value, _ := r.Float64() // an underflow counts as exact there
	if !math.IsInf(value, 0) && new(big.Rat).SetFloat64(value).Cmp(r) < 0 {
		return math.Nextafter(value, math.Inf(1))
	}
	return value
}
