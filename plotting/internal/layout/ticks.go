package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
)

// Numbers of labelled ticks aimed at.
const (
	wantedTicks   = 7
	mostLogLabels = 10
	fewDecades    = 2 // below this many decades the values 2 and 5 are labelled as well
)

// day is the length of a day in seconds.
const day = 86400.0

// Tick is a place on an axis with its label; one without a label is a minor tick.
type Tick struct {
	Value float64
	Label string
}

// Ticks returns the ticks of the static picture, none of a hidden axis.
func (a *Axis) Ticks() []Tick {
	low, high, format := a.Min, a.Max, a.Format()
	switch {
	case a.Hidden:
		return nil
	case len(a.Categories) > 0:
		ticks := make([]Tick, len(a.Categories))
		for i := range ticks {
			ticks[i] = Tick{float64(i), format.Text(float64(i), 1)}
		}
		return ticks
	case !(low < high) || math.IsInf(high-low, 1) || a.Scale == chart.Log && !(low > 0):
		return []Tick{{low, strconv.FormatFloat(low, 'g', 4, 64)}} // a range that is empty, without end or none at all
	case a.Scale == chart.Log:
		return logTicks(low, high, format)
	case a.Scale == chart.Time:
		return evenTicks(low, high, day*niceStep((high-low)/day, 1), format)
	case a.Whole:
		return evenTicks(low, high, niceStep(high-low, 1), format)
	}
	return evenTicks(low, high, niceStep(high-low, 0), format)
}

// niceStep returns 1, 2 or 5 times a power of ten, the one nearest in proportion to the range by the number of ticks,
// and not below the least step.
func niceStep(width, least float64) float64 {
	raw := width / wantedTicks
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * power
	switch m := raw / power; {
	case m < math.Sqrt(1*2):
		step = power
	case m < math.Sqrt(2*5):
		step = 2 * power
	case m < math.Sqrt(5*10):
		step = 5 * power
	}
	return max(step, least)
}

func evenTicks(low, high, step float64, format TickFormat) (ticks []Tick) {
	first, last := math.Ceil(low/step-1e-9), math.Floor(high/step+1e-9)
	for k := first; k <= last && len(ticks) <= 4*wantedTicks; k++ {
		ticks = append(ticks, Tick{k * step, format.Text(k*step, step)})
	}
	return ticks
}

// logTicks places ticks at powers of ten, and in a range below two decades also at 2 and 5 times a power of ten.
func logTicks(low, high float64, format TickFormat) (ticks []Tick) {
	first, last := int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))
	every := (last-first)/mostLogLabels + 1
	decades := math.Log10(high / low)
	labelled := false
	for e := first; e <= last; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			text := ""
			if m == 1 && e%every == 0 || decades < fewDecades && (m == 2 || m == 5) {
				text, labelled = format.Text(v, v), true
			}
			if text != "" || every == 1 {
				ticks = append(ticks, Tick{v, text})
			}
		}
	}
	if !labelled {
		return append(evenTicks(low, high, niceStep(high-low, 0), format), ticks...)
	}
	return ticks
}

// TickFormat says how the values of an axis are written. It does so twice, side by side: in Go for the static picture, and
// in the words of Vega-Lite and d3 for the interactive one. Both give the same text for the same value.
type TickFormat interface {
	// Text writes a value of an axis whose ticks are a step apart. Scripts are marked as in the labels of a chart.
	Text(value, step float64) string
	// Vega returns the number format of the axis in the words of d3, which makes datum.label, and the expression that makes
	// the label of datum.label and datum.value. An empty one is left out.
	Vega() (format, expression string)
}

// Axes whose ends lie beyond these have numbers with an exponent.
const (
	leastPlain   = 1e-4
	mostPlain    = 1e6
	mostPlainLog = 1e5
)

// year is the length in seconds of an axis above which months stand in the place of days.
const year = 365.25 * 86400

// Format returns the format of the labels of ticks.
func (a *Axis) Format() TickFormat {
	low, high := a.Min, a.Max
	largest := max(math.Abs(low), math.Abs(high))
	switch {
	case len(a.Categories) > 0:
		return names(a.Categories)
	case a.Scale == chart.Time:
		return dates{onX: a.onX, months: high-low > year}
	case a.Scale == chart.Log && low >= leastPlain*(1-1e-9) && high < mostPlainLog*(1-1e-9):
		return shortest{}
	case a.Scale == chart.Log:
		return powers{least: exponent(low), most: exponent(high)}
	case largest >= mostPlain || largest < leastPlain:
		return scientific{most: exponent(largest)}
	}
	return fixed{whole: a.Whole}
}

// exponent is the power of ten of the first digit of a positive number.
func exponent(v float64) int { return int(math.Floor(math.Log10(v) + 1e-9)) }

// fixed writes as many decimals as the step needs: 0.25.
type fixed struct{ whole bool }

func (fixed) Text(value, step float64) string {
	decimals := max(0, -exponent(step))
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return "0"
	}
	return text
}

func (f fixed) Vega() (format, expression string) {
	format = "f"
	if f.whole {
		format = "d" // Vega-Lite has no ticks between whole numbers then
	}
	return format, "toNumber(datum.label)==0?'0':replace(datum.label,'−','-')"
}

// shortest writes the decimals that a value has: 0.01.
type shortest struct{}

func (shortest) Text(value, _ float64) string {
	return strconv.FormatFloat(rounded(value, 12), 'f', -1, 64)
}

func (shortest) Vega() (format, expression string) { return "~r", "" }

// rounded is a value with so many significant digits.
func rounded(v float64, digits int) float64 {
	out, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64) // reads what was written
	return out
}

// powers writes 10⁻⁶, and 2·10⁻⁶ between two powers.
type powers struct{ least, most int }

func (powers) Text(value, _ float64) string {
	e := exponent(value)
	factor := rounded(value/math.Pow(10, float64(e)), 6)
	if factor == 1 {
		return fmt.Sprintf("10^{%d}", e)
	}
	return fmt.Sprintf("%s·10^{%d}", strconv.FormatFloat(factor, 'f', -1, 64), e)
}

func (f powers) Vega() (format, expression string) {
	const decades = "log(datum.value)/LN10"
	const e = "floor(" + decades + "+1e-9)"
	power := powerOf(e, f.least, f.most)
	return "~r", fmt.Sprintf("abs(%s-round(%[1]s))<1e-6?%s:format(datum.value/pow(10,%s),'~r')+'·'+%[2]s", decades, power, e)
}

// scientific writes 2.5·10⁶, and 0.
type scientific struct{ most int }

func (scientific) Text(value, _ float64) string {
	if value == 0 {
		return "0"
	}
	factor, power, _ := strings.Cut(strconv.FormatFloat(rounded(value, 12), 'e', -1, 64), "e")
	return fmt.Sprintf("%s·10^{%s%s}", factor, strings.TrimPrefix(power[:1], "+"), strings.TrimLeft(power[1:], "0"))
}

func (f scientific) Vega() (format, expression string) {
	const parts = "split(replace(format(datum.value,'.11~e'),'−','-'),'e')"
	return "", "datum.value==0?'0':" + parts + "[0]+'·'+" + powerOf("toNumber("+parts+"[1])", f.most-zoomDecades, f.most)
}

// zoomDecades is the number of decades beyond the range of an axis whose powers have labels, for readers who zoom.
const zoomDecades = 6

// powerOf is the expression of ten to a power, itself an expression, between least and most and somewhat beyond.
func powerOf(power string, least, most int) string {
	first, last := least-zoomDecades, most+zoomDecades
	texts := make([]string, 0, last-first+1)
	for e := first; e <= last; e++ {
		texts = append(texts, label.Quote(label.Unicode(fmt.Sprintf("10^{%d}", e))))
	}
	return fmt.Sprintf("[%s][%s%+d]", strings.Join(texts, ","), power, -first)
}

// dates writes seconds since 1970: the hour within a day, else the day, or on long axes the month.
type dates struct{ onX, months bool }

// The forms of a date, in the words of Go and of d3.
var (
	hourForm  = [2]string{"15:04", "%H:%M"}
	dayForm   = [2]string{"2 Jan", "%-d %b"}
	monthForm = [2]string{"Jan 2006", "%b %Y"}
)

func (f dates) Text(value, _ float64) string {
	form := dayForm
	switch {
	case math.Mod(value, day) != 0:
		form = hourForm
	case f.months:
		form = monthForm
	}
	return time.Unix(int64(value), 0).UTC().Format(form[0])
}

func (f dates) Vega() (format, expression string) {
	scale := "y"
	if f.onX {
		scale = "x"
	}
	return "", fmt.Sprintf("utcFormat(datum.value,time(datum.value)%%%d?'%s':span(domain('%s'))>%d?'%s':'%s')",
		int(1000*day), hourForm[1], scale, int(1000*year), monthForm[1], dayForm[1])
}

// names writes the names of categories at 0, 1, 2, ...
type names []string

func (f names) Text(value, _ float64) string { return label.OneLine(f[int(value)]) }

func (f names) Vega() (format, expression string) {
	lines := make([]string, len(f))
	for i, name := range f {
		lines[i] = label.Quote(label.OneLine(name))
	}
	return "", "[" + strings.Join(lines, ",") + "][datum.value]"
}
