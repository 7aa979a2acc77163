package plotting

import (
	"fmt"
	"math"
)

// Successes makes a series for Curves of counted successes, such as the share of runs without
// deficit at each budget: at each position the share successes/trials, with the band
//
//	(p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)
//
// that covers the true rate with about the given confidence, in (0,1); 0 means 0.95. Positions
// without trials are interrupted. It is an error if the lists differ in length or a count is
// not between 0 and its number of trials.
//
// Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
func Successes(name string, x []float64, successes, trials []int, confidence float64) (Series, error) {
	if confidence == 0 {
		confidence = 0.95
	}
	if !(confidence > 0 && confidence < 1) {
		return Series{}, fmt.Errorf("plotting: confidence %g is outside (0, 1)", confidence)
	}
	if len(successes) != len(x) || len(trials) != len(x) {
		return Series{}, fmt.Errorf("plotting: x has %d, successes %d and trials %d entries; give one of each for every position", len(x), len(successes), len(trials))
	}
	z := math.Sqrt2 * math.Erfinv(confidence)
	s := Series{Name: name, X: x, Y: make([]float64, len(x)), Low: make([]float64, len(x)), High: make([]float64, len(x))}
	for i, k := range successes {
		if k < 0 || k > trials[i] {
			return Series{}, fmt.Errorf("plotting: successes[%d] is %d of %d trials", i, k, trials[i])
		}
		n := float64(trials[i])
		p := float64(k) / n // NaN without trials, which interrupts the line
		middle, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
		s.Y[i] = p
		s.Low[i], s.High[i] = max(0, (middle-half)/(1+z*z/n)), min(1, (middle+half)/(1+z*z/n))
	}
	return s, nil
}
