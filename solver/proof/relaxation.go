package proof

import (
	"math"
	"slices"

	"github.com/sparsero/directions/solver/internal/program"
	"github.com/sparsero/directions/solver/proof/directed"
)

// Affine is a function ⟨g, x⟩ + c of which bounds are known, Low <= g <= High and ConstantLow <= c <= ConstantHigh.
type Affine struct {
	Low, High                 []float64
	ConstantLow, ConstantHigh float64
}

func (f Affine) check(columns int) {
	program.CheckCount("proof", "lower bounds of a gradient", f.Low, columns)
	program.CheckCount("proof", "upper bounds of a gradient", f.High, columns)
}

// Relaxation bounds the maxima of affine functions, less t, over the feasible points of a program and all t that are at least
// 0 and some other affine functions.
type Relaxation struct {
	duality   *duality // of minus the function 0
	low, high []float64
}

// Relax prepares the bounds from multipliers of the rows, in the signs of a minimisation and nil for none, and weights of the
// functions below t. Both may be as wrong as they like; the weights are made [Convex] first. The objective of the program does
// not matter. It panics if the program, the multipliers, the functions or the weights do not fit.
func Relax(p *Program, y []float64, below []Affine, weights []float64) *Relaxation {
	program.CheckCount("proof", "weights", weights, len(below))
	c := &duality{program: p, lower: p.Lower, upper: p.Upper, gradient: make([]directed.Sum, len(p.Cost))}
	if y != nil {
		program.Check("proof", p)
		program.CheckCount("proof", "multipliers", y, len(p.Rows))
		for i, v := range c.usable(y) {
			c.take(i, v, c.gradient, &c.constant)
		}
	}
	weights = slices.Clone(weights)
	Convex(weights)
	high := slices.Clone(c.gradient)
	for k, w := range weights {
		if w == 0 {
			continue
		}
		below[k].check(len(p.Cost))
		for j, v := range below[k].Low {
			c.gradient[j].AddProduct(w, v)
			high[j].AddProduct(w, below[k].High[j])
		}
		c.constant.AddProduct(w, below[k].ConstantLow)
	}
	r := &Relaxation{c, make([]float64, len(high)), make([]float64, len(high))}
	for j := range high {
		r.low[j], r.high[j] = c.gradient[j].Lower(), high[j].Upper()
	}
	return r
}

// Maximum bounds the largest value of f - t by weak duality, with f = ⟨g, x⟩ + c:
//
//	c - Σ_k w_k c_k - Σ_i y_i side_i + Σ_j max{(g - Σ_k w_k g_k + A'y)_j x_j : lower_j <= x_j <= upper_j}.
//
// A zero Relaxation bounds nothing. It panics if f does not fit.
func (r *Relaxation) Maximum(f Affine) Upper {
	if r.duality == nil {
		return Upper{}
	}
	f.check(len(r.low))
	least := r.duality.constant
	least.Add(-f.ConstantHigh)
	for j, low := range r.low {
		below, above := directed.SumLower(low, -f.High[j]), directed.SumUpper(r.high[j], -f.Low[j])
		least.Add(leastProduct(below, above, r.duality.lower[j], r.duality.upper[j]))
	}
	return AtMost(-least.Lower())
}

// Convex changes weights as little as it takes for them to be at least 0 with a sum of at most 1, exactly; NaN and +Inf count as 0.
func Convex(weights []float64) {
	var sum directed.Sum
	for k, w := range weights {
		if !(w > 0) || math.IsInf(w, 1) {
			weights[k] = 0
		}
		sum.Add(weights[k])
	}
	if total := sum.Upper(); total > 1 {
		shrink := (1 - 0x1p-51) / total // four roundings below 1/total
		for k := range weights {
			weights[k] *= shrink
		}
	}
}
