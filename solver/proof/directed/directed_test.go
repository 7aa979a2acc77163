package directed_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/sparsero/directions/solver/proof/directed"
	"pgregory.net/rapid"
)

// number draws floats of very different sizes, with ties and zeros among them.
func number(t *rapid.T) float64 {
	mantissa := rapid.OneOf(rapid.Float64Range(0.5, 2), rapid.Float64Range(-2, -0.5), rapid.Map(rapid.IntRange(-3, 3), func(k int) float64 { return float64(k) })).Draw(t, "mantissa")
	return math.Ldexp(mantissa, rapid.IntRange(-80, 80).Draw(t, "exponent"))
}

func exact(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func TestSumEnclosesTheExactSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s directed.Sum
		truth, size := new(big.Rat), new(big.Rat)
		add := func(term *big.Rat) {
			truth.Add(truth, term)
			size.Add(size, new(big.Rat).Abs(term))
		}
		for range rapid.IntRange(1, 40).Draw(t, "terms") {
			x, y := number(t), number(t)
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				s.Add(x)
				add(exact(x))
			case 1:
				s.AddProduct(x, y)
				add(new(big.Rat).Mul(exact(x), exact(y)))
			case 3: // a multiple of what cancels in part
				var other directed.Sum
				other.AddProduct(x, y)
				other.Add(-x)
				s.AddMultiple(y, other)
				product := new(big.Rat).Mul(exact(x), exact(y))
				add(new(big.Rat).Mul(exact(y), product))
				add(new(big.Rat).Neg(product))
			case 2: // what cancels is what loses digits
				s.AddProduct(-x, y)
				s.Add(x * y)
				add(new(big.Rat).Sub(exact(x*y), new(big.Rat).Mul(exact(x), exact(y))))
				size.Add(size, exact(math.Abs(2*x*y)))
			}
		}
		lower, upper := s.Lower(), s.Upper()
		if exact(lower).Cmp(truth) > 0 || exact(upper).Cmp(truth) < 0 {
			t.Fatalf("[%v, %v] does not enclose %s", lower, upper, truth.FloatString(40))
		}
		width := new(big.Rat).Sub(exact(upper), exact(lower))
		allowed := new(big.Rat).Mul(new(big.Rat).Abs(truth), exact(0x1p-51))
		allowed.Add(allowed, size.Mul(size, exact(0x1p-90)))
		if width.Cmp(allowed) > 0 {
			t.Fatalf("[%v, %v] is wider than two units in the last place and 2^-90 of the terms", lower, upper)
		}
	})
}

func TestRoundingIsTight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := number(t), number(t)
		sum := new(big.Rat).Add(exact(x), exact(y))
		product := new(big.Rat).Mul(exact(x), exact(y))
		for _, c := range []struct {
			name         string
			lower, upper float64
			truth        *big.Rat
		}{
			{"sum", directed.SumLower(x, y), directed.SumUpper(x, y), sum},
			{"product", directed.ProductLower(x, y), directed.ProductUpper(x, y), product},
		} {
			if exact(c.lower).Cmp(c.truth) > 0 || exact(c.upper).Cmp(c.truth) < 0 {
				t.Fatalf("%s of %v and %v: [%v, %v]", c.name, x, y, c.lower, c.upper)
			}
			if c.lower != c.upper && math.Nextafter(c.lower, math.Inf(1)) != c.upper {
				t.Fatalf("%s of %v and %v: [%v, %v] is wider than one unit in the last place", c.name, x, y, c.lower, c.upper)
			}
		}
	})
}

// TestQuotientsAreTight: a quotient has a float64 on either side, next to each other, among the least and the largest numbers, too.
func TestQuotientsAreTight(t *testing.T) {
	numbers := rapid.Custom(func(t *rapid.T) float64 {
		if rapid.Bool().Draw(t, "plain") {
			return number(t)
		}
		return math.Ldexp(number(t), rapid.SampledFrom([]int{-1074, -1000, -961, 900, 960}).Draw(t, "units"))
	}).Filter(func(v float64) bool { return !math.IsInf(v, 0) })
	rapid.Check(t, func(t *rapid.T) {
		x, y := numbers.Draw(t, "x"), numbers.Filter(func(v float64) bool { return v != 0 }).Draw(t, "y")
		if rapid.Bool().Draw(t, "exact") {
			x = y * float64(rapid.IntRange(-50, 50).Draw(t, "quotient"))
		}
		if math.IsInf(x, 0) {
			return
		}
		lower, upper, truth := -directed.QuotientUpper(-x, y), directed.QuotientUpper(x, y), new(big.Rat).Quo(exact(x), exact(y))
		if !math.IsInf(lower, -1) && exact(lower).Cmp(truth) > 0 || !math.IsInf(upper, 1) && exact(upper).Cmp(truth) < 0 {
			t.Fatalf("%v / %v: [%v, %v]", x, y, lower, upper)
		}
		if lower != upper && (math.Nextafter(lower, math.Inf(1)) != upper || exact(math.Max(lower, -math.MaxFloat64)).Cmp(truth) == 0) {
			t.Fatalf("%v / %v: [%v, %v] is wider than one unit in the last place", x, y, lower, upper)
		}
	})
	for _, c := range [][3]float64{{1, 0x1p-1074, math.Inf(1)}, {-1, 0x1p-1074, -math.MaxFloat64}, {-0x1p-1074, 3, 0}, {math.Inf(1), 3, math.Inf(1)}, {math.Inf(1), -3, math.Inf(-1)}, {3, math.Inf(1), 0x1p-1074}} {
		if got := directed.QuotientUpper(c[0], c[1]); got != c[2] {
			t.Errorf("%v / %v = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// Products too small for their rounding error to be a float64 are bounded, too: a certificate in units of 2^-965 was
// half a unit in the last place too small.
func TestSmallProductsAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-2, 2).Draw(t, "x"), rapid.Float64Range(-2, 2).Draw(t, "y")
		first := rapid.IntRange(-1080, 0).Draw(t, "units of x")
		x, y = math.Ldexp(x, first), math.Ldexp(y, rapid.IntRange(-1080, -900).Draw(t, "units of both")-first)
		truth := new(big.Rat).Mul(exact(x), exact(y))
		lower, upper := directed.ProductLower(x, y), directed.ProductUpper(x, y)
		if exact(lower).Cmp(truth) > 0 || exact(upper).Cmp(truth) < 0 {
			t.Fatalf("%v times %v: [%v, %v]", x, y, lower, upper)
		}
		if lower != upper && math.Nextafter(lower, math.Inf(1)) != upper {
			t.Fatalf("%v times %v: [%v, %v] is wider than one unit in the last place", x, y, lower, upper)
		}
	})
}

func TestPowersOfTwoScaleExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "length")
		a, b, scaled := make([]float64, n), make([]float64, n), make([]float64, n)
		exponent := rapid.IntRange(-600, 600).Draw(t, "units")
		for k := range n {
			a[k], b[k] = number(t), number(t)
			scaled[k] = math.Ldexp(a[k], exponent)
		}
		lower, upper := directed.Dot(a, b)
		scaledLower, scaledUpper := directed.Dot(scaled, b)
		if scaledLower != math.Ldexp(lower, exponent) || scaledUpper != math.Ldexp(upper, exponent) {
			t.Fatalf("[%v, %v] becomes [%v, %v] in units of 2^%d", lower, upper, scaledLower, scaledUpper, exponent)
		}
	})
}

// TestOverflowOfSumsIsOutwards: +Inf is above every sum of two numbers and below none.
func TestOverflowOfSumsIsOutwards(t *testing.T) {
	for _, b := range []float64{math.MaxFloat64, 0x1p970} {
		if upper, lower := directed.SumUpper(math.MaxFloat64, b), directed.SumLower(math.MaxFloat64, b); upper != math.Inf(1) || lower != math.MaxFloat64 {
			t.Errorf("the sum of the largest float64 and %v is in [%v, %v]", b, lower, upper)
		}
		if upper, lower := directed.SumUpper(-math.MaxFloat64, -b), directed.SumLower(-math.MaxFloat64, -b); upper != -math.MaxFloat64 || lower != math.Inf(-1) {
			t.Errorf("the negative sum is in [%v, %v]", lower, upper)
		}
	}
	if upper, lower := directed.SumUpper(math.Inf(-1), 1), directed.SumLower(math.Inf(1), 1); upper != math.Inf(-1) || lower != math.Inf(1) {
		t.Errorf("what is infinite becomes %v, %v", upper, lower)
	}
	var s directed.Sum
	s.Add(math.MaxFloat64)
	s.Add(math.MaxFloat64)
	if _, bound := s.Rounded(); bound != math.Inf(1) {
		t.Errorf("the error of a sum that overflows is %v", bound)
	}
}

// TestUnitsAreChangedOutwards: a number in other units has a float64 on either side, next to each other.
func TestUnitsAreChangedOutwards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, exponent := number(t), rapid.IntRange(-1200, 1100).Draw(t, "units")
		lower, upper := -directed.ScaleUpper(-x, exponent), directed.ScaleUpper(x, exponent)
		truth := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(exponent, -exponent))))
		if exponent < 0 {
			truth.Inv(truth)
		}
		truth.Mul(truth, exact(x))
		if !math.IsInf(lower, -1) && exact(lower).Cmp(truth) > 0 || !math.IsInf(upper, 1) && exact(upper).Cmp(truth) < 0 {
			t.Fatalf("%v times 2^%d: [%v, %v]", x, exponent, lower, upper)
		}
		if lower != upper && math.Nextafter(lower, math.Inf(1)) != upper {
			t.Fatalf("%v times 2^%d: [%v, %v] is wider than one unit in the last place", x, exponent, lower, upper)
		}
	})
}

// TestNormsOfTheLeastNumbersAreBounded: among the numbers next to 0 no unit in the last place is small.
func TestNormsOfTheLeastNumbersAreBounded(t *testing.T) {
	for a := range 40 {
		for b := range 40 {
			norm := directed.NormUpper([]float64{math.Ldexp(float64(a), -1074), math.Ldexp(float64(b), -1074)})
			if k := math.Ldexp(norm, 1074); k*k < float64(a*a+b*b) || k > 0 && (k-1)*(k-1) > float64(a*a+b*b) {
				t.Errorf("the norm of (%d, %d) is %v of the least number", a, b, k)
			}
		}
	}
}

func TestOverflowAndUnderflowStaySafe(t *testing.T) {
	var over directed.Sum
	over.AddProduct(0x1p1000, 0x1p1000)
	over.Add(-1)
	if over.Upper() != math.Inf(1) || over.Lower() != math.Inf(-1) {
		t.Errorf("an overflow gives [%v, %v], want everything", over.Lower(), over.Upper())
	}
	var under directed.Sum
	under.AddProduct(0x1p-700, 0x1p-700)
	if under.Upper() <= 0 || under.Lower() > 0 {
		t.Errorf("2^-1400 gives [%v, %v]", under.Lower(), under.Upper())
	}
	under.AddProduct(-0x1p-700, 0x1p-700)
	if under.Lower() > 0 || under.Upper() < 0 {
		t.Errorf("2^-1400 - 2^-1400 gives [%v, %v]", under.Lower(), under.Upper())
	}
	var between directed.Sum
	between.AddBetween(1, 3)
	if between.Lower() > 1 || between.Upper() < 3 {
		t.Errorf("a number in [1, 3] gives [%v, %v]", between.Lower(), between.Upper())
	}
}

func TestZeroTimesWhatOverflowsIsZero(t *testing.T) {
	for _, far := range []float64{math.Inf(1), math.Inf(-1)} {
		for _, got := range []float64{directed.ProductUpper(0, far), directed.ProductUpper(far, 0), directed.ProductLower(0, far), directed.ProductLower(far, 0)} {
			if got != 0 {
				t.Errorf("0 times %v is %v", far, got)
			}
		}
	}
	if got := directed.ProductUpper(0, math.NaN()); !math.IsNaN(got) {
		t.Errorf("0 times NaN is %v", got)
	}
}
