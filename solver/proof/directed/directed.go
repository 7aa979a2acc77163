// Package directed bounds sums, products and quotients of float64 numbers from both sides, so that a claim made from them is never
// better than the truth.
//
// A [Sum] carries twice the precision of a float64 together with a bound on what it still misses; its Lower and Upper
// enclose the exact sum and mostly differ by one unit in the last place. All results scale exactly with powers of two as
// long as products stay between 2^-960 and the largest float64 (Ogita, Rump and Oishi 2005).
package directed

import (
	"fmt"
	"math"
)

const (
	// missedShare times the added sizes of the low word bounds its rounding errors:
	// half a unit in the last place each, doubled to cover the bound's own rounding.
	missedShare = 0x1p-52
	// smallestExact is the size of a product from which on its rounding error is a
	// float64; below, the error is bounded by tiny.
	smallestExact = 0x1p-960
	// tiny bounds what is lost of one product below smallestExact.
	tiny = 0x1p-1073
	// smallUnits brings numbers below smallestExact to where rounding errors are float64s.
	smallUnits = 200
)

// Sum is a sum of numbers and products with a bound on its error. The zero value is 0.
type Sum struct {
	high, low float64 // the sum is high + low, up to missed
	sizes     float64 // added sizes of the low word after each change
	// below and above are how far the exact sum may lie to either side besides.
	below, above float64
}

// Add adds x.
func (s *Sum) Add(x float64) {
	total, err := twoSum(s.high, x)
	s.high = total
	s.carry(err)
}

// AddProduct adds x y.
func (s *Sum) AddProduct(x, y float64) {
	product := float64(x * y) // rounded, and so not fused with the sum on processors that could
	s.Add(product)
	s.carry(math.FMA(x, y, -product))
	if math.Abs(product) < smallestExact && x != 0 && y != 0 {
		s.below, s.above = s.below+tiny, s.above+tiny
	}
}

// AddBetween adds a number of which only an enclosure is known.
func (s *Sum) AddBetween(lower, upper float64) {
	s.Add(lower)
	s.above = SumUpper(s.above, SumUpper(upper, -lower))
}

// AddMultiple adds a multiple of another sum.
func (s *Sum) AddMultiple(factor float64, of Sum) {
	s.AddProduct(factor, of.high)
	if of == (Sum{high: of.high}) {
		return // it is exact
	}
	s.AddProduct(factor, of.low)
	missed := SumUpper(missedShare*of.sizes, math.Max(of.below, of.above))
	missed = ProductUpper(math.Abs(factor), missed)
	s.below, s.above = SumUpper(s.below, missed), SumUpper(s.above, missed)
}

func (s *Sum) carry(err float64) {
	if err == 0 {
		return
	}
	s.low += err
	s.sizes += math.Abs(s.low)
}

// Lower returns a float64 that is not above the exact sum, -Inf after an overflow.
func (s *Sum) Lower() float64 {
	negated := Sum{high: -s.high, low: -s.low, sizes: s.sizes}
	return -negated.upper(s.below)
}

// Upper returns a float64 that is not below the exact sum, +Inf after an overflow.
func (s *Sum) Upper() float64 { return s.upper(s.above) }

func (s *Sum) upper(lost float64) float64 {
	total, rest := twoSum(s.high, s.low)
	if math.IsNaN(rest) || math.IsInf(total, 0) {
		return math.Inf(1)
	}
	missed := SumUpper(missedShare*s.sizes, lost)
	return SumUpper(total, SumUpper(rest, missed))
}

// Value returns the sum rounded to the nearest float64, up to its error.
func (s *Sum) Value() float64 { return s.high + s.low }

// Rounded returns the sum as one number and a bound on its error, +Inf after an overflow.
func (s *Sum) Rounded() (value, bound float64) {
	value = s.Value()
	if *s == (Sum{high: value}) {
		return value, 0 // it is exact, as none is after an overflow, of which NaN is left
	}
	bound = math.Max(SumUpper(s.Upper(), -value), SumUpper(value, -s.Lower()))
	if math.IsNaN(bound) {
		bound = math.Inf(1)
	}
	return value, bound
}

// SumUpper returns the least float64 that is not below a + b.
func SumUpper(a, b float64) float64 {
	total, rest := twoSum(a, b)
	if !(rest <= 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) { // NaN where a step is beyond float64
		return math.Nextafter(total, math.Inf(1))
	}
	return total
}

// SumLower returns the largest float64 that is not above a + b.
func SumLower(a, b float64) float64 { return -SumUpper(-a, -b) }

// ProductUpper returns the least float64 that is not below x y. An infinite factor stands for a number
// beyond float64, so that 0 times it is 0.
func ProductUpper(x, y float64) float64 {
	product := float64(x * y)
	switch {
	case x == 0 && math.IsInf(y, 0), y == 0 && math.IsInf(x, 0):
		return 0
	case product == 0:
		if x != 0 && y != 0 && math.Signbit(x) == math.Signbit(y) {
			return math.SmallestNonzeroFloat64
		}
		return product
	case math.Abs(product) < smallestExact: // its error is too small for a float64, but not in other units
		if math.FMA(math.Ldexp(x, smallUnits), y, -math.Ldexp(product, smallUnits)) > 0 {
			return math.Nextafter(product, math.Inf(1))
		}
	case math.FMA(x, y, -product) > 0:
		return math.Nextafter(product, math.Inf(1))
	}
	return product
}

// ProductLower returns a float64 that is not above x y.
func ProductLower(x, y float64) float64 { return -ProductUpper(-x, y) }

// QuotientUpper returns the least float64 that is not below x/y; the largest that is not above it is -QuotientUpper(-x, y). An
// infinite y stands for a number beyond float64; for y = 0 and x > 0 it is +Inf.
func QuotientUpper(x, y float64) float64 {
	if y < 0 {
		x, y = -x, -y
	}
	quotient := x / y
	if quotient == 0 && x <= 0 {
		return quotient
	}
	if math.Abs(x) < smallestExact {
		x, y = math.Ldexp(x, smallUnits), math.Ldexp(y, smallUnits)
	}
	if quotient == 0 || math.FMA(-quotient, y, x) > 0 {
		return math.Nextafter(quotient, math.Inf(1))
	}
	return quotient
}

// ScaleUpper returns the least float64 that is not below x 2^exponent.
func ScaleUpper(x float64, exponent int) float64 {
	scaled := math.Ldexp(x, exponent)
	if math.Ldexp(scaled, -exponent) < x {
		return math.Nextafter(scaled, math.Inf(1))
	}
	return scaled
}

// NormUpper returns a float64 that the Euclidean norm ‖v‖₂ does not exceed, less than two units in the last place above
// it; +Inf for NaN.
func NormUpper(v []float64) float64 {
	largest := 0.0
	for _, x := range v {
		largest = math.Max(largest, math.Abs(x))
	}
	_, exponent := math.Frexp(largest) // squares that neither overflow nor all vanish
	var sum Sum
	for _, x := range v {
		scaled := math.Ldexp(x, -exponent)
		if x != 0 && scaled == 0 {
			scaled = math.SmallestNonzeroFloat64
		}
		sum.AddProduct(scaled, scaled)
	}
	root := math.Sqrt(sum.Upper())
	if ProductLower(root, root) < sum.Upper() {
		root = math.Nextafter(root, math.Inf(1))
	}
	return ScaleUpper(root, exponent)
}

// Dot returns floats that enclose the inner product of two vectors. It panics if their lengths differ.
func Dot(a, b []float64) (lower, upper float64) {
	if len(a) != len(b) {
		panic(fmt.Sprintf("directed: vectors of %d and %d numbers have no inner product; use equal lengths", len(a), len(b)))
	}
	var s Sum
	for k, v := range a {
		s.AddProduct(v, b[k])
	}
	return s.Lower(), s.Upper()
}

// twoSum returns a + b rounded and the exact rounding error (Knuth 1969). The conversions
// keep a compiler from fusing the sum with a product that it stands for in a caller.
func twoSum(a, b float64) (sum, err float64) {
	a, b = float64(a), float64(b)
	sum = a + b
	back := sum - a
	return sum, (a - (sum - back)) + (b - back)
}
