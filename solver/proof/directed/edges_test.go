package directed_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver/proof/directed"
	"pgregory.net/rapid"
)

// TestNormIsTheLeastAbove: a norm is rounded up, by less than two units in the last place, also where squares of some
// coordinates vanish beside the largest, and is exact where it can be.
func TestNormIsTheLeastAbove(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		v    []float64
		want float64
	}{
		{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3, -4, 0}, 5}, {[]float64{0x3p-1000, 0x4p-1000}, 0x5p-1000}, {[]float64{1, 0}, 1},
		{[]float64{0x1p1000, math.SmallestNonzeroFloat64}, math.Nextafter(0x1p1000, inf)}, {[]float64{inf, 1}, inf}, {[]float64{math.NaN()}, inf},
	} {
		if got := directed.NormUpper(test.v); got != test.want {
			t.Errorf("norm %v of %v, want %v", got, test.v, test.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 5).Draw(t, "v")
		unit, square := rapid.IntRange(-400, 400).Draw(t, "unit"), new(big.Rat)
		for k := range v {
			v[k] = math.Ldexp(v[k], unit)
			square.Add(square, new(big.Rat).Mul(exact(v[k]), exact(v[k])))
		}
		norm := directed.NormUpper(v)
		below := math.Nextafter(math.Nextafter(norm, 0), 0)
		if new(big.Rat).Mul(exact(norm), exact(norm)).Cmp(square) < 0 || below > 0 && new(big.Rat).Mul(exact(below), exact(below)).Cmp(square) >= 0 {
			t.Fatalf("norm %v of %v", norm, v)
		}
	})
}

// TestRoundedSums: a sum as one number is within its bound of all that the sum may be, and the bound is small.
func TestRoundedSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, other directed.Sum
		low, high, size := new(big.Rat), new(big.Rat), new(big.Rat) // of what the sum may be
		for range rapid.IntRange(1, 10).Draw(t, "terms") {
			x := number(t)
			lower, upper := x, x+math.Abs(x)*rapid.SampledFrom([]float64{0, 0x1p-70, 0x1p-30}).Draw(t, "width")
			other.AddBetween(lower, upper)
			low.Add(low, exact(lower))
			high.Add(high, exact(upper))
			size.Add(size, exact(math.Abs(upper)))
		}
		factor := number(t)
		s.AddMultiple(factor, other)
		for _, end := range []*big.Rat{low, high, size} {
			end.Mul(end, exact(factor))
		}
		ends := []*big.Rat{low, high}
		value, bound := s.Rounded()
		for _, end := range ends {
			if distance := new(big.Rat).Sub(end, exact(value)); distance.Abs(distance).Cmp(exact(bound)) > 0 {
				t.Fatalf("%v ± %v misses %s", value, bound, end.FloatString(30))
			}
			if end.Cmp(exact(s.Upper())) > 0 || end.Cmp(exact(s.Lower())) < 0 {
				t.Fatalf("[%v, %v] misses %s", s.Lower(), s.Upper(), end.FloatString(30))
			}
		}
		allowed := new(big.Rat).Sub(high, low)
		allowed.Add(allowed.Abs(allowed), size.Mul(size.Abs(size), exact(0x1p-50)))
		if exact(bound).Cmp(allowed) > 0 {
			t.Fatalf("%v ± %v is wider than [%s, %s]", value, bound, low.FloatString(20), high.FloatString(20))
		}
	})
}

// TestSumsAtTheirEdges: what a sum of known words is, and what it may have lost, in figures.
func TestSumsAtTheirEdges(t *testing.T) {
	sum := func(terms ...float64) (s directed.Sum) {
		for _, x := range terms {
			s.Add(x)
		}
		return s
	}
	product := func(x, y float64) (s directed.Sum) {
		s.AddProduct(x, y)
		return s
	}
	for _, test := range []struct {
		name                string
		s                   directed.Sum
		lower, value, upper float64
	}{
		{"no term", sum(), 0, 0, 0},
		{"a low word", sum(1, 0x1p-53, 0x1p-53), 1, 1 + 0x1p-52, 1 + 0x1p-51},
		{"a low word of 1", sum(0x1p54, 1, -0x1p54), 1 - 0x1p-52, 1, 1 + 0x1p-52},
		{"2^-52 of all low words", sum(1, 0x1p-60, -1, -0x1p-60), -0x1p-112, 0, 0x1p-112},
		{"exact products have no low word", product(0x1p-480, 0x1p-480), 0x1p-960, 0x1p-960, 0x1p-960},
		{"errors of smaller ones are no floats", product(0x1p-481, 0x1p-480), 0x1p-961 - 0x1p-1014, 0x1p-961, 0x1p-961 + 0x1p-1013},
		{"a factor of 0", product(3, 0), 0, 0, 0},
		{"another one", product(0, 3), 0, 0, 0},
		{"products that vanish", product(0x1p-600, 0x1p-600), -0x1p-1073, 0, 0x1p-1073},
	} {
		if lower, value, upper := test.s.Lower(), test.s.Value(), test.s.Upper(); lower != test.lower || value != test.value || upper != test.upper {
			t.Errorf("%s: %x in [%x, %x], want %x in [%x, %x]", test.name, value, lower, upper, test.value, test.lower, test.upper)
		}
	}
	overflow := sum(math.MaxFloat64, math.MaxFloat64)
	if _, bound := overflow.Rounded(); bound != math.Inf(1) || overflow.Lower() != math.Inf(-1) || overflow.Upper() != math.Inf(1) {
		t.Errorf("an overflow is in [%v, %v], known up to %v", overflow.Lower(), overflow.Upper(), bound)
	}
}

// TestProductsAtTheirEdges: 0 times whatever is 0, and an infinite factor is infinite.
func TestProductsAtTheirEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range [][3]float64{{0, inf, 0}, {inf, 0, 0}, {3, 0, 0}, {0, 3, 0}, {inf, 2, inf}, {2, inf, inf}, {0x1p-600, 0x1p-600, math.SmallestNonzeroFloat64}, {-0x1p-600, 0x1p-600, 0}} {
		if got := directed.ProductUpper(test[0], test[1]); got != test[2] {
			t.Errorf("%v times %v is at most %v, want %v", test[0], test[1], got, test[2])
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("vectors of different lengths have an inner product")
		}
	}()
	directed.Dot([]float64{1, 2}, []float64{1, 2, 3})
}

// TestSumsBesideTheLargestFloat: the error of this sum is beyond float64 on its way.
func TestSumsBesideTheLargestFloat(t *testing.T) {
	a, b := 0x1.8p971, -math.MaxFloat64
	exact := new(big.Rat).Add(new(big.Rat).SetFloat64(a), new(big.Rat).SetFloat64(b))
	if upper := directed.SumUpper(a, b); new(big.Rat).SetFloat64(upper).Cmp(exact) < 0 {
		t.Errorf("%x is below the sum of %x and %x", upper, a, b)
	}
}
