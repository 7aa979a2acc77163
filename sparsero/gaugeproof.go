package sparsero

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"github.com/sparsero/directions/solver"
	"github.com/sparsero/directions/solver/directed"
	"github.com/sparsero/directions/solver/exact"
	"github.com/sparsero/directions/sparsero/internal/rank"
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
	value, coefficients := g.combine(ctx, u, result.X)
	if least := max(g.polar(u, result.RowDuals), g.polar(u, result.Farkas)); value <= least*(1+gaugeGap) {
		return value, coefficients, nil
	}
	p := g.set.dictionary.Dim()
	switch {
	case g.set.Size()*p*p <= exactWork:
		value, coefficients = g.exactly(ctx, u, rank.Indices[int](g.set.Size()))
	case result.X == nil && result.Status != solver.Infeasible: // the cost is at least 0, so the program is never unbounded
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
	return 0 - exact.RoundedDown(new(big.Rat).Neg(r)) // no negative zeros
}

const (
	// smallSystem is the number of atoms up to which rational arithmetic, which rounds once,
	// is as fast as floating point with a proof.
	smallSystem = 3
	// basisDefect bounds ‖I - R B‖ for an inverse R of a basis B that floating point
	// found, so that R can measure errors.
	basisDefect = 0x1p-10
	// basisSlack is the proven error of each coefficient relative to its size.
	basisSlack = 0x1p-80
	// refinements is the number of corrections; each gains some forty bits.
	refinements = 3
	// leastUnit is the exponent of a coefficient below which its low word underflows.
	leastUnit = -900
)

// basisSystem is B a = u for p atoms, in powers of two that make every coefficient
// about 1 and every row of B too.
type basisSystem struct {
	matrix *mat.Dense // B
	right  []float64  // u
	units  []int      // coefficient k is a_k 2^units[k]
	lossy  bool       // the range of float64 does not carry these units
}

// newBasisSystem scales the columns so that the expected coefficients lie in [1/2,1).
func newBasisSystem(atoms [][]float64, u, expected []float64) *basisSystem {
	p := len(u)
	s := &basisSystem{matrix: mat.NewDense(p, p, nil), right: make([]float64, p), units: make([]int, p)}
	for k, atom := range atoms {
		_, s.units[k] = math.Frexp(expected[k])
		for j, v := range atom {
			s.matrix.Set(j, k, s.scale(v, s.units[k]))
		}
		s.lossy = s.lossy || s.units[k] < leastUnit
	}
	for j := range p {
		row, largest := s.matrix.RawRowView(j), 0.0
		for _, v := range row {
			largest = max(largest, math.Abs(v))
		}
		_, exponent := math.Frexp(largest)
		for k, v := range row {
			row[k] = s.scale(v, -exponent)
		}
		s.right[j] = s.scale(u[j], -exponent)
	}
	return s
}

// scale returns v 2^exponent and remembers whether that was inexact.
func (s *basisSystem) scale(v float64, exponent int) float64 {
	scaled := math.Ldexp(v, exponent)
	s.lossy = s.lossy || math.Ldexp(scaled, -exponent) != v
	return scaled
}

// solve returns the sum of the coefficients, rounded up, and the coefficients, if it
// can prove that the solution is positive: with an approximate inverse R and a residual
// r = u - B ã that is summed in twice the precision,
//
//	max_k |a_k - ã_k| <= ‖R r‖ / (1 - ‖I - R B‖)
//
// in the maximum norm (Krawczyk 1969, Rump 1983), so that ã is exact where r is 0. A sum too
// near a float64 to be rounded is left to rational arithmetic, up to [exactWork].
func (s *basisSystem) solve() (total float64, coefficients []float64, proven bool) {
	var inverse mat.Dense
	if s.lossy || inverse.Inverse(s.matrix) != nil || !(s.defect(&inverse) <= basisDefect) {
		return 0, nil, false
	}
	p := len(s.right)
	high, low, residual := make([]float64, p), make([]float64, p), make([]float64, p)
	correction := mat.NewVecDense(p, nil)
	for range refinements {
		s.residual(residual, high, low)
		correction.MulVec(&inverse, mat.NewVecDense(p, residual))
		for k := range high {
			var sum directed.Sum
			sum.Add(high[k])
			sum.Add(low[k])
			sum.Add(correction.AtVec(k))
			high[k] = sum.Value()
			sum.Add(-high[k])
			low[k] = sum.Value()
		}
	}
	s.residual(residual, high, low)
	slack := basisSlack
	if isZero(residual) {
		slack = 0
	}
	var sum directed.Sum
	coefficients = make([]float64, p)
	for k := range high {
		missed := 0.0 // the row of |R| |r|, with room for its own rounding
		for j, v := range inverse.RawRowView(k) {
			missed += math.Abs(v * residual[j])
		}
		if !(2*missed/(1-basisDefect) <= basisSlack) || high[k] < 2*basisSlack {
			return 0, nil, false
		}
		coefficients[k] = math.Ldexp(high[k], s.units[k])
		sum.Add(coefficients[k])
		sum.Add(math.Ldexp(low[k], s.units[k]))
		width := math.Ldexp(slack, s.units[k])
		sum.AddBetween(-width, width)
	}
	total = sum.Upper()
	rounded := math.Nextafter(sum.Lower(), total) == total // total is the least float64 that is not below the sum
	return total, coefficients, rounded || p*p*p > exactWork
}

// residual fills r with bounds on the size of u - B (high + low), with its sign.
func (s *basisSystem) residual(r, high, low []float64) {
	for j := range r {
		var sum directed.Sum
		sum.Add(s.right[j])
		for k, v := range s.matrix.RawRowView(j) {
			sum.AddProduct(-v, high[k])
			sum.AddProduct(-v, low[k])
		}
		r[j] = sum.Upper()
		if lower := sum.Lower(); -lower > r[j] {
			r[j] = lower
		}
	}
}

// defect bounds ‖I - R B‖ in the maximum norm.
func (s *basisSystem) defect(inverse *mat.Dense) float64 {
	p := len(s.right)
	var product, sizes, inverseSize, matrixSize mat.Dense
	product.Mul(inverse, s.matrix)
	size := func(_, _ int, v float64) float64 { return math.Abs(v) }
	inverseSize.Apply(size, inverse)
	matrixSize.Apply(size, s.matrix)
	sizes.Mul(&inverseSize, &matrixSize)
	rounding := float64(2*p+4) * 0x1p-53
	largest := 0.0
	for i := range p {
		row := 0.0
		for j := range p {
			entry := product.At(i, j)
			if i == j {
				entry--
			}
			row += math.Abs(entry) + rounding*sizes.At(i, j)
		}
		largest = max(largest, row)
	}
	return 2 * largest
}
