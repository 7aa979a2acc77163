package calibration

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
)

func TestOutcomes(t *testing.T) {
	samples := mat.NewDense(2, 3, []float64{1, 2, 3, -1, 0, 1})
	got, err := Outcomes(10, []float64{1, 1, 2}, samples)
	if err != nil || !slices.Equal(got, []float64{19, 11}) {
		t.Errorf("outcomes %v, %v", got, err)
	}
}

// The interval inverts the binomial tails; the incomplete beta function inverts
// them too.
func TestClopperPearsonTwoWays(t *testing.T) {
	for _, n := range []int{1, 2, 7, 50, 1000, 5000} {
		for x := 0; x <= n; x += 1 + n/9 {
			for _, confidence := range []float64{0.5, 0.95, 0.999} {
				lower, upper, err := ClopperPearson(x, n, confidence)
				if err != nil {
					t.Fatal(err)
				}
				half, size, hits := (1-confidence)/2, float64(n), float64(x)
				wantLower, wantUpper := 0., 1.
				if x > 0 {
					wantLower = mathext.InvRegIncBeta(hits, size-hits+1, half)
				}
				if x < n {
					wantUpper = mathext.InvRegIncBeta(hits+1, size-hits, 1-half)
				}
				if math.Abs(lower.Float()-wantLower) > 1e-9 || math.Abs(upper.Float()-wantUpper) > 1e-9 {
					t.Errorf("%d of %d at %g: [%.12g, %.12g], want [%.12g, %.12g]", x, n, confidence, lower, upper, wantLower, wantUpper)
				}
			}
		}
	}
	// Both ends are rounded outwards, by no more than the digits of the tails: the next number inwards is inside.
	for _, n := range []int{5, 1000, 1 << 30} {
		half := math.Log1p(-0.95) - math.Ln2
		half -= logSlack(n, half)
		low, high, err := ClopperPearson(3, n, 0.95)
		lower, upper := low.Float(), high.Float()
		if err != nil || logBinomialUpper(n, 3, lower) >= half || logBinomialUpper(n, 3, math.Nextafter(lower, 1)) < half {
			t.Errorf("3 of %d: the lower end %v, %v, is not where the tail crosses", n, lower, err)
		}
		if logBinomialCDF(n, 3, upper) > half || logBinomialCDF(n, 3, math.Nextafter(upper, 0)) <= half {
			t.Errorf("3 of %d: the upper end %v is not where the tail crosses", n, upper)
		}
	}
	// Closed form without violations: upper = 1 - (a/2)^(1/n); at n = 100 and
	// 95 % that is 0.0362.
	if _, upper, err := ClopperPearson(0, 100, 0.95); err != nil || math.Abs(upper.Float()-(1-math.Pow(0.025, 0.01))) > 1e-12 {
		t.Errorf("0 of 100: upper %.15g, %v", upper, err)
	}
}

// LargestShare is the upper end of the two-sided interval at twice the delta, and the order-statistic rule allows
// exactly the counts whose share is at most alpha.
func TestLargestShareTwoWays(t *testing.T) {
	for _, m := range []int{1, 5, 44, 45, 59, 300} {
		for violations := 0; violations <= m; violations += 1 + m/20 {
			for _, delta := range []float64{0.5, 0.1, 1e-5} {
				largest, err := LargestShare(violations, m, delta)
				share := largest.Float()
				if err != nil {
					t.Fatal(err)
				}
				if delta < 0.5 {
					if _, upper, err := ClopperPearson(violations, m, 1-2*delta); err != nil || math.Abs(share-upper.Float()) > 1e-9 {
						t.Errorf("%d of %d at delta %g: %v, interval up to %v, %v", violations, m, delta, share, upper, err)
					}
				}
				for _, alpha := range []float64{0.05, 0.2, 0.7} {
					rank, err := OrderStatistic{Alpha: alpha, Delta: delta}.Rank(m)
					if allowed := err == nil && violations <= m-rank; allowed != (share <= alpha) {
						t.Errorf("%d of %d at delta %g: share %v, alpha %g, rank %d, %v", violations, m, delta, share, alpha, rank, err)
					}
				}
			}
		}
	}
}

// Exact coverage by enumeration: for each true p, the probability that the
// interval of Bin(n,p) holds p is at least the confidence.
func TestClopperPearsonCovers(t *testing.T) {
	const n, confidence = 30, 0.9
	lowers, uppers := make([]float64, n+1), make([]float64, n+1)
	for x := range lowers {
		lower, upper, err := ClopperPearson(x, n, confidence)
		if err != nil {
			t.Fatal(err)
		}
		lowers[x], uppers[x] = lower.Float(), upper.Float()
	}
	for percent := 1; percent < 100; percent++ {
		p := float64(percent) / 100
		covered := 0.
		for x := 0; x <= n; x++ {
			if lowers[x] <= p && p <= uppers[x] {
				covered += math.Exp(logBinomialPMF(n, x, p, 1-p))
			}
		}
		if covered < confidence-1e-12 {
			t.Errorf("p=%g is covered with probability %g < %g", p, covered, confidence)
		}
	}
}

func TestViolationRateText(t *testing.T) {
	v, err := CountViolations([]float64{1, 2, 3, 1 + 1e-12}, 1, 0.95)
	if err != nil || v.Violations != 2 {
		t.Fatalf("%+v, %v: equality up to rounding is no violation", v, err)
	}
	if got, want := v.String(), "2 of 4 violate: 0.5 (95% interval 0.06758 to 0.9325)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for confidence, want := range map[float64]string{0.57: "(57% ", 0.55: "(55% ", 0.29: "(29% ", 0.99999: "(99.999% "} {
		if v, _ := CountViolations([]float64{1}, 1, confidence); !strings.Contains(v.String(), want) {
			t.Errorf("%v: %s", confidence, v)
		}
	}
}

// lowerTail is P(Bin(m, p) <= k) to a hundred digits, k <= m.
func lowerTail(m, k int, p float64) *big.Float {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	if p == 1 {
		return number(float64(k / m))
	}
	rest := number(1)
	rest.Sub(rest, number(p))
	term, sum, ratio := number(1), number(0), number(p)
	ratio.Quo(ratio, rest)
	for range m {
		term.Mul(term, rest)
	}
	for i := range k + 1 {
		sum.Add(sum, term)
		term.Mul(term, ratio)
		term.Quo(term.Mul(term, number(float64(m-i))), number(float64(i+1)))
	}
	return sum
}

// The ends of an interval are never inside of the exact ones, nor far outside.
func TestIntervalsAreRoundedOutwards(t *testing.T) {
	if testing.Short() {
		t.Skip("sums exact tails for seconds")
	}
	const outside = 1e-9 // of the level
	check := func(violations, m int) {
		for _, delta := range []float64{1e-12, 0.001, 0.5, 0.9} {
			largest, err := LargestShare(violations, m, delta)
			share := largest.Float()
			if err != nil {
				t.Fatal(err)
			}
			tail := lowerTail(m, violations, share)
			inside := lowerTail(m, violations, math.Nextafter(share, 0))
			if violations < m && (tail.Cmp(big.NewFloat(delta)) > 0 || inside.Cmp(big.NewFloat(delta*(1-outside))) < 0) {
				t.Fatalf("%d of %d: P(Bin <= %d) = %s at the share %v, want %v from below", violations, m, violations, tail.Text('g', 17), share, delta)
			}
			lower, upper, err := ClopperPearson(violations, m, delta)
			half := new(big.Float).Sub(big.NewFloat(1), big.NewFloat(delta))
			half.Quo(half, big.NewFloat(2))
			if err != nil || violations < m && lowerTail(m, violations, upper.Float()).Cmp(half) > 0 {
				t.Fatalf("%d of %d at confidence %v: upper end %v, %v", violations, m, delta, upper, err)
			}
			if below := lowerTail(m, violations-1, lower.Float()); violations > 0 && below.Sub(big.NewFloat(1), below).Cmp(half) > 0 {
				t.Fatalf("%d of %d at confidence %v: lower end %v", violations, m, delta, lower)
			}
		}
	}
	for m := 1; m <= 400; m++ {
		check(0, m)
		check(m/3, m)
	}
	for m := range 25 {
		for violations := range m + 2 {
			check(violations, m+1)
		}
	}
	for m := 500; m <= 3000; m += 370 {
		check(m/50, m)
		check(m/3, m)
		check(m-5, m)
	}
}
