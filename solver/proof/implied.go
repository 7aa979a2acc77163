package proof

import (
	"math"

	"github.com/sparsero/directions/solver/proof/directed"
)

// impliedPasses bounds the passes over the rows in search of implied bounds.
const impliedPasses = 10

// imply gives columns without a bound the one that follows from a row and the bounds of its other columns, rounded
// outwards. It reports whether there is any. Budgets over x >= 0 are the usual case: without their bounds a reduced
// cost that misses 0 by rounding would leave nothing proven. A bound beyond the other one says that there is no point at
// all; it is moved to the other one, where it takes the least from a bound.
func (c *duality) imply() (any bool) {
	for range impliedPasses {
		found := false
		for i := range c.program.Rows {
			r := &c.program.Rows[i]
			for k, j := range r.Columns {
				if math.IsInf(c.upper[j], 1) {
					c.upper[j] = math.Max(c.lower[j], c.impliedBound(i, k, true))
					found = found || !math.IsInf(c.upper[j], 1)
				}
				if math.IsInf(c.lower[j], -1) {
					c.lower[j] = math.Min(c.upper[j], c.impliedBound(i, k, false))
					found = found || !math.IsInf(c.lower[j], -1)
				}
			}
		}
		if any = any || found; !found {
			break
		}
	}
	return any
}

// impliedBound is the upper or the lower bound that row i gives its k-th column, infinite if there is none.
func (c *duality) impliedBound(i, k int, upper bool) float64 {
	r, none := &c.program.Rows[i], math.Inf(-1)
	if upper {
		none = math.Inf(1)
	}
	own := r.Values[k]
	side, high := r.Lower, upper == (own > 0)
	if high { // what the others leave of the row's upper side at their least
		side = r.Upper
	}
	if math.IsInf(side, 0) || own == 0 {
		return none
	}
	var rest directed.Sum
	rest.Add(side)
	for other, j := range r.Columns {
		bound := c.lower[j]
		if high != (r.Values[other] > 0) {
			bound = c.upper[j]
		}
		switch {
		case other == k || r.Values[other] == 0:
		case math.IsInf(bound, 0):
			return none
		default:
			rest.AddProduct(-r.Values[other], bound)
		}
	}
	outermost := rest.Lower()
	if high {
		outermost = rest.Upper()
	}
	if upper {
		return directed.QuotientUpper(outermost, own)
	}
	return -directed.QuotientUpper(-outermost, own)
}
