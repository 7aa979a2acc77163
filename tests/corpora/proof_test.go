package corpora

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver"
)

// proofTolerance is how far multipliers and rays may miss an exact proof, relative to the terms that they are about:
// they are rounded to float64.
const proofTolerance = 1e-9

// checkFarkas shows in rational arithmetic that no point within the bounds satisfies the combination of the rows: with
// multipliers y, Σ_i y_i side_i exceeds the largest (y'A)x. A column without a bound may have a rounding error for a
// coefficient.
func checkFarkas(t *testing.T, m *solver.Model, y []float64) {
	t.Helper()
	total, size := new(big.Rat), new(big.Rat)
	coefficients, sizes := rationals(m.Columns()), rationals(m.Columns())
	add := func(coefficient *big.Rat, side float64) {
		if coefficient.Sign() != 0 {
			product := new(big.Rat).Mul(coefficient, rational(side))
			total.Add(total, product)
			size.Add(size, product.Abs(product))
		}
	}
	for i, multiplier := range y {
		side := m.RowBounds(i).Lower()
		if multiplier < 0 {
			side = m.RowBounds(i).Upper()
		}
		if multiplier == 0 {
			continue
		}
		if math.IsInf(side, 0) {
			t.Errorf("row %d has the multiplier %g and no bound on that side", i, multiplier)
			return
		}
		add(rational(multiplier), side)
		columns, values := m.RowTerms(i)
		for k, j := range columns {
			product := new(big.Rat).Mul(rational(multiplier), rational(values[k]))
			coefficients[j].Sub(coefficients[j], product)
			sizes[j].Add(sizes[j], product.Abs(product))
		}
	}
	for j, d := range coefficients {
		side := m.Column(j).Lower()
		if d.Sign() < 0 {
			side = m.Column(j).Upper()
		}
		if !math.IsInf(side, 0) {
			add(d, side)
		} else if small(d, sizes[j]) {
			continue
		} else {
			t.Errorf("column %d has the coefficient %s and no bound on that side", j, d.FloatString(20))
		}
	}
	if total.Sign() <= 0 || small(total, size) {
		t.Errorf("the multipliers prove nothing: %s of %s", total.FloatString(20), size.FloatString(5))
	}
}

// checkRay shows in rational arithmetic that the ray keeps to all rows and bounds and improves the objective.
func checkRay(t *testing.T, m *solver.Model, ray []float64) {
	t.Helper()
	if m.IsInteger() && ray == nil {
		return
	}
	if len(ray) != m.Columns() {
		t.Fatalf("the ray has %d coordinates, the model %d columns", len(ray), m.Columns())
	}
	within := func(what string, k int, move, size *big.Rat, lower, upper float64) {
		if !small(move, size) && (move.Sign() < 0 && !math.IsInf(lower, -1) || move.Sign() > 0 && !math.IsInf(upper, 1)) {
			t.Errorf("the ray leaves %s %d", what, k)
		}
	}
	gain, gainSize := new(big.Rat), new(big.Rat)
	for j, v := range ray {
		column := m.Column(j)
		within("column", j, rational(v), rational(0), column.Lower(), column.Upper())
		product := new(big.Rat).Mul(rational(column.Cost), rational(v))
		gain.Add(gain, product)
		gainSize.Add(gainSize, product.Abs(product))
	}
	for i := range m.Rows() {
		move, size := new(big.Rat), new(big.Rat)
		columns, values := m.RowTerms(i)
		for k, j := range columns {
			product := new(big.Rat).Mul(rational(values[k]), rational(ray[j]))
			move.Add(move, product)
			size.Add(size, product.Abs(product))
		}
		limits := m.RowBounds(i)
		within("row", i, move, size, limits.Lower(), limits.Upper())
	}
	if !m.Maximizes() {
		gain.Neg(gain)
	}
	if gain.Sign() <= 0 || small(gain, gainSize) {
		t.Errorf("the ray gains %s of %s", gain.FloatString(20), gainSize.FloatString(5))
	}
}

// small tells whether a sum is a rounding error of its terms.
func small(sum, size *big.Rat) bool {
	limit := new(big.Rat).Mul(size, rational(proofTolerance))
	return new(big.Rat).Abs(sum).Cmp(limit) <= 0
}

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func rationals(n int) []*big.Rat {
	values := make([]*big.Rat, n)
	for k := range values {
		values[k] = new(big.Rat)
	}
	return values
}
