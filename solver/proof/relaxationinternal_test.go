package proof

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A product of two intervals is least at an end of each.
func TestLeastProduct(t *testing.T) {
	infinite := math.Inf(1)
	for _, test := range []struct{ gLower, gUpper, xLower, xUpper, want float64 }{
		{1, 2, 3, 4, 3}, {1, 2, -4, -3, -8}, {-2, 1, -3, 3, -6}, {-2, -1, 3, 4, -8}, {-2, 1, 0, 0, 0},
		{0, 0, -infinite, infinite, 0}, {0, 1, 0, infinite, 0}, {0, 1, -infinite, 0, -infinite}, {-1, 0, 0, infinite, -infinite},
	} {
		if got := leastProduct(test.gLower, test.gUpper, test.xLower, test.xUpper); got != test.want {
			t.Errorf("[%v, %v] times [%v, %v]: %v, want %v", test.gLower, test.gUpper, test.xLower, test.xUpper, got, test.want)
		}
	}
}

// drawAffine draws a function of which all is known, or only bounds.
func drawAffine(t *rapid.T, columns int) Affine {
	width := float64(rapid.IntRange(0, 1).Draw(t, "width"))
	f := Affine{Low: make([]float64, columns), High: make([]float64, columns), ConstantLow: number(t, "constant")}
	for j := range f.Low {
		f.Low[j] = number(t, "gradient")
		f.High[j] = f.Low[j] + width
	}
	f.ConstantHigh = f.ConstantLow + width
	return f
}

// drawRelaxed draws a polytope that contains the point 0, functions, multipliers and weights.
func drawRelaxed(t *rapid.T) (p *Program, below []Affine, y, weights []float64) {
	p = &Program{}
	for range rapid.IntRange(1, 3).Draw(t, "columns") {
		p.Cost, p.Lower, p.Upper = append(p.Cost, number(t, "cost")), append(p.Lower, -math.Abs(number(t, "lower"))), append(p.Upper, math.Abs(number(t, "upper")))
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		r := Row{Lower: math.Inf(-1), Upper: math.Abs(number(t, "side"))}
		for j := range p.Cost {
			r.Columns, r.Values = append(r.Columns, j), append(r.Values, number(t, "coefficient"))
		}
		p.Rows, y = append(p.Rows, r), append(y, number(t, "multiplier"))
	}
	for range rapid.IntRange(0, 3).Draw(t, "functions") {
		below, weights = append(below, drawAffine(t, len(p.Cost))), append(weights, number(t, "weight")/3)
	}
	return p, below, y, weights
}

func product(a, b float64) *big.Rat { return new(big.Rat).Mul(rationalOf(a), rationalOf(b)) }

// valueAt is the exact value of a function with given coefficients.
func valueAt(gradient, x []float64, constant float64) *big.Rat {
	sum := rationalOf(constant)
	for j, g := range gradient {
		sum.Add(sum, product(g, x[j]))
	}
	return sum
}

// No point of the polytope and no t are above the bound, whatever the multipliers and weights, and wherever the functions are
// between what is known of them.
func TestRelaxationsAreAboveEveryPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, below, y, weights := drawRelaxed(t)
		f := drawAffine(t, len(p.Cost))
		bound := Relax(p, y, below, weights).Maximum(f)
		x := make([]float64, len(p.Cost))
		for j := range x {
			x[j] = rapid.SampledFrom([]float64{p.Lower[j], 0, p.Upper[j]}).Draw(t, "x")
		}
		for _, r := range p.Rows {
			if valueAt(r.Values, x, 0).Cmp(rationalOf(r.Upper)) > 0 {
				t.Skip("not feasible")
			}
		}
		least := new(big.Rat) // t
		for _, b := range below {
			if value := valueAt(b.Low, x, b.ConstantLow); value.Cmp(least) > 0 {
				least = value
			}
		}
		value := valueAt(f.High, x, f.ConstantHigh)
		if low := valueAt(f.Low, x, f.ConstantHigh); low.Cmp(value) > 0 {
			value = low
		}
		if value.Sub(value, least).Cmp(rationalOf(bound.Float())) > 0 {
			t.Fatalf("at %v the value is %s, above the bound %v", x, value.FloatString(20), bound.Float())
		}
	})
}

// The bound is weak duality's in fractions, up to rounding of the weights and one of the result.
func TestRelaxationsAreSharp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, below, y, weights := drawRelaxed(t)
		f := drawAffine(t, len(p.Cost))
		Convex(weights)
		want, size := rationalOf(f.ConstantHigh), 1.0
		low, high := rationals(f.Low), rationals(f.High)
		take := func(scale float64, l, h []float64, constant float64) {
			want.Sub(want, product(scale, constant))
			size += math.Abs(scale * constant)
			for j := range low {
				low[j].Sub(low[j], product(scale, h[j]))
				high[j].Sub(high[j], product(scale, l[j]))
				size += math.Abs(scale) * (math.Abs(h[j]) + 1) * (p.Upper[j] - p.Lower[j])
			}
		}
		for k, b := range below {
			take(weights[k], b.Low, b.High, b.ConstantLow)
		}
		for i, r := range p.Rows {
			if y[i] < 0 { // the signs of a minimisation
				take(-y[i], r.Values, r.Values, -r.Upper)
			}
		}
		for j := range low {
			most := new(big.Rat)
			for k, g := range []*big.Rat{low[j], high[j], low[j], high[j]} {
				at := p.Lower[j]
				if k > 1 {
					at = p.Upper[j]
				}
				if v := new(big.Rat).Mul(g, rationalOf(at)); k == 0 || v.Cmp(most) > 0 {
					most = v
				}
			}
			want.Add(want, most)
		}
		got := Relax(p, y, below, weights).Maximum(f).Float()
		if off, _ := new(big.Rat).Sub(rationalOf(got), want).Float64(); off < 0 || off > 1e-14*size {
			t.Fatalf("%v is %g above weak duality's bound", got, off)
		}
	})
}

// Weights that are convex stay; others become so.
func TestWeightsBecomeConvex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := rapid.SliceOfN(rapid.Float64Range(-1, 2), 1, 6).Draw(t, "weights")
		weights := append([]float64(nil), drawn...)
		Convex(weights)
		before, after := new(big.Rat), new(big.Rat)
		for k, w := range weights {
			if w < 0 {
				t.Fatalf("weight %v", w)
			}
			before.Add(before, rationalOf(math.Max(0, drawn[k])))
			after.Add(after, rationalOf(w))
		}
		one := big.NewRat(1, 1)
		if after.Cmp(one) > 0 || before.Cmp(one) <= 0 && after.Cmp(before) != 0 {
			t.Fatalf("sum %s, was %s", after.FloatString(20), before.FloatString(20))
		}
		if sum, _ := after.Float64(); before.Cmp(one) > 0 && sum < 1-1e-15 {
			t.Fatalf("sum %v is more than rounding below 1", sum)
		}
	})
	halves := []float64{0.5, 0.5}
	if Convex(halves); halves[0] != 0.5 || halves[1] != 0.5 {
		t.Errorf("two halves, whose sum is 1, became %v", halves)
	}
}

// Evidence that is no number proves nothing, or is left out.
func TestRelaxationsOfNoNumbers(t *testing.T) {
	p := &Program{Cost: []float64{0}, Lower: []float64{0}, Upper: []float64{1}, Rows: []Row{{Columns: []int{0}, Values: []float64{1}, Lower: math.Inf(-1), Upper: 0.5}}}
	f := Affine{Low: []float64{1}, High: []float64{1}}
	for _, y := range []float64{math.NaN(), math.Inf(-1), 1} { // the last leans on a side that is missing
		if bound := Relax(p, []float64{y}, nil, nil).Maximum(f); bound.Float() != 1 {
			t.Errorf("multiplier %v: bound %v, want that of the box", y, bound)
		}
	}
	unknown := Affine{Low: []float64{math.Inf(-1)}, High: []float64{math.Inf(1)}, ConstantLow: math.Inf(-1), ConstantHigh: math.Inf(1)}
	if bound := Relax(p, nil, []Affine{unknown}, []float64{0}).Maximum(f); bound.Float() != 1 {
		t.Errorf("beside a function of which nothing is known, of weight 0: bound %v, want that of the box", bound)
	}
	if bound := (&Relaxation{}).Maximum(f); bound != (Upper{}) {
		t.Errorf("the zero value bounds by %v", bound)
	}
	for _, weight := range []float64{math.NaN(), math.Inf(1), -1} {
		weights := []float64{weight}
		if bound := Relax(p, nil, []Affine{f}, weights).Maximum(f); bound.Float() != 1 || weights[0] == 0 {
			t.Errorf("weight %v: bound %v, want that of the box; %v afterwards", weight, bound, weights)
		}
	}
}
