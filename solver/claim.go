package solver

import (
	"math"
	"math/big"

	"github.com/sparsero/directions/solver/directed"
)

// claim is the lower bound of weak duality for a minimisation in the making,
//
//	constant + Σ_i y_i side_i + Σ_j min{g_j x_j : lower_j <= x_j <= upper_j},
//	g = gradient - A'y,
//
// in which side_i is the lower bound of row i for y_i > 0 and the upper one for y_i < 0.
// It holds for whatever multipliers y, and every sum is rounded downwards.
type claim struct {
	model        *Model
	lower, upper []float64 // of the columns, which may be tighter than the model's
	gradient     []directed.Sum
	constant     directed.Sum
	// The objective curves upwards away from tangent by at least curvature_j/2 times the
	// squared distance in column j; nil for a linear objective.
	tangent, curvature []float64
}

// newClaim starts a claim about the objective of the model itself, in minimisation form.
// A quadratic objective is replaced by its tangent at x, which lies below it.
func newClaim(m *Model, x []float64) *claim {
	c := newZeroClaim(m)
	sign := m.sign()
	c.constant.Add(sign * m.offset)
	for j, column := range m.columns {
		c.gradient[j].Add(sign * column.Cost)
	}
	for _, q := range m.Quadratic() {
		value := sign * q.Value
		c.gradient[q.I].AddProduct(value, x[q.J])
		c.gradient[q.J].AddProduct(value, x[q.I])
		product := value * x[q.I]
		c.constant.AddProduct(-product, x[q.J])
		c.constant.AddProduct(-math.FMA(value, x[q.I], -product), x[q.J])
	}
	if m.IsQuadratic() {
		c.tangent, c.curvature = x, m.leastCurvature()
	}
	return c
}

// newZeroClaim starts a claim about the objective 0, which Farkas multipliers raise
// above 0.
func newZeroClaim(m *Model) *claim {
	c := &claim{model: m, gradient: make([]directed.Sum, len(m.columns))}
	c.lower, c.upper = make([]float64, len(m.columns)), make([]float64, len(m.columns))
	for j, column := range m.columns {
		c.lower[j], c.upper[j] = column.tightBounds()
	}
	return c
}

// sign is the factor between the objective and the one that is minimised.
func (m *Model) sign() float64 {
	if m.sense == Maximize {
		return -1
	}
	return 1
}

// bound evaluates the claim for multipliers of the minimisation, and the size of its
// terms. The bound is -Inf where a column without a bound is in the way.
func (c *claim) bound(y []float64) (bound, size float64) {
	y = c.usable(y)
	bound, size, open := c.evaluate(y, nil, nil)
	if open != nil && c.imply() {
		bound, size, open = c.evaluate(y, nil, nil)
	}
	smaller := y
	for k := 0; k < shrinkings && open != nil; k++ {
		if smaller = c.shrunk(smaller, open); smaller == nil {
			break
		}
		bound, size, open = c.evaluate(smaller, nil, nil)
	}
	// A repair of some columns may open others, for which it is repeated with all.
	var mended []int
	for k := 0; k < repairs && open != nil; k++ {
		mended = append(mended, open...)
		corrections := c.repair(y, mended)
		if corrections == nil {
			break
		}
		bound, size, open = c.evaluate(y, corrections, mended)
	}
	return bound, size
}

// repairs is how often the set of columns grows whose reduced costs are made 0.
const repairs = 4

// usable returns the multipliers without those that lean on an infinite bound of a row or are
// too large for sums of them.
func (c *claim) usable(y []float64) []float64 {
	kept := append([]float64(nil), y...)
	for i, v := range y {
		r := &c.model.rows[i]
		if v > 0 && math.IsInf(r.Lower, 0) || v < 0 && math.IsInf(r.Upper, 0) || !(math.Abs(v) <= math.MaxFloat64/2) {
			kept[i] = 0
		}
	}
	return kept
}

// evaluate also returns the columns that make the bound -Inf. Corrections of multipliers
// come with the columns in which they make the reduced cost exactly 0.
func (c *claim) evaluate(y []float64, corrections map[int]*big.Rat, mended []int) (bound, size float64, open []int) {
	gradient := append([]directed.Sum(nil), c.gradient...)
	total := c.constant
	size = math.Abs(total.Value())
	for i := range c.model.rows {
		r := &c.model.rows[i]
		side := r.Lower
		if y[i] < 0 {
			side = r.Upper
		}
		if y[i] == 0 {
			continue
		}
		total.AddProduct(y[i], side)
		size += math.Abs(y[i] * side)
		for k, j := range r.Columns {
			gradient[j].AddProduct(-y[i], r.Values[k])
		}
		if correction := corrections[i]; correction != nil {
			c.addCorrection(i, correction, y[i], gradient, &total)
		}
	}
	for _, j := range mended {
		gradient[j] = directed.Sum{}
	}
	for j := range gradient {
		least := leastProduct(gradient[j].Lower(), gradient[j].Upper(), c.lower[j], c.upper[j])
		if c.curvature != nil && c.curvature[j] > 0 {
			least = math.Max(least, leastOfParabola(gradient[j].Lower(), gradient[j].Upper(), c.tangent[j], c.curvature[j]))
		}
		if math.IsInf(least, -1) {
			open = append(open, j)
			continue
		}
		total.Add(least)
		size += math.Abs(least)
	}
	if open != nil {
		return math.Inf(-1), size, open
	}
	return total.Lower(), size, nil
}

// leastOfParabola bounds g x + curvature/2 (x - at)^2 over all x from below: the minimum
// is g at - g^2/(2 curvature).
func leastOfParabola(gLower, gUpper, at, curvature float64) float64 {
	steepest := math.Max(math.Abs(gLower), math.Abs(gUpper))
	fall := directed.ProductUpper(steepest, steepest) / curvature // twice what is due, which covers the rounding
	return directed.SumLower(leastProduct(gLower, gUpper, at, at), -fall)
}

// leastProduct returns a number that is not above any g x with g and x in their ranges.
func leastProduct(gLower, gUpper, xLower, xUpper float64) float64 {
	least := math.Inf(1)
	for _, g := range [2]float64{gLower, gUpper} {
		for _, x := range [2]float64{xLower, xUpper} {
			product := 0.0 // of 0 and an infinite bound
			if g != 0 {
				product = directed.ProductLower(g, x)
			}
			least = math.Min(least, product)
		}
	}
	return least
}

// shrunk returns multipliers that are all smaller by rounding errors, so that the reduced
// costs of the open columns get the signs of their costs, or nil where that is not what is
// missing.
func (c *claim) shrunk(y []float64, open []int) []float64 {
	spent := make([]float64, len(c.gradient))
	for i := range c.model.rows {
		r := &c.model.rows[i]
		for k, j := range r.Columns {
			spent[j] += y[i] * r.Values[k]
		}
	}
	factor := 1.0
	for _, j := range open {
		factor = math.Min(factor, c.gradient[j].Value()/spent[j])
	}
	factor *= 1 - shrinking
	if !(factor > leastShrinking) {
		return nil
	}
	smaller := make([]float64, len(y))
	for i, v := range y {
		smaller[i] = factor * v
	}
	return smaller
}

const (
	// shrinking is the relative reserve of shrunk, some units in the last place.
	shrinking = 0x1p-49
	// shrinkings is how often multipliers are made smaller before a column counts as open.
	shrinkings = 3
	// leastShrinking is the factor below which it is not rounding that is mended.
	leastShrinking = 0.99
)
