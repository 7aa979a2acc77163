package style

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// Numbers of labelled ticks aimed at.
const (
	wantedTicks    = 7
	mostLogLabels  = 10
	fewDecades     = 2 // below this many decades the values 2 and 5 are labelled as well
	plainExponents = 4 // axes within 10^±4 have labels without exponent
)

// niceStep returns 1, 2 or 5 times a power of ten, the one nearest in proportion to an n-th
// of the range.
func niceStep(width float64, n int) float64 {
	raw := width / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	switch m := raw / power; {
	case m < math.Sqrt(1*2):
		return power
	case m < math.Sqrt(2*5):
		return 2 * power
	case m < math.Sqrt(5*10):
		return 5 * power
	}
	return 10 * power
}

// LinearTicks places about seven ticks at round numbers, with as many decimals as they need.
type LinearTicks struct {
	// Whole leaves out ticks between whole numbers.
	Whole bool
}

// Ticks implements plot.Ticker.
func (t LinearTicks) Ticks(low, high float64) []plot.Tick {
	if !(low < high) || math.IsInf(high-low, 1) {
		return singleTick(low)
	}
	step := niceStep(high-low, wantedTicks)
	if t.Whole {
		step = max(step, 1)
	}
	largest := max(math.Abs(low), math.Abs(high))
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var ticks []plot.Tick
	first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
	for k := first; k <= last && len(ticks) <= 4*wantedTicks; k++ {
		v := k * step
		label := strconv.FormatFloat(v, 'f', decimals, 64)
		if largest >= 1e6 || (largest < 1e-4 && v != 0) {
			label = exponent(v)
		}
		if strings.Trim(label, "-0.") == "" {
			label = "0"
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}

// singleTick is the axis of a range that is empty, without end or none at all.
func singleTick(value float64) []plot.Tick {
	return []plot.Tick{{Value: value, Label: strconv.FormatFloat(value, 'g', 4, 64)}}
}

// exponent writes 2500000 as 2.5·10^{6}.
func exponent(v float64) string {
	if v == 0 {
		return "0"
	}
	s := strconv.FormatFloat(v, 'e', 3, 64)
	mantissa, power, _ := strings.Cut(s, "e")
	mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	n, err := strconv.Atoi(power)
	if err != nil {
		return s
	}
	return fmt.Sprintf("%s·10^{%d}", mantissa, n)
}

// LogTicks places ticks at powers of ten, and in a range below two decades also at 2 and 5 times
// a power of ten. All labels of an axis are of one kind: plain such as 0.01, or, if a power
// beyond 10^{±4} is in the range, powers such as 10^{-6}.
type LogTicks struct{}

// Ticks implements plot.Ticker.
func (LogTicks) Ticks(low, high float64) []plot.Tick {
	if !(0 < low && low <= high) || math.IsInf(high, 1) {
		return singleTick(low)
	}
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	every := (last-first)/mostLogLabels + 1
	plain, decades := PlainDecades(low, high), math.Log10(high/low)
	labelled := false
	var ticks []plot.Tick
	for e := first; e <= last; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			label := ""
			if m == 1 && e%every == 0 || decades < fewDecades && (m == 2 || m == 5) {
				label, labelled = power(m, e, plain), true
			}
			if label != "" || every == 1 {
				ticks = append(ticks, plot.Tick{Value: v, Label: label})
			}
		}
	}
	if !labelled {
		return append(LinearTicks{}.Ticks(low, high), ticks...)
	}
	return ticks
}

// power labels m times a power of ten.
func power(m, e int, plain bool) string {
	switch {
	case plain && e >= -plainExponents && e <= plainExponents:
		return strconv.FormatFloat(float64(m)*math.Pow(10, float64(e)), 'f', max(0, -e), 64)
	case m == 1 && !plain:
		return fmt.Sprintf("10^{%d}", e)
	}
	return fmt.Sprintf("%d·10^{%d}", m, e)
}

// PlainDecades tells whether the powers of ten between low and high are labelled plainly, such
// as 0.01; otherwise all of them are labelled as powers.
func PlainDecades(low, high float64) bool {
	return low >= math.Pow(10, -plainExponents)*(1-1e-9) && high < math.Pow(10, plainExponents+1)*(1-1e-9) || math.Log10(high/low) < 1
}
