package plotting

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/sparsero/directions/plotting/chart"
	"github.com/sparsero/directions/plotting/internal/label"
	"github.com/sparsero/directions/plotting/internal/table"
	"github.com/sparsero/directions/plotting/style"
)

// BarOptions describe a bar chart; nil gives the defaults.
type BarOptions struct {
	// Title and Subtitle stand above the picture; default none.
	Title, Subtitle string
	// Label names the value axis, with the unit in brackets; default "value".
	Label string
	// Log makes the value axis logarithmic. Bars then start at 1, so that their lengths count
	// decades, or somewhat below the smallest value if one is less than 1.
	Log bool
	// Groups names what each bar belongs to: bars of one group share a colour and an entry in the
	// legend. Default: one colour for all.
	Groups []string
	// Numbers are the texts at the ends of the bars, one for each, such as bounds that are rounded to their safe side;
	// default the values with three digits, on a linear axis with the decimals of the largest.
	Numbers []string
	// Marks are reference lines across the bars with their labels in the legend, such as the exact
	// value that bounds are compared with; all of them are vertical. Default none.
	Marks []Mark
}

// The number of named rows that a picture can have and still be read, and of those that the text line lists.
const mostBars, mostListed = 400, 20

// Bars draws one horizontal bar for each name, in the order given, with its number at the
// end: named values, or the certificates of a ladder. +Inf is an arrow, NaN a missing bar. It is
// an error if the lists differ in length or are empty, or if a value is -Inf.
func Bars(names []string, values []float64, o *BarOptions) (*Figure, error) {
	o = given(o)
	n := len(names)
	if n == 0 || n != len(values) {
		return nil, fmt.Errorf("plotting: names has %d and values %d entries; give one of each for every bar, at least one", n, len(values))
	}
	if n > mostBars {
		return nil, fmt.Errorf("plotting: names has %d entries and a picture room for %d; draw the most important ones, their Histogram, or show them as a Table", n, mostBars)
	}
	for k, list := range [][]string{o.Groups, o.Numbers} {
		if list != nil && len(list) != n {
			return nil, fmt.Errorf("plotting: %s has %d entries for %d bars; give one for every bar", [...]string{"Groups", "Numbers"}[k], len(list), n)
		}
	}
	axis, numbers := barAxis(o, values), o.Numbers
	if numbers == nil {
		numbers = barNumbers(values, o.Log)
	}
	right := &chart.Text{Look: chart.Look{Color: style.Black}, Dx: 5, Align: 1}
	left := &chart.Text{Look: chart.Look{Color: style.Black}, Dx: -5, Align: -1}
	parts := make([]string, n)
	for i, v := range values {
		if math.IsInf(v, -1) {
			return nil, fmt.Errorf("plotting: values[%d] (%s) is -Inf; only +Inf can be drawn", i, names[i])
		}
		parts[i] = names[i] + " " + numbers[i]
		if math.IsNaN(v) || math.IsInf(v, 1) {
			continue
		}
		text := right
		if v < 0 && !o.Log {
			text = left
		}
		text.X, text.Y = append(text.X, max(v, axis.Min)), append(text.Y, float64(i)) // 0 has a number on a logarithmic axis too
		text.Labels = append(text.Labels, numbers[i])
	}
	c := &chart.Chart{
		Title: o.Title, Subtitle: o.Subtitle, Height: 110 + 34*float64(n),
		X: axis, Y: chart.Axis{Categories: names, Reverse: true}, Layers: append(groupedBars(values, o), right, left),
	}
	for _, m := range o.Marks { // named in the legend: the bars leave no room for labels
		look := chart.Look{Name: m.Label, Color: style.Vermillion, Width: 1.6}
		if o.Groups != nil {
			look.Color = style.Black // no colour of a group
		}
		c.Layers = append(c.Layers, &chart.Rule{Look: look, Value: m.Value, Vertical: true})
	}
	if more := n - mostListed; more > 0 {
		parts = append(parts[:mostListed], fmt.Sprintf("and %d more", more))
	}
	return NewFigure(c, cmp.Or(label.Unicode(o.Label), "Value")+": "+strings.Join(parts, ", ")+".")
}

// barNumbers writes the values with three digits; on a linear axis, where lengths compare, with equally many decimals.
func barNumbers(values []float64, log bool) (numbers []string) {
	if !log {
		return table.Numbers(values, 3)
	}
	for _, v := range values {
		numbers = append(numbers, table.Numbers([]float64{v}, 3)...)
	}
	return numbers
}

// Room beside the bars: those of a logarithmic axis start below the smallest value, and the numbers stand at the ends.
const (
	roomBelow = 3.0
	roomAbove = 0.18 // of the drawn range, or of its decades
)

// barAxis leaves room for the numbers at the ends of the bars, and shows the marks.
func barAxis(o *BarOptions, values []float64) chart.Axis {
	a := chart.Axis{Label: cmp.Or(o.Label, "value")}
	low, high, smallest := 0.0, 0.0, math.Inf(1)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		low, high = min(low, v), max(high, v)
		if v > 0 {
			smallest = min(smallest, v)
		}
	}
	switch {
	case o.Log && high == 0: // nothing that the axis can show: any decade will do
		a.Scale, a.Min, a.Max = chart.Log, 0.1, 10
	case o.Log:
		a.Scale, a.Min = chart.Log, smallest/roomBelow
		if high > 1 && smallest >= 1 {
			a.Min = 1
		}
		a.Max = high * math.Pow(max(high/a.Min, 10), roomAbove)
	default:
		room := roomAbove * cmp.Or(high-low, 1)
		a.Min, a.Max = low, high
		if high > 0 || low == 0 {
			a.Max += room
		}
		if low < 0 {
			a.Min -= room
		}
	}
	for _, m := range o.Marks {
		if v := m.Value; math.Abs(v) <= math.MaxFloat64 && (v > 0 || !o.Log) {
			a.Min, a.Max = min(a.Min, v), max(a.Max, v)
		}
	}
	return a
}

func groupedBars(values []float64, o *BarOptions) (layers []chart.Layer) {
	places := map[string]*chart.Bars{}
	for i, v := range values {
		look := chart.Look{Color: style.Blue}
		if o.Groups != nil {
			look = chart.Look{Name: o.Groups[i]}
		}
		look.NoTooltip = o.Numbers != nil // which would write the value in another way
		bars := places[look.Name]
		if bars == nil {
			bars = &chart.Bars{Look: look, Horizontal: true}
			places[look.Name], layers = bars, append(layers, bars)
		}
		bars.At, bars.To = append(bars.At, float64(i)), append(bars.To, v)
	}
	return layers
}
