package calibration

import "math"

const (
	// stirlingSeriesFrom is the first argument for which five terms of the
	// Stirling series are exact to double precision; below it Lgamma is.
	stirlingSeriesFrom = 16
	// devianceSeriesWidth is the relative distance |x-mu|/(x+mu) below which
	// the deviance is summed as a series, because the closed form cancels.
	devianceSeriesWidth = 0.1
	// negligibleTerm ends a sum of positive decreasing terms: what follows a
	// term this small relative to the sum changes no digit of it.
	negligibleTerm = 1e-18
)

// stirlingError returns ln n! minus Stirling's approximation (n+1/2) ln n - n + ln(2 pi)/2, for n >= 1.
func stirlingError(n float64) float64 {
	if n < stirlingSeriesFrom {
		logFactorial, _ := math.Lgamma(n + 1)
		return logFactorial - (n+0.5)*math.Log(n) + n - 0.5*math.Log(2*math.Pi)
	}
	nn := n * n
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188/nn)/nn)/nn)/nn) / n
}

// deviance returns x ln(x/mu) + mu - x without cancellation near x = mu
// (Loader 2000, "Fast and accurate computation of binomial probabilities").
func deviance(x, mu float64) float64 {
	if math.Abs(x-mu) >= devianceSeriesWidth*(x+mu) {
		return x*math.Log(x/mu) + mu - x
	}
	v := (x - mu) / (x + mu)
	sum, power := (x-mu)*v, 2*x*v
	for j := 1; ; j++ {
		power *= v * v
		next := sum + power/float64(2*j+1)
		if next == sum {
			return sum
		}
		sum = next
	}
}

// logPower returns n ln p of a probability p with q = 1-p, from the smaller of the two, which carries the digits.
func logPower(n int, p, q float64) float64 {
	if p > q {
		return float64(n) * math.Log1p(-q)
	}
	return float64(n) * math.Log(p)
}

// logBinomialPMF returns ln P(Bin(n, p) = k) for 0 <= k <= n, 0 < p < 1, q = 1-p.
func logBinomialPMF(n, k int, p, q float64) float64 {
	switch k {
	case 0:
		return logPower(n, q, p)
	case n:
		return logPower(n, p, q)
	}
	size, hits, misses := float64(n), float64(k), float64(n-k)
	return stirlingError(size) - stirlingError(hits) - stirlingError(misses) -
		deviance(hits, size*p) - deviance(misses, size*q) +
		0.5*math.Log(size/(2*math.Pi*hits*misses))
}

// logBinomialCDF returns ln P(Bin(n, p) <= k), exact to about twelve digits, ten for n = 2^40,
// however small the probability is. O(sqrt n).
func logBinomialCDF(n, k int, p float64) float64 { return logLowerTail(n, k, p, 1-p) }

// logBinomialUpper returns ln P(Bin(n, p) >= k): there are at most n-k misses.
func logBinomialUpper(n, k int, p float64) float64 { return logLowerTail(n, n-k, 1-p, p) }

// logLowerTail returns ln P(Bin(n, p) <= k), q = 1-p, by summing the tail that does not hold the mean.
func logLowerTail(n, k int, p, q float64) float64 {
	switch {
	case k < 0:
		return math.Inf(-1)
	case k >= n:
		return 0
	case float64(k) < float64(n)*p:
		return math.Min(0, logBinomialPMF(n, k, p, q)+math.Log(tailSum(n, k, q/p)))
	}
	return logComplement(logBinomialPMF(n, k+1, p, q) + math.Log(tailSum(n, n-k-1, p/q)))
}

// tailSum returns 1 + x_k + x_k x_{k-1} + ... with x_i = i/(n-i+1) ratio: the
// sum of C(n,i)/C(n,k) ratio^(k-i) over i <= k. The terms must not grow.
func tailSum(n, k int, ratio float64) float64 {
	sum, term := 1., 1.
	for i := k; i > 0 && term > negligibleTerm*sum; i-- {
		term *= float64(i) / float64(n-i+1) * ratio
		sum += term
	}
	return sum
}

// logComplement returns ln(1 - e^x) for e^x not close to 1: the callers pass the smaller side of a tail.
func logComplement(x float64) float64 { return math.Log1p(-math.Exp(x)) }

// logChoose returns ln C(n, k) for 0 <= k <= n. It neither overflows nor
// loses digits for large n: no difference of large log-factorials is taken.
func logChoose(n, k int) float64 {
	if k == 0 || k == n {
		return 0
	}
	size, in, out := float64(n), float64(k), float64(n-k)
	return stirlingError(size) - stirlingError(in) - stirlingError(out) -
		logPower(k, in/size, out/size) - logPower(n-k, out/size, in/size) +
		0.5*math.Log(size/(2*math.Pi*in*out))
}

// logSubsetCount returns ln sum_{k=0}^{b} C(n, k) for 0 <= b <= n,
// O(min(b, sqrt n)). Beyond n/2 the complement of 2^n is the small side.
func logSubsetCount(n, b int) float64 {
	all := float64(n) * math.Ln2
	if b == n {
		return all
	}
	if 2*b > n {
		return all + logComplement(logSubsetCount(n, n-b-1)-all)
	}
	return logChoose(n, b) + math.Log(tailSum(n, b, 1))
}
