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

// stirlingError returns ln n! minus Stirling's approximation
// (n+1/2) ln n - n + ln(2 pi)/2, for n >= 1.
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

// logBinomialPMF returns ln P(Bin(n, p) = k) for 0 <= k <= n, 0 < p < 1.
func logBinomialPMF(n, k int, p float64) float64 {
	switch k {
	case 0:
		return float64(n) * math.Log1p(-p)
	case n:
		return float64(n) * math.Log(p)
	}
	size, hits, misses := float64(n), float64(k), float64(n-k)
	return stirlingError(size) - stirlingError(hits) - stirlingError(misses) -
		deviance(hits, size*p) - deviance(misses, size*(1-p)) +
		0.5*math.Log(size/(2*math.Pi*hits*misses))
}

// logBinomialCDF returns ln P(Bin(n, p) <= k), exact to about twelve digits
// however small the probability is: the largest term in logarithms times a
// sum of ratios that starts at 1. O(sqrt n) terms.
func logBinomialCDF(n, k int, p float64) float64 {
	switch {
	case k < 0:
		return math.Inf(-1)
	case k >= n:
		return 0
	}
	if float64(k) < float64(n)*p {
		odds := (1 - p) / p
		sum, term := 1., 1.
		for i := k; i > 0 && term > negligibleTerm*sum; i-- {
			term *= float64(i) / float64(n-i+1) * odds
			sum += term
		}
		return math.Min(0, logBinomialPMF(n, k, p)+math.Log(sum))
	}
	// Above the mean the complement is the small side; swap hits and misses.
	return logComplement(logBinomialUpper(n, k+1, p))
}

// logBinomialUpper returns ln P(Bin(n, p) >= k).
func logBinomialUpper(n, k int, p float64) float64 {
	switch {
	case k <= 0:
		return 0
	case k > n:
		return math.Inf(-1)
	}
	if float64(k) > float64(n)*p {
		odds := p / (1 - p)
		sum, term := 1., 1.
		for i := k; i < n && term > negligibleTerm*sum; i++ {
			term *= float64(n-i) / float64(i+1) * odds
			sum += term
		}
		return math.Min(0, logBinomialPMF(n, k, p)+math.Log(sum))
	}
	return logComplement(logBinomialCDF(n, k-1, p))
}

// logComplement returns ln(1 - e^x) for e^x not close to 1: the callers pass
// the smaller side of a tail.
func logComplement(x float64) float64 { return math.Log1p(-math.Exp(x)) }

// logChoose returns ln C(n, k) for 0 <= k <= n. It neither overflows nor
// loses digits for large n: no difference of large log-factorials is taken.
func logChoose(n, k int) float64 {
	if k == 0 || k == n {
		return 0
	}
	size, in, out := float64(n), float64(k), float64(n-k)
	return stirlingError(size) - stirlingError(in) - stirlingError(out) -
		in*math.Log(in/size) - out*math.Log(out/size) +
		0.5*math.Log(size/(2*math.Pi*in*out))
}

// logSubsetCount returns ln sum_{k=0}^{b} C(n, k) for 0 <= b <= n, O(b).
//
// The sum is C(n,b) times s_b, where s_k = 1 + s_{k-1} k/(n-k+1) by Horner's
// rule; s stays small for b <= n/2, and beyond it the complement of 2^n is
// the small side.
func logSubsetCount(n, b int) float64 {
	all := float64(n) * math.Ln2
	if b == n {
		return all
	}
	if 2*b > n {
		return all + logComplement(logSubsetCount(n, n-b-1)-all)
	}
	s := 1.
	for k := 1; k <= b; k++ {
		s = 1 + s*float64(k)/float64(n-k+1)
	}
	return logChoose(n, b) + math.Log(s)
}
