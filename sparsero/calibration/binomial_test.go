package calibration

import (
	"fmt"
	"math"
	"math/big"
	"testing"
)

// relativeTolerance is how far a logarithm may be from the one computed with
// exact rational arithmetic, relative to max(1, |logarithm|).
const relativeTolerance = 1e-13

func closeLog(t *testing.T, name string, got, want float64) {
	t.Helper()
	if math.IsInf(want, -1) && math.IsInf(got, -1) {
		return
	}
	if math.Abs(got-want) > relativeTolerance*math.Max(1, math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g", name, got, want)
	}
}

// logOf returns ln x of a positive rational of any size.
func logOf(x *big.Rat) float64 {
	if x.Sign() == 0 {
		return math.Inf(-1)
	}
	f := new(big.Float).SetPrec(200).SetRat(x)
	mantissa := new(big.Float)
	exponent := f.MantExp(mantissa)
	m, _ := mantissa.Float64()
	if exponent == 0 { // x in [1/2, 1): 1-x carries the digits
		rest, _ := new(big.Float).Sub(f, big.NewFloat(1)).Float64()
		return math.Log1p(rest)
	}
	return math.Log(m) + float64(exponent)*math.Ln2
}

// probabilityUnit is the denominator of the test probabilities: a power of two
// keeps them exact in floating point.
const probabilityUnit = 1 << 12

// exactBinomialCDF returns P(Bin(n, hits/probabilityUnit) <= k) as an exact
// rational for every k.
func exactBinomialCDF(n int, hits int64) []*big.Rat {
	power := func(base int64, exponent int) *big.Int {
		return new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(exponent)), nil)
	}
	sum, whole := new(big.Int), power(probabilityUnit, n)
	cdf := make([]*big.Rat, n+1)
	for i := range cdf {
		term := new(big.Int).Binomial(int64(n), int64(i))
		term.Mul(term, power(hits, i))
		term.Mul(term, power(probabilityUnit-hits, n-i))
		sum.Add(sum, term)
		cdf[i] = new(big.Rat).SetFrac(sum, whole)
	}
	return cdf
}

func TestBinomialTailsAgainstExactArithmetic(t *testing.T) {
	one := big.NewRat(1, 1)
	for _, hits := range []int64{4, 205, 1200, 2048, 3700} {
		p := float64(hits) / probabilityUnit
		for _, n := range []int{1, 2, 5, 16, 40, 90, 300} {
			cdf := exactBinomialCDF(n, hits)
			for k := range n {
				name := fmt.Sprintf("n=%d k=%d p=%g", n, k, p)
				closeLog(t, "CDF "+name, logBinomialCDF(n, k, p), logOf(cdf[k]))
				closeLog(t, "upper "+name, logBinomialUpper(n, k+1, p), logOf(new(big.Rat).Sub(one, cdf[k])))
			}
		}
	}
}

func TestBinomialTailEnds(t *testing.T) {
	closeLog(t, "P(X<=-1)", logBinomialCDF(7, -1, 0.3), math.Inf(-1))
	closeLog(t, "P(X<=7)", logBinomialCDF(7, 7, 0.3), 0)
	closeLog(t, "P(X>=0)", logBinomialUpper(7, 0, 0.3), 0)
	closeLog(t, "P(X>=8)", logBinomialUpper(7, 8, 0.3), math.Inf(-1))
	closeLog(t, "P(X<=0)", logBinomialCDF(1_000_000, 0, 1e-3), 1e6*math.Log1p(-1e-3))
	// 1-p has lost the digits of a small p.
	closeLog(t, "P(X<=0), small p", logBinomialCDF(1<<40, 0, 1e-12), -(1<<40)*1e-12*(1+0.5e-12))
	closeLog(t, "P(X>=n), small p", logBinomialUpper(5, 5, 1e-12), 5*math.Log(1e-12))
	closeLog(t, "P(X>=n), large p", logBinomialUpper(1<<40, 1<<40, 1-0x1p-40), -(1 + 0x1p-41))
	for n := 1; n < 60; n++ {
		for percent := 1; percent < 100; percent++ {
			p := float64(percent) / 100
			if below, above := logBinomialCDF(n, -1, p), logBinomialUpper(n, n+1, p); !math.IsInf(below, -1) || !math.IsInf(above, -1) {
				t.Fatalf("n=%d, p=%g: impossible counts have the logarithms %g and %g", n, p, below, above)
			}
		}
	}
}

func TestChooseAndSubsetCountsAgainstExactArithmetic(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 15, 16, 17, 40, 200, 1000} {
		sum := new(big.Int)
		for b := 0; b <= n; b++ {
			choose := new(big.Int).Binomial(int64(n), int64(b))
			sum.Add(sum, choose)
			name := fmt.Sprintf("n=%d b=%d", n, b)
			closeLog(t, "choose "+name, logChoose(n, b), logOf(new(big.Rat).SetInt(choose)))
			closeLog(t, "count "+name, logSubsetCount(n, b), logOf(new(big.Rat).SetInt(sum)))
		}
	}
}

// N = 10^6 and B = 10^3: the count has 3,433 digits, far beyond float64.
func TestSubsetCountDoesNotOverflow(t *testing.T) {
	const n, b = 1_000_000, 1_000
	sum, term := big.NewInt(1), big.NewInt(1)
	for k := int64(1); k <= b; k++ {
		term.Mul(term, big.NewInt(n-k+1))
		term.Quo(term, big.NewInt(k))
		sum.Add(sum, term)
	}
	if digits := len(sum.String()); digits != 3433 {
		t.Fatalf("the exact count has %d digits", digits)
	}
	closeLog(t, "count", logSubsetCount(n, b), logOf(new(big.Rat).SetInt(sum)))
	closeLog(t, "all subsets", logSubsetCount(n, n), n*math.Ln2)
	closeLog(t, "all but one", logSubsetCount(n, n-1), n*math.Ln2)
}

// What Stirling's formula leaves out, from 60-digit logarithms of n!.
func TestStirlingError(t *testing.T) {
	for n, want := range map[float64]float64{
		1: 0.0810614667953272582, 5: 0.0166446911898211922, 15: 0.0055547335519628014, 16: 0.0052076559196096404,
		17: 0.0049013959484347379, 20: 0.0041663196919969225, 40: 0.0020832899383024218,
	} {
		tolerance := 3e-16
		if n < stirlingSeriesFrom { // a difference of larger numbers
			tolerance = 2e-14
		}
		if got := stirlingError(n); math.Abs(got-want) > tolerance {
			t.Errorf("n=%g: %.18f, want %.18f", n, got, want)
		}
	}
}

// Numbers of few atoms out of very many keep their digits: their logarithm is a sum of few.
func TestFewOfVeryMany(t *testing.T) {
	for _, n := range []int{1_000_003, 1_000_000_007, 999_999_999_989, 1_000_000_000_039, 1<<40 - 1, 1 << 40} {
		want := 0.0
		for k := 1; k <= 5; k++ {
			want += math.Log(float64(n-k+1)) - math.Log(float64(k))
			closeLog(t, fmt.Sprintf("ln C(%d,%d)", n, k), logChoose(n, k), want)
			closeLog(t, fmt.Sprintf("ln C(%d,%d)", n, n-k), logChoose(n, n-k), want)
		}
	}
}
