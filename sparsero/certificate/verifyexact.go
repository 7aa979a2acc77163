package certificate

import "math/big"

// A float64 is a whole number over a power of two, and so are sums and products of such. A big.Float of the largest
// precision holds them without ever rounding: its mantissa has as many digits as they need.

func dyadic(v float64) *big.Float { return new(big.Float).SetPrec(big.MaxPrec).SetFloat64(v) }

// eachOf returns the numbers in another form.
func eachOf[T any](values []float64, form func(v float64) T) []T {
	result := make([]T, len(values))
	for i, v := range values {
		result[i] = form(v)
	}
	return result
}

func dyadics(values []float64) []*big.Float { return eachOf(values, dyadic) }

// addDot adds <a, b> to a sum.
func addDot(sum *big.Float, a []float64, b []*big.Float) {
	factor, product := dyadic(0), dyadic(0)
	for i, v := range a {
		if v != 0 && b[i].Sign() != 0 {
			sum.Add(sum, product.Mul(factor.SetFloat64(v), b[i]))
		}
	}
}

// addMultiple adds the multiple by a factor of a to the sums.
func addMultiple(sums []*big.Float, factor *big.Float, a []float64) {
	value, product := dyadic(0), dyadic(0)
	if factor.Sign() == 0 {
		return
	}
	for i, v := range a {
		if v != 0 {
			sums[i].Add(sums[i], product.Mul(value.SetFloat64(v), factor))
		}
	}
}

func asFraction(v *big.Float) *big.Rat {
	fraction, _ := v.Rat(nil)
	return fraction
}

func exactly(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

func fractions(values []float64) []*big.Rat { return eachOf(values, exactly) }

// exactlyIf is nil for a bound that is missing.
func exactlyIf(v *float64) *big.Rat {
	if v == nil {
		return nil
	}
	return exactly(*v)
}

func maximum(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// leastCommon returns the least common multiple of a and b > 0.
func leastCommon(a, b *big.Int) *big.Int {
	common := new(big.Int).GCD(nil, nil, a, b)
	return common.Mul(common.Quo(a, common), b)
}

// total adds fractions over their least common denominator, which is faster than one by one.
func total(terms []*big.Rat) *big.Rat {
	denominator := big.NewInt(1)
	for _, t := range terms {
		denominator = leastCommon(denominator, t.Denom())
	}
	sum, term := new(big.Int), new(big.Int)
	for _, t := range terms {
		sum.Add(sum, term.Mul(t.Num(), term.Quo(denominator, t.Denom())))
	}
	return new(big.Rat).SetFrac(sum, denominator)
}
