package plotting

import (
	"cmp"
	"fmt"
	"math"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/style"
)

// Rung is one certificate of a ladder, or any other named size.
type Rung struct {
	// Name says which certificate it is.
	Name string
	// Value is the bound, at least 0; +Inf means that it promises nothing.
	Value float64
	// Exact marks the rung that the bounds are to be compared with, for instance the true
	// gap.
	Exact bool
}

// LadderOptions describe a certificate ladder; nil gives the defaults.
type LadderOptions struct {
	// Title and Subtitle stand above the picture; default "Certificate ladder", and on a
	// logarithmic axis what the length of a bar means.
	Title, Subtitle string
	// Label names the value axis; default "bound on the gap".
	Label string
	// Linear uses a linear axis in place of a logarithmic one.
	Linear bool
	// Width and Height are the size in CSS pixels; default 640 and by the number of rungs.
	Width, Height float64
}

// Ladder draws bounds as bars on a logarithmic axis in the order given. The bars start at the
// smallest positive rung, usually the exact value, which the subtitle names: the length of a bar is
// the factor by which its bound is larger. An exact value is a mark there; a bound of +Inf is an
// arrow, and a bound of 0 has only its number. It is an error if there are no rungs, or if a
// value is negative or NaN.
func Ladder(rungs []Rung, o *LadderOptions) (*Figure, error) {
	if o == nil {
		o = &LadderOptions{}
	}
	if len(rungs) == 0 {
		return nil, fmt.Errorf("plotting: rungs is empty: %w; give at least one", chart.ErrNoData)
	}
	if err := checkBars("rungs", len(rungs)); err != nil {
		return nil, err
	}
	low, high, start := math.Inf(1), 0.0, ""
	parts := make([]string, len(rungs))
	for i, r := range rungs {
		if !(r.Value >= 0) {
			return nil, fmt.Errorf("plotting: rungs[%d] (%s) is %g; a bound is at least 0", i, r.Name, r.Value)
		}
		if r.Value > 0 && !math.IsInf(r.Value, 1) {
			if r.Value < low {
				low, start = r.Value, r.Name
			}
			high = max(high, r.Value)
		}
		parts[i] = r.Name + " " + short(r.Value)
	}
	c := &chart.Chart{
		Title: cmp.Or(o.Title, "Certificate ladder"), Subtitle: o.Subtitle,
		Width: o.Width, Height: cmp.Or(o.Height, barHeight(len(rungs))),
		X: rungAxis(o, low, high), Y: chart.Axis{Categories: rungNames(rungs), Reverse: true},
	}
	if c.Subtitle == "" && start != "" && !o.Linear {
		c.Subtitle = "the length of a bar is its factor above " + start + ", " + short(low)
	}
	c.Layers = ladderLayers(rungs, c.X, low)
	return NewFigure(c, cmp.Or(style.Unicode(o.Label), "Bound on the gap")+": "+listed(parts, ", ")+".")
}

// mostBars is the number of named rows that a picture can have and still be read.
const mostBars = 400

func checkBars(name string, n int) error {
	if n > mostBars {
		return fmt.Errorf("plotting: %s has %d entries and a picture room for %d; draw the most important ones, their Histogram, or show them as a Table", name, n, mostBars)
	}
	return nil
}

// barHeight is the height of a picture of n horizontal bars.
func barHeight(n int) float64 { return 110 + 34*float64(n) }

func rungNames(rungs []Rung) []string {
	names := make([]string, len(rungs))
	for i, r := range rungs {
		names[i] = r.Name
	}
	return names
}

// rungAxis is the axis of a ladder; a logarithmic one begins just below the smallest positive rung.
func rungAxis(o *LadderOptions, low, high float64) chart.Axis {
	a := ladderAxis(o, low, high)
	if o.Linear || high == 0 {
		return a
	}
	width := max(high/low, 2)
	a.Min, a.Max = low/math.Pow(width, roomForMark), high*math.Pow(width, roomAbove)
	return a
}

// Room beside the bars of a logarithmic axis: other bars than those of a ladder start below the
// smallest value, and the numbers stand right of the largest.
const (
	roomBelow = 3.0
	roomAbove = 0.18 // of the drawn decades
	// roomForMark keeps the mark of an exact value whole, in a ladder whose bars start there.
	roomForMark = 0.03
)

func ladderAxis(o *LadderOptions, low, high float64) chart.Axis {
	a := chart.Axis{Label: cmp.Or(o.Label, "bound on the gap")}
	switch {
	case high == 0 && o.Linear:
		a.Max = 1
	case o.Linear:
		a.Max = high * (1 + roomAbove)
	case high == 0: // only zeros and infinities: any decade will do
		a.Scale, a.Min, a.Max = chart.Log, 0.1, 10
	default:
		a.Scale, a.Min = chart.Log, low/roomBelow
		a.Max = high * math.Pow(max(high/a.Min, 10), roomAbove)
	}
	return a
}

// ladderLayers draws the bars from 0, or on a logarithmic axis from the smallest positive rung.
func ladderLayers(rungs []Rung, axis chart.Axis, smallest float64) []chart.Layer {
	from := 0.0
	if axis.Scale == chart.Log && !math.IsInf(smallest, 1) {
		from = smallest
	}
	bounds := &chart.Bars{Look: chart.Look{Name: "bound", Color: style.Blue}, Horizontal: true}
	exact := &chart.Bars{Look: chart.Look{Name: "exact value", Color: style.Vermillion}, Horizontal: true}
	mark := &chart.Points{Look: chart.Look{Name: "exact value", Color: style.Vermillion, Width: 4}, Shape: chart.Diamond}
	numbers := &chart.Text{Look: chart.Look{Color: style.Black}, Dx: 8, Align: 1}
	for i, r := range rungs {
		switch row := float64(i); {
		case r.Value == 0: // a number and no bar
		case !r.Exact:
			bounds.At, bounds.From, bounds.To = append(bounds.At, row), append(bounds.From, from), append(bounds.To, r.Value)
		case axis.Scale == chart.Log && !math.IsInf(r.Value, 1): // where the bars start, it would have no length
			mark.X, mark.Y = append(mark.X, r.Value), append(mark.Y, row)
		default:
			exact.At, exact.From, exact.To = append(exact.At, row), append(exact.From, from), append(exact.To, r.Value)
		}
		if math.IsInf(r.Value, 1) {
			continue
		}
		at := min(max(r.Value, axis.Min), axis.Max)
		numbers.X, numbers.Y = append(numbers.X, at), append(numbers.Y, float64(i))
		numbers.Labels = append(numbers.Labels, short(r.Value))
	}
	var layers []chart.Layer
	if len(bounds.At) > 0 {
		layers = append(layers, bounds)
	}
	if len(exact.At) > 0 {
		layers = append(layers, exact)
	}
	if len(mark.X) > 0 {
		layers = append(layers, mark)
	}
	if len(layers) < 2 {
		bounds.Name = ""
	}
	return append(layers, numbers)
}

// BarOptions describe a bar chart; nil gives the defaults.
type BarOptions struct {
	// Title and Subtitle stand above the picture; default none.
	Title, Subtitle string
	// Label names the value axis, with the unit in brackets; default "value".
	Label string
	// Log makes the value axis logarithmic. Bars then start at 1, so that their lengths count
	// decades, or somewhat below the smallest value if one is less than 1.
	Log bool
	// Width and Height are the size in CSS pixels; default 640 and by the number of bars.
	Width, Height float64
}

// Bars draws one horizontal bar for each name, in the order given, with its number at the
// end. +Inf is an arrow, NaN a missing bar. It is an error if the lists differ in length or
// are empty, or if a value is -Inf.
func Bars(names []string, values []float64, o *BarOptions) (*Figure, error) {
	if o == nil {
		o = &BarOptions{}
	}
	if len(names) == 0 || len(names) != len(values) {
		return nil, fmt.Errorf("plotting: names has %d and values %d entries; give one of each for every bar, at least one", len(names), len(values))
	}
	if err := checkBars("names", len(names)); err != nil {
		return nil, err
	}
	bars := &chart.Bars{Look: chart.Look{Color: style.Blue}, Horizontal: true}
	right := &chart.Text{Look: chart.Look{Color: style.Black}, Dx: 5, Align: 1}
	left := &chart.Text{Look: chart.Look{Color: style.Black}, Dx: -5, Align: -1}
	low, high := 0.0, 0.0
	parts := make([]string, len(names))
	for i, v := range values {
		parts[i] = names[i] + " " + short(v)
		if math.IsInf(v, -1) {
			return nil, fmt.Errorf("plotting: values[%d] (%s) is -Inf; only +Inf can be drawn", i, names[i])
		}
		bars.At, bars.To = append(bars.At, float64(i)), append(bars.To, v)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		low, high = min(low, v), max(high, v)
		text := right
		if v < 0 {
			text = left
		}
		text.X, text.Y, text.Labels = append(text.X, v), append(text.Y, float64(i)), append(text.Labels, short(v))
	}
	c := &chart.Chart{
		Title: o.Title, Subtitle: o.Subtitle, Width: o.Width, Height: cmp.Or(o.Height, barHeight(len(names))),
		X: barAxis(o, low, high, values), Y: chart.Axis{Categories: names, Reverse: true}, Layers: []chart.Layer{bars},
	}
	for _, text := range []*chart.Text{right, left} {
		if len(text.X) > 0 {
			c.Layers = append(c.Layers, text)
		}
	}
	return NewFigure(c, cmp.Or(style.Unicode(o.Label), "Value")+": "+listed(parts, ", ")+".")
}

// barAxis leaves room for the numbers at the ends of the bars.
func barAxis(o *BarOptions, low, high float64, values []float64) chart.Axis {
	if o.Log {
		smallest := math.Inf(1)
		for _, v := range values {
			if v > 0 {
				smallest = min(smallest, v)
			}
		}
		a := ladderAxis(&LadderOptions{Label: cmp.Or(o.Label, "value")}, smallest, high)
		if high > 1 && smallest >= 1 {
			a.Min = 1
		}
		return a
	}
	a := chart.Axis{Label: cmp.Or(o.Label, "value"), Min: low, Max: high}
	width := high - low
	if width == 0 {
		width = 1
	}
	if high > 0 || low == 0 {
		a.Max = high + roomAbove*width
	}
	if low < 0 {
		a.Min = low - roomAbove*width
	}
	return a
}
