package proof

import (
	"math"
	"math/big"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/directed"
	"gonum.org/v1/gonum/floats"
)

// DualBound proves a lower bound on the minimum of a program from multipliers of its rows, which may be as wrong as they like,
// by weak duality:
//
//	Offset + Σ_i y_i side_i + Σ_j min{(Cost - A'y)_j x_j : lower_j <= x_j <= upper_j},
//
// where side_i is the row's lower bound for y_i > 0 and its upper one for y_i < 0. A quadratic objective is replaced by its
// tangent at a point, which need not be feasible. size is the sum of the magnitudes of the terms of the bound. Nothing is
// proven without multipliers (nil). It panics if the program does not fit together, or the multipliers or, for a quadratic
// objective, the tangent do not fit to it.
func DualBound(p *Program, tangent, y []float64) (bound Lower, size float64) {
	if program.Check("proof", p); y == nil {
		return Lower{}, 0
	}
	program.CheckCount("proof", "multipliers", y, len(p.Rows))
	if len(p.Quadratic) > 0 {
		program.CheckCount("proof", "coordinates of a tangent", tangent, len(p.Cost))
	}
	value, size := newDuality(p, tangent).bound(y)
	return AtLeast(directed.SumLower(value, -curvatureLoss(p, tangent))), size
}

// Infeasible returns multipliers, or their negatives, if they prove that no point is feasible (Farkas): weak duality with the
// objective 0 gives a bound above 0. It returns nil if they do not, or are nil. It panics if the program does not fit together
// or the multipliers do not fit to it.
func Infeasible(p *Program, y []float64) []float64 {
	if program.Check("proof", p); y == nil {
		return nil
	}
	program.CheckCount("proof", "multipliers", y, len(p.Rows))
	negated := slices.Clone(y)
	floats.Scale(-1, negated)
	for _, multipliers := range [2][]float64{y, negated} {
		if bound, _ := newDuality(program.Feasibility(p), nil).bound(multipliers); bound > 0 {
			return multipliers
		}
	}
	return nil
}

// duality is the lower bound of weak duality for a minimisation in the making,
//
//	constant + Σ_i y_i side_i + Σ_j min{g_j x_j : lower_j <= x_j <= upper_j},
//	g = gradient - A'y,
//
// in which side_i is the lower bound of row i for y_i > 0 and the upper one for y_i < 0.
// It holds for whatever multipliers y, and every sum is rounded downwards.
type duality struct {
	program      *Program
	lower, upper []float64 // of the columns, which may be tighter than the program's
	gradient     []directed.Sum
	constant     directed.Sum
	// The objective curves upwards away from tangent by at least curvature_j/2 times the
	// squared distance in column j; nil for a linear objective.
	tangent, curvature []float64
}

// newDuality starts with the objective. A quadratic one is replaced by its tangent at x, which lies below it.
func newDuality(p *Program, x []float64) *duality {
	c := &duality{program: p, gradient: make([]directed.Sum, len(p.Cost)), lower: slices.Clone(p.Lower), upper: slices.Clone(p.Upper)}
	c.constant.Add(p.Offset)
	for j, cost := range p.Cost {
		c.gradient[j].Add(cost)
	}
	for _, q := range p.Quadratic {
		c.gradient[q.I].AddProduct(q.Value, x[q.J])
		c.gradient[q.J].AddProduct(q.Value, x[q.I])
		var product directed.Sum
		product.AddProduct(q.Value, x[q.I])
		c.constant.AddMultiple(-x[q.J], product)
	}
	if len(p.Quadratic) > 0 {
		c.tangent, c.curvature = x, leastCurvature(p)
	}
	return c
}

// bound evaluates weak duality for multipliers of the minimisation, and the size of its
// terms. The bound is -Inf where a column without a bound is in the way.
func (c *duality) bound(y []float64) (bound, size float64) {
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
func (c *duality) usable(y []float64) []float64 {
	kept := append([]float64(nil), y...)
	for i, v := range y {
		r := &c.program.Rows[i]
		if v > 0 && math.IsInf(r.Lower, 0) || v < 0 && math.IsInf(r.Upper, 0) || !(math.Abs(v) <= math.MaxFloat64/2) {
			kept[i] = 0
		}
	}
	return kept
}

// evaluate also returns the columns that make the bound -Inf. Corrections of multipliers
// come with the columns in which they make the reduced cost exactly 0.
func (c *duality) evaluate(y []float64, corrections map[int]*big.Rat, mended []int) (bound, size float64, open []int) {
	gradient := append([]directed.Sum(nil), c.gradient...)
	total := c.constant
	size = math.Abs(total.Value())
	for i := range c.program.Rows {
		size += math.Abs(c.take(i, y[i], gradient, &total))
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

// take adds y (side - ⟨a, x⟩) of a row to a bound in the making, and returns y side.
func (c *duality) take(i int, y float64, gradient []directed.Sum, total *directed.Sum) float64 {
	if y == 0 {
		return 0
	}
	r := &c.program.Rows[i]
	side := r.Lower
	if y < 0 {
		side = r.Upper
	}
	total.AddProduct(y, side)
	for k, j := range r.Columns {
		gradient[j].AddProduct(-y, r.Values[k])
	}
	return y * side
}

// leastOfParabola bounds g x + curvature/2 (x - at)^2 over all x from below: the minimum is g at - g^2/(2 curvature).
func leastOfParabola(gLower, gUpper, at, curvature float64) float64 {
	steepest := math.Max(math.Abs(gLower), math.Abs(gUpper))
	fall := directed.ProductUpper(steepest, steepest) / curvature // twice what is due, which covers the rounding
	if fall == 0 && steepest > 0 {                                // but not what is below all floats
		fall = math.SmallestNonzeroFloat64
	}
	return directed.SumLower(leastProduct(gLower, gUpper, at, at), -fall)
}

// leastProduct returns a number that is not above any g x with g and x in their ranges.
func leastProduct(gLower, gUpper, xLower, xUpper float64) float64 {
	return min(leastMultiple(gLower, gUpper, xLower), leastMultiple(gLower, gUpper, xUpper))
}

// leastMultiple is leastProduct for one x; an infinite one times 0 is 0.
func leastMultiple(gLower, gUpper, x float64) float64 {
	if x < 0 {
		return directed.ProductLower(gUpper, x)
	}
	return directed.ProductLower(gLower, x)
}

// shrunk returns multipliers that are all smaller by rounding errors, so that the reduced costs of the open columns get
// the signs of their costs, or nil where that is not what is missing.
func (c *duality) shrunk(y []float64, open []int) []float64 {
	spent := make([]float64, len(c.gradient))
	for i := range c.program.Rows {
		r := &c.program.Rows[i]
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
	return floats.ScaleTo(make([]float64, len(y)), factor, y)
}

const (
	// shrinking is the relative reserve of shrunk, some units in the last place.
	shrinking = 0x1p-49
	// shrinkings is how often multipliers are made smaller before a column counts as open.
	shrinkings = 3
	// leastShrinking is the factor below which it is not rounding that is mended.
	leastShrinking = 0.99
)
